/** Reads `.dtp.json`, which contains the settings of a folder and its subfolders, but no secrets. */
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { attempt, orThrow } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { nearest } from '../render/nearest.ts';
import { isSamePath } from '../system/paths.ts';
import { isForeign, realPathOf } from '../system/repository.ts';
import { folderKeys } from './keys.ts';

export interface FolderFile {
  /** The path of the file. Empty if there is no file. */
  readonly path: string;
  readonly values: Readonly<Record<string, string | number>>;
  /** The bytes of the file. Trust only applies to exactly this content. */
  readonly content: Uint8Array;
  /** Why a file that is there is not used, if that stops no command. */
  readonly ignored?: string;
}

export const noFolderFile: FolderFile = { path: '', values: {}, content: new Uint8Array() };

export const fileName = '.dtp.json';

/** Whether a setting determines where requests and credentials go. Such settings need a file that the user trusts. */
export const needsTrust = (key: string): boolean => folderKeys.get(key) === 'trusted';

type Here = Pick<Context, 'cwd' | 'home' | 'uid'>;

/**
 * Finds and reads the nearest file in the current folder or above it, up to the root of the repository or the home
 * folder. Outside of both, only the current folder is searched, because anyone can write to a folder such as /tmp.
 * Anyone can also make a repository of it, so a file in the repository of another user is ignored. Throws `config` for
 * an invalid file.
 */
export async function readFolderFile(here: Here): Promise<FolderFile> {
  const folders = foldersFrom(here);
  const path = folders.map((folder) => join(folder, fileName)).find(isThere);
  if (path === undefined) return noFolderFile;
  const git = join(folders.at(-1) ?? '', '.git');
  const isOutside = dirname(path) === here.cwd && folders.length > 1;
  if (isOutside || !isForeign(git, here)) return readFileAt(path, here);
  const ignored = `${path} is ignored, because ${git} belongs to another user. If you trust the repository, take ownership of both (chown), else delete them or use another folder`;
  return { ...noFolderFile, ignored };
}

function foldersFrom({ cwd, home }: Here): readonly string[] {
  const homes = [home, realPathOf(home)];
  const folders: string[] = [];
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder)) {
    folders.push(folder);
    if (homes.some((one) => isSamePath(one, folder)) || existsSync(join(folder, '.git'))) return folders;
  }
  return [cwd];
}

/** Whether the path exists, even as a broken link. */
const isThere = (path: string): boolean =>
  attempt(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined, false);

/** Reads the file at a path. Throws `config` for an invalid file, without quoting its content. */
export async function readFileAt(path: string, { uid }: Pick<Here, 'uid'>): Promise<FolderFile> {
  const { readOwnFile } = await import('../store/own-file.ts');
  const content = readOwnFile(path, uid);
  const values = parsed(path, content);
  const { ca_cert } = values;
  // The path of the certificate file is relative to .dtp.json, not to the current folder.
  const absolute = typeof ca_cert === 'string' ? { ca_cert: resolve(dirname(path), ca_cert) } : {};
  return { path, values: { ...values, ...absolute }, content };
}

function parsed(path: string, content: Buffer): FolderFile['values'] {
  // Omit the parser's message, because it quotes the file.
  const wrong = () => new DtpError('config', `${path} is not JSON`, { hint: 'Fix the file or delete it.' });
  const values: unknown = orThrow(() => JSON.parse(content.toString().replace(/^\ufeff/, '')), wrong);
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new DtpError('config', `${path} must contain a JSON object`);
  for (const [index, [key, value]] of Object.entries(values).entries()) {
    if (!folderKeys.has(key)) throw unknownKey(path, key, index);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new DtpError('config', `${key} (from ${path}) must be a string or a number`);
  }
  return values as FolderFile['values'];
}

/** Creates the error for an unknown key. A key that may be a secret is only numbered. */
function unknownKey(path: string, key: string, index: number): DtpError {
  const similar = nearest(key, folderKeys.keys());
  // Up to three words like those of a setting. Tokens are longer, or have digits.
  const isName = /^[a-z]{1,12}(?:_[a-z]{1,12}){0,2}$|^[a-z]{1,12}(?:[A-Z][a-z]{1,11}){1,2}$/.test(key);
  const name = isName ? `"${key}"` : `key number ${index + 1}`;
  return new DtpError('config', `${path}: ${name} is not a known setting`, {
    hint: `${similar === undefined ? '' : `Did you mean ${similar}? `}Allowed keys: ${[...folderKeys.keys()].join(', ')}. Never store a secret there.`,
  });
}
