/** A file that is opened first and checked then: names may lead elsewhere by the time a file is opened. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { inputLimit } from '../limits.ts';
import { readAll } from '../request/http.ts';

/** Neither waits for the writer of a pipe nor follows a link at the end of the path. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

export interface Wanted {
  /** Without links, as `realpath` has it, and below `root`. */
  readonly path: string;
  readonly root: string;
  /** The sentence of an error begins with it. */
  readonly name: string;
  /** Throws for a place that may not be read. */
  readonly check: (place: string) => void;
  readonly signal: AbortSignal;
}

/** The bytes of a file. Throws `usage` for what is no file, is too large, or was replaced while it was opened. */
export async function readOpened({ path, root, name, check, signal }: Wanted): Promise<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    const before = await chainOf(root, path);
    // Opening a device or a pipe may do something by itself.
    if (!before.isFile) throw new DtpError('usage', `${name} is not a file`);
    file = await open(path, flags);
    const place = await placeOf(file, { path, root, before });
    if (place === undefined)
      throw new DtpError('usage', `${name} changed while it was opened`, { hint: 'Call again.' });
    check(place);
    const { size } = await file.stat();
    // A file is held whole: what was checked is what is sent.
    const bytes = size > inputLimit.bytes ? undefined : await bytesOf(file, signal);
    if (bytes) return bytes;
    throw new DtpError('usage', `${name} is larger than ${inputLimit.text}`, {
      hint: 'Larger files are sent with the command itself.',
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

/** At most the limit, whatever the file's size is said to be; undefined if there is more. */
const bytesOf = (file: FileHandle, signal: AbortSignal): Promise<Uint8Array | undefined> =>
  readAll(file.createReadStream({ end: inputLimit.bytes, autoClose: false, signal }), inputLimit.bytes);

interface Chain {
  readonly isFile: boolean;
  /** Differs if a folder from the root on, or the file, was replaced. */
  readonly folders: string;
  readonly file: string;
}

/**
 * Where an opened file is: as the system has it, else its path, if no folder on the way changed while it was opened. That
 * second way is all there is on a system without /proc: renaming changes the time of a folder.
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

/** The folders from the root to a file, and the file. */
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
