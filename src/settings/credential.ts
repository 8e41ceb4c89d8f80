/** Which credential a request carries, and where it comes from. */
import type { Context } from '../context.ts';
import { credentialVariables } from '../declarations/variables.ts';
import { DtpError, withFacts } from '../errors.ts';
import { type Scheme, schemeHeaders } from '../operations/schemes.ts';
import { originOf } from '../request/url.ts';
import type { Credential } from '../transport/credentials.ts';
import { commandLine } from './command-line.ts';
import type { Setting, Settings } from './resolve.ts';

/** A credential that is configured; its secret is fetched only for a request that is sent. */
export interface FoundCredential extends Omit<Credential, 'secret'> {
  /** `DTP_API_KEY`, `profile staging`, `credential_command of profile staging`. */
  readonly source: string;
  readonly fetch: () => Promise<string>;
  /** Whether `fetch` runs a command. */
  readonly isCommand?: true;
  /** Its workspace, as validateApiKey named it at the login that stored it. */
  readonly workspace?: string;
  /** The variables that hold another credential, which is not used. */
  readonly ignored?: readonly string[];
}

const variables = Object.entries(credentialVariables);

/** The variable that a credential of a scheme is set in. */
export const variableOf = (scheme: Scheme = 'api-key'): string =>
  variables.find(([, one]) => one.scheme === scheme)?.[0] ?? 'DTP_API_KEY';

/** The credential for a base address; undefined where none is configured. Throws `config` for one without an address. */
export function findCredential(
  context: Context,
  settings: Settings,
  base: Setting,
): FoundCredential | undefined {
  const stored = storedCredential(context, settings);
  // As for every setting: a profile that was named by a flag goes before the environment.
  if (stored && settings.profile.source === '--profile') return stored;
  return fromEnvironment(context, settings, base) ?? stored;
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

/** Which credential is used if several variables hold one; undefined if at most one does. */
export function ignoredText({ source, ignored = [] }: FoundCredential): string | undefined {
  if (ignored.length === 0) return undefined;
  return `the credential comes from ${source}; ${ignored.join(' and ')} ${ignored.length === 1 ? 'is' : 'are'} ignored`;
}

interface Warns {
  readonly warnOnce: (text: string) => void;
}

/** Once per command, however many connections it opens. */
export function warnOfIgnored(found: FoundCredential, log: Warns): void {
  const text = ignoredText(found);
  if (text !== undefined) log.warnOnce(text);
}

function storedCredential(context: Context, settings: Settings): FoundCredential | undefined {
  const { credential, credential_command: command, credential_origin, base_url } = settings.stored;
  const { credential_workspace: workspace } = settings.stored;
  if (credential === undefined && command === undefined) return undefined;
  const profile = settings.profile.value;
  const address = credential_origin ?? base_url;
  if (address === undefined || !URL.canParse(address))
    throw new DtpError('config', `profile ${profile} has a credential, and no address that it belongs to`, {
      next: [commandLine(['config', 'set', 'base_url', 'URL', '--profile', profile])],
    });
  const scheme = (settings.values.scheme?.value ?? 'api-key') as Scheme;
  const common = { scheme, origin: originOf(address), header: headerFor(settings, scheme) };
  if (command === undefined)
    return {
      ...common,
      fetch: async () => credential ?? '',
      source: `profile ${profile}`,
      ...(workspace !== undefined && { workspace }),
    };
  return {
    ...common,
    isCommand: true,
    source: `credential_command of profile ${profile}`,
    fetch: async () => {
      const next = [commandLine(['config', 'get', 'credential_command', '--profile', profile])];
      const printed = await context.exec(command, 3000).catch((error: unknown) => {
        throw withFacts(error, { next });
      });
      const secret = printed.trim();
      if (secret !== '') return secret;
      throw new DtpError('config', `the credential_command of profile ${profile} printed nothing`, { next });
    },
  };
}

/** The header that carries a scheme's credential, in lower case. */
export const headerFor = (settings: Settings, scheme: Scheme): string =>
  scheme === 'bearer'
    ? schemeHeaders.bearer
    : (settings.values[`header.${scheme}`]?.value ?? schemeHeaders[scheme]).toLowerCase();

/** The name of the header that would carry the credential: for requests that are shown and not sent. */
export function credentialHeaderName(
  context: Context,
  settings: Settings,
  base: Setting,
  log: Warns,
): string | undefined {
  if (base.value === 'local:') return schemeHeaders['api-key'];
  const found = findCredential(context, settings, base);
  if (found) warnOfIgnored(found, log);
  return found?.header;
}
