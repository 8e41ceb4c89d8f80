/** Which credential a request carries, and where it comes from. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { type Scheme, schemeHeaders } from '../operations/schemes.ts';
import { originOf } from '../request/url.ts';
import type { Credential } from '../transport/credentials.ts';
import type { Setting, Settings } from './settings.ts';

/** A credential that is configured; its secret is fetched only for a request that is sent. */
export interface FoundCredential extends Omit<Credential, 'secret'> {
  /** `DTP_API_KEY`, `profile staging`, `credential_command of profile staging`. */
  readonly source: string;
  readonly fetch: () => Promise<string>;
}

/** In this order where several are set (records.md, Security schemes). */
const variables = [
  ['DTP_API_KEY', 'api-key'],
  ['DTP_TOKEN', 'bearer'],
  ['DTP_WORKSPACE_IDENTIFIER', 'workspace-identifier'],
] as const satisfies readonly (readonly [string, Scheme])[];

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
  for (const [source, scheme] of variables) {
    const secret = context.env[source]?.trim();
    if (!secret) continue;
    const fetch = async () => {
      refuseFolder(source, base);
      return secret;
    };
    return { scheme, fetch, origin: originOf(base.value), header: headerFor(settings, scheme), source };
  }
  return undefined;
}

/** A cloned folder must not be able to send the user's credential to an address of its own. Throws `auth`. */
export function refuseFolder(what: string, base: Setting): void {
  if (base.source.endsWith('.dtp.json'))
    throw new DtpError('auth', `${what} is not sent to ${base.value}, which ${base.source} names`, {
      hint: 'Name the address yourself, with DTP_BASE_URL or --base-url.',
    });
}

function storedCredential(context: Context, settings: Settings): FoundCredential | undefined {
  const { credential, credential_command: command, credential_origin, base_url } = settings.stored;
  if (credential === undefined && command === undefined) return undefined;
  const profile = settings.profile.value;
  const address = credential_origin ?? base_url;
  if (address === undefined || !URL.canParse(address))
    throw new DtpError('config', `profile ${profile} has a credential, and no address that it belongs to`, {
      next: [`dtp config set base_url URL --profile ${profile}`],
    });
  const scheme = (settings.values.scheme?.value ?? 'api-key') as Scheme;
  const common = { scheme, origin: originOf(address), header: headerFor(settings, scheme) };
  if (command === undefined)
    return { ...common, fetch: async () => credential ?? '', source: `profile ${profile}` };
  return {
    ...common,
    source: `credential_command of profile ${profile}`,
    fetch: async () => {
      const secret = (await context.exec(command, 3000)).trim();
      if (secret !== '') return secret;
      throw new DtpError('config', `the credential_command of profile ${profile} printed nothing`);
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
): string | undefined {
  if (base.value === 'local:') return schemeHeaders['api-key'];
  return findCredential(context, settings, base)?.header;
}
