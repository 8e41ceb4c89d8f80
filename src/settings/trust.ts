/** Checks whether the user trusts a .dtp.json, if its settings decide where credentials go (`file: 'trusted'`). */
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { longName } from '../declarations/flag.ts';
import { DtpError } from '../errors.ts';
import type { Exposed } from '../store/exposure.ts';
import type { TrustState } from '../store/trusted-files.ts';
import { configFolder } from '../system/folders.ts';
import { folderInRepository } from '../system/repository.ts';
import { commandLine } from './command-line.ts';
import { type FolderFile, needsTrust } from './folder-file.ts';
import { type SettingKey, settingRows } from './keys.ts';

/** A setting that is not used until its file is trusted, or until only the user can change its file. */
export interface Untrusted {
  readonly value: string;
  /** The path of the file. */
  readonly source: string;
  readonly isChanged: boolean;
  /** Set if the setting is from a configuration file that other users could have written. */
  readonly exposed?: Exposed;
}

export type TrustedKey = SettingKey | 'profile';

/** Settings that are not used because their file is not trusted, or is exposed. */
export interface UntrustedSettings {
  readonly untrusted: Readonly<Partial<Record<TrustedKey, Untrusted>>>;
}

/** Whether a file is trusted. Undefined if none of its settings needs trust. */
export async function trustIn(context: Context, file: FolderFile): Promise<TrustState | undefined> {
  if (!Object.keys(file.values).some(needsTrust)) return undefined;
  // In a repository, the records may be as untrusted as the file.
  if (folderInRepository(context, 'config')) return 'unknown';
  const { trustOf } = await import('../store/trusted-files.ts');
  return trustOf(trustFolder(context), trustSubjectOf(file), context.uid);
}

/** Returns the folder of the trust records, which is not in the state folder, because `dtp dev` uses another one. */
export const trustFolder = (context: Context): string => join(configFolder(context), 'trusted');

/** Returns what the user trusts: a .dtp.json, and the certificate file that it names. */
export const trustSubjectOf = ({ path, content, values }: FolderFile) => ({
  path,
  content,
  certificates: values.ca_cert === undefined ? undefined : String(values.ca_cert),
});

/** Returns the file without the settings that need trust. */
export const withoutTrust = (file: FolderFile): FolderFile => ({
  ...file,
  values: Object.fromEntries(Object.entries(file.values).filter(([key]) => !needsTrust(key))),
});

/** Throws `config` if a setting comes from an untrusted file. Call it before sending anything. */
export function checkTrusted({ untrusted }: UntrustedSettings, key: TrustedKey): void {
  const found = untrusted[key];
  if (found) throw notTrusted(key, found);
}

/** Creates the error with two solutions. It does not quote the value, because errors must not reveal file content. */
export function notTrusted(key: TrustedKey, { source, isChanged, exposed }: Untrusted): DtpError {
  if (exposed) return exposedSetting(key, exposed, otherSource(key));
  const why = isChanged ? 'has changed since it was trusted' : 'is not trusted';
  return new DtpError('config', `${key} comes from ${source}, which ${why}`, {
    hint: `${otherSource(key)}. Or read the file and trust it with:`,
    next: [commandLine(['config', 'trust', [source]])],
  });
}

/** Creates the error for a setting in a configuration file that other users could have written. */
export const exposedSetting = (key: string, { file, why, advice, next }: Exposed, other: string): DtpError =>
  new DtpError('config', `${key} comes from ${file}, ${why}`, { hint: `${other}. Or ${advice}`, next });

export const exposedText = ({ file, why, advice, next }: Exposed): string =>
  `URLs, certificates and credentials in ${file}, ${why}, are not used. To use them, ${advice} ${next.join(' && ')}`.trim();

function otherSource(key: TrustedKey): string {
  if (key === 'profile') return 'Select the profile with --profile or DTP_PROFILE';
  const { flag, env = [], help } = settingRows[key];
  const ways = [...(flag === undefined ? [] : [longName(flag)]), ...env];
  return ways.length === 0
    ? `It is the ${help.split(',')[0]}. Set it in a profile and select that with --profile`
    : `Set ${key} with ${ways.join(' or ')}`;
}
