/** What a folder file decides only if the user has trusted it: where requests and credentials go. */
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Trust } from '../store/trusted-files.ts';
import { configFolder } from '../system/folders.ts';
import { commandLine } from './command-line.ts';
import { longName } from './flag-names.ts';
import { type FolderFile, needsTrust } from './folder-file.ts';
import { type SettingKey, settingRows } from './keys.ts';

/** A setting of a folder file that is not used until the file is trusted. */
export interface Untrusted {
  readonly value: string;
  /** The path of the file. */
  readonly source: string;
  /** Whether the file was trusted before, with another content. */
  readonly isChanged: boolean;
}

export type TrustedKey = SettingKey | 'profile';

/** What untrusted folder files would decide. */
export interface Stopped {
  readonly untrusted: Readonly<Partial<Record<TrustedKey, Untrusted>>>;
}

/** Whether a file is trusted; undefined if it decides nothing that needs it. */
export async function trustIn(context: Context, file: FolderFile): Promise<Trust | undefined> {
  if (!Object.keys(file.values).some(needsTrust)) return undefined;
  const { trustOf } = await import('../store/trusted-files.ts');
  return trustOf(trustFolder(context), readFileOf(file), context.uid);
}

/** Where it is stored which files are trusted: with the profiles, as `dtp dev` gives its command another state folder. */
export const trustFolder = (context: Context): string => join(configFolder(context), 'trusted');

/** The file as it is trusted: with the certificates that it names. */
export const readFileOf = ({ path, content, values }: FolderFile) => ({
  path,
  content,
  certificates: values.ca_cert === undefined ? undefined : String(values.ca_cert),
});

/** The file without what needs trust. */
export const withoutTrust = (file: FolderFile): FolderFile => ({
  ...file,
  values: Object.fromEntries(Object.entries(file.values).filter(([key]) => !needsTrust(key))),
});

/** Throws `config` if a folder file would decide a setting and is not trusted: before anything is sent. */
export function checkTrusted({ untrusted }: Stopped, key: TrustedKey): void {
  const found = untrusted[key];
  if (found) throw notTrusted(key, found);
}

/** Both ways on. The value is the file's text, and is not repeated. */
export function notTrusted(key: TrustedKey, { source, isChanged }: Untrusted): DtpError {
  const why = isChanged ? 'has changed since it was trusted' : 'is not trusted';
  return new DtpError('config', `${key} comes from ${source}, which ${why}`, {
    hint: `${otherWay(key)}. Or read the file, and trust it with:`,
    next: [commandLine(['config', 'trust', source])],
  });
}

function otherWay(key: TrustedKey): string {
  if (key === 'profile') return 'Name the profile with --profile or DTP_PROFILE';
  const { flag, env = [] } = settingRows[key];
  const ways = [...(flag === undefined ? [] : [longName(flag)]), ...env];
  return ways.length === 0
    ? `Set ${key} in a profile and name that with --profile`
    : `Set ${key} with ${ways.join(' or ')}`;
}
