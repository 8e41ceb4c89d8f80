/**
 * Reads a file. Checks its path again after opening it, because the file may have been replaced since the first check.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { inputLimit } from '../limits.ts';
import { readAll } from '../request/http.ts';

/** The flags for opening a file. They do not block on a pipe or follow a symbolic link at the end of the path. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

export interface Wanted {
  /** The result of `realpath`, which contains no symbolic links and is inside `root`. */
  readonly path: string;
  readonly root: string;
  /** The beginning of error messages. */
  readonly name: string;
  /** Throws if the path must not be read. */
  readonly check: (path: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads a file. Throws `usage` if the path is not a file, or if the file is too large or was replaced while opening.
 */
export async function readOpened({ path, root, name, check, signal }: Wanted): Promise<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    const before = await chainOf(root, path);
    // Check this before opening, because opening a device or a pipe may have side effects.
    if (!before.isFile) throw new DtpError('usage', `${name} is not a file`);
    file = await open(path, flags);
    const place = await placeOf(file, { path, root, before });
    if (place === undefined)
      throw new DtpError('usage', `${name} changed while it was being opened`, { hint: 'Call again.' });
    check(place);
    const { size } = await file.stat();
    // Read the whole file into memory, so that exactly the checked content is sent.
    const bytes = size > inputLimit.bytes ? undefined : await bytesOf(file, signal);
    if (bytes) return bytes;
    throw new DtpError('usage', `${name} is larger than ${inputLimit.text}`, {
      hint: 'Send larger files with the dtp command instead.',
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DtpError) throw error;
    const code = systemCode(error);
    throw new DtpError('usage', `${name} cannot be read (${code})`, { cause: error });
  } finally {
    await file?.close();
  }
}

/** Reads a file. Returns undefined if it has more bytes than the limit, whatever size the file system reports. */
const bytesOf = (file: FileHandle, signal: AbortSignal): Promise<Uint8Array | undefined> =>
  readAll(file.createReadStream({ end: inputLimit.bytes, autoClose: false, signal }), inputLimit.bytes);

interface Chain {
  readonly isFile: boolean;
  /** Identifies the root and the folders between the root and the file. It changes if one of them changes. */
  readonly folders: string;
  readonly file: string;
}

/**
 * Returns the real path of an opened file, or undefined if the file was replaced. On systems without /proc, returns
 * `path` if neither the file nor any folder above it changed during the opening. A rename changes the times of its
 * folder.
 */
async function placeOf(
  file: FileHandle,
  { path, root, before }: Pick<Wanted, 'path' | 'root'> & { readonly before: Chain },
): Promise<string | undefined> {
  const found = await file.stat({ bigint: true });
  if (!found.isFile()) return undefined;
  const place = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (place !== undefined) return place;
  const after = await chainOf(root, path);
  const isSame = after.folders === before.folders && after.file === before.file && after.file === idOf(found);
  return isSame ? path : undefined;
}

const look = (path: string) => lstat(path, { bigint: true });

/** Identifies the file, the root and the folders between them. */
async function chainOf(root: string, path: string): Promise<Chain> {
  const parts = relative(root, path).split(sep);
  const folders = parts.map((_, index) => join(root, ...parts.slice(0, index)));
  const [file, ...above] = await Promise.all([look(path), ...folders.map(look)]);
  return {
    isFile: file.isFile() && above.every((one) => one.isDirectory()),
    folders: above.map((one) => `${idOf(one)} ${one.mtimeNs} ${one.ctimeNs}`).join(),
    file: idOf(file),
  };
}

const idOf = ({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string => `${dev} ${ino}`;
