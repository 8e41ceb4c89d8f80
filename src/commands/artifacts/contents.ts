/** Finds the files of a bundle: an API document and the files that it refers to, or a whole folder. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { messageOf } from '../../caught.ts';
import { orList } from '../../declarations/checks.ts';
import { refersTo } from '../../documents/files.ts';
import { type Tree, textScalar } from '../../documents/tree.ts';
import { DtpError } from '../../errors.ts';
import { checkBoundary, documentBoundaryOf, namedPath } from '../../files/boundary.ts';
import { closeFile, type OpenFile, openAt, openNamed, readAllOf } from '../../files/open.ts';
import { faultOfFileName, openNames } from '../../flows/names.ts';
import { limits } from '../../flows/registry.ts';
import { openFiles } from '../../input/files.ts';
import {
  type DocumentContext,
  filesOf,
  isDocumentName,
  isHidden,
  nameBelow,
  outsideText,
  type Reader,
  type Referred,
  treeOf,
} from '../../input/references.ts';
import { readAll } from '../../request/http.ts';
import { flagText } from '../../settings/command-line.ts';
import { isSamePath, isWithin } from '../../system/paths.ts';
import { realPathOf } from '../../system/repository.ts';

export interface BundledFile {
  /** The path inside the bundle, with `/` as separator. */
  readonly name: string;
  readonly path: string;
  readonly real: string;
  /**
   * Opens exactly the file that was checked, or returns what a pipe contained. Throws `usage` if another file is in its
   * place by now.
   */
  readonly open: () => Promise<OpenFile | Uint8Array>;
}

export interface Contents {
  /** The files, sorted by name. */
  readonly files: readonly BundledFile[];
  readonly document: Map<string, Tree>;
}

/** The files of a bundle that were checked: their paths, and their real paths. */
type Checked = Map<string, string>;

/** Opens a file. `check` gets its real path, and throws if it must not be read. */
type OpenChecked = (path: string, check: (real: string) => void) => Promise<OpenFile>;

type PushContext = DocumentContext & Parameters<typeof openFiles>[0];

const documentNames = ['openapi.yaml', 'openapi.yml', 'openapi.json'];

/**
 * Finds the files of the document or folder `given`, a path that the user typed. `include` lists the paths that a
 * document may refer to even if they are hidden, or are not JSON, YAML or Markdown files. Throws `usage` if a bundle
 * cannot be made.
 */
export async function contentsOf(context: PushContext, given: string, include: readonly string[] = []) {
  const { cwd } = context;
  if (given === '') throw new DtpError('usage', 'the path of the API document is empty');
  const named = namedPath(context, given);
  const { path } = named;
  const found = await stat(path).catch(() => undefined);
  if (!found)
    throw new DtpError('usage', `file not found: ${given}`, {
      hint: 'Pass an API document, or a folder that contains openapi.yaml.',
    });
  const mayLeave = include.some((one) => isSamePath(resolve(cwd, one), path));
  if (!found.isFile() && !found.isDirectory()) {
    // Others may have put a pipe into a folder. Reading it would block until somebody writes to it.
    if (named.boundary !== undefined || context.root !== undefined)
      throw new DtpError('usage', `${given} is neither a file nor a folder`);
    return ofPipe(context, given, mayLeave);
  }
  const more = `add: ${flagText('--include', given)}`;
  if (!mayLeave) checkBoundary(named, realPathOf(path), given, more);
  if (found.isFile()) {
    const open: OpenChecked = (path, check) => openNamed(context, path, { name: given, mayLeave, more, check });
    const included = await openIncluded(context, include, dirname(path), path);
    const contents = await ofDocument(context, { path, open }, included);
    checkKind(contents.document, given, mayLeave, given);
    return sorted(contents);
  }

  const top = await readdir(path);
  const name = documentNames.find((one) => top.includes(one));
  if (name === undefined)
    throw new DtpError('usage', `${given} does not contain any of ${documentNames.join(', ')}`, {
      hint: 'Pass the document itself, or rename it to one of these names.',
    });
  const included = await openIncluded(context, include, path);
  // The document may refer to any file in the folder that is not hidden, because all of those files are sent anyway.
  const isIncluded = (one: string, name: string) => (isWithin(path, one) && !isHidden(name)) || included.has(one);
  const files = await filesIn(path, included);
  const open: OpenChecked = (one, check) => openIn(context, path, one, check);
  const walked = await walk(context, { path: join(path, name), open }, { isIncluded, hintFor: included.hintFor });
  checkKind(walked.document, name, included.has(join(path, name)) || mayLeave, nameBelow(cwd, join(path, name)));
  const all: Checked = new Map([...walked.checked, ...files]);
  return sorted({ files: filesAt(context, path, all), document: walked.document });
}

/** Returns the document that a pipe contains. It cannot refer to other files. */
async function ofPipe(context: PushContext, given: string, isMeant: boolean): Promise<Contents> {
  const file = await openFiles(context).file(given, 'FILE', true);
  const content = (await readAll(file.open(), file.size)) ?? new Uint8Array();
  const { tree, form } = treeOf(content, given, 'unique');
  const document = topLevel(tree, given);
  checkKind(document, given, isMeant, given);
  return { files: [{ name: `openapi.${form}`, path: given, real: given, open: async () => content }], document };
}

/** The fields that say what a document is: an API document, or an overlay, which a remote source applies to one. */
const kinds = ['openapi', 'swagger', 'asyncapi', 'overlay', 'arazzo'];

/** Throws `usage` for a YAML file such as a CI job, which would replace the API document. `isMeant` allows it. */
function checkKind(document: Contents['document'], name: string, isMeant: boolean, given: string): void {
  if (isMeant || kinds.some((field) => document.has(field))) return;
  throw new DtpError('usage', `${name} is not an API document: it has no field ${orList(kinds)}`, {
    hint: `To push it anyway, add: ${flagText('--include', given)}`,
  });
}

/** Returns the files in a folder, without hidden ones and packages. Throws `usage` for a link that leads elsewhere. */
async function filesIn(root: string, included: Included): Promise<Checked> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: Checked = new Map();
  const real = realPathOf(root);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = nameBelow(root, path);
    const isNamed = included.has(path);
    if (!isNamed && (isHidden(name) || name.split('/').includes('node_modules'))) continue;
    if (entry.isFile()) files.set(path, join(real, name));
    if (!entry.isSymbolicLink()) continue;
    const isFile = (await stat(path).catch(() => undefined))?.isFile();
    const to = realPathOf(path);
    if (!isFile || !isWithin(real, to))
      throw new DtpError('usage', `${name} is a link that does not lead to a file in the folder`, {
        hint: 'Replace the symbolic link with the file that it points to. To leave the link out, put a dot in front of its name.',
      });
    const own = nameBelow(real, to);
    if (isHidden(own) && !included.has(to))
      throw new DtpError('usage', `${name} is a link to the hidden file ${own}, and hidden files are not sent`, {
        hint: included.hintFor(to),
      });
    files.set(path, to);
  }
  return files;
}

function openIn(context: DocumentContext, folder: string, path: string, check: (real: string) => void) {
  const boundary = realPathOf(documentBoundaryOf(context, folder).boundary);
  return openAt(context, { path, boundary }, { name: nameBelow(folder, path), mayLeave: true, check });
}

/** Returns a document and its files. The document gets a standard name, and also its own if another file uses that. */
async function ofDocument(context: DocumentContext, { path, open }: Root, included: Included): Promise<Contents> {
  const may = { isIncluded: included.has, hintFor: included.hintFor };
  const { checked, document, isReferredTo } = await walk(context, { path, open }, may);
  const files = filesAt(context, dirname(path), checked);
  const own = basename(path);
  if (documentNames.includes(own)) return { files, document };
  const end = /^\.ya?ml$/i.test(extname(own)) ? 'openapi.yaml' : 'openapi.json';
  const root = files.flatMap((file) =>
    file.path === path ? [{ ...file, name: `${file.name.slice(0, -own.length)}${end}` }] : [],
  );
  return { files: [...files.filter((file) => isReferredTo || file.path !== path), ...root], document };
}

/** Returns the files of the bundle. Their names are relative to the folder that they are all in. */
function filesAt(context: DocumentContext, folder: string, checked: Checked): readonly BundledFile[] {
  const paths = [...checked.keys()];
  let top = folder;
  while (!paths.every((path) => isWithin(top, path))) top = dirname(top);
  return [...checked].map(([path, real]) => fileAt(context, top, path, real));
}

/** Returns a file of the bundle. When it is opened, it must have the same real path as when it was checked. */
function fileAt(context: DocumentContext, root: string, path: string, real: string): BundledFile {
  const name = nameBelow(root, path);
  const check = (now: string) => {
    if (now !== real) throw new DtpError('usage', `${name} changed`, { hint: 'Run the command again.' });
  };
  const open = () =>
    readable(name, openAt(context, { path: real, boundary: dirname(real) }, { name, mayLeave: true, check }));
  return { name, path, real, open };
}

const readable = <T>(name: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof DtpError ? error : new DtpError('usage', `${name} cannot be read: ${messageOf(error)}`);
  });

/** Sorts the files, independently of the locale. Throws `usage` if a pull would reject the bundle. */
function sorted({ files, ...others }: Contents): Contents {
  const take = openNames();
  for (const { name } of files) {
    const fault = faultOfFileName(name) ?? take(name, 'file');
    if (fault !== undefined)
      throw new DtpError('usage', `${JSON.stringify(name)} cannot be in a bundle: ${fault}`, {
        hint: 'Rename the file, and change the references to it.',
      });
  }
  if (files.length > limits.files)
    throw new DtpError('usage', `a bundle can have at most ${limits.files} files, but there are ${files.length}`);
  return { files: [...files].sort((a, b) => (a.name < b.name ? -1 : 1)), ...others };
}

interface Root {
  readonly path: string;
  readonly open: OpenChecked;
}

/** Returns a document and all files that it refers to, directly or indirectly. */
async function walk(context: DocumentContext, root: Root, may: Omit<Reader, 'read'>) {
  const name = basename(root.path);
  const folder = dirname(root.path);
  const checked: Checked = new Map();
  const read = async ({ path, name, isValue, check }: Referred, open: OpenChecked) => {
    if (isMistaken(name, basename(root.path)))
      throw new DtpError('usage', `${name} has a name that is reserved for the bundle's document`, {
        hint: `Rename ${name}, and change the references to it.`,
      });
    const opened = open(path, (real) => {
      check(real);
      checked.set(path, real);
    });
    const file = await readable(name, opened);
    // Only JSON and YAML files can refer to other files, so the content of other files is not read.
    if (path === root.path || (isDocumentName(name) && !isValue))
      return treeOf((await readAllOf(file, context.signal)) ?? new Uint8Array(), name, 'unique').tree;
    await closeFile(file);
    return textScalar('');
  };
  const own = { path: root.path, name, isValue: false, check: () => undefined };
  const document = topLevel(await read(own, root.open), name);
  const open: OpenChecked = (path, check) => openIn(context, folder, path, check);
  const files = await filesOf(context, root.path, document, {
    ...may,
    forLinks: true,
    read: (file) => read(file, open),
  });
  const others = [...files].filter(([one]) => one !== name);
  return { checked, document, isReferredTo: others.some(([one, tree]) => refersTo(tree, one, name)) };
}

/** Whether a registry would take a file for the document `own`, because its name is standard and it is not further down. */
function isMistaken(name: string, own: string): boolean {
  const parts = name.split('/');
  const ups = parts.filter((part) => part === '..').length;
  if (name === own || !documentNames.includes(parts.at(-1) ?? '')) return false;
  return parts.length === 1 ? !documentNames.includes(own) : parts.length - 1 <= 2 * ups;
}

function topLevel(document: Tree, name: string): Contents['document'] {
  if (document instanceof Map) return document;
  throw new DtpError('usage', `${name} is not an API document: its top level must be an object`);
}

type Included = Awaited<ReturnType<typeof openIncluded>>;

/** Resolves the included paths. Throws `usage` unless each exists and is the document or in its boundary. */
async function openIncluded(context: PushContext, include: readonly string[], folder: string, document?: string) {
  const { cwd } = context;
  const { boundary } = documentBoundaryOf(context, folder);
  const [real, here] = await Promise.all([realpath(boundary), realpath(cwd)]);
  const paths = new Set<string>();
  for (const given of include) {
    const path = resolve(cwd, given);
    if (document !== undefined && isSamePath(path, document)) continue;
    const to = await realpath(path).catch(() => undefined);
    if (to === undefined) throw new DtpError('usage', `--include: file not found: ${given}`);
    if (!isWithin(real, to))
      throw new DtpError('usage', `--include: ${given} ${outsideText(boundary, folder)}`, {
        hint: 'Move the file into it.',
      });
    paths.add(path).add(to);
  }
  return {
    has: (path: string) => [...paths].some((one) => isWithin(one, path)),
    hintFor: (path: string) => {
      const shown = nameBelow(isWithin(real, path) ? here : cwd, path);
      return `To send it anyway, add: ${flagText('--include', shown)}`;
    },
  };
}
