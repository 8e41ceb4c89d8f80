/** Checks of what is configured: the files, the profile, the values. */

import { existsSync } from 'node:fs';
import type { Context } from '../../context.ts';
import { loginKeys } from '../../declarations/settings.ts';
import { entriesOf } from '../../entries.ts';
import { DtpError } from '../../errors.ts';
import { baseAddress } from '../../invocation/connect.ts';
import { redactUrl } from '../../request/redact.ts';
import { commandLine } from '../../settings/command-line.ts';
import { findCredential, ignoredText } from '../../settings/credential.ts';
import { readFolderFile } from '../../settings/folder-file.ts';
import { profileSettings } from '../../settings/keys.ts';
import { builtIn, hiddenProfileText, type Setting, type Settings } from '../../settings/resolve.ts';
import { notTrusted, trustIn } from '../../settings/trust.ts';
import type { Configuration } from '../../store/profiles.ts';
import { configFolder } from '../../system/folders.ts';
import { type Finding, fail, failed, failedAt, ok, skip, warn } from './check.ts';

const mendFile = 'Mend the file or remove it.';

/** The stored configuration, and what is to be said of it; undefined where it cannot be read. */
export async function configurationCheck(
  context: Context,
): Promise<{ readonly finding: Finding; readonly stored: Configuration | undefined }> {
  const profiles = await context.openProfiles(configFolder(context));
  const { file } = profiles;
  try {
    const stored = profiles.read();
    if (!existsSync(file)) return { finding: ok('configuration', `there is no ${file} yet`), stored };
    const [hidden] = Object.keys(builtIn).filter((name) => Object.hasOwn(stored.profiles, name));
    if (hidden !== undefined)
      return {
        finding: warn('configuration', hiddenProfileText(hidden), commandLine(['config', 'delete', hidden])),
        stored,
      };
    const odd = unknownKeys(stored);
    const finding =
      odd.length === 0
        ? ok('configuration', file)
        : warn(
            'configuration',
            `${file} holds what nothing reads: ${odd.join(', ')}`,
            'Remove it from the file.',
          );
    return { finding, stored };
  } catch (error) {
    return { finding: failedAt('configuration', error, mendFile), stored: undefined };
  }
}

/** Names such as `profiles.default.colour`. */
function unknownKeys(stored: Configuration): readonly string[] {
  const known = new Set<string>([...profileSettings.map(({ key }) => key), ...loginKeys]);
  return [
    ...Object.keys(stored).filter((key) => key !== 'current' && key !== 'profiles'),
    ...Object.entries(stored.profiles).flatMap(([name, profile]) =>
      Object.keys(profile)
        .filter((key) => !known.has(key))
        .map((key) => `profiles.${name}.${key}`),
    ),
  ];
}

export async function folderFileCheck(context: Context, { untrusted }: Settings): Promise<Finding> {
  const check = 'folder-file';
  try {
    const file = await readFolderFile(context);
    if (file.path === '') return ok(check, 'there is no .dtp.json in this folder or above');
    const trust = await trustIn(context, file);
    if (trust === undefined) return ok(check, file.path);
    if (trust === 'trusted') return ok(check, `${file.path} (trusted)`);
    const [first] = entriesOf(untrusted);
    // What a flag or a variable overrides needs no trust.
    return first ? failed(check, notTrusted(...first), mendFile) : ok(check, `${file.path} (not trusted)`);
  } catch (error) {
    return failed(check, error, mendFile);
  }
}

/** The profile that is used, where it should be. */
export function profileCheck({ profile }: Settings, stored: Configuration | undefined): Finding {
  const { value, source } = profile;
  const isThere = Object.hasOwn(builtIn, value) || Object.hasOwn(stored?.profiles ?? {}, value);
  if (isThere) return ok('profile', source === 'default' ? value : `${value} (${source})`);
  if (!stored) return skip('profile', 'the configuration cannot be read');
  if (source === 'default') return ok('profile', 'none is stored; all settings are flags and variables');
  return fail(
    'profile',
    'config',
    `there is no profile "${value}" (named by ${source})`,
    commandLine(['auth', 'login', '--profile', value, '--base-url', 'URL']),
  );
}

/** Values that cannot be used; what the checks before have told is not told again. */
export function settingsCheck({ faults }: Settings, told: readonly Finding[]): Finding {
  const rest = faults.filter(({ message }) => !told.some((one) => one.message === message));
  const [first] = rest;
  if (!first) return ok('settings', 'each value is one that can be used');
  return fail('settings', first.code, rest.map(({ message }) => message).join('; '), 'dtp config explain');
}

/** Where the credential comes from, and which variables are ignored because of it. */
export function credentialSourceCheck(
  context: Context,
  settings: Settings,
  base: Setting | undefined,
): Finding {
  const check = 'credential-source';
  if (!base) return skip(check, 'no base address can be used');
  if (base.value === 'local:') return ok(check, 'the embedded service');
  try {
    const found = findCredential(context, settings, base);
    if (!found) return skip(check, 'no credential is configured');
    const text = ignoredText(found);
    return text === undefined
      ? ok(check, found.source)
      : warn(check, text, `unset ${found.ignored?.join(' ')}`);
  } catch (error) {
    return failed(check, error, 'dtp config explain');
  }
}

/** The base address that is to be used, and what is to be said of it. */
export function baseCheck(settings: Settings): {
  readonly finding: Finding;
  readonly base: Setting | undefined;
} {
  try {
    const base = baseAddress(settings);
    return { finding: ok('base-address', `${redactUrl(base.value)} (${base.source})`), base };
  } catch (error) {
    if (!(error instanceof DtpError)) throw error;
    return { finding: failed('base-address', error, 'dtp config explain'), base: undefined };
  }
}
