/** Creates the error for a missing credential. This code is only loaded if the error occurs. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import { credentialVariable, loginLine } from './credential-advice.ts';

export function noCredential({ env }: Context, settings: Settings, base: Setting): DtpError {
  const variable = credentialVariable(settings);
  return new DtpError('auth', `no credential for ${base.value} (profile ${settings.profile.value})`, {
    missing: 'credential',
    // In CI, nobody can log in.
    ...(env.CI
      ? { hint: `Set ${variable}.` }
      : { hint: `Log in, or set ${variable}.`, next: [loginLine(settings, base.value)] }),
  });
}
