/** Implements `dtp auth login` and `dtp auth logout`, which store and delete the credential of a profile. */
import { ignoring } from '../../caught.ts';
import { DtpError } from '../../errors.ts';
import { readStdin } from '../../input/files.ts';
import { baseUrlOf } from '../../invocation/connect.ts';
import { call } from '../../invocation/connection.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { isNamedWorkspace } from '../../invocation/names-shape.ts';
import { withConnection } from '../../invocation/over.ts';
import { idIn, workspaceMismatchText } from '../../invocation/workspace-text.ts';
import type { JsonObject } from '../../json-object.ts';
import { credentialLimit } from '../../limits.ts';
import type { LocalInput, loginFlags } from '../../local/flags.ts';
import { operationsFor } from '../../operations/areas.ts';
import { schemeNamed } from '../../operations/schemes.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { headerValue } from '../../request/http.ts';
import { fieldsIn } from '../../request/read.ts';
import { redactUrl } from '../../request/redact.ts';
import { originOf } from '../../request/url.ts';
import { commandLine, flagsWith, flagText, sameService } from '../../settings/command-line.ts';
import { type FoundCredential, headerFor } from '../../settings/credential.ts';
import { keychainEntry } from '../../settings/keychain.ts';
import { loginPlace, type Settings } from '../../settings/resolve.ts';
import { checkTrusted } from '../../settings/trust.ts';
import { inputLine } from '../../shell.ts';
import { configFolder } from '../../system/folders.ts';
import { checkProfile, noteCurrentProfile, refuseBuiltIn } from '../config/profile.ts';
import { storeLogin } from './store.ts';

type LoginFlags = LocalInput<typeof loginFlags>['flags'];

/**
 * Checks a credential and stores it in the profile. Prints messages to stderr. Returns a result only if the user
 * requests a format or an output file. `isAlone` is false in `dtp init`, which then selects the profile.
 */
export async function logIn(
  opened: Invocation,
  { flags }: LocalInput<typeof loginFlags>,
  isAlone = true,
): Promise<Result | undefined> {
  const invocation = { ...opened, settings: await withBaseUrl(opened) };
  const { context, globals, settings, log } = invocation;
  const base = baseUrlOf(settings);
  if (base.value === 'local:')
    throw new DtpError('usage', 'the embedded service needs no login', {
      hint: 'Use it with --profile local, or log in to another service:',
      next: ['dtp --profile local ws current', 'dtp auth login --base-url URL'],
    });
  refuseBuiltIn(settings.profile);
  refuseReplacing(settings, base.value);

  const profiles = await context.openProfiles(configFolder(context));
  await profiles.check();
  const store = flags.store ?? loginPlace(settings.stored) ?? 'file';
  const scheme = flags.scheme ?? schemeNamed(settings.values.scheme?.value) ?? 'api-key';
  const secret = headerValue('the credential', await readSecret(invocation, flags, base.value));
  const origin = originOf(base.value);
  const header = headerFor(settings, scheme);
  const used: FoundCredential = { scheme, origin, header, source: 'your input', fetch: async () => secret };
  const facts = await validate(invocation, used);
  const name = settings.profile.value;
  const named = settings.values.workspace;
  // Do not compare a workspace from the profile, because the login replaces it.
  const isSame =
    globals.workspace !== '' && (named?.source.startsWith('profile ') || (await isOwn(invocation, facts, used)));
  const profile = {
    base_url: base.value,
    scheme,
    credential_origin: origin,
    ...stringsOf({
      workspace: globals.workspace === undefined || isSame ? facts.workspace_id : globals.workspace,
      credential_workspace: facts.workspace_id,
      organization_slug: facts.org_slug,
      workspace_slug: facts.workspace_slug,
    }),
  };
  const before = profiles.read().current;
  await storeLogin(invocation, { profile, secret, store });
  log.success(`logged in to ${base.value}${await whoText(invocation, used, facts)}`);
  const place = store === 'keychain' ? 'in the keychain' : `unencrypted in ${profiles.file}`;
  log.note(`the credential is stored ${place}`);
  const isNew = profiles.read().current === name && (before ?? 'default') !== name;
  if (isAlone) await noteCurrentProfile(invocation, name, isNew);
  const set = ['DTP_API_KEY', 'DTP_TOKEN', 'DTP_WORKSPACE_IDENTIFIER'].find((one) => context.env[one]?.trim());
  if (set !== undefined) log.warn(`${set} overrides this login. Unset it to use the stored credential`);
  const own = idIn(facts);
  if (named && own !== undefined && !isSame) log.warn(workspaceMismatchText(named, own));
  const value = { profile: name, base_url: base.value, ...facts };
  const isAsked = globals.json || globals.output !== undefined || globals.outputFile !== undefined;
  return isAsked ? { kind: 'value', value, shape: profileShape } : undefined;
}

/** Returns ` as EMAIL, workspace ORG/WORKSPACE`, as far as known. Requests the email only for a terminal. */
async function whoText(invocation: Invocation, credential: FoundCredential, { org_slug, workspace_slug }: JsonObject) {
  const place = [org_slug, workspace_slug].filter((one) => typeof one === 'string').join('/');
  const where = place === '' ? '' : `, workspace ${place}`;
  return invocation.context.stderr.isTTY === true ? (await userText(invocation, credential)) + where : where;
}

/** Returns ` as EMAIL`, or an empty string if the service does not report the email of the user. */
export async function userText(invocation: Invocation, credential?: FoundCredential): Promise<string> {
  const operation = operationsFor('auth').getUser;
  // Ignore a failure, because the email is only shown to the user. An interrupt is not a DtpError and is thrown.
  const user = await withConnection(invocation, { operation, credential }, ({ connection, begin }) =>
    call(connection, operation, {}, begin(operation).signal).then(fieldsIn),
  ).catch(ignoring(isFailure));
  return typeof user?.email === 'string' && user.email !== '' ? ` as ${user.email}` : '';
}

const isFailure = (error: unknown): boolean => error instanceof DtpError;

/** Throws `usage` if the login would replace a credential for another service, unless the user passed --profile. */
function refuseReplacing({ profile, stored }: Settings, base: string): void {
  const { credential_origin: origin } = stored;
  if (profile.source === '--profile' || loginPlace(stored) === undefined) return;
  if (origin === undefined || origin === originOf(base)) return;
  throw new DtpError('usage', `profile "${profile.value}" already has a credential for ${origin}`, {
    hint: `To keep that credential, use a new profile for ${base}. To replace it, pass ${flagText('--profile', profile.value)}.`,
    next: [commandLine(['auth', 'login', ['--base-url', base], '--profile', 'NAME'])],
  });
}

/** Returns the settings. Prompts for a missing base URL, because a login is often the first command of a user. */
async function withBaseUrl({ settings, openPrompts }: Invocation): Promise<Settings> {
  checkTrusted(settings, 'base_url');
  const prompts = settings.values.base_url ? undefined : openPrompts();
  if (!prompts) return settings;
  const value = await prompts.text('Base URL of the service (such as https://api.example.com):');
  return { ...settings, values: { ...settings.values, base_url: { value, source: 'your answer' } } };
}

async function readSecret({ context, globals, openPrompts }: Invocation, options: LoginFlags, baseUrl: string) {
  const flags = [...sameService({ ...globals, baseUrl }), ...flagsWith({ scheme: options.scheme }), '--with-token'];
  const next = [inputLine(commandLine(['auth', 'login', ...flags]), 'FILE')];
  if (options.withToken || context.stdin.isTTY !== true) {
    if (!options.withToken)
      throw new DtpError('usage', 'cannot prompt for the credential without a terminal; pass it on standard input', {
        next,
      });
    const bytes = await readStdin(context, credentialLimit.bytes, 'the credential');
    const secret = bytes ? new TextDecoder().decode(bytes).trim() : '';
    // A line of a shell, such as `export DTP_API_KEY=…`, or several lines. A key may have spaces.
    if (/^(\S+[ :])?DTP_[A-Z_]+ ?= ?\S|\n/.test(secret))
      throw new DtpError('usage', 'standard input must be only the key: one line, without a name', { next });
    if (secret !== '') return secret;
    throw new DtpError('usage', 'no credential on standard input', { next });
  }
  const prompts = openPrompts();
  if (!prompts) throw new DtpError('usage', 'prompts are disabled; pass the credential on standard input', { next });
  const secret = await prompts.secret(`Credential for ${baseUrl} (hidden):`);
  if (secret === '') throw new DtpError('cancelled', 'cancelled, because no credential was entered');
  return secret;
}

/** Whether the selected workspace, if any, is that of the credential. True if the service does not report it. */
export async function isOwn(invocation: Invocation, facts: JsonObject, credential?: FoundCredential) {
  const named = invocation.settings.values.workspace;
  const own = idIn(facts);
  if (!named || own === undefined || named.value === own) return true;
  if (!isNamedWorkspace(named)) return false;
  if (named.value === facts.workspace_slug) return true;
  const operation = operationsFor('ws').getWorkspaces;
  // Other commands fail too if several workspaces have the name.
  const id = await withConnection(invocation, { operation, credential }, ({ connection, begin }) =>
    connection.workspaceId(operation, begin(operation).signal),
  ).catch(ignoring(isFailure));
  return id === own;
}

/** Calls `validateApiKey` with the given credential, or with the configured one, and returns the response. */
export const validate = (invocation: Invocation, credential?: FoundCredential) => {
  const operation = operationsFor('auth').validateApiKey;
  return withConnection(invocation, { operation, credential }, ({ connection, begin }) =>
    withSpinner(invocation.context, operation.summary, () => connection.whose(begin(operation).signal)),
  );
};

const stringsOf = (all: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

/** Deletes the stored credential. The service still accepts it. */
export async function logOut({ context, settings, log }: Invocation): Promise<Result> {
  checkTrusted(settings, 'profile');
  const name = settings.profile.value;
  for (const fault of settings.faults) log.warn(fault.message);
  const profiles = await context.openProfiles(configFolder(context));
  // The default profile does not have to exist.
  if (settings.profile.source !== 'default') checkProfile(name, profiles.read(), ['dtp config list']);
  const place = loginPlace(settings.stored);
  if (place === undefined) {
    log.note(`profile ${name} has no credential`);
    return { kind: 'done' };
  }
  await profiles.check();
  if (place === 'keychain') await keychainEntry(context, settings, name, settings.stored).remove();
  await profiles.update((now) => {
    const { credential, credential_store, credential_origin, credential_workspace, scheme, ...rest } =
      now.profiles[name] ?? {};
    return { ...now, profiles: { ...now.profiles, [name]: rest } };
  });
  const { base_url = '', credential_origin: origin = base_url } = settings.stored;
  log.success(`deleted the credential of profile ${name}. It is still valid at ${redactUrl(origin)}`);
  return { kind: 'done' };
}

/** Makes `-o name` print the name of the profile. */
export const profileShape = { names: 'profile' };
