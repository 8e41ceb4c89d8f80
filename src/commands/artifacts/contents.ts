/** The files of a bundle: an API document and what it refers to, or all of a folder. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { refersTo } from '../../documents/files.ts';
import { type Tree, textScalar } from '../../documents/tree.ts';
import { DtpError } from '../../errors.ts';
import { faultOfName, openNames } from '../../flows/names.ts';
import { limits } from '../../flows/registry.ts';
import {
  filesOf,
  isDocumentName,
  isHidden,
  nameBelow,
  type Reader,
  readWhole,
  treeOf,
} from '../../input/references.ts';
import { type Included, openIncluded } from './included.ts';

export interface BundledFile {
  /** In the bundle, parted by `/`. */
  readonly name: string;
  readonly path: string;
}

export interface Contents {
  /** Sorted by name. */
  readonly files: readonly BundledFile[];
  /** The API document, decoded. */
  readonly document: Map<string, Tree>;
}

const documentNames = ['openapi.yaml', 'openapi.yml', 'openapi.json'];

/**
 * `given` as the user wrote it, for errors, which are all `usage`. `include` are paths that a document may refer to although
 * they hide, or are neither JSON, YAML nor Markdown.
 */
export async function contentsOf(
  cwd: string,
  given: string,
  include: readonly string[] = [],
): Promise<Contents> {
  const path = resolve(cwd, given);
  const found = await stat(path).catch(() => undefined);
  if (!found)
    throw new DtpError('usage', `${given} is not there`, {
      hint: 'Give an API document, or a folder with openapi.yaml in it.',
    });
  if (!found.isDirectory()) {
    // A pipe would be waited for until somebody writes to it.
    if (!found.isFile()) throw new DtpError('usage', `${given} is neither a file nor a folder`);
    return sorted(await ofDocument(path, given, await openIncluded(cwd, include, dirname(path))));
  }

  const top = await readdir(path);
  const name = documentNames.find((one) => top.includes(one));
  if (name === undefined)
    throw new DtpError('usage', `${given} holds no ${documentNames.join(', ')}`, {
      hint: 'Give the document itself, or name it so.',
    });
  const included = await openIncluded(cwd, include, path);
  // Of what does not hide, all is sent by itself.
  const isIncluded = (one: string, name: string) => !isHidden(name) || included.has(one);
  const { document, paths } = await walk(join(path, name), { isIncluded, hintFor: included.hintFor });
  const all = new Set([...(await filesIn(path, included)), ...paths]);
  return sorted({ files: [...all].map((one) => fileAt(path, one)), document });
}

/** The files of a folder that does not hide. A link is the file that it leads to, inside of the folder. */
async function filesIn(root: string, included: Included): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = nameBelow(root, path);
    if (isHidden(name)) continue;
    if (entry.isFile()) files.push(path);
    if (!entry.isSymbolicLink()) continue;
    const isFile = (await stat(path).catch(() => undefined))?.isFile();
    const to = isFile ? await realpath(path) : '';
    const own = nameBelow(await realpath(root), to);
    if (!isFile || own.startsWith('../') || isAbsolute(own))
      throw new DtpError('usage', `${name} is a link that leads to no file of the folder`, {
        hint: 'A bundle holds files alone: put the file in the place of the link, or hide the link with a dot.',
      });
    if (isHidden(own) && !included.has(to))
      throw new DtpError('usage', `${name} is a link that leads to ${own}, and hidden files are not sent`, {
        hint: included.hintFor(to),
      });
    files.push(path);
  }
  return files;
}

/** The document under the name that readers of a bundle look for; under its own too, where others refer to it. */
async function ofDocument(path: string, given: string, included: Included): Promise<Contents> {
  const { paths, document, isReferredTo } = await walk(path, {
    isIncluded: included.has,
    hintFor: included.hintFor,
  });
  const files = [...paths].map((one) => fileAt(dirname(path), one));
  const own = basename(path);
  if (documentNames.includes(own)) return { files, document };
  const name = /^\.ya?ml$/i.test(extname(own)) ? 'openapi.yaml' : 'openapi.json';
  if (files.some((file) => documentNames.includes(file.name)))
    throw new DtpError('usage', `${given} refers to a file that is named as a bundle's document is`, {
      hint: `Rename ${given} to ${name}, and that file to something else.`,
    });
  return { files: [...files.filter((file) => isReferredTo || file.path !== path), { name, path }], document };
}

const fileAt = (root: string, path: string): BundledFile => ({ name: nameBelow(root, path), path });

/** By name in code units, so that no locale makes another order. What pull would refuse is refused here. */
function sorted({ files, document }: Contents): Contents {
  const take = openNames();
  for (const { name } of files) {
    const fault = faultOfName(name) ?? take(name, 'file');
    if (fault !== undefined)
      throw new DtpError('usage', `${JSON.stringify(name)} cannot be in a bundle: ${fault}`);
  }
  if (files.length > limits.files)
    throw new DtpError('usage', `a bundle holds at most ${limits.files} files; these are ${files.length}`);
  return { files: [...files].sort((a, b) => (a.name < b.name ? -1 : 1)), document };
}

/** The document, and each file that it refers to, and those that they refer to. */
async function walk(
  path: string,
  may: Omit<Reader, 'read'>,
): Promise<{
  readonly paths: ReadonlySet<string>;
  readonly document: Contents['document'];
  readonly isReferredTo: boolean;
}> {
  const name = basename(path);
  const read = async (path: string, name: string) => treeOf(await readWhole(path, name), name).tree;
  const document = await read(path, name);
  if (!(document instanceof Map))
    throw new DtpError('usage', `${name} is not an API document: it is not an object`);
  // What is no document by its name is packed unread.
  const files = await filesOf(path, document, {
    ...may,
    read: async (path, name) => (isDocumentName(name) ? read(path, name) : textScalar('')),
  });
  const others = [...files].filter(([one]) => one !== name);
  return {
    paths: new Set([...files.keys()].map((one) => join(dirname(path), one))),
    document,
    isReferredTo: others.some(([one, tree]) => refersTo(tree, one, name)),
  };
}
