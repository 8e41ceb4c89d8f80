/** `.dtp.json`: settings of a folder and of those below it. Never a secret in it. */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { nearest } from '../render/nearest.ts';
import { folderKeys as keys } from './keys.ts';

export interface FolderFile {
  /** '' where there is none. */
  readonly path: string;
  readonly values: Readonly<Record<string, string | number>>;
  /** As it was read: this is what the user trusts. */
  readonly content: Uint8Array;
}

export const noFolderFile: FolderFile = { path: '', values: {}, content: new Uint8Array() };

export const fileName = '.dtp.json';

/** Whether a setting decides where requests and credentials go, so that the user must have trusted the file. */
export const needsTrust = (key: string): boolean => keys.get(key) === 'trusted';

type Here = Pick<Context, 'cwd' | 'home' | 'uid'>;

/**
 * The nearest file of this folder or above, up to the root of the repository or the home folder. In neither, only this
 * folder has one: anybody may write to a folder such as /tmp. Throws `config` for a file that cannot be used.
 */
export async function readFolderFile(here: Here): Promise<FolderFile> {
  const path = foldersFrom(here)
    .map((folder) => join(folder, fileName))
    .find(isThere);
  return path === undefined ? noFolderFile : readFileAt(path, here);
}

function foldersFrom({ cwd, home }: Here): readonly string[] {
  const homes = [home, realPath(home)];
  const folders: string[] = [];
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder)) {
    folders.push(folder);
    if (homes.includes(folder) || existsSync(join(folder, '.git'))) return folders;
  }
  return [cwd];
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** A link that leads nowhere is there too. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The file of that path. Throws `config` for one that cannot be used, never with anything of its text. */
export async function readFileAt(path: string, { uid }: Pick<Here, 'uid'>): Promise<FolderFile> {
  const { readOwnFile } = await import('../store/own-file.ts');
  const content = readOwnFile(path, uid);
  const values = parsed(path, content);
  const { ca_cert } = values;
  // Seen from the file, wherever below it the command runs.
  const absolute = typeof ca_cert === 'string' ? { ca_cert: resolve(dirname(path), ca_cert) } : {};
  return { path, values: { ...values, ...absolute }, content };
}

function parsed(path: string, content: Buffer): FolderFile['values'] {
  let values: unknown;
  try {
    values = JSON.parse(content.toString().replace(/^\ufeff/, ''));
  } catch {
    // Without the parser's words, which quote the file.
    throw new DtpError('config', `${path} is not JSON`, { hint: 'Fix the file or delete it.' });
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new DtpError('config', `${path} must hold a JSON object`);
  for (const [index, [key, value]] of Object.entries(values).entries()) {
    if (!keys.has(key)) throw unknownKey(path, key, index);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new DtpError('config', `${key}, from ${path}, must be a string or a number`);
  }
  return values as FolderFile['values'];
}

/** The key itself is the file's text: the name that was probably meant is not. */
function unknownKey(path: string, key: string, index: number): DtpError {
  const meant = nearest(key, keys.keys());
  return new DtpError('config', `${path}: key ${index + 1} is not a setting that it may hold`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}It may hold ${[...keys.keys()].join(', ')}; never a secret.`,
  });
}
