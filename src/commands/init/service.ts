/** The first step of `dtp init`: sets up a profile for a service, or selects the embedded service. */
import { DtpError, hasCode } from '../../errors.ts';
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import { redactUrl } from '../../request/redact.ts';
import { originOf } from '../../request/url.ts';
import { commandLine, sameService } from '../../settings/command-line.ts';
import { credentialKind } from '../../settings/credential.ts';
import type { Globals } from '../../settings/global-flags.ts';
import { faultOf } from '../../settings/keys.ts';
import { builtIn } from '../../settings/resolve.ts';
import type { Profile } from '../../store/profiles.ts';
import { configFolder } from '../../system/folders.ts';
import { logIn, validate } from '../auth/auth.ts';
import { moveCredential } from '../auth/store.ts';
import { changeSetting, useProfile } from '../config/config.ts';
import { pickWorkspace } from '../config/pick-workspace.ts';
import { askText, askYesNo, type Setup } from './setup.ts';

/**
 * Sets up a profile, makes it the current one, and returns the invocation that uses it. Throws `usage` if a flag is
 * missing, or if the profile belongs to another service.
 */
export async function setUpService(setup: Setup): Promise<Invocation> {
  if (await isLocal(setup)) {
    checkEmbedded(setup);
    return useLocal(setup);
  }
  const { invocation } = setup;
  const base = await baseUrlOf(setup);
  const profile = await profileFor(setup, base);
  const opened = await reopened(invocation, { ...invocation.globals, baseUrl: base, profile });
  await logInOrKeep({ ...setup, invocation: opened });
  setup.did(`profile ${profile} has a valid credential for ${redactUrl(base)}`);
  await makeCurrent(opened, profile);
  return chooseWorkspace({ ...setup, invocation: await reopened(opened, opened.globals) });
}

/** Throws `usage` if a flag needs a service. */
export function checkEmbedded({ given: { flags } }: Setup): void {
  if (flags.folderFile)
    throw new DtpError('usage', '--folder-file needs a service: the embedded service has its own workspaces');
  if (flags.ci !== undefined) throw new DtpError('usage', '--ci needs a service that the CI can reach');
}

/** Opens the invocation again, because its settings have changed. */
const reopened = ({ context, argv, openPrompts }: Invocation, globals: Globals): Promise<Invocation> =>
  openInvocation(context, { argv, globals, openPrompts, way: { login: globals.profile !== 'local' } });

async function isLocal({ invocation, given, prompts }: Setup): Promise<boolean> {
  const { globals, settings } = invocation;
  const { local, withToken } = given.flags;
  const isOther = (globals.baseUrl ?? 'local:') !== 'local:' || (globals.profile ?? 'local') !== 'local';
  if (local && (isOther || withToken))
    throw new DtpError('usage', '--local cannot be combined with --base-url, --profile or --with-token');
  if (local || globals.baseUrl === 'local:') return true;
  if (globals.baseUrl !== undefined || globals.profile !== undefined) return globals.profile === 'local';
  // After a login these settings are already those of its profile, so the file says which profile is the current one.
  const isNow = settings.values.base_url?.value === 'local:' || (await currentName(invocation)) === 'local';
  if (!prompts) {
    if (isNow && !withToken) return true;
    if (settings.values.base_url) return false;
    throw new DtpError('usage', 'missing flag: --local or --base-url', {
      next: [commandLine(['init', '--local']), commandLine(['init', '--base-url', 'URL', '--with-token'])],
    });
  }
  const choices = [
    { value: 'service', label: 'A service', hint: 'log in with its base URL and a credential' },
    { value: 'local', label: 'The embedded service', hint: 'try everything locally, without an account' },
  ];
  return (await prompts.pick('What should dtp use?', isNow ? choices.reverse() : choices)) === 'local';
}

const currentName = async ({ context }: Invocation) =>
  (await context.openProfiles(configFolder(context))).read().current;

async function useLocal({ invocation, did }: Setup): Promise<Invocation> {
  const before = await currentName(invocation);
  await makeCurrent(invocation, 'local');
  did('the current profile is local, the embedded service');
  if (before !== undefined && before !== 'local')
    invocation.log.note(`switch back with: ${commandLine(['config', 'use', [before]])}`);
  const { baseUrl: _, ...globals } = invocation.globals;
  return reopened(invocation, { ...globals, profile: 'local' });
}

async function baseUrlOf({ invocation, prompts }: Setup): Promise<string> {
  const { globals, settings, log } = invocation;
  if (globals.baseUrl !== undefined) return globals.baseUrl;
  const present = settings.values.base_url?.value;
  const usual = present === 'local:' ? undefined : present;
  if (!prompts && usual === undefined)
    throw new DtpError('usage', 'missing flag: --base-url', {
      next: [commandLine(['init', ...sameService(globals), '--base-url', 'URL', '--with-token'])],
    });
  if (!prompts) return usual ?? '';
  for (;;) {
    const answer = await askText(prompts, 'Base URL', usual);
    const fault = answer === 'local:' ? 'must be the URL of a service' : faultOf('base_url', answer);
    if (fault === undefined) return answer;
    log.note(`the base URL ${fault}`);
  }
}

/** The service that a profile belongs to. Undefined for a new profile. */
function ownerOf({ base_url, credential_origin: origin }: Profile = {}): string | undefined {
  return origin ?? (base_url === undefined ? undefined : originOf(base_url));
}

/** The name of a profile for the service: the selected one, unless it belongs to another service. */
async function profileFor({ invocation, given, prompts }: Setup, base: string): Promise<string> {
  const { context, globals, settings } = invocation;
  const { profiles } = (await context.openProfiles(configFolder(context))).read();
  const stored = (name: string) => (Object.hasOwn(profiles, name) ? profiles[name] : undefined);
  const isFree = (name: string) =>
    !Object.hasOwn(builtIn, name) && [undefined, originOf(base)].includes(ownerOf(stored(name)));
  const same = Object.keys(profiles).find((name) => ownerOf(profiles[name]) === originOf(base));
  const usual = globals.profile ?? same ?? settings.profile.value;
  if (isFree(usual)) return usual;
  const owner = ownerOf(stored(usual)) ?? 'the embedded service';
  if (!prompts || globals.profile !== undefined)
    throw new DtpError('usage', `profile "${usual}" belongs to ${owner}`, {
      hint: `Choose another name for ${redactUrl(base)}:`,
      next: [
        commandLine([
          ...(['init', ['--base-url', base], '--profile', 'NAME'] as const),
          ...(!prompts || given.flags.withToken ? ['--with-token'] : []),
        ]),
      ],
    });
  invocation.log.note(`profile "${usual}" belongs to ${owner}`);
  for (;;) {
    const name = await askText(prompts, 'Name of the new profile', undefined);
    if (isFree(name)) return name;
    invocation.log.note(`profile "${name}" is taken`);
  }
}

const attempts = 3;

async function logInOrKeep(setup: Setup): Promise<void> {
  const { invocation, given, prompts } = setup;
  const { settings, log } = invocation;
  const { withToken, store } = given.flags;
  if (credentialKind(settings.stored) !== 'none' && !withToken) {
    const question = `Keep the stored credential of profile ${settings.profile.value}?`;
    if (!prompts || (await askYesNo(setup, question, { usual: true }))) {
      const isValid = await validate(invocation).then(
        () => true,
        (error: unknown) => {
          if (!prompts || !hasCode(error, 'auth')) throw error;
          log.note('the service refused the stored credential; enter another one');
          return false;
        },
      );
      if (isValid && store !== undefined) await moveCredential(invocation, { args: [], flags: { to: store } });
      if (isValid) return;
    }
  }
  if (!prompts && !withToken)
    throw new DtpError('usage', 'missing flag: --with-token, which reads the credential from standard input', {
      next: [commandLine(['init', ...sameService(invocation.globals), '--with-token'])],
    });
  const { json: _, output: __, outputFile: ___, ...globals } = invocation.globals;
  for (let left = attempts; ; left--) {
    try {
      await logIn({ ...invocation, globals }, { args: [], flags: given.flags }, false);
      return;
    } catch (error) {
      if (!prompts || withToken || left === 1 || !hasCode(error, 'auth')) throw error;
      log.note('the service refused the credential; enter it again');
    }
  }
}

async function makeCurrent(invocation: Invocation, name: string): Promise<void> {
  const current = (await currentName(invocation)) ?? 'default';
  // The end of the screen names the profile. Only another profile that stays in use is reported here.
  const log = { ...invocation.log, success: () => undefined, next: () => undefined };
  if (current !== name) await useProfile({ ...invocation, log }, { args: [name], flags: {} });
}

/** Prompts for the workspace if the profile has no workspace. Returns the invocation that uses it. */
async function chooseWorkspace({ invocation, prompts, did }: Setup): Promise<Invocation> {
  const { context, argv, globals, openPrompts, settings } = invocation;
  if (settings.values.workspace || !prompts) return invocation;
  const { value: id } = (await pickWorkspace(invocation, prompts)) ?? {};
  if (id === undefined) return invocation;
  await changeSetting(invocation, { args: ['workspace', id], flags: {} });
  did(`the workspace is ${id}`);
  return openInvocation(context, { argv, globals, openPrompts, way: { login: true } });
}
