/** Implements `dtp config delete`, and checks the names of profiles for other commands. */
import { DtpError, type Facts } from '../../errors.ts';
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import type { LocalInput } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';
import { nearest } from '../../render/nearest.ts';
import { visible } from '../../render/sanitize.ts';
import { redactUrl } from '../../request/redact.ts';
import { commandLine, flagText } from '../../settings/command-line.ts';
import { keychainEntry } from '../../settings/keychain.ts';
import { allProfiles, builtIn, loginPlace, type Setting } from '../../settings/resolve.ts';
import type { Configuration } from '../../store/profiles.ts';
import { configFolder } from '../../system/folders.ts';
import { confirmLocal } from '../confirm.ts';

/** Throws `usage` for a built-in profile, because nothing can be stored in it. */
export function refuseBuiltIn({ value }: Setting, hint = 'Choose another profile with --profile.'): void {
  if (Object.hasOwn(builtIn, value))
    throw new DtpError('usage', `profile "${value}" is built in and cannot be changed`, { hint });
}

export function checkProfile(name: string, stored: Configuration, next: readonly string[]): void {
  const known = Object.keys(allProfiles(stored));
  if (known.includes(name)) return;
  throw new DtpError('usage', `profile "${name}" does not exist. Available: ${known.join(', ')}`, {
    next,
    ...suggestArgument(name, known, 0),
  });
}

/** Suggests a similar value for the argument with this index. The later ones are hidden: they may be secrets. */
export function suggestArgument(given: string, known: readonly string[], argument: number): Facts {
  const value = nearest(given, known);
  return value === undefined ? {} : { meant: { value, argument, hides: true } };
}

/** Deletes a stored profile. If it is the current one, the built-in one of that name or `default` becomes current. */
export async function deleteProfile(invocation: Invocation, { args: [name = ''] }: LocalInput): Promise<Result> {
  const { context, settings, log } = invocation;
  const profiles = await context.openProfiles(configFolder(context));
  const stored = profiles.read();
  checkProfile(name, stored, ['dtp config list']);
  if (!Object.hasOwn(stored.profiles, name))
    throw new DtpError('usage', `profile "${name}" is built in and cannot be deleted`);
  const profile = stored.profiles[name] ?? {};
  const { base_url = '', credential_origin: origin = base_url } = profile;
  const place = loginPlace(profile);
  const what = place === undefined ? '' : ' and its credential';
  await confirmLocal(invocation, `Delete profile "${visible(name)}"${what}`);
  await profiles.update((now) => without(now, name));

  const still = place === undefined ? '' : `. Its credential is still valid at ${redactUrl(origin)}`;
  const isBuiltIn = Object.hasOwn(builtIn, name);
  log.success(`deleted ${isBuiltIn ? 'stored ' : ''}profile ${name}${still}`);
  if (isBuiltIn) log.note(`the built-in profile ${name} remains`);
  else if (stored.current === name) log.note('the current profile is now default');
  if (place === 'keychain') await keychainEntry(context, settings, name, profile).remove();
  return { kind: 'done' };
}

function without({ current, ...now }: Configuration, name: string): Configuration {
  const { [name]: _, ...profiles } = now.profiles;
  const stays = current !== undefined && (current !== name || Object.hasOwn(builtIn, name));
  return { ...now, profiles, ...(stays && { current }) };
}

/** Prints how to use a profile, and why the next command would use another one. `isNew`: it has just become current. */
export async function noteCurrentProfile({ context, globals, log }: Invocation, name: string, isNew: boolean) {
  const { profile: _, ...others } = globals;
  const opening = { globals: others, way: { collectFaults: true, readOnly: true } };
  const { value, source } = (await openInvocation(context, opening)).settings.profile;
  if (value === name) {
    if (isNew) log.success(`the current profile is now ${name}`);
    return log.next(commandLine(['ws', 'list']));
  }
  const isStored = source === 'dtp config use';
  const use = isStored ? `, or make it the current one: ${commandLine(['config', 'use', [name]])}` : '';
  const now = isStored
    ? `the current profile is still ${value}`
    : `${isNew ? `the current profile is now ${name}, but ` : ''}${source} selects ${value}`;
  log.note(`${now}; use the new one with ${flagText('--profile', name)}${use}`);
  log.next(commandLine(['ws', 'list', ['--profile', name]]));
}
