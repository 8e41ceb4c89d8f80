/** Reads the files that an API document refers to. They must be in its repository, or else in its folder. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { attempt, messageOf, orThrow } from '../caught.ts';
import type { Context } from '../context.ts';
import { bundle } from '../documents/bundle.ts';
import { decodeText } from '../documents/fault.ts';
import { collectFiles, type DocumentFiles, isSplit, type Open, type Opened, type Warn } from '../documents/files.ts';
import { pointerTo } from '../documents/pointer.ts';
import { readTree } from '../documents/read-tree.ts';
import { referencesIn } from '../documents/references.ts';
import { type Tree, textScalar, writeTree } from '../documents/tree.ts';
import type { Strictness } from '../documents/yaml.ts';
import { DtpError } from '../errors.ts';
import { documentBoundaryOf, type FileContext } from '../files/boundary.ts';
import { isIgnored } from '../files/ignored.ts';
import { openAt, readAllOf } from '../files/open.ts';
import { inputLimit } from '../limits.ts';
import { isSamePath, isWithin } from '../system/paths.ts';
import { realPathOf } from '../system/repository.ts';
import { decodedText, explainFault } from './faults.ts';

export type DocumentContext = FileContext & Pick<Context, 'signal'> & { readonly warn?: Warn };

/** Reads a file that the document refers to, by its path. `check` throws if its real path must not be read. */
export type Read = (path: string, check: (real: string) => void) => Promise<Uint8Array>;

export const isDocumentName = (name: string): boolean => /\.(json|ya?ml)$/i.test(name);

/** A path that a document refers to, and its name. `check` throws if its real path must not be read. */
export interface Referred {
  readonly path: string;
  readonly name: string;
  readonly isValue: boolean;
  readonly check: (real: string) => void;
}

export interface Reader {
  readonly read: (file: Referred) => Promise<Tree>;
  /** Whether to read the targets of links too. */
  readonly forLinks?: boolean;
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
export async function filesOf(
  context: DocumentContext,
  path: string,
  root: Tree,
  reader: Reader,
): Promise<DocumentFiles> {
  const { warn } = context;
  const options = { forLinks: reader.forLinks === true, ...(warn && { warn }) };
  return collectFiles(basename(path), root, openIn(context, path, reader), options).catch((error: unknown) => {
    throw explainFault(basename(path))(error);
  });
}

type Fault = Exclude<Opened, { readonly tree: Tree }>;

/** Why a file is refused that is outside of the boundary of a document in `folder`. */
export const outsideText = (boundary: string, folder: string): string =>
  `is outside the document's ${isSamePath(boundary, folder) ? 'folder' : 'repository'}`;

function openIn(context: DocumentContext, document: string, { read, isIncluded = () => false, hintFor }: Reader): Open {
  const folder = dirname(document);
  const { boundary, repository } = documentBoundaryOf(context, folder);
  const [real, top, repositoryTop] = [folder, boundary, repository ?? boundary].map(realPathOf) as [
    string,
    string,
    string,
  ];
  const outside = { fault: outsideText(boundary, folder), hint: 'Move the file into it.', isRefused: true };
  const isIgnoredAt = (to: string) =>
    repository !== undefined && isIgnored(repositoryTop, nameBelow(repositoryTop, to));
  // git also ignores the files of a document that is built.
  const isBuilt = isIgnoredAt(realPathOf(document));
  /** `isReal`: the path has no symbolic links. */
  const faultOf = (path: string, isReal: boolean): Fault | undefined => {
    const [own, all] = isReal ? [real, top] : [folder, boundary];
    const name = nameBelow(isWithin(own, path) ? own : all, path);
    if (isIncluded(path, name)) return undefined;
    const isRefused = isHidden(name) || (isReal && !(isBuilt && isWithin(real, path)) && isIgnoredAt(path));
    const fault = faultOfName(name) ?? (isRefused ? 'is ignored by git, and ignored files are not sent' : undefined);
    return fault === undefined ? undefined : { fault, isRefused, ...(hintFor && { hint: hintFor(path) }) };
  };
  return async (name, isValue) => {
    const path = join(folder, name);
    if (isSamePath(path, boundary) || !isWithin(boundary, path)) return outside;
    const fault = faultOf(path, false);
    // Check the name before looking for the file, so that the error does not reveal whether a hidden file exists.
    if (fault?.isRefused) return fault;
    const found = await stat(path).catch(() => undefined);
    if (!found) return { fault: 'does not exist' };
    if (!found.isFile()) return { fault: 'is not a file' };
    // A symbolic link may point to a file outside the boundary or to a hidden file.
    const faultOfReal = (to: string): Fault | undefined => {
      if (isSamePath(to, top) || !isWithin(top, to)) return outside;
      const linked = faultOf(to, true);
      const isLink = nameBelow(top, to) !== nameBelow(boundary, path);
      const shown = nameBelow(isWithin(real, to) ? real : top, to);
      return linked && isLink ? { ...linked, fault: `is a link to ${shown}, which ${linked.fault}` } : linked;
    };
    // The file may be replaced after this check, so `read` calls it again for the open file.
    const check = (to: string) => {
      if (faultOfReal(to)) throw new DtpError('usage', `${name} changed while it was being opened`);
    };
    return fault ?? faultOfReal(realPathOf(path)) ?? { tree: await read({ path, name, isValue, check }) };
  };
}

/** Reads the files that the document at `document` refers to. Throws `usage` for a file that cannot be read. */
export const openReader =
  (context: DocumentContext, document: string): Read =>
  async (path, check) => {
    const named = { path, boundary: realPathOf(documentBoundaryOf(context, dirname(document)).boundary) };
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
export async function bundleOf(
  context: DocumentContext,
  path: string,
  bytes: Uint8Array,
  read: Read = openReader(context, path),
): Promise<Bundled | undefined> {
  const name = basename(path);
  if (!rootOf(bytes)) return undefined;
  const { tree, form } = treeOf(bytes, name, 'json');
  let size = bytes.byteLength;
  const readOther: Reader['read'] = async ({ path, name, isValue, check }) => {
    const content = await read(path, check);
    size += content.byteLength;
    if (size > inputLimit.bytes)
      throw new DtpError('usage', `the document and its files are larger than ${inputLimit.text} in total`);
    const text = () => textScalar(decodedText(content, name));
    if (!isDocumentName(name)) return text();
    const parsed = () => treeOf(content, name, 'json').tree;
    // An example may show a body that is not valid.
    return isValue ? (attempt(parsed, undefined) ?? text()) : parsed();
  };
  const files = await filesOf(context, path, tree, { read: readOther });
  const merged = orThrow(() => bundle(name, files, context.warn), explainFault(name));
  if (!isSplit(files, name)) return undefined;
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

/**
 * Throws `usage` if a document without a path refers to other files, which cannot be found without its folder. Returns a
 * warning if it can be used without them.
 */
export function refuseSplit(bytes: Uint8Array, label: string, given: string): string | undefined {
  const tree = rootOf(bytes);
  const all = tree ? referencesIn(tree) : [];
  const found = all.find(({ need }) => need === 'must') ?? all.find(({ need }) => need === 'should');
  if (!found) return undefined;
  const text = `${label}: the document refers to ${found.reference} (at ${pointerTo(found.keys)}), which cannot be found because ${given} has no folder`;
  if (found.need === 'should') return text;
  throw new DtpError('usage', text, { hint: 'Pass the path of the document instead.' });
}
