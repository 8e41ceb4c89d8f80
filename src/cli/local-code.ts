/** Lists the code of the local commands, which is loaded when a command runs. */

import type { Invocation } from '../invocation/invocation.ts';
import type { LocalInput } from '../local/flags.ts';
import type { Result } from '../output/result.ts';

/** The code of any command. Each one takes other flags, so the type of the input is `never`. */
type AnyCode = (invocation: Invocation, input: never) => ReturnType<LocalCode>;

/** Runs a local command. Returns undefined if the command writes its output itself, as a server does. */
type LocalCode = (invocation: Invocation, input: LocalInput) => Promise<Result | undefined>;

const codes: Readonly<Record<string, () => Promise<AnyCode>>> = {
  init: async () => (await import('../commands/init/init.ts')).initialize,
  'auth login': async () => (await import('../commands/auth/auth.ts')).logIn,
  'auth logout': async () => (await import('../commands/auth/auth.ts')).logOut,
  'auth move': async () => (await import('../commands/auth/store.ts')).moveCredential,
  'auth status': async () => (await import('../commands/auth/status.ts')).showStatus,
  'auth oidc-token': async () => (await import('../commands/auth/oidc-token.ts')).oidcToken,
  'ws use': async () => (await import('../commands/config/workspace.ts')).useWorkspace,
  'events get': async () => (await import('../commands/events/get.ts')).getEvent,
  'events tail': async () => (await import('../commands/events/tail.ts')).tailEvents,
  'events queue list': async () => (await import('../commands/events/spool.ts')).listSpool,
  'events queue flush': async () => (await import('../commands/events/spool.ts')).flushSpool,
  'events queue drop': async () => (await import('../commands/events/spool.ts')).dropSpool,
  'artifacts pull': async () => (await import('../commands/artifacts/pull.ts')).pullRevision,
  'artifacts push': async () => (await import('../commands/artifacts/push.ts')).pushRevision,
  api: async () => (await import('../commands/api.ts')).callPath,
  completion: async () => (await import('../commands/completion/script.ts')).complete,
  'config list': async () => (await import('../commands/config/config.ts')).listProfiles,
  'config get': async () => (await import('../commands/config/config.ts')).showSetting,
  'config set': async () => (await import('../commands/config/config.ts')).changeSetting,
  'config unset': async () => (await import('../commands/config/config.ts')).changeSetting,
  'config path': async () => (await import('../commands/config/config.ts')).showPath,
  'config use': async () => (await import('../commands/config/config.ts')).useProfile,
  'config delete': async () => (await import('../commands/config/profile.ts')).deleteProfile,
  'config trust': async () => (await import('../commands/config/trust.ts')).trustFile,
  'config untrust': async () => (await import('../commands/config/trust.ts')).distrustFile,
  'config explain': async () => (await import('../commands/config/config.ts')).explainSettings,
  doctor: async () => (await import('../commands/doctor/doctor.ts')).diagnose,
  open: async () => (await import('../commands/open.ts')).openLast,
  serve: async () => (await import('../commands/service/serve.ts')).serve,
  dev: async () => (await import('../commands/service/dev.ts')).runBeside,
  'data export': async () => (await import('../commands/service/data.ts')).exportData,
  'data import': async () => (await import('../commands/service/data.ts')).importData,
  mcp: async () => (await import('../mcp/server.ts')).serveMcp,
  schema: async () => (await import('../commands/help/schema.ts')).printSchema,
  help: async () => (await import('../commands/help/help.ts')).help,
};

/** Loads the code of a local command. `words` are the words of its record, such as `config trust`. */
export async function loadLocal(words: string): Promise<LocalCode> {
  const load = codes[words];
  if (!load) throw new Error(`no code for dtp ${words}`);
  // The parser has read the flags of the same record, so they have the types that the code expects.
  return (await load()) as LocalCode;
}
