/** Resolves each setting from its flag, environment variable, .dtp.json, profile or default, in this order. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { attributeOf, longName } from '../declarations/flag.ts';
import { guardedKeys } from '../declarations/settings.ts';
import { credentialVariables } from '../declarations/variables.ts';
import { DtpError } from '../errors.ts';
import { nearest } from '../render/nearest.ts';
import { originOf } from '../request/url.ts';
import type { Exposed } from '../store/exposure.ts';
import type { builtInProfile, Configuration, Profile } from '../store/profiles.ts';
import { configFolder } from '../system/folders.ts';
import { commandLine } from './command-line.ts';
import { type FolderFile, needsTrust, noFolderFile, readFolderFile } from './folder-file.ts';
import type { Globals } from './global-flags.ts';
import { faultOf, type ProfileKey, type SettingKey, type SettingRow, settingKeys, settingRows } from './keys.ts';
import {
  checkTrusted,
  exposedText,
  type TrustedKey,
  trustIn,
  type Untrusted,
  type UntrustedSettings,
  withoutTrust,
} from './trust.ts';

export interface Setting {
  readonly value: string;
  /** The source, such as `--workspace`, `DTP_WORKSPACE_ID`, the path of a .dtp.json, `profile staging` or `default`. */
  readonly source: string;
}

/** The settings of a command. `profile` and `values` contain no settings that are in `untrusted`. */
export interface Settings extends UntrustedSettings {
  readonly profile: Setting;
  /** The content of the profile, which is stored or built in. */
  readonly stored: Profile;
  readonly values: Readonly<Partial<Record<SettingKey, Setting>>>;
  /** Whether `-w ''` is given, which selects the workspace of the credential. */
  readonly isOwnWorkspace?: true;
  /** Set if other users could have written the file of the stored profile. Its credential is not used then. */
  readonly exposed?: Exposed;
  /** The invalid settings that do not stop the command. */
  readonly faults: readonly DtpError[];
}

/** The built-in profiles. `local` is the embedded service. */
export const builtIn: Readonly<Record<string, Profile>> = {
  local: { base_url: 'local:' },
} satisfies Record<typeof builtInProfile, Profile>;

/** Returns the built-in and the stored profiles. Ignores a stored profile with a built-in name. */
export const allProfiles = ({ profiles }: Configuration): Readonly<Record<string, Profile>> => ({
  ...builtIn,
  ...profiles,
  ...builtIn,
});

/** Where the credential of a login is. Undefined without a login. */
export const loginPlace = ({ credential, credential_store: store }: Profile): 'file' | 'keychain' | undefined =>
  store === 'keychain' ? 'keychain' : credential === undefined ? undefined : 'file';

/** Returns the warning about a stored profile with a built-in name. */
export const hiddenProfileText = (name: string): string =>
  `the stored profile "${name}" is ignored because ${name} is built in. Delete it with: ${commandLine(['config', 'delete', [name]])}`;

type ReadConfiguration = Configuration & { readonly exposed?: Exposed | undefined };

const emptyConfiguration: ReadConfiguration = { profiles: {} };

/**
 * The purpose for which a command needs the settings: to report all invalid ones (`collectFaults`), to store a `login`,
 * to read them without changing permissions (`readOnly`), or to change the file (`stores`).
 */
export interface SettingsPurpose {
  readonly collectFaults?: boolean;
  readonly login?: boolean;
  readonly readOnly?: boolean;
  readonly stores?: boolean;
}

/**
 * Resolves the settings of a command.
 *
 * Throws `usage` for an invalid flag, and `config` for invalid settings and for a profile from an untrusted .dtp.json.
 * Other settings from such a file are returned in `untrusted`. With `collectFaults`, these errors are returned in
 * `faults` instead.
 *
 * With `collectFaults` or `login`, the profile does not have to exist. Because built-in profiles cannot store a login,
 * `login` uses the default profile instead of a built-in one, unless --profile is set.
 * Unless `readOnly` is set, restricts file permissions that are too open, and warns about them.
 */
export async function resolveSettings(
  context: Context,
  globals: Globals,
  { collectFaults = false, login = false, readOnly = false }: SettingsPurpose = {},
  warn: (text: string) => void = () => undefined,
): Promise<Settings> {
  const faults: DtpError[] = [];
  const reported =
    <T>(fallback: T, goesOn: boolean) =>
    (error: unknown): T => {
      if (!goesOn || !(error instanceof DtpError)) throw error;
      faults.push(error);
      return fallback;
    };
  const all = await readFolderFile(context).catch(reported(noFolderFile, collectFaults));
  if (all.ignored !== undefined) warn(all.ignored);
  const trust = await trustIn(context, all);
  const file = trust === undefined || trust === 'trusted' ? all : withoutTrust(all);
  const untrusted: Partial<Record<TrustedKey, Untrusted>> = {};
  const distrust = (key: TrustedKey, wanted: Setting | undefined) => {
    if (file !== all && wanted?.source === all.path && needsTrust(key))
      untrusted[key] = { ...wanted, isChanged: trust === 'changed' };
  };
  distrust('profile', profileName(context, globals, all));
  if (!collectFaults) checkTrusted({ untrusted }, 'profile');
  const named = profileName(context, globals, file);
  // Even if the configuration cannot be read, the built-in profile or a given base URL can be used.
  const needsNoFile = named ? named.value === 'local' : (globals.baseUrl ?? context.env.DTP_BASE_URL ?? '') !== '';
  const configuration = await readConfiguration(context, readOnly ? undefined : warn).catch(
    reported(emptyConfiguration, collectFaults || needsNoFile),
  );
  const profile = selectedProfile(named ?? currentProfile(configuration), login);
  if (!collectFaults && !login && profile.source !== 'default' && !isThere(profile.value, configuration))
    throw unknownProfile(profile, configuration);

  if (own(builtIn, profile.value) && own(configuration.profiles, profile.value))
    faults.push(new DtpError('config', hiddenProfileText(profile.value)));
  const stored = own(allProfiles(configuration), profile.value) ?? {};
  const exposed = own(builtIn, profile.value) ? undefined : configuration.exposed;
  const values: Partial<Record<SettingKey, Setting>> = {};
  for (const key of settingKeys) {
    const from = (file: FolderFile) => lookUp(key, settingRows[key], { context, globals, file, stored, profile });
    distrust(key, from(all));
    const setting = from(file);
    if (!setting) continue;
    if (exposed && isGuarded(key, setting, profile)) untrusted[key] = { ...setting, isChanged: false, exposed };
    else values[key] = setting;
    const fault = faultOf(key, setting.value);
    if (fault !== undefined) reported(undefined, collectFaults)(invalidSetting(key, setting, fault));
  }
  if (configuration.exposed && !readOnly && !Object.values(untrusted).some((one) => one.exposed))
    warn(exposedText(configuration.exposed));
  dropForeign(context, { profile, stored, values });
  const more = { ...(globals.workspace === '' && { isOwnWorkspace: true as const }), ...(exposed && { exposed }) };
  return { profile, stored, values, ...more, untrusted, faults };
}

/** Deletes values of the profile that do not apply to the selected service and credential. */
function dropForeign(
  context: Context,
  {
    profile,
    stored,
    values,
  }: Pick<Settings, 'profile' | 'stored'> & { readonly values: Partial<Record<SettingKey, Setting>> },
): void {
  const isOwn = (key: SettingKey) => values[key]?.source === `profile ${profile.value}`;
  // The embedded service does not have the workspace of a profile for another service.
  if (isOwn('workspace') && isEmbedded(values.base_url?.value) && !isEmbedded(stored.base_url)) delete values.workspace;
  // Another credential may belong to another workspace, so the slugs of the profile may not apply to it.
  if (!usesStored(context, { profile, stored, values }))
    for (const key of ['organization_slug', 'workspace_slug'] as const) if (isOwn(key)) delete values[key];
}

/** Whether requests use the profile's credential and go to the service that the credential belongs to. */
function usesStored({ env }: Context, { profile, stored, values }: Pick<Settings, 'profile' | 'stored' | 'values'>) {
  const { credential_origin, base_url } = stored;
  if (stored.credential_command === undefined && loginPlace(stored) === undefined) return false;
  if (profile.source !== '--profile' && Object.keys(credentialVariables).some((name) => env[name]?.trim()))
    return false;
  const [to = '', own = ''] = [values.base_url?.value, credential_origin ?? base_url];
  return URL.canParse(to) && URL.canParse(own) && originOf(to) === originOf(own);
}

/** Returns the default profile for a login to a built-in profile, unless --profile is set. */
function selectedProfile(profile: Setting, login: boolean): Setting {
  return login && profile.source !== '--profile' && own(builtIn, profile.value) ? defaultProfile : profile;
}

/** Whether a setting is from the profile, and is not used if other users could have written the profile. */
const isGuarded = (key: string, { source }: Setting, profile: Setting): boolean =>
  source === `profile ${profile.value}` && guardedKeys.some((one) => one === key);

const isEmbedded = (base: string | undefined): boolean => base?.startsWith('local:') === true;

/** Returns a profile by name. Ignores inherited properties such as `constructor`. */
const own = (profiles: Readonly<Record<string, Profile>>, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

const isThere = (name: string, configuration: Configuration) => own(allProfiles(configuration), name) !== undefined;

function unknownProfile({ value, source }: Setting, configuration: Configuration): DtpError {
  const similar = nearest(value, Object.keys(allProfiles(configuration)));
  return new DtpError('config', `profile "${value}" does not exist (set by ${source})`, {
    hint: `Create it with: ${commandLine(['auth', 'login', ['--profile', value], '--base-url', 'URL'])}`,
    next: ['dtp config list'],
    ...(similar !== undefined && { meant: { flag: '--profile', value: similar } }),
  });
}

/** The error for an invalid setting. It does not quote the value, because a URL may contain a password. */
const invalidSetting = (key: SettingKey, { source }: Setting, fault: string) =>
  source.startsWith('--')
    ? new DtpError('usage', `${source} ${fault}`)
    : new DtpError('config', `${key} (from ${source}) ${fault}`, { next: ['dtp config explain'] });

interface Places extends Pick<Settings, 'profile' | 'stored'> {
  readonly context: Context;
  readonly globals: Globals;
  readonly file: FolderFile;
}

function lookUp(key: SettingKey, row: SettingRow, { context, globals, file, stored, profile }: Places) {
  // `-w ''` overrides every other workspace setting.
  if (key === 'workspace' && globals.workspace === '') return undefined;
  const flag = row.flag && globals[attributeOf(row.flag.name) as keyof Globals];
  if (row.flag && flag !== undefined && flag !== false) return { value: String(flag), source: longName(row.flag) };
  const inProfile = row.profile && stored[key as ProfileKey];
  const fromProfile =
    inProfile === undefined ? undefined : { value: textOf(row, inProfile), source: `profile ${profile.value}` };
  // --profile overrides environment variables, so that no variable sends the command to another service.
  if (fromProfile && profile.source === '--profile') return fromProfile;
  for (const name of row.env ?? []) {
    // In a CGI process, HTTP_PROXY has the value of the request header "Proxy", which every client can set.
    if (name === 'HTTP_PROXY' && context.env.REQUEST_METHOD) continue;
    // Ignore empty variables, because CI systems set unused variables to an empty value.
    const value = context.env[name];
    if (value !== undefined && value !== '') return { value, source: name };
  }
  const local = row.file && file.values[key];
  if (local !== undefined) return { value: textOf(row, local), source: file.path };
  if (fromProfile) return fromProfile;
  return row.default === undefined ? undefined : { value: row.default, source: 'default' };
}

/** Returns the value as a string, or '' if it has the wrong type. */
function textOf({ kind }: SettingRow, value: unknown): string {
  const isRight =
    typeof value === 'string' ||
    (kind === 'seconds' && typeof value === 'number') ||
    (kind === 'boolean' && typeof value === 'boolean');
  return isRight ? String(value) : '';
}

function profileName(context: Context, globals: Globals, file: FolderFile): Setting | undefined {
  if (globals.profile !== undefined) return { value: globals.profile, source: '--profile' };
  if (context.env.DTP_PROFILE) return { value: context.env.DTP_PROFILE, source: 'DTP_PROFILE' };
  if (file.values.profile !== undefined) return { value: String(file.values.profile), source: file.path };
  return undefined;
}

const defaultProfile: Setting = { value: 'default', source: 'default' };

const currentProfile = ({ current }: Configuration): Setting =>
  current === undefined ? defaultProfile : { value: current, source: 'dtp config use' };

/** Reads the stored profiles. Does not load the conf package if there is no file, because loading it is slow. */
async function readConfiguration(context: Context, warn: ((text: string) => void) | undefined) {
  const folder = configFolder(context);
  if (!existsSync(join(folder, 'config.json'))) return emptyConfiguration;
  const profiles = await context.openProfiles(folder);
  // Skip Windows, because it has no permission bits.
  if (warn && context.runtime.platform !== 'win32') for (const text of await profiles.narrow()) warn(text);
  const exposed = profiles.exposed();
  return { ...profiles.read(), exposed };
}
