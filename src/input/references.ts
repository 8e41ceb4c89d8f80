/** Reads the files that an API document refers to. They must be in the folder of the document. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { attempt, messageOf, orThrow } from '../caught.ts';
import type { Context } from '../context.ts';
import { bundle } from '../documents/bundle.ts';
import { decodeText } from '../documents/fault.ts';
import { collectFiles, type DocumentFiles, isSplit, type Open, outsideFolder } from '../documents/files.ts';
import { pointerTo } from '../documents/pointer.ts';
import { readTree } from '../documents/read-tree.ts';
import { referencesIn } from '../documents/references.ts';
import { type Tree, textScalar, writeTree } from '../documents/tree.ts';
import type { Strictness } from '../documents/yaml.ts';
import { DtpError } from '../errors.ts';
import type { FileContext } from '../files/boundary.ts';
import { openAt, readAllOf } from '../files/open.ts';
import { inputLimit } from '../limits.ts';
import { isSamePath, isWithin } from '../system/paths.ts';
import { realPathOf } from '../system/repository.ts';
import { decodedText, explainFault } from './faults.ts';

export type DocumentContext = FileContext & Pick<Context, 'signal'>;

/** Reads a file in the folder of the document, by its path. `check` throws if its real path must not be read. */
export type Read = (path: string, check: (real: string) => void) => Promise<Uint8Array>;

export const isDocumentName = (name: string): boolean => /\.(json|ya?ml)$/i.test(name);

export interface Reader {
  readonly read: (path: string, name: string, check: (real: string) => void) => Promise<Tree>;
  /** Whether to read a file even if `faultOfName` rejects its name. */
  readonly isIncluded?: (path: string, name: string) => boolean;
  readonly hintFor?: (path: string) => string;
}

/** Why a file is not sent: a document from somebody else must not cause the upload of a file such as .env. */
function faultOfName(name: string): string | undefined {
  if (isHidden(name)) return 'is hidden, and hidden files are not sent';
  return /\.(json|ya?ml|md)$/i.test(name) ? undefined : 'is not a JSON, YAML or Markdown file; only those are sent';
}

/** Whether a file, or a folder on its path, is hidden. `name` uses `/` as separator. */
export const isHidden = (name: string): boolean => name.split('/').some((part) => part.startsWith('.'));

/** A path relative to a folder, with `/` as separator. */
export const nameBelow = (folder: string, path: string): string => relative(folder, path).split(sep).join('/');

/** Returns all files of a document by name, starting with the document itself. Throws `usage`. */
export async function filesOf(path: string, root: Tree, reader: Reader): Promise<DocumentFiles> {
  return collectFiles(basename(path), root, openIn(dirname(path), reader)).catch((error: unknown) => {
    throw explainFault(basename(path))(error);
  });
}

function openIn(folder: string, { read, isIncluded = () => false, hintFor }: Reader): Open {
  const refused = (path: string, name: string) => {
    const fault = isIncluded(path, name) ? undefined : faultOfName(name);
    return fault === undefined ? undefined : { fault, ...(hintFor && { hint: hintFor(path) }) };
  };
  return async (name) => {
    const path = join(folder, name);
    // Check the name before looking for the file, so that the error does not reveal whether a hidden file exists.
    const hidden = isHidden(name) && refused(path, name);
    if (hidden) return hidden;
    const found = await stat(path).catch(() => undefined);
    if (!found) return { fault: 'does not exist' };
    if (!found.isFile()) return { fault: 'is not a file' };
    const fault = refused(path, name);
    if (fault) return fault;
    // A symbolic link may point to a file outside the folder or to a hidden file.
    const real = realPathOf(folder);
    const faultOfReal = (to: string) => {
      if (isSamePath(to, real) || !isWithin(real, to)) return outsideFolder;
      const realName = nameBelow(real, to);
      const linked = refused(to, realName);
      return linked && { ...linked, fault: `is a link to ${realName}, which ${linked.fault}` };
    };
    // The file may be replaced after this check, so `read` calls it again for the open file.
    const check = (to: string) => {
      if (faultOfReal(to)) throw new DtpError('usage', `${name} changed while it was being opened`);
    };
    return faultOfReal(realPathOf(path)) ?? { tree: await read(path, name, check) };
  };
}

/** Reads the files of a document in `folder`. Throws `usage` for a file that cannot be read. */
export const openReader =
  (context: DocumentContext, folder: string): Read =>
  async (path, check) => {
    const named = { path, boundary: realPathOf(folder) };
    try {
      const file = await openAt(context, named, { name: path, mayLeave: true, check });
      return (await readAllOf(file, context.signal)) ?? new Uint8Array();
    } catch (error) {
      if (error instanceof DtpError) throw error;
      throw new DtpError('usage', `${path} cannot be read: ${messageOf(error)}`);
    }
  };

/** Parses a document. Throws `usage` unless the bytes are JSON or YAML of this level. */
export function treeOf(bytes: Uint8Array, name: string, level: Strictness) {
  return orThrow(() => readTree(decodeText(bytes), level), explainFault(name));
}

export interface Bundled {
  readonly bytes: Uint8Array;
  readonly holds: readonly string[];
}

/**
 * Bundles a document and the files that it refers to into one document in the same format. Returns undefined if the
 * document refers to no other file, or is not JSON or YAML. The document is then sent unchanged. Throws `usage`.
 */
export async function bundleOf(path: string, bytes: Uint8Array, read: Read): Promise<Bundled | undefined> {
  const name = basename(path);
  if (!rootOf(bytes)) return undefined;
  const { tree, form } = treeOf(bytes, name, 'json');
  let size = bytes.byteLength;
  const readOther: Reader['read'] = async (path, name, check) => {
    const content = await read(path, check);
    size += content.byteLength;
    if (size > inputLimit.bytes)
      throw new DtpError('usage', `the document and its files are larger than ${inputLimit.text} in total`);
    if (isDocumentName(name)) return treeOf(content, name, 'json').tree;
    return textScalar(decodedText(content, name));
  };
  const files = await filesOf(path, tree, { read: readOther });
  if (!isSplit(files, name)) return undefined;
  const merged = orThrow(() => bundle(name, files), explainFault(name));
  return {
    bytes: Buffer.from(writeTree(merged, form)),
    holds: [...files.keys()].filter((each) => each !== name),
  };
}

/** The tree of a document with references. Duplicate keys are accepted, so that no reference is missed. */
const rootOf = (bytes: Uint8Array): Tree | undefined =>
  attempt(() => {
    const { tree } = readTree(decodeText(bytes), 'any');
    return referencesIn(tree).length > 0 ? tree : undefined;
  }, undefined);

/** Throws `usage` if a document without a path refers to other files, which cannot be found without its folder. */
export function refuseSplit(bytes: Uint8Array, label: string, given: string): void {
  const tree = rootOf(bytes);
  const found = tree && referencesIn(tree).find(({ isOptional }) => !isOptional);
  if (!found) return;
  const text = `${label}: the document refers to ${found.reference} (at ${pointerTo(found.keys)}), which cannot be found because ${given} has no folder`;
  throw new DtpError('usage', text, { hint: 'Pass the path of the document instead.' });
}
