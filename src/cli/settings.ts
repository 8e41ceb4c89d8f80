/** Where each setting comes from: flag, environment, .dtp.json, profile, default; in this order. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Configuration, Profile } from '../store/profiles.ts';
import { configFolder } from './folders.ts';
import type { Globals } from './globals.ts';

interface Source {
  readonly flag?: keyof Globals;
  readonly env?: readonly string[];
  /** Whether a profile may hold it. */
  readonly profile?: keyof Profile;
  /** Whether .dtp.json may hold it: never what weakens a connection or names a command. */
  readonly file?: true;
  readonly default?: string;
}

/** Every setting and its sources, but for the credential. */
export const sources = {
  base_url: { flag: 'baseUrl', env: ['DTP_BASE_URL'], profile: 'base_url', file: true },
  workspace: { flag: 'workspace', env: ['DTP_WORKSPACE_ID'], profile: 'workspace', file: true },
  organization_slug: {
    flag: 'organizationSlug',
    env: ['DTP_ORGANIZATION_SLUG'],
    profile: 'organization_slug',
    file: true,
  },
  workspace_slug: {
    flag: 'workspaceSlug',
    env: ['DTP_WORKSPACE_SLUG'],
    profile: 'workspace_slug',
    file: true,
  },
  output: { flag: 'output', env: ['DTP_OUTPUT'], profile: 'output', file: true },
  error_format: { flag: 'errorFormat', env: ['DTP_ERROR_FORMAT'], default: 'auto' },
  timeout: { flag: 'timeout', env: ['DTP_TIMEOUT'], profile: 'timeout', file: true },
  connect_timeout: { flag: 'connectTimeout', env: ['DTP_CONNECT_TIMEOUT'], default: '10s' },
  http_proxy: { flag: 'proxy', env: ['http_proxy', 'HTTP_PROXY'] },
  https_proxy: { flag: 'proxy', env: ['https_proxy', 'HTTPS_PROXY'] },
  no_proxy: { env: ['no_proxy', 'NO_PROXY'] },
  ca_cert: { flag: 'caCert', env: ['DTP_CA_CERT'], profile: 'ca_cert' },
  allow_http: { flag: 'allowHttp', profile: 'allow_http' },
  'words.codehost': { profile: 'words.codehost', file: true },
  'words.docsite': { profile: 'words.docsite', file: true },
  'header.api-key': { profile: 'header.api-key', default: 'x-api-key' },
  'header.workspace-identifier': {
    profile: 'header.workspace-identifier',
    default: 'x-workspace-identifier',
  },
} as const satisfies Record<string, Source>;

export type SettingKey = keyof typeof sources;

export interface Setting {
  readonly value: string;
  /** `--workspace`, `DTP_WORKSPACE_ID`, `.dtp.json`, `profile staging`, `default`. */
  readonly source: string;
}

export interface Settings {
  readonly profile: Setting;
  /** The stored profile of that name, with what is built in. */
  readonly stored: Profile;
  readonly values: Readonly<Partial<Record<SettingKey, Setting>>>;
}

/** Built in: the embedded service, in process. */
export const builtIn: Readonly<Record<string, Profile>> = { local: { base_url: 'local:' } };

/**
 * Throws `config` for a configuration or a .dtp.json that cannot be read, and for a profile that is not there, unless a
 * new one is welcome.
 */
export async function resolveSettings(
  context: Context,
  globals: Globals,
  { newProfile = false }: { readonly newProfile?: boolean } = {},
): Promise<Settings> {
  const file = await readFolderFile(context.cwd);
  const configuration = await readConfiguration(context);
  const profile = profileName(context, globals, file, configuration);
  const stored = { ...builtIn[profile.value], ...configuration.profiles[profile.value] };
  if (
    !newProfile &&
    profile.source !== 'default' &&
    !(profile.value in builtIn) &&
    !(profile.value in configuration.profiles)
  )
    throw new DtpError('config', `there is no profile "${profile.value}" (named by ${profile.source})`, {
      hint: `Make it with: dtp auth login --profile ${profile.value} --base-url URL`,
      next: ['dtp config list'],
    });

  const values: Partial<Record<SettingKey, Setting>> = {};
  for (const [key, source] of Object.entries(sources) as [SettingKey, Source][]) {
    const setting = lookUp(key, source, context, globals, file, stored, profile.value);
    if (setting) values[key] = setting;
  }
  return { profile, stored, values };
}

function lookUp(
  key: SettingKey,
  source: Source,
  context: Context,
  globals: Globals,
  file: FolderFile,
  stored: Profile,
  profile: string,
): Setting | undefined {
  const flag = source.flag && globals[source.flag];
  if (flag !== undefined && flag !== false) return { value: String(flag), source: flagName(source.flag) };
  for (const name of source.env ?? []) {
    // An empty variable is how CI systems leave one unset.
    const value = context.env[name];
    if (value !== undefined && value !== '') return { value, source: name };
  }
  const local = source.file && file.values[key];
  if (local !== undefined) return { value: String(local), source: file.path };
  const kept = source.profile && stored[source.profile];
  if (kept !== undefined) return { value: String(kept), source: `profile ${profile}` };
  return source.default === undefined ? undefined : { value: source.default, source: 'default' };
}

const flagName = (flag: string | undefined) =>
  `--${(flag ?? '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function profileName(
  context: Context,
  globals: Globals,
  file: FolderFile,
  configuration: Configuration,
): Setting {
  if (globals.profile !== undefined) return { value: globals.profile, source: '--profile' };
  if (context.env.DTP_PROFILE) return { value: context.env.DTP_PROFILE, source: 'DTP_PROFILE' };
  if (file.values.profile !== undefined) return { value: String(file.values.profile), source: file.path };
  if (configuration.current !== undefined) return { value: configuration.current, source: 'dtp config use' };
  return { value: 'default', source: 'default' };
}

/** conf is slow to load, so it is left alone where there is no file. */
async function readConfiguration(context: Context): Promise<Configuration> {
  const folder = configFolder(context);
  if (!existsSync(join(folder, 'config.json'))) return { profiles: {} };
  return (await context.openProfiles(folder)).read();
}

interface FolderFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const folderKeys: ReadonlySet<string> = new Set([
  'profile',
  ...Object.entries(sources).flatMap(([key, source]) => ('file' in source ? [key] : [])),
]);

/** .dtp.json in `folder` or the nearest folder above. */
async function readFolderFile(folder: string): Promise<FolderFile> {
  const path = join(folder, '.dtp.json');
  if (!existsSync(path)) {
    const above = dirname(folder);
    return above === folder ? { path: '', values: {} } : readFolderFile(above);
  }
  let values: unknown;
  try {
    values = JSON.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, ''));
  } catch (error) {
    throw new DtpError('config', `${path} is not JSON: ${(error as Error).message}`);
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new DtpError('config', `${path} must hold a JSON object`);
  const odd = Object.keys(values).find((key) => !folderKeys.has(key));
  if (odd !== undefined)
    throw new DtpError('config', `${path}: "${odd}" has no place there`, {
      hint: `It may hold ${[...folderKeys].join(', ')}; never a secret.`,
    });
  return { path, values: values as Record<string, unknown> };
}
