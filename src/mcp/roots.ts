/** Reads files for tool calls, but only from the folders that the user allows. */
import { realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { systemCode } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { checkBoundary, namedPath } from '../files/boundary.ts';
import { openAt, readAllOf } from '../files/open.ts';
import { decodedText } from '../input/faults.ts';
import { bundleFiles, refuseSplitBytes } from '../input/whole.ts';
import { isRecord } from '../json-object.ts';
import { inputLimit } from '../limits.ts';
import type { FileValue } from '../operations/operation.ts';
import { bodyOfBytes } from '../request/http.ts';
import { isSamePath, isWithin } from '../system/paths.ts';
import { isOnWindows } from '../system/platform.ts';
import { realPathOf } from '../system/repository.ts';

export type Roots = Awaited<ReturnType<typeof openRoots>>;

/**
 * Allows reading from the given folders. The default is the current folder, unless this is the home folder or above
 * it, which contain too many other files. `warn` gets what a document refers to and is sent without. Throws `usage` if a
 * path is not a folder.
 */
export async function openRoots(
  context: Context,
  given: readonly string[] | undefined,
  warn: (text: string) => void = () => undefined,
) {
  const isSafe = !isWithin(realPathOf(context.cwd), realPathOf(resolve(context.cwd, context.home)));
  const folders = given?.map((one) => one && resolve(context.cwd, one)) ?? (isSafe ? [context.cwd] : []);
  const real = await Promise.all(folders.map((folder) => realFolder(context, folder)));

  const placeOf = async (path: string, label: string, fits = isBelow) => {
    if (folders.length === 0)
      throw new DtpError('usage', `${label}: the tools may not read any folder`, {
        hint: 'A file can also be {"text": "…"}. The user can start the server with: dtp mcp --root FOLDER',
      });
    const outside = new DtpError('usage', `${label}: ${path} is not in ${folders.join(' or ')}`, {
      hint: 'Only files inside are read, and links that lead outside are not followed.',
    });
    // Check the path before looking for the file, so that a call cannot find out which files exist outside the folders.
    const candidates = folders
      .map((folder) => resolve(folder, path))
      .filter((one) => [...folders, ...real].some((folder) => fits(folder, one)));
    if (candidates.length === 0) throw outside;
    const found = await firstOf(candidates);
    if (!found) throw new DtpError('usage', `${label}: file not found: ${path}`);
    const root = real.find((folder) => fits(folder, found.real));
    if (root === undefined) throw outside;
    const check = (place: string) => {
      if (!real.some((folder) => fits(folder, place))) throw outside;
      if (systemFolders.some((folder) => isWithin(folder, place)))
        throw new DtpError('usage', `${label}: ${path} was not read: it belongs to the system`);
    };
    return { ...found, root, check };
  };

  const bytesAt = async (path: string, label: string) => {
    const { real: place, way, ...others } = await placeOf(path, label);
    return { bytes: await contentOf(context, place, { name: `${label}: ${path}`, ...others }), way, root: others.root };
  };

  const bytesOf = async (given: unknown, label: string, document = false) => {
    const { path, text, name } = isRecord(given) ? given : {};
    if (typeof path === 'string' && text === undefined) {
      const { bytes, way, root } = await bytesAt(path, label);
      // Files that the document refers to are checked in the same way.
      const readOther = async (other: string) => (await bytesAt(other, label)).bytes;
      const found = document ? await bundleFiles({ ...context, root, warn }, way, bytes, readOther) : undefined;
      return { name: basename(path), path, ...(found ?? { bytes }) };
    }
    if (typeof text === 'string' && path === undefined) {
      const bytes = Buffer.from(text);
      const fault = document ? await refuseSplitBytes(bytes, label, 'inline text') : undefined;
      if (fault !== undefined) warn(fault);
      return { name: typeof name === 'string' ? name : 'text', bytes };
    }
    throw new DtpError('usage', `${label} must be {"path": "…"} or {"text": "…"}`);
  };

  return {
    folders,
    /** Finds a file or a folder in `root`. `check` gets each real path that is read. Both throw `usage` outside of it. */
    place: (path: string, label: string) => placeOf(path, label, isWithin),
    /** Reads `{path}` or `{text}`, and bundles an API `document` with the files that it refers to. Throws `usage`. */
    file: async (given: unknown, label: string, document?: boolean): Promise<FileValue> => {
      const { bytes, ...names } = await bytesOf(given, label, document);
      return { ...names, size: bytes.byteLength, open: () => bodyOfBytes(bytes) };
    },
    /** Does the same as `file`, and decodes the content. Throws `usage` if it is not UTF-8. */
    text: async (given: unknown, label: string, document?: boolean) => {
      const { bytes } = await bytesOf(given, label, document);
      return decodedText(bytes, label);
    },
  };
}

/** Files here show the memory and the variables of processes, or are devices. */
const systemFolders = isOnWindows ? [] : ['/proc', '/dev', '/sys'];

interface Wanted {
  /** The beginning of messages. */
  readonly name: string;
  /** The folder that contains the file. */
  readonly root: string;
  readonly check: (real: string) => void;
}

/** Reads the whole file into memory, so that exactly the checked content is sent. Throws `usage`. */
async function contentOf(context: Context, path: string, { name, root, check }: Wanted): Promise<Uint8Array> {
  try {
    const file = await openAt(context, { path, boundary: root }, { name, mayLeave: true, check });
    const bytes = await readAllOf(file, context.signal, inputLimit.bytes);
    if (bytes) return bytes;
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof DtpError) throw error;
    const code = systemCode(error);
    throw new DtpError('usage', `${name} ${code === 'EISDIR' ? 'is not a file' : `cannot be read (${code})`}`, {
      cause: error,
    });
  }
  throw new DtpError('usage', `${name} is larger than ${inputLimit.text}`, {
    hint: 'Send larger files with the dtp command instead.',
  });
}

async function realFolder(context: Context, folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new DtpError('usage', `--root: ${folder} ${found ? 'is not a folder' : 'does not exist'}`);
  const real = realPathOf(folder);
  checkBoundary(namedPath(context, folder), real, `--root: ${folder}`);
  return real;
}

const isBelow = (folder: string, path: string): boolean => !isSamePath(folder, path) && isWithin(folder, path);

/** Returns the first path that exists, and the same path with all symbolic links resolved. */
async function firstOf(ways: readonly string[]) {
  for (const way of ways) {
    const real = await realpath(way).catch(() => undefined);
    if (real !== undefined) return { way, real };
  }
  return undefined;
}
