/** Finds the credential of a request and its source. */
import type { Context } from '../context.ts';
import { credentialVariables } from '../declarations/variables.ts';
import { DtpError, withFacts } from '../errors.ts';
import { type Scheme, schemeHeaders } from '../operations/schemes.ts';
import { originOf } from '../request/url.ts';
import type { Profile } from '../store/profiles.ts';
import type { Credential } from '../transport/credentials.ts';
import { commandLine } from './command-line.ts';
import { keychainEntry } from './keychain.ts';
import { loginPlace, type Setting, type Settings } from './resolve.ts';
import { exposedSetting } from './trust.ts';

/** A configured credential. Its secret is not fetched until a request is sent. */
export interface FoundCredential extends Omit<Credential, 'secret'> {
  /** The source to show, such as `DTP_API_KEY`, `profile staging` or `credential_command of profile staging`. */
  readonly source: string;
  readonly fetch: () => Promise<string>;
  /** Whether `fetch` runs another program, which may prompt. */
  readonly isExternal?: true;
  /** The workspace that validateApiKey reported for this credential during the login. */
  readonly workspace?: string;
  /** The variables that have other credentials and are ignored. */
  readonly ignored?: readonly string[];
}

const variables = Object.entries(credentialVariables);

export const variableOf = (scheme: Scheme = 'api-key'): string =>
  variables.find(([, one]) => one.scheme === scheme)?.[0] ?? 'DTP_API_KEY';

/** Finds the configured credential. Throws `config` for a stored one without a URL, or in a file others can write. */
export function findCredential(context: Context, settings: Settings, base: Setting): FoundCredential | undefined {
  const stored = storedCredential(context, settings);
  // --profile overrides environment variables, as for every setting.
  const first = stored && settings.profile.source === '--profile' ? stored : undefined;
  const found = first ?? fromEnvironment(context, settings, base) ?? stored;
  if (found && found === stored && settings.exposed)
    throw exposedSetting(
      settings.stored.credential_command !== undefined ? 'credential_command' : 'the credential',
      settings.exposed,
      `Set the credential with ${variableOf(found.scheme)}`,
    );
  return found;
}

function fromEnvironment(context: Context, settings: Settings, base: Setting): FoundCredential | undefined {
  const [first, ...others] = variables.filter(([name]) => context.env[name]?.trim());
  if (!first) return undefined;
  const [source, { scheme }] = first;
  const fetch = async () => context.env[source]?.trim() ?? '';
  const header = headerFor(settings, scheme);
  const ignored = others.map(([name]) => name);
  return { scheme, fetch, origin: originOf(base.value), header, source, ignored };
}

/** Returns a warning that other credentials in variables are ignored. Undefined without such variables. */
export function ignoredText({ source, ignored = [] }: FoundCredential): string | undefined {
  if (ignored.length === 0) return undefined;
  return `using the credential from ${source} and ignoring ${ignored.join(' and ')}`;
}

interface Warns {
  readonly warnOnce: (text: string) => void;
}

/** Warns about ignored variables once per command, even if it opens several connections. */
export function warnOfIgnored(found: FoundCredential, log: Warns): void {
  const text = ignoredText(found);
  if (text !== undefined) log.warnOnce(text);
}

/** Where the credential of a profile comes from. A command overrides a login. */
export const credentialKind = (profile: Profile) =>
  profile.credential_command === undefined ? (loginPlace(profile) ?? 'none') : 'command';

function storedCredential(context: Context, settings: Settings): FoundCredential | undefined {
  const { credential, credential_command: command, credential_origin, base_url } = settings.stored;
  const { credential_workspace: workspace } = settings.stored;
  const kind = credentialKind(settings.stored);
  if (kind === 'none') return undefined;
  const profile = settings.profile.value;
  const url = credential_origin ?? base_url;
  if (url === undefined || !URL.canParse(url))
    throw new DtpError('config', `profile ${profile} has a credential but no base URL to use it with`, {
      next: [commandLine(['config', 'set', 'base_url', 'URL', ['--profile', profile]])],
    });
  const scheme = (settings.values.scheme?.value ?? 'api-key') as Scheme;
  const common = { scheme, origin: originOf(url), header: headerFor(settings, scheme) };
  const ofLogin = { ...common, ...(workspace !== undefined && { workspace }) };
  if (kind === 'keychain')
    return {
      ...ofLogin,
      isExternal: true,
      source: `the keychain (profile ${profile})`,
      fetch: () => keychainEntry(context, settings, profile, settings.stored).read(),
    };
  if (command === undefined) return { ...ofLogin, fetch: async () => credential ?? '', source: `profile ${profile}` };
  return {
    ...common,
    isExternal: true,
    source: `credential_command of profile ${profile}`,
    fetch: async () => {
      const next = [commandLine(['config', 'get', 'credential_command', ['--profile', profile]])];
      const printed = await context.exec(command).catch((error: unknown) => {
        throw withFacts(error, { next });
      });
      const secret = printed.trim();
      if (secret !== '') return secret;
      throw new DtpError('config', `the credential_command of profile ${profile} printed nothing`, { next });
    },
  };
}

export const headerFor = (settings: Settings, scheme: Scheme): string =>
  scheme === 'bearer'
    ? schemeHeaders.bearer
    : (settings.values[`header.${scheme}`]?.value ?? schemeHeaders[scheme]).toLowerCase();

/** Returns the name of the header that would contain the credential, for requests that are shown but not sent. */
export function credentialHeaderName(context: Context, settings: Settings, base: Setting, log: Warns) {
  if (base.value === 'local:') return schemeHeaders['api-key'];
  const found = findCredential(context, settings, base);
  if (found) warnOfIgnored(found, log);
  return found?.header;
}
