/** `dtp auth login|logout|status`: the credential of a profile. */
import { type Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { operations } from '../../operations/index.ts';
import { type Scheme, schemeHeaders } from '../../operations/schemes.ts';
import { headerValue } from '../../request/http.ts';
import { redactUrl } from '../../request/redact.ts';
import { originOf } from '../../request/url.ts';
import type { Configuration, Profile } from '../../store/profiles.ts';
import { commandLine, sameService } from '../advice.ts';
import { ask, askHidden, mayAsk } from '../confirm.ts';
import { baseAddress, connect } from '../connection.ts';
import { type FoundCredential, findCredential, headerFor } from '../credential.ts';
import { openDeadline } from '../deadline.ts';
import { emitDone, emitResult } from '../emit.ts';
import { advise } from '../explain.ts';
import { readStdin } from '../files.ts';
import { configFolder } from '../folders.ts';
import type { Globals } from '../globals.ts';
import { type Log, openLog } from '../log.ts';
import type { OidcOptions } from '../oidc.ts';
import { outputOf } from '../output.ts';
import { builtIn, resolveSettings, type Setting, type Settings } from '../settings.ts';
import { withProgress, withSpinner } from '../spinner.ts';
import { groupOf } from '../tree.ts';
import { checkTrusted } from '../trust.ts';
import { idIn, otherText } from '../workspace-check.ts';
import { refuseBuiltIn } from './profile.ts';

interface LoginOptions {
  readonly withToken?: boolean;
  readonly scheme?: Scheme;
}

export function addAuth(program: Command, context: Context): void {
  const auth = groupOf(program, ['auth']);
  auth
    .command('login')
    .description('Check a credential and keep it in a profile')
    .option('--with-token', 'read the credential from standard input')
    .addOption(new Option('--scheme <scheme>', 'what the credential is').choices(Object.keys(schemeHeaders)))
    .action(async (options: LoginOptions) => login(context, program.opts(), options));
  auth
    .command('logout')
    .description('Forget the credential of a profile')
    .action(async () =>
      emitDone(context, program.opts(), 'auth logout', () => logout(context, program.opts())),
    );
  auth
    .command('status')
    .description('Say which credential is used and whether it is valid: 0 where it is, else 4')
    .action(async () => status(context, program.opts()));
  auth
    .command('oidc-token')
    .description('Print the OIDC token of the CI job that this runs in')
    .option('--audience <name>', 'whom the token is for; else what the runner takes')
    .option('--variable <name>', 'the variable that holds the token, such as one of id_tokens on GitLab')
    .addHelpText('after', '\nGitHub Actions gives a token to a job with permissions: id-token: write.')
    .action(async (options: OidcOptions) => {
      const { printOidcToken } = await import('../oidc.ts');
      await printOidcToken(context, program.opts(), options);
    });
}

async function login(context: Context, globals: Globals, options: LoginOptions): Promise<void> {
  const log = openLog(context, globals);
  const settings = await withAddress(
    context,
    globals,
    await resolveSettings(context, globals, { login: true }),
  );
  const output = await outputOf(context, globals, settings);
  const base = baseAddress(settings);
  if (base.value === 'local:')
    throw new DtpError('usage', 'the embedded service needs no login', {
      hint: 'Use it with --profile local, or log in to another service:',
      next: ['dtp --profile local ws current', 'dtp auth login --base-url URL'],
    });
  refuseBuiltIn(settings.profile);
  refuseReplacing(settings, base.value);

  const profiles = await context.openProfiles(configFolder(context));
  await profiles.check();
  const scheme = options.scheme ?? ((settings.values.scheme?.value ?? 'api-key') as Scheme);
  const secret = headerValue('the credential', await readSecret(context, globals, options, base.value));
  const origin = originOf(base.value);
  const facts = await validate(context, globals, settings, {
    scheme,
    origin,
    header: headerFor(settings, scheme),
    source: 'what was just given',
    fetch: async () => secret,
  });
  const name = settings.profile.value;
  const profile = {
    base_url: base.value,
    scheme,
    credential: secret,
    credential_origin: origin,
    ...textsOf({
      workspace: globals.workspace ?? facts.workspace_id,
      credential_workspace: facts.workspace_id,
      organization_slug: facts.org_slug,
      workspace_slug: facts.workspace_slug,
    }),
  };
  const before = profiles.read().current;
  await profiles.update((now) => withProfile(now, name, profile));
  log.note(`logged in to ${base.value}; the credential is stored in ${profiles.file} (profile ${name})`);
  if (profiles.read().current === name && (before ?? 'default') !== name)
    log.note(`the current profile is now ${name}`);
  await tellCurrent(context, globals, name, log);
  const first = ['DTP_API_KEY', 'DTP_TOKEN', 'DTP_WORKSPACE_IDENTIFIER'].find((one) =>
    context.env[one]?.trim(),
  );
  if (first !== undefined)
    log.warn(`${first} is set and overrides this login; unset it to use the stored credential`);
  const named = settings.values.workspace;
  // The profile's own workspace has just been replaced.
  if (named && !named.source.startsWith('profile ')) warnOfOther(named, facts, log);
  if (globals.json || globals.output !== undefined)
    await emitResult(context, { profile: name, base_url: base.value, ...facts }, output, byProfile, log);
}

/** A login at another service replaces a stored credential only if a flag names its profile. Throws `usage`. */
function refuseReplacing({ profile, stored }: Settings, base: string): void {
  const { credential, credential_origin: origin } = stored;
  if (profile.source === '--profile' || credential === undefined) return;
  if (origin === undefined || origin === originOf(base)) return;
  throw new DtpError('usage', `profile "${profile.value}" holds a credential for ${origin}`, {
    hint: `Name a profile for ${base}. To replace that credential, use --profile ${profile.value}:`,
    next: [commandLine(['auth', 'login', '--base-url', base, '--profile', 'NAME'])],
  });
}

/** Says how to use a profile that the next command would not use. */
async function tellCurrent(context: Context, globals: Globals, name: string, log: Log): Promise<void> {
  const { profile: _, ...others } = globals;
  const next = (await resolveSettings(context, others, { mending: true, looking: true })).profile;
  if (next.value === name) return;
  const isStored = next.source === 'dtp config use';
  const use = isStored ? `, or make it the current one: ${commandLine(['config', 'use', name])}` : '';
  const from = isStored ? '' : ` (from ${next.source})`;
  log.note(`the current profile is ${next.value}${from}; use the new one with --profile ${name}${use}`);
}

/** A login is the first thing that a person does: on a terminal the address is asked for. */
async function withAddress(context: Context, globals: Globals, settings: Settings): Promise<Settings> {
  checkTrusted(settings, 'base_url');
  if (settings.values.base_url || !mayAsk(context, globals)) return settings;
  const value = await ask(context, 'Address of the service: ');
  return { ...settings, values: { ...settings.values, base_url: { value, source: 'your answer' } } };
}

async function readSecret(
  context: Context,
  globals: Globals,
  options: LoginOptions,
  address: string,
): Promise<string> {
  const scheme = options.scheme === undefined ? [] : ['--scheme', options.scheme];
  const words = [
    'auth',
    'login',
    ...sameService({ ...globals, baseUrl: address }),
    ...scheme,
    '--with-token',
  ];
  const next = [`${commandLine(words)} < FILE`];
  if (options.withToken || context.stdin.isTTY !== true) {
    if (!options.withToken)
      throw new DtpError('usage', 'there is no terminal to ask on: pipe the credential in', { next });
    const bytes = await readStdin(context, 64 * 1024, 'the credential');
    const secret = bytes ? new TextDecoder().decode(bytes).trim() : '';
    if (secret !== '') return secret;
    throw new DtpError('usage', 'standard input holds no credential');
  }
  if (!mayAsk(context, globals))
    throw new DtpError('usage', 'prompts are disabled: pipe the credential in', { next });
  const secret = await askHidden(context, `Credential for ${address} (it is not shown): `);
  if (secret === '') throw new DtpError('cancelled', 'no credential was given; nothing is stored');
  return secret;
}

/** Such a login works, but most commands will refuse to act on the workspace that is named. */
function warnOfOther(named: Setting, facts: Readonly<Record<string, unknown>>, log: Log): void {
  const own = idIn(facts);
  if (own !== undefined && own !== named.value) log.warn(otherText(named, own));
}

/** What `validateApiKey` says of a credential, or of the configured one. */
async function validate(
  context: Context,
  globals: Globals,
  settings: Settings,
  credential?: FoundCredential,
): Promise<Readonly<Record<string, unknown>>> {
  const operation = operations.validateApiKey;
  const log = openLog(context, globals);
  const connection = await connect({ context, settings, globals, operation, log, credential });
  const deadline = openDeadline(context, operation, settings);
  try {
    return await withSpinner(withProgress(context, globals), operation.summary, () =>
      connection.whose(deadline.signal),
    );
  } catch (error) {
    throw advise(error, { context, operation, settings, globals, connection });
  } finally {
    deadline.end();
    await connection.close();
  }
}

const textsOf = (all: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(all).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );

/**
 * The first profile that is logged in becomes the current one, and so does one in the place of a built-in one. What was
 * logged in with replaces a command.
 */
function withProfile(now: Configuration, name: string, profile: Profile): Configuration {
  const { credential_command: _, credential_workspace: __, ...kept } = now.profiles[name] ?? {};
  const isFree = now.current === undefined || Object.hasOwn(builtIn, now.current);
  return {
    current: isFree ? name : now.current,
    profiles: { ...now.profiles, [name]: { ...kept, ...profile } },
  };
}

async function logout(context: Context, globals: Globals): Promise<void> {
  const settings = await resolveSettings(context, globals, { mending: true });
  checkTrusted(settings, 'profile');
  const log = openLog(context, globals);
  const name = settings.profile.value;
  for (const fault of settings.faults) log.warn(fault.message);
  if (settings.stored.credential === undefined) return log.note(`profile ${name} holds no credential`);
  const profiles = await context.openProfiles(configFolder(context));
  await profiles.update((now) => {
    const { credential, credential_origin, credential_workspace, scheme, ...rest } = now.profiles[name] ?? {};
    return { ...now, profiles: { ...now.profiles, [name]: rest } };
  });
  const address = redactUrl(settings.stored.base_url ?? '');
  log.note(`forgot the credential of profile ${name}; it is still valid at ${address}`);
}

async function status(context: Context, globals: Globals): Promise<void> {
  const settings = await resolveSettings(context, globals);
  const output = await outputOf(context, globals, settings);
  const base = baseAddress(settings);
  const facts = await validate(context, globals, settings);
  const credential = base.value === 'local:' ? undefined : findCredential(context, settings, base);
  const log = openLog(context, globals);
  const named = settings.values.workspace;
  if (named) warnOfOther(named, facts, log);
  const own = idIn(facts);
  const result = {
    valid: true,
    profile: settings.profile.value,
    base_url: base.value,
    scheme: credential?.scheme ?? 'api-key',
    credential_source: credential?.source ?? 'the embedded service',
    ignored_credentials: credential?.ignored ?? [],
    workspace_id: facts.workspace_id,
    workspace_slug: facts.workspace_slug,
    org_slug: facts.org_slug,
    named_workspace_id: named?.value ?? null,
    named_workspace_source: named?.source ?? null,
    workspaces_differ: named !== undefined && own !== undefined && named.value !== own,
  };
  await emitResult(context, result, output, byProfile, log);
}

/** What `-o name` prints of a login. */
const byProfile = { names: 'profile' };
