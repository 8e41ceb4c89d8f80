/** The files that an API document refers to, read from its folder and from nowhere else. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { messageOf } from '../caught.ts';
import { bundle } from '../documents/bundle.ts';
import {
  BrokenReference,
  collectFiles,
  type Files,
  isSplit,
  type Open,
  outside,
} from '../documents/files.ts';
import { pointerTo } from '../documents/pointer.ts';
import { referencesIn } from '../documents/references.ts';
import { readTree, type Tree, textScalar, writeTree } from '../documents/tree.ts';
import { DtpError } from '../errors.ts';
import { inputLimit } from '../limits.ts';
import { sizeText } from '../render/amounts.ts';

/** Reads a file of the document's folder. */
export type Read = (path: string) => Promise<Uint8Array>;

/** Whether a file is a document by its name, and not only a text. */
export const isDocumentName = (name: string): boolean => /\.(json|ya?ml)$/i.test(name);

export interface Reader {
  readonly read: (path: string, name: string) => Promise<Tree>;
  /** Whether a file is read that `faultOfName` finds fault with. */
  readonly isIncluded?: (path: string, name: string) => boolean;
  /** What to do about such a file. */
  readonly hintFor?: (path: string) => string;
}

/**
 * Why a file is not to be sent, as the end of a sentence that begins with "which". A document may be somebody else's: it
 * must not choose that a file such as .env is sent.
 */
function faultOfName(name: string): string | undefined {
  if (isHidden(name)) return 'is hidden, and hidden files are not sent';
  return /\.(json|ya?ml|md)$/i.test(name)
    ? undefined
    : 'is neither JSON, YAML nor Markdown, and other files are not sent';
}

/** Whether a file hides, or a folder on the way to it; the parts of the name parted by `/`. */
export const isHidden = (name: string): boolean => name.split('/').some((part) => part.startsWith('.'));

/** The name of a path below a folder, parted by `/`. */
export const nameBelow = (folder: string, path: string): string =>
  relative(folder, path).split(sep).join('/');

/** Every file of a document by its name, from the document's own on. Throws `usage`. */
export async function filesOf(path: string, root: Tree, reader: Reader): Promise<Files> {
  return collectFiles(basename(path), root, openIn(dirname(path), reader)).catch(explained);
}

function openIn(folder: string, { read, isIncluded = () => false, hintFor }: Reader): Open {
  const refused = (path: string, name: string) => {
    const fault = isIncluded(path, name) ? undefined : faultOfName(name);
    return fault === undefined ? undefined : { fault, ...(hintFor && { hint: hintFor(path) }) };
  };
  return async (name) => {
    const path = join(folder, name);
    // Whether a hidden file is there is nobody's business.
    const hidden = isHidden(name) && refused(path, name);
    if (hidden) return hidden;
    const found = await stat(path).catch(() => undefined);
    if (!found) return { fault: 'is not there' };
    if (!found.isFile()) return { fault: 'is not a file' };
    const fault = refused(path, name);
    if (fault) return fault;
    // A link may lead elsewhere, also to a file that hides.
    const [real, to] = await Promise.all([realpath(folder), realpath(path)]);
    if (!to.startsWith(real.endsWith(sep) ? real : real + sep)) return outside;
    const own = nameBelow(real, to);
    const behind = refused(to, own);
    return behind
      ? { ...behind, fault: `leads to ${own}, which ${behind.fault}` }
      : { tree: await read(path, name) };
  };
}

function explained(error: unknown): never {
  if (!(error instanceof BrokenReference)) throw error;
  throw new DtpError('usage', error.message, error.hint === undefined ? {} : { hint: error.hint });
}

/** Throws `usage` for what cannot be read. */
export const readWhole = async (path: string, name: string): Promise<Uint8Array> =>
  readFile(path).catch((error: unknown) => {
    throw new DtpError('usage', `${name} cannot be read: ${messageOf(error)}`);
  });

/** Throws `usage` for what is neither JSON nor YAML. */
export function treeOf(bytes: Uint8Array, name: string) {
  try {
    return readTree(decoded(bytes), true);
  } catch (error) {
    const why = messageOf(error).split('\n')[0]?.replace(/:$/, '');
    throw new DtpError('usage', `${name} is neither JSON nor YAML: ${why}`);
  }
}

const decoded = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** A file that is no document is a text, such as a description. */
function textOf(bytes: Uint8Array, name: string): Tree {
  try {
    return textScalar(decoded(bytes));
  } catch {
    throw new DtpError('usage', `${name} is not UTF-8 text`);
  }
}

export interface Bundled {
  readonly bytes: Uint8Array;
  /** The names of the other files. */
  readonly holds: readonly string[];
}

/**
 * The document at a path and what it refers to in other files, as one document of the same form; undefined for a document
 * that needs no other file, and for bytes that are not a document. Both are sent unchanged. Throws `usage`.
 */
export async function bundleOf(path: string, bytes: Uint8Array, read: Read): Promise<Bundled | undefined> {
  const name = basename(path);
  if (!rootOf(bytes)) return undefined;
  const { tree, form } = treeOf(bytes, name);
  let size = bytes.byteLength;
  const readOther = async (path: string, name: string) => {
    const content = await read(path);
    size += content.byteLength;
    if (size > inputLimit.bytes)
      throw new DtpError(
        'usage',
        `the document and its files are larger than ${sizeText(inputLimit.bytes)} together`,
      );
    return isDocumentName(name) ? treeOf(content, name).tree : textOf(content, name);
  };
  const files = await filesOf(path, tree, { read: readOther });
  if (!isSplit(files, name)) return undefined;
  return {
    bytes: Buffer.from(writeTree(one(name, files), form)),
    holds: [...files.keys()].filter((each) => each !== name),
  };
}

function one(name: string, files: Files): Tree {
  try {
    return bundle(name, files);
  } catch (error) {
    if (error instanceof RangeError) throw new DtpError('usage', `${name} ${error.message}`);
    return explained(error);
  }
}

/** Undefined for what refers to no other file, and for what is no document. A key that is there twice does not hide it. */
function rootOf(bytes: Uint8Array): Tree | undefined {
  try {
    const { tree } = readTree(decoded(bytes), false);
    return referencesIn(tree).length > 0 ? tree : undefined;
  } catch {
    return undefined;
  }
}

/** Throws `usage` for a document that refers to other files, though nobody knows where they are. */
export function refuseSplit(bytes: Uint8Array, label: string, given: string): void {
  const tree = rootOf(bytes);
  const found = tree && referencesIn(tree).find(({ isOptional }) => !isOptional);
  if (!found) return;
  throw new DtpError(
    'usage',
    `${label}: the document refers to ${found.reference} (at ${pointerTo(found.keys)}), and ${given} is in no folder`,
    { hint: 'Give the path of the document instead.' },
  );
}
