/** Checks the configuration: the files, the profile, the values, and the source of the credential. */

import { existsSync } from 'node:fs';
import type { Context } from '../../context.ts';
import { loginKeys } from '../../declarations/settings.ts';
import { DtpError } from '../../errors.ts';
import { baseUrlOf } from '../../invocation/connect.ts';
import { entriesOf } from '../../json-object.ts';
import { redactUrl } from '../../request/redact.ts';
import { commandLine } from '../../settings/command-line.ts';
import { findCredential, ignoredText } from '../../settings/credential.ts';
import { readFolderFile } from '../../settings/folder-file.ts';
import { profileSettings } from '../../settings/keys.ts';
import { builtIn, hiddenProfileText, type Setting, type Settings } from '../../settings/resolve.ts';
import { isOn } from '../../settings/switches.ts';
import { notTrusted, trustIn } from '../../settings/trust.ts';
import { unsettingLine } from '../../shell.ts';
import type { Configuration } from '../../store/profiles.ts';
import { configFolder } from '../../system/folders.ts';
import { type Finding, fail, failed, failedAt, ok, skip, warn } from './check.ts';

const fixFile = 'Fix the file or delete it.';

/** Checks the configuration file. Returns the finding, and the content as `stored`, unless it cannot be read. */
export async function configurationCheck(context: Context) {
  const profiles = await context.openProfiles(configFolder(context));
  const { file } = profiles;
  try {
    const stored = profiles.read();
    if (!existsSync(file)) return { finding: ok('configuration', `${file} does not exist yet`), stored };
    const exposed = profiles.exposed();
    if (exposed) {
      const message = `${file}, ${exposed.why}, is not used for URLs, certificates and credentials`;
      const fix = exposed.next.join(' && ') || exposed.advice;
      return { finding: fail('configuration', 'config', message, fix), stored };
    }
    const [hidden] = Object.keys(builtIn).filter((name) => Object.hasOwn(stored.profiles, name));
    if (hidden !== undefined)
      return {
        finding: warn('configuration', hiddenProfileText(hidden), commandLine(['config', 'delete', [hidden]])),
        stored,
      };
    const unknown = unknownKeys(stored);
    const finding =
      unknown.length === 0
        ? ok('configuration', file)
        : warn('configuration', `${file} has unknown keys: ${unknown.join(', ')}`, 'Remove them from the file.');
    return { finding, stored };
  } catch (error) {
    return { finding: failedAt('configuration', error, fixFile), stored: undefined };
  }
}

/** Returns the unknown keys in the file, such as `profiles.default.theme`. */
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
    if (file.path === '') return ok(check, file.ignored ?? 'no .dtp.json in this folder or its parent folders');
    const trust = await trustIn(context, file);
    if (trust === undefined) return ok(check, file.path);
    if (trust === 'trusted') return ok(check, `${file.path} (trusted)`);
    // Slugs only stop the commands that use them, and only if they are not the credential's own.
    const [first] = entriesOf(untrusted).filter(([key, one]) => !one.exposed && !key.endsWith('_slug'));
    // If flags or variables override all values that need trust, the file does not have to be trusted.
    return first ? failed(check, notTrusted(...first), fixFile) : ok(check, `${file.path} (not trusted)`);
  } catch (error) {
    return failed(check, error, fixFile);
  }
}

export function profileCheck({ profile }: Settings, stored: Configuration | undefined): Finding {
  const { value, source } = profile;
  const isThere = Object.hasOwn(builtIn, value) || Object.hasOwn(stored?.profiles ?? {}, value);
  if (isThere) return ok('profile', source === 'default' ? value : `${value} (${source})`);
  if (!stored) return skip('profile', 'the configuration cannot be read');
  if (source === 'default') return ok('profile', 'no profile is stored; settings come from flags and variables');
  const fix = commandLine(['auth', 'login', ['--profile', value], '--base-url', 'URL']);
  return fail('profile', 'config', `profile "${value}" does not exist (set by ${source})`, fix);
}

/** Reports invalid values, except those that earlier checks have reported. */
export function settingsCheck({ faults }: Settings, reported: readonly Finding[]): Finding {
  const rest = faults.filter(({ message }) => !reported.some((one) => one.message === message));
  const [first] = rest;
  if (!first) return ok('settings', 'all settings are valid');
  return fail('settings', first.code, rest.map(({ message }) => message).join('; '), 'dtp config explain');
}

/** Reports where the credential comes from, and warns about variables with other credentials, which are ignored. */
export function credentialSourceCheck(context: Context, settings: Settings, base: Setting | undefined): Finding {
  const check = 'credential-source';
  if (!base) return skip(check, 'no valid base URL');
  if (base.value === 'local:') return ok(check, 'the embedded service');
  try {
    const found = findCredential(context, settings, base);
    if (!found) return skip(check, 'no credential is configured');
    const text = ignoredText(found);
    return text === undefined ? ok(check, found.source) : warn(check, text, unsettingLine(found.ignored ?? []));
  } catch (error) {
    return failed(check, error, 'dtp config explain');
  }
}

export function baseCheck({ env }: Context, settings: Settings) {
  try {
    const base = baseUrlOf(settings);
    return { finding: ok('base-address', `${redactUrl(base.value)} (${base.source})`), base };
  } catch (error) {
    if (!(error instanceof DtpError)) throw error;
    const finding =
      settings.values.base_url || settings.untrusted.base_url
        ? failed('base-address', error, 'dtp config explain')
        : failedAt('base-address', error, isOn(env.CI) ? 'Set DTP_BASE_URL and DTP_API_KEY.' : 'dtp init');
    return { finding, base: undefined };
  }
}
