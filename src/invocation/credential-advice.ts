/** What to do about a credential that was refused, by where it came from. */
import type { Facts } from '../errors.ts';
import { operations } from '../operations/index.ts';
import { schemeNamed } from '../operations/schemes.ts';
import { originOf } from '../request/url.ts';
import { commandLine } from '../settings/command-line.ts';
import { variableOf } from '../settings/credential.ts';
import type { Settings } from '../settings/resolve.ts';
import { builtIn } from '../settings/resolve.ts';
import type { Attempt } from './attempt.ts';
import { bearerSource } from './connect.ts';

/** After a 401. It names the credential that was sent, which is not always the configured one. */
export function refusedCredential({ context, operation, input, settings, connection }: Attempt): Facts {
  const source = connection.credentialSource();
  const profile = `profile ${settings.profile.value}`;
  const place = source.includes('profile') ? source : `${source} (${profile})`;
  if (operation.auth === 'none')
    return { hint: 'This command sends no credential. Check the id of the workspace.' };
  if (source === bearerSource)
    return {
      hint: `The service refused ${bearerSource}. Check the credential that it was issued for:`,
      next: [commandLine(['auth', 'status'])],
    };
  if (expiring.includes(operation.id)) {
    const id = String(input?.tokenID ?? 'TOKEN-ID');
    return {
      hint: `Either the publishing token ${id} has expired, or the credential from ${place} is not valid. Check both:`,
      next: [commandLine(['publishing-tokens', 'get', id]), commandLine(['auth', 'status'])],
    };
  }
  if (/^DTP_/.test(source))
    return { hint: `The credential came from ${place}. Set ${source} to a valid credential.` };
  if (source.startsWith('credential_command'))
    return {
      hint: `The credential came from the ${source}. Check what that command prints:`,
      next: [commandLine(['config', 'get', 'credential_command', ...profileFlag(settings)])],
    };
  if (context.env.CI)
    return { hint: `The credential came from ${place}. In CI, set ${variableFor(settings)} instead.` };
  return {
    hint: `The credential came from ${place}. Get a new one, then:`,
    next: [loginLine(settings, connection.target.base)],
  };
}

/** A publishing token that has expired is a 401 of these, whatever the credential (Authentication 5). */
const expiring: readonly string[] = [
  operations.getPublishingTokenTargetByID.id,
  operations.getPublishingTokenPublicMetadata.id,
];

export const loginLine = (settings: Settings, base: string): string =>
  commandLine(['auth', 'login', '--base-url', base, ...profileFor(settings, base)]);

/** A login must not replace the credential of another service. */
const profileFor = (settings: Settings, base: string): readonly string[] => {
  const { credential_origin: origin } = settings.stored;
  return origin === undefined || origin === originOf(base) ? profileFlag(settings) : ['--profile', 'NAME'];
};

/** A built-in profile stores no credential: a login then goes to the default profile. */
const profileFlag = ({ profile: { value, source } }: Settings): readonly string[] =>
  (value === 'default' && source !== '--profile') || Object.hasOwn(builtIn, value)
    ? []
    : ['--profile', value];

/** The variable that a credential of this profile would be in. */
export const variableFor = ({ values }: Settings): string => variableOf(schemeNamed(values.scheme?.value));
