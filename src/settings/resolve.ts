/** Where each setting comes from: flag, environment, .dtp.json, profile, default; in this order. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { credentialVariables } from '../declarations/variables.ts';
import { DtpError } from '../errors.ts';
import { nearest } from '../render/nearest.ts';
import { originOf } from '../request/url.ts';
import type { Configuration, Profile, reserved } from '../store/profiles.ts';
import { configFolder } from '../system/folders.ts';
import { commandLine } from './command-line.ts';
import { attributeName, longName } from './flag-names.ts';
import { type FolderFile, needsTrust, noFolderFile, readFolderFile } from './folder-file.ts';
import type { Globals } from './global-flags.ts';
import {
  faultOf,
  type ProfileKey,
  type SettingKey,
  type SettingRow,
  settingKeys,
  settingRows,
} from './keys.ts';
import {
  checkTrusted,
  type Stopped,
  type TrustedKey,
  trustIn,
  type Untrusted,
  withoutTrust,
} from './trust.ts';

export interface Setting {
  readonly value: string;
  /** `--workspace`, `DTP_WORKSPACE_ID`, a path of .dtp.json, `profile staging`, `default`. */
  readonly source: string;
}

/** `untrusted` is not part of `profile` and `values`: they are as without it. */
export interface Settings extends Stopped {
  readonly profile: Setting;
  /** The stored profile of that name, or the built-in one. */
  readonly stored: Profile;
  readonly values: Readonly<Partial<Record<SettingKey, Setting>>>;
  /** `-w ''`: the workspace is the credential's own. */
  readonly isOwnWorkspace?: true;
  /** What could not be read or used, where the command goes on all the same. */
  readonly faults: readonly DtpError[];
}

/** Built in: the embedded service, in process. */
export const builtIn: Readonly<Record<string, Profile>> = {
  local: { base_url: 'local:' },
} satisfies Record<typeof reserved, Profile>;

/** The built-in profiles and the stored ones; an entry under a built-in name is not read. */
export const allProfiles = ({ profiles }: Configuration): Readonly<Record<string, Profile>> => ({
  ...builtIn,
  ...profiles,
  ...builtIn,
});

/** What is said of a stored profile that is not read because of its name. */
export const hiddenProfileText = (name: string): string =>
  `the stored profile "${name}" is ignored because ${name} is built in; delete it with: ${commandLine(['config', 'delete', name])}`;

const none: Configuration = { profiles: {} };

/** How a command uses settings: it mends them, stores a login in them, or only looks. */
export interface SettingsWay {
  readonly mending?: boolean;
  readonly login?: boolean;
  readonly looking?: boolean;
}

/**
 * The settings of a command. Throws `config` for what cannot be read or used, and for a profile that a folder file names
 * and the user has not trusted; `usage` for a flag that is wrong. What else such a file decides stands in `untrusted`. With
 * `mending`, for commands that mend settings, nothing is thrown: the faults stand in the result, and a profile may be new.
 * So it may with `login`, where a built-in profile, in which nothing can be stored, gives way to the default one unless a
 * flag names it. Modes that are too wide are narrowed, and `warn` is told, except by what is only `looking`.
 */
export async function resolveSettings(
  context: Context,
  globals: Globals,
  { mending = false, login = false, looking = false }: SettingsWay = {},
  warn: (text: string) => void = () => undefined,
): Promise<Settings> {
  const faults: DtpError[] = [];
  const told =
    <T>(fallback: T, goesOn: boolean) =>
    (error: unknown): T => {
      if (!goesOn || !(error instanceof DtpError)) throw error;
      faults.push(error);
      return fallback;
    };
  const all = await readFolderFile(context).catch(told(noFolderFile, mending));
  const trust = await trustIn(context, all);
  const file = trust === undefined || trust === 'trusted' ? all : withoutTrust(all);
  const untrusted: Partial<Record<TrustedKey, Untrusted>> = {};
  const distrust = (key: TrustedKey, wanted: Setting | undefined) => {
    if (file !== all && wanted?.source === all.path && needsTrust(key))
      untrusted[key] = { ...wanted, isChanged: trust === 'changed' };
  };
  distrust('profile', profileName(context, globals, all));
  if (!mending) checkTrusted({ untrusted }, 'profile');
  const named = profileName(context, globals, file);
  // What is built in needs no configuration, nor does a command that is told its address otherwise.
  const needsNone = named ? named.value === 'local' : isAddressed(context, globals);
  const configuration = await readConfiguration(context, looking ? undefined : warn).catch(
    told(none, mending || needsNone),
  );
  const selected = named ?? currentProfile(configuration);
  const givesWay = login && selected.source !== '--profile' && own(builtIn, selected.value) !== undefined;
  const profile = givesWay ? defaultProfile : selected;
  if (!mending && !login && profile.source !== 'default' && !isThere(profile.value, configuration))
    throw unknown(profile, configuration);

  if (own(builtIn, profile.value) && own(configuration.profiles, profile.value))
    faults.push(new DtpError('config', hiddenProfileText(profile.value)));
  const stored = own(allProfiles(configuration), profile.value) ?? {};
  const values: Partial<Record<SettingKey, Setting>> = {};
  for (const key of settingKeys) {
    const from = (file: FolderFile) =>
      lookUp(key, settingRows[key], { context, globals, file, stored, profile });
    distrust(key, from(all));
    const setting = from(file);
    if (!setting) continue;
    values[key] = setting;
    const fault = faultOf(key, setting.value);
    if (fault !== undefined) told(undefined, mending)(wrong(key, setting, fault));
  }
  const isOwn = (key: SettingKey) => values[key]?.source === `profile ${profile.value}`;
  // The embedded service has a workspace of its own.
  if (isOwn('workspace') && isEmbedded(values.base_url?.value) && !isEmbedded(stored.base_url))
    delete values.workspace;
  // Another credential may belong to another workspace, which the service names when it is asked.
  if (!usesStored(context, { profile, stored, values }))
    for (const key of ['organization_slug', 'workspace_slug'] as const) if (isOwn(key)) delete values[key];
  const isOwnWorkspace = globals.workspace === '' && { isOwnWorkspace: true as const };
  return { profile, stored, values, ...isOwnWorkspace, untrusted, faults };
}

/** Whether a request carries the credential that the profile holds, and goes to the service that it is for. */
function usesStored(
  { env }: Context,
  { profile, stored, values }: Pick<Settings, 'profile' | 'stored' | 'values'>,
): boolean {
  const { credential, credential_command: command, credential_origin, base_url } = stored;
  if (credential === undefined && command === undefined) return false;
  if (profile.source !== '--profile' && Object.keys(credentialVariables).some((name) => env[name]?.trim()))
    return false;
  const [to = '', own = ''] = [values.base_url?.value, credential_origin ?? base_url];
  return URL.canParse(to) && URL.canParse(own) && originOf(to) === originOf(own);
}

const isEmbedded = (base: string | undefined): boolean => base?.startsWith('local:') === true;

/** A name such as `constructor` is no profile. */
const own = (profiles: Readonly<Record<string, Profile>>, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

const isThere = (name: string, configuration: Configuration) =>
  own(allProfiles(configuration), name) !== undefined;

function unknown({ value, source }: Setting, configuration: Configuration): DtpError {
  const meant = nearest(value, Object.keys(allProfiles(configuration)));
  return new DtpError('config', `there is no profile "${value}" (named by ${source})`, {
    hint: `Create it with: ${commandLine(['auth', 'login', '--profile', value, '--base-url', 'URL'])}`,
    next: ['dtp config list'],
    ...(meant !== undefined && { meant: { flag: '--profile', value: meant } }),
  });
}

/** The value is not repeated: an address may hold a password. */
const wrong = (key: SettingKey, { source }: Setting, fault: string) =>
  source.startsWith('--')
    ? new DtpError('usage', `${source} ${fault}`)
    : new DtpError('config', `${key}, from ${source}, ${fault}`, { next: ['dtp config explain'] });

/** Where a setting may stand. */
interface Places {
  readonly context: Context;
  readonly globals: Globals;
  readonly file: FolderFile;
  readonly stored: Profile;
  readonly profile: Setting;
}

function lookUp(
  key: SettingKey,
  row: SettingRow,
  { context, globals, file, stored, profile }: Places,
): Setting | undefined {
  // `-w ''` names no workspace, whatever else does.
  if (key === 'workspace' && globals.workspace === '') return undefined;
  const flag = row.flag && globals[attributeName(row.flag)];
  if (row.flag && flag !== undefined && flag !== false)
    return { value: String(flag), source: longName(row.flag) };
  const kept = row.profile && stored[key as ProfileKey];
  const fromProfile =
    kept === undefined ? undefined : { value: textOf(row, kept), source: `profile ${profile.value}` };
  // A profile that was named by a flag is as good as flags: no exported variable leads a command elsewhere.
  if (fromProfile && profile.source === '--profile') return fromProfile;
  for (const name of row.env ?? []) {
    // What is run for a web server has the header "Proxy" of a stranger there.
    if (name === 'HTTP_PROXY' && context.env.REQUEST_METHOD) continue;
    // An empty variable is how CI systems leave one unset.
    const value = context.env[name];
    if (value !== undefined && value !== '') return { value, source: name };
  }
  const local = row.file && file.values[key];
  if (local !== undefined) return { value: textOf(row, local), source: file.path };
  if (fromProfile) return fromProfile;
  return row.default === undefined ? undefined : { value: row.default, source: 'default' };
}

/** The value as text; '' for one of the wrong type, such as null, which no key takes. A large number would be rounded. */
function textOf({ kind }: SettingRow, value: unknown): string {
  const isRight =
    typeof value === 'string' ||
    (kind === 'integer' && typeof value === 'number') ||
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

/** Whether the base address comes from a flag or a variable. */
const isAddressed = ({ env }: Context, { baseUrl }: Globals): boolean =>
  (baseUrl ?? env.DTP_BASE_URL ?? '') !== '';

/** conf is slow to load, so it is left alone where there is no file. */
async function readConfiguration(
  context: Context,
  warn: ((text: string) => void) | undefined,
): Promise<Configuration> {
  const folder = configFolder(context);
  if (!existsSync(join(folder, 'config.json'))) return none;
  const profiles = await context.openProfiles(folder);
  // Windows knows no modes.
  if (warn && context.runtime.platform !== 'win32') for (const text of await profiles.narrow()) warn(text);
  return profiles.read();
}
