/** Lists the code of the local commands, which is loaded when a command runs. */
import type { Invocation } from '../invocation/invocation.ts';
import type { LocalCode } from './local-input.ts';

/** The code of a command, whose input has the flags of that command. */
type AnyCode = (invocation: Invocation, input: never) => ReturnType<LocalCode>;

const codes: Readonly<Record<string, () => Promise<AnyCode>>> = {
  init: async () => (await import('./init/init.ts')).initialize,
  'auth login': async () => (await import('./auth/auth.ts')).logIn,
  'auth logout': async () => (await import('./auth/auth.ts')).logOut,
  'auth status': async () => (await import('./auth/status.ts')).showStatus,
  'auth oidc-token': async () => (await import('./auth/oidc-token.ts')).oidcToken,
  'ws use': async () => (await import('./config/workspace.ts')).useWorkspace,
  'events tail': async () => (await import('./events/tail.ts')).tailEvents,
  'events queue list': async () => (await import('./events/spool.ts')).listSpool,
  'events queue flush': async () => (await import('./events/spool.ts')).flushSpool,
  'events queue drop': async () => (await import('./events/spool.ts')).dropSpool,
  'artifacts pull': async () => (await import('./artifacts/pull.ts')).pullRevision,
  'artifacts push': async () => (await import('./artifacts/push.ts')).pushRevision,
  api: async () => (await import('./api.ts')).callPath,
  completion: async () => (await import('./completion/script.ts')).complete,
  'config list': async () => (await import('./config/config.ts')).listProfiles,
  'config get': async () => (await import('./config/config.ts')).showSetting,
  'config set': async () => (await import('./config/config.ts')).changeSetting,
  'config unset': async () => (await import('./config/config.ts')).forgetSetting,
  'config path': async () => (await import('./config/config.ts')).showPath,
  'config use': async () => (await import('./config/config.ts')).useProfile,
  'config delete': async () => (await import('./config/profile.ts')).deleteProfile,
  'config trust': async () => (await import('./config/trust.ts')).trustFile,
  'config untrust': async () => (await import('./config/trust.ts')).distrustFile,
  'config explain': async () => (await import('./config/config.ts')).explainSettings,
  doctor: async () => (await import('./doctor/doctor.ts')).diagnose,
  open: async () => (await import('./open.ts')).openLast,
  serve: async () => (await import('./service/serve.ts')).serve,
  dev: async () => (await import('./service/dev.ts')).runBeside,
  mcp: async () => (await import('./mcp.ts')).serveMcp,
  schema: async () => (await import('./help/schema.ts')).printSchema,
  help: async () => (await import('./help/help.ts')).help,
};

/** Loads the code of a local command. `words` are the words of its record, such as `config trust`. */
export async function loadLocal(words: string): Promise<LocalCode> {
  const load = codes[words];
  if (!load) throw new Error(`no code for dtp ${words}`);
  // The parser has read the flags of the same record, so they have the types that the code expects.
  return (await load()) as LocalCode;
}
