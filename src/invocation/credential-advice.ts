/** Advises what to do about a missing or rejected credential. This code is only loaded if the error occurs. */

import type { Context } from '../context.ts';
import { DtpError, type Facts } from '../errors.ts';
import { operationsFor } from '../operations/areas.ts';
import { schemeNamed } from '../operations/schemes.ts';
import { originOf } from '../request/url.ts';
import { commandLine, type Word } from '../settings/command-line.ts';
import { variableOf } from '../settings/credential.ts';
import { builtIn, type Setting, type Settings } from '../settings/resolve.ts';
import { isOn } from '../settings/switches.ts';
import { type Attempt, bearerSource } from './connection.ts';

export function noCredential({ env }: Context, settings: Settings, base: Setting): DtpError {
  const variable = credentialVariable(settings);
  return new DtpError('auth', `no credential for ${base.value} (profile ${settings.profile.value})`, {
    missing: 'credential',
    // In CI, nobody can log in.
    ...(isOn(env.CI)
      ? { hint: `Set ${variable}.` }
      : { hint: `Log in, or set ${variable}.`, next: [loginLine(settings, base.value)] }),
  });
}

/** Returns the hint for a 401. It names the credential that was sent, which may not be the configured one. */
export function refusedCredential({ context, operation, input, settings, connection }: Attempt): Facts {
  const source = connection.credentialSource();
  const profile = `profile ${settings.profile.value}`;
  const place = source.includes('profile') ? source : `${source} (${profile})`;
  if (operation.auth === 'none') return { hint: 'This command sends no credential. Check the workspace id.' };
  if (source === bearerSource)
    return {
      hint: `The service rejected ${bearerSource}. Check the credential with which the token was requested:`,
      next: [commandLine(['auth', 'status'])],
    };
  if (expiring.includes(operation.id)) {
    const id = String(input?.tokenID ?? 'TOKEN-ID');
    return {
      hint: `Either the publishing token ${id} has expired, or the credential from ${place} is not valid. Check both:`,
      next: [commandLine(['publishing-tokens', 'get', [id]]), commandLine(['auth', 'status'])],
    };
  }
  if (/^DTP_/.test(source)) return { hint: `The credential came from ${place}. Set ${source} to a valid credential.` };
  if (source.startsWith('credential_command'))
    return {
      hint: `The credential came from the ${source}. Check the output of that command:`,
      next: [commandLine(['config', 'get', 'credential_command', ...profileFlag(settings)])],
    };
  if (isOn(context.env.CI)) {
    // --profile overrides the variable.
    const leave = settings.profile.source === '--profile' ? 'leave out --profile and ' : '';
    return { hint: `The credential came from ${place}. In CI, ${leave}set ${credentialVariable(settings)} instead.` };
  }
  return {
    hint: `The credential came from ${place}. Get a new one, then run:`,
    next: [loginLine(settings, connection.target.base)],
  };
}

/** The operations that also respond with 401 if the publishing token has expired (Authentication 5). */
const expiring: readonly string[] = [
  operationsFor('publishing-tokens').getPublishingTokenTargetByID.id,
  operationsFor('publishing-tokens').getPublishingTokenPublicMetadata.id,
];

export const loginLine = (settings: Settings, base: string): string =>
  commandLine(['auth', 'login', ['--base-url', base], ...profileFor(settings, base)]);

/** Returns the flag for the profile to log in with. A profile with another service's credential is not suggested. */
const profileFor = (settings: Settings, base: string): readonly Word[] => {
  const { credential_origin: origin } = settings.stored;
  return origin === undefined || origin === originOf(base) ? profileFlag(settings) : ['--profile', 'NAME'];
};

/** Returns --profile if it is needed. A login to a built-in profile, which stores nothing, uses the default one. */
const profileFlag = ({ profile: { value, source } }: Settings): readonly Word[] =>
  (value === 'default' && source !== '--profile') || Object.hasOwn(builtIn, value) ? [] : [['--profile', value]];

/** The environment variable for the credential of this profile. */
export const credentialVariable = ({ values }: Settings): string => variableOf(schemeNamed(values.scheme?.value));
