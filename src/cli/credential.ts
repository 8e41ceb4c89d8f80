/** Which credential a request carries, and where it comes from. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { type Scheme, schemeHeaders } from '../operations/schemes.ts';
import { originOf } from '../request/url.ts';
import type { Credential } from '../transport/credentials.ts';
import type { Setting, Settings } from './settings.ts';

export interface FoundCredential extends Credential {
  /** `DTP_API_KEY`, `profile staging`, `credential_command of profile staging`. */
  readonly source: string;
}

/** In this order where several are set (records.md, Security schemes). */
const variables = [
  ['DTP_API_KEY', 'api-key'],
  ['DTP_TOKEN', 'bearer'],
  ['DTP_WORKSPACE_IDENTIFIER', 'workspace-identifier'],
] as const satisfies readonly (readonly [string, Scheme])[];

/** The credential for a base address; undefined where none is configured. */
export async function findCredential(
  context: Context,
  settings: Settings,
  base: Setting,
): Promise<FoundCredential | undefined> {
  for (const [name, scheme] of variables) {
    const secret = context.env[name]?.trim();
    if (!secret) continue;
    // A cloned folder must not be able to send the user's credential to an address of its own.
    if (base.source.endsWith('.dtp.json'))
      throw new DtpError('auth', `${name} is not sent to an address that ${base.source} names`, {
        hint: 'Name the address yourself, with DTP_BASE_URL or --base-url, or log in to it.',
      });
    return {
      scheme,
      secret,
      origin: originOf(base.value),
      header: headerFor(settings, scheme),
      source: name,
    };
  }

  const { stored, profile } = settings;
  const scheme = stored.scheme ?? 'api-key';
  const address = stored.credential_origin ?? stored.base_url;
  if (stored.credential === undefined && stored.credential_command === undefined) return undefined;
  if (address === undefined)
    throw new DtpError(
      'config',
      `profile ${profile.value} has a credential, and no address that it belongs to`,
      {
        next: [`dtp config set base_url URL --profile ${profile.value}`],
      },
    );
  const common = { scheme, origin: originOf(address), header: headerFor(settings, scheme) };
  if (stored.credential_command === undefined)
    return { ...common, secret: stored.credential ?? '', source: `profile ${profile.value}` };
  const secret = (await context.exec(stored.credential_command, 3000)).trim();
  return { ...common, secret, source: `credential_command of profile ${profile.value}` };
}

/** The header that carries a scheme's credential, in lower case. */
export const headerFor = (settings: Settings, scheme: Scheme): string =>
  scheme === 'bearer'
    ? schemeHeaders.bearer
    : (settings.values[`header.${scheme}`]?.value ?? schemeHeaders[scheme]).toLowerCase();

/** The name of the header that would carry the credential: for requests that are shown and not sent. */
export async function credentialHeaderName(
  context: Context,
  settings: Settings,
  base: Setting,
): Promise<string | undefined> {
  if (new URL(base.value).protocol === 'local:') return schemeHeaders['api-key'];
  return (await findCredential(context, settings, base))?.header;
}
