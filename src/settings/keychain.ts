/** Stores the credential of a profile in the keychain of the operating system. The profile only refers to it. */
import { realpathSync } from 'node:fs';
import { attempt } from '../caught.ts';
import type { Context } from '../context.ts';
import { durationOf } from '../declarations/duration.ts';
import { DtpError, withFacts } from '../errors.ts';
import type { Profile } from '../store/profiles.ts';
import { configFolder } from '../system/folders.ts';
import type { KeychainRequest } from '../system/keychain.ts';
import { commandLine, type Word } from './command-line.ts';
import type { Settings } from './resolve.ts';

/** How long the user has to unlock the keychain, in milliseconds. */
const patienceMs = 30_000;

/**
 * Returns the entry of a profile in the keychain, whether it exists or not. Its name has the origin, so that a changed
 * profile cannot send the secret to another service, and the folder, because each folder has its own credentials.
 */
export function keychainEntry(context: Context, { values }: Settings, name: string, profile: Profile) {
  const { base_url: base = '', credential_origin: origin = '' } = profile;
  const folder = configFolder(context);
  const account = `${encodeURIComponent(name)} ${origin} ${attempt(() => realpathSync(folder), folder)}`;
  const { value = '', source = '' } = values.timeout ?? {};
  const limitMs = Math.min(
    patienceMs,
    attempt(() => durationOf(value, source), patienceMs),
  );
  const login: readonly Word[] = ['auth', 'login', ['--base-url', base], ['--profile', name]];
  const use = (task: KeychainRequest['task'], secret?: string) =>
    context.keychain({ task, account, secret, limitMs }).catch((error: unknown) => {
      throw withFacts(error, {
        hint: 'Unlock the keychain. Or set a credential_command, or store the credential in a file:',
        next: [commandLine([...login, '--store', 'file'])],
      });
    });
  return {
    read: async () => {
      const secret = await use('get');
      if (secret !== undefined) return secret;
      throw new DtpError('config', `the keychain has no credential for profile ${name}`, {
        hint: 'Log in again:',
        next: [commandLine(login)],
      });
    },
    /** Stores the secret, and then the profile that refers to it. If that fails, restores the entry. */
    write: async (secret: string, storeProfile: () => Promise<void>) => {
      const before = await use('set', secret);
      await storeProfile().catch(async (error: unknown) => {
        await use(before === undefined ? 'delete' : 'set', before).catch(() => undefined);
        throw error;
      });
    },
    /** Deletes the entry, if it exists. */
    remove: async () => {
      await use('delete').catch((error: unknown) => {
        if (!(error instanceof DtpError)) throw error;
        throw new DtpError('config', `${error.message}. It may still have the credential of profile ${name}`, {
          hint: `Unlock the keychain. Or delete the account "${account}" of the service "dtp" in it.`,
        });
      });
    },
  };
}
