/** Stores the credential of a login in the file or in the keychain, and moves it between them: `dtp auth move`. */
import { DtpError } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { LocalInput, moveFlags } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';
import { commandLine } from '../../settings/command-line.ts';
import { keychainEntry } from '../../settings/keychain.ts';
import { builtIn, loginPlace } from '../../settings/resolve.ts';
import type { Configuration, Profile } from '../../store/profiles.ts';
import { configFolder } from '../../system/folders.ts';

const inKeychain = { credential_store: 'keychain' };

/** Stores a login in the selected profile, and deletes the entry in the keychain that it replaces. */
export async function storeLogin(
  { context, settings, log }: Invocation,
  { profile, secret, store }: { profile: Profile; secret: string; store: 'file' | 'keychain' },
): Promise<void> {
  const { stored } = settings;
  const { value: name } = settings.profile;
  const profiles = await context.openProfiles(configFolder(context));
  const update = (place: Profile) => profiles.update((now) => withProfile(now, name, { ...profile, ...place }));
  if (store === 'file') await update({ credential: secret });
  else await keychainEntry(context, settings, name, profile).write(secret, () => update(inKeychain));
  const isReplaced = store === 'keychain' && stored.credential_origin === profile.credential_origin;
  if (loginPlace(stored) !== 'keychain' || isReplaced) return;
  await keychainEntry(context, settings, name, stored)
    .remove()
    .catch((error: unknown) => {
      if (!(error instanceof DtpError)) throw error;
      log.warn(error.message);
    });
}

/** Adds the profile of a login, in place of its other credentials. It becomes current, unless another stored one is. */
function withProfile(now: Configuration, name: string, profile: Profile): Configuration {
  const { credential, credential_store, credential_command, credential_workspace, ...rest } = now.profiles[name] ?? {};
  const isFree = now.current === undefined || Object.hasOwn(builtIn, now.current);
  return { current: isFree ? name : now.current, profiles: { ...now.profiles, [name]: { ...rest, ...profile } } };
}

/** Moves the credential of a login. Its old place is only cleared when the new one has it. */
export async function moveCredential(
  { context, settings, log }: Invocation,
  { flags: { to } }: LocalInput<typeof moveFlags>,
): Promise<Result> {
  const { stored } = settings;
  const { value: name } = settings.profile;
  if (to === undefined) throw new DtpError('usage', 'missing flag: --to', { next: ['dtp auth move --to keychain'] });
  const from = loginPlace(stored);
  if (from === undefined)
    throw new DtpError('config', `profile ${name} has no credential to move`, {
      next: [commandLine(['auth', 'login', '--store', to, '--base-url', 'URL', ['--profile', name]])],
    });
  const profiles = await context.openProfiles(configFolder(context));
  // Fails before the keychain is changed, for example if other users could have written the file.
  await profiles.check();
  const entry = keychainEntry(context, settings, name, stored);
  const update = (place: Profile) => profiles.update((now) => withPlace(now, name, { stored, place }));
  const places = { file: `unencrypted in ${profiles.file}`, keychain: 'in the keychain' };
  let place = from;
  try {
    if (from === 'file' && to === 'keychain') await entry.write(stored.credential ?? '', () => update(inKeychain));
    if (from === 'keychain' && to === 'file') {
      await update({ credential: await entry.read() });
      place = to;
      await entry.remove();
    }
  } catch (error) {
    log.note(`the credential of profile ${name} is ${places[place]}`);
    throw error;
  }
  log.success(`the credential of profile ${name} is ${places[to]}`);
  return { kind: 'done' };
}

/** Throws `config` if another command has changed the login since it was read. */
function withPlace(now: Configuration, name: string, { stored, place }: Record<'stored' | 'place', Profile>) {
  const { credential, credential_store, ...rest } = now.profiles[name] ?? {};
  if (credential !== stored.credential || credential_store !== stored.credential_store)
    throw new DtpError('config', `another command has changed profile ${name}`, { hint: 'Run the command again.' });
  return { ...now, profiles: { ...now.profiles, [name]: { ...rest, ...place } } };
}
