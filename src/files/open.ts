/** Opens every file that the tool reads for the user, once. It checks the open file, and never waits for a pipe. */
import { type BigIntStats, close, constants, createReadStream, existsSync, fstat, open } from 'node:fs';
import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join, relative, sep } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { DtpError } from '../errors.ts';
import { checkBoundary, type FileContext, type NamedPath, namedPath } from './boundary.ts';
import { isOwnFile } from './own.ts';

/** An open file. The caller closes it. */
export type OpenFile = Awaited<ReturnType<typeof openAt>>;

export interface OpenOptions {
  /** The beginning of messages, such as `--body: event.json`. */
  readonly name: string;
  /** Whether the user allowed a link that leaves the boundary, with --include. */
  readonly mayLeave?: boolean;
  /** Whether the file may be one of dtp's own, because its content is not sent. */
  readonly mayBeOwn?: boolean;
  /** Throws if the real path must not be read. */
  readonly check?: (real: string) => void;
  /** What to pass instead to read standard input, if that is possible. */
  readonly dash?: '-' | '@-';
  /** Another solution for a link that leaves the boundary, besides its real path. */
  readonly more?: string;
}

/**
 * Opens a file to read it. Inside the boundary of the current folder, only regular files are opened, and only those
 * whose real path is inside too. A path outside, which the user typed, may be a pipe or a device. Throws `usage` for a
 * file that must not be read, and passes on errors of the file system.
 */
export const openNamed = (context: FileContext, typed: string, options: OpenOptions): Promise<OpenFile> =>
  openAt(context, namedPath(context, typed), options);

/** Does the same for a path with the boundary that is given. Without a boundary, `check` decides. */
export async function openAt(
  context: FileContext,
  named: NamedPath,
  { name, mayLeave, mayBeOwn, check = () => undefined, dash, more }: OpenOptions,
) {
  const { path, boundary } = named;
  const refuse = (why: string, hint?: string) => new DtpError('usage', `${name} ${why}`, hint ? { hint } : {});
  const checkPlace = (real: string) => {
    if (!mayLeave) checkBoundary(named, real, name, more);
    check(real);
  };
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) checkPlace(real);
  const before = await stat(real ?? path);
  const isRegular = before.isFile();
  if (before.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
  if (!isRegular && boundary !== undefined)
    throw refuse(`is not a file, but ${kindOf(before)}`, dash && `To read standard input, pass ${dash}`);
  // A pipe would block until somebody writes to it. A terminal must block until somebody types.
  const waits = before.isCharacterDevice() ? 0 : (constants.O_NONBLOCK ?? 0);
  const follows = real !== undefined && isRegular ? (constants.O_NOFOLLOW ?? 0) : 0;
  const needsChain = isRegular && real !== undefined && boundary !== undefined && !hasDescriptors();
  const chain = needsChain ? await chainOf(boundary, real) : undefined;
  const fd = await promisify(open)(real ?? path, constants.O_RDONLY | waits | follows);
  try {
    const stats = await promisify(fstat)(fd, { bigint: true });
    const place = chain ? await unchangedPlace(chain, stats) : await placeOf(fd, real, boundary === undefined);
    if (place === undefined || stats.isFile() !== isRegular)
      throw refuse('changed while it was being opened', 'Run the command again.');
    if (isRegular) checkPlace(place);
    if (isRegular && !mayBeOwn && isOwnFile(context, place, stats))
      throw refuse("is one of dtp's own files. They may contain secrets and are never sent");
    return { fd, stats, size: Number(stats.size) };
  } catch (error) {
    await closeFile({ fd });
    throw error;
  }
}

/** Returns a string that changes if a file is written to or replaced. */
export const fileStateOf = ({ stats }: Pick<OpenFile, 'stats'>): string =>
  [stats.size, stats.mtimeNs, stats.dev, stats.ino].join();

export const stateNow = async ({ fd }: Pick<OpenFile, 'fd'>): Promise<string> =>
  fileStateOf({ stats: await promisify(fstat)(fd, { bigint: true }) });

export const closeFile = ({ fd }: Pick<OpenFile, 'fd'>): Promise<void> => promisify(close)(fd);

/** Returns the bytes of an open file, pipe or device as a stream, which closes it at the end. */
export const streamOf = ({ fd, stats }: OpenFile): Readable =>
  stats.isFIFO()
    ? new Socket({ fd, readable: true, writable: false })
    : createReadStream('', { fd, highWaterMark: 256 * 1024 });

/** Reads an open file and closes it. Undefined if it is longer than `limit` bytes, whatever its reported size. */
export async function readAllOf(file: OpenFile, signal: AbortSignal, limit = Number.POSITIVE_INFINITY) {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of addAbortSignal(signal, streamOf(file))) {
    size += piece.byteLength;
    if (size > limit) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function kindOf(stats: { isFIFO(): boolean; isSocket(): boolean }): string {
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Returns the real path of an open file. Without /proc, returns the earlier path if the user chose it freely. */
async function placeOf(fd: number, real: string | undefined, isFree: boolean): Promise<string | undefined> {
  const place = hasDescriptors() ? await readlink(`${descriptors}/${fd}`).catch(() => undefined) : undefined;
  return place ?? (isFree ? (real ?? '') : undefined);
}

const look = (path: string) => lstat(path, { bigint: true });

/** Returns what identifies a file, the root and the folders between them. It changes if one of them changes. */
async function chainOf(root: string, real: string) {
  const parts = relative(root, real).split(sep);
  const above = parts.map((_, index) => join(root, ...parts.slice(0, index)));
  const [file, ...folders] = await Promise.all([look(real), ...above.map(look)]);
  const states = folders.map((one) => `${idOf(one)} ${one.mtimeNs} ${one.ctimeNs}`);
  return { root, real, folders: states.join(), file: idOf(file) };
}

/** Without /proc, returns the real path unless the file or a folder above it changed while it was opened. */
async function unchangedPlace(before: Awaited<ReturnType<typeof chainOf>>, stats: BigIntStats) {
  const after = await chainOf(before.root, before.real);
  const isSame = after.folders === before.folders && after.file === before.file && after.file === idOf(stats);
  return isSame ? before.real : undefined;
}

const idOf = ({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string => `${dev} ${ino}`;

export const descriptors = '/proc/self/fd';

/** Flags to open a folder as the start of paths. O_PATH, which Node does not name, needs no permission to list it. */
export const folderFlags = 0o10000000 | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Whether this system has the folder. On Windows, the path would be a folder that anybody can create. */
export const hasDescriptors = (): boolean => sep === '/' && existsSync(descriptors);
