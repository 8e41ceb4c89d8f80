/** The error for a missing credential, loaded only if needed. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import { loginLine, variableFor } from './credential-advice.ts';

export function noCredential({ env }: Context, settings: Settings, base: Setting): DtpError {
  const variable = variableFor(settings);
  return new DtpError('auth', `no credential for ${base.value} (profile ${settings.profile.value})`, {
    // A login makes no sense in CI.
    ...(env.CI
      ? { hint: `Set ${variable}.` }
      : { hint: `Log in, or set ${variable}.`, next: [loginLine(settings, base.value)] }),
  });
}
