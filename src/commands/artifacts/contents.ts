/** Finds the files of a bundle: an API document and the files that it refers to, or a whole folder. */
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
  /** The path inside the bundle, with `/` as separator. */
  readonly name: string;
  readonly path: string;
}

export interface Contents {
  /** The files, sorted by name. */
  readonly files: readonly BundledFile[];
  /** The parsed API document. */
  readonly document: Map<string, Tree>;
}

const documentNames = ['openapi.yaml', 'openapi.yml', 'openapi.json'];

/**
 * Finds the files of the document or folder `given`, a path that the user typed. `include` lists the paths that a
 * document may refer to even if they are hidden, or are not JSON, YAML or Markdown files. Throws `usage` if a bundle
 * cannot be made.
 */
export async function contentsOf(
  cwd: string,
  given: string,
  include: readonly string[] = [],
): Promise<Contents> {
  const path = resolve(cwd, given);
  const found = await stat(path).catch(() => undefined);
  if (!found)
    throw new DtpError('usage', `file not found: ${given}`, {
      hint: 'Pass an API document, or a folder that contains openapi.yaml.',
    });
  if (!found.isDirectory()) {
    // Reading a pipe would block until somebody writes to it.
    if (!found.isFile()) throw new DtpError('usage', `${given} is neither a file nor a folder`);
    return sorted(await ofDocument(path, given, await openIncluded(cwd, include, dirname(path))));
  }

  const top = await readdir(path);
  const name = documentNames.find((one) => top.includes(one));
  if (name === undefined)
    throw new DtpError('usage', `${given} does not contain any of ${documentNames.join(', ')}`, {
      hint: 'Pass the document itself, or rename it to one of these names.',
    });
  const included = await openIncluded(cwd, include, path);
  // The document may refer to any file in the folder that is not hidden, because all of those files are sent anyway.
  const isIncluded = (one: string, name: string) => !isHidden(name) || included.has(one);
  const { document, paths } = await walk(join(path, name), { isIncluded, hintFor: included.hintFor });
  const all = new Set([...(await filesIn(path, included)), ...paths]);
  return sorted({ files: [...all].map((one) => fileAt(path, one)), document });
}

/**
 * Returns the paths of the files in a folder that are not hidden. Throws `usage` for a symbolic link that does not lead
 * to a file in the folder, or that leads to a hidden file.
 */
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
      throw new DtpError('usage', `${name} is a link that does not lead to a file in the folder`, {
        hint: 'Replace the symbolic link with the file that it points to. To leave the link out, put a dot in front of its name.',
      });
    if (isHidden(own) && !included.has(to))
      throw new DtpError(
        'usage',
        `${name} is a link to the hidden file ${own}, and hidden files are not sent`,
        {
          hint: included.hintFor(to),
        },
      );
    files.push(path);
  }
  return files;
}

/**
 * Returns a document and the files that it refers to. The document gets a standard name in the bundle. If another file
 * refers to the document, the bundle also contains it under its original name.
 */
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
    throw new DtpError(
      'usage',
      `${given} refers to a file whose name is reserved for the bundle's document`,
      {
        hint: `Rename ${given} to ${name}, and rename the other file.`,
      },
    );
  return { files: [...files.filter((file) => isReferredTo || file.path !== path), { name, path }], document };
}

const fileAt = (root: string, path: string): BundledFile => ({ name: nameBelow(root, path), path });

/**
 * Sorts the files by code units, so that their order does not depend on the locale. Throws `usage` for an invalid name
 * or too many files, because a pull would reject the bundle.
 */
function sorted({ files, document }: Contents): Contents {
  const take = openNames();
  for (const { name } of files) {
    const fault = faultOfName(name) ?? take(name, 'file');
    if (fault !== undefined)
      throw new DtpError('usage', `${JSON.stringify(name)} cannot be in a bundle: ${fault}`);
  }
  if (files.length > limits.files)
    throw new DtpError(
      'usage',
      `a bundle can have at most ${limits.files} files, but there are ${files.length}`,
    );
  return { files: [...files].sort((a, b) => (a.name < b.name ? -1 : 1)), document };
}

/** Returns a document and the paths of all files that it refers to, directly or indirectly. */
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
    throw new DtpError('usage', `${name} is not an API document: its top level must be an object`);
  // Only JSON and YAML files can refer to other files, so the content of other files is not read.
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
