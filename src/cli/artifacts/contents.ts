/** The files of a bundle: an API document and what it refers to, or all of a folder. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { DtpError } from '../../errors.ts';
import { faultOfName, openNames } from '../../flows/names.ts';
import { limits } from '../../flows/registry.ts';

export interface BundledFile {
  /** In the bundle, parted by `/`. */
  readonly name: string;
  readonly path: string;
}

export interface Contents {
  /** Sorted by name. */
  readonly files: readonly BundledFile[];
  /** The API document, decoded. */
  readonly document: Readonly<Record<string, unknown>>;
}

const documentNames = ['openapi.yaml', 'openapi.yml', 'openapi.json'];

/** `given` as the user wrote it, for errors, which are all `usage`. */
export async function contentsOf(cwd: string, given: string): Promise<Contents> {
  const path = resolve(cwd, given);
  const found = await stat(path).catch(() => undefined);
  if (!found)
    throw new DtpError('usage', `${given} is not there`, {
      hint: 'Give an API document, or a folder with openapi.yaml in it.',
    });
  if (!found.isDirectory()) {
    // A pipe would be waited for until somebody writes to it.
    if (!found.isFile()) throw new DtpError('usage', `${given} is neither a file nor a folder`);
    return sorted(await ofDocument(path, given));
  }

  const top = await readdir(path);
  const name = documentNames.find((one) => top.includes(one));
  if (name === undefined)
    throw new DtpError('usage', `${given} holds no ${documentNames.join(', ')}`, {
      hint: 'Give the document itself, or name it so.',
    });
  const { document, paths } = await walk(join(path, name));
  // What the document refers to belongs to it, also where it hides.
  const all = new Set([...(await filesIn(path)), ...paths]);
  return sorted({ files: [...all].map((one) => fileAt(path, one)), document });
}

/** The files of a folder that does not hide. A link is the file that it leads to, inside of the folder. */
async function filesIn(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(root, path);
    if (name.split(sep).some((part) => part.startsWith('.'))) continue;
    if (entry.isFile()) files.push(path);
    if (!entry.isSymbolicLink()) continue;
    const isFile = (await stat(path).catch(() => undefined))?.isFile();
    if (!isFile || !isInside(await realpath(root), await realpath(path)))
      throw new DtpError('usage', `${name} is a link that leads to no file of the folder`, {
        hint: 'A bundle holds files alone: put the file in the place of the link, or hide the link with a dot.',
      });
    files.push(path);
  }
  return files;
}

/** The document under the name that readers of a bundle look for; under its own too, where others refer to it. */
async function ofDocument(path: string, given: string): Promise<Contents> {
  const { paths, document, isReferredTo } = await walk(path);
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

const fileAt = (root: string, path: string): BundledFile => ({
  name: relative(root, path).split(sep).join('/'),
  path,
});

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
async function walk(path: string): Promise<{
  readonly paths: ReadonlySet<string>;
  readonly document: Contents['document'];
  readonly isReferredTo: boolean;
}> {
  const root = dirname(path);
  const document = await documentAt(path, basename(path));
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new DtpError('usage', `${basename(path)} is no API document: it holds no members`);
  const paths = new Set([path]);
  const open: (readonly [path: string, value: unknown])[] = [[path, document]];
  let isReferredTo = false;
  for (let next = open.pop(); next; next = open.pop()) {
    const [from, value] = next;
    for (const [reference, isData] of referencesIn(value)) {
      const to = await target(root, from, reference).catch((error: unknown) => {
        if (!isData) throw error;
      });
      if (to === undefined) continue;
      if (to === path && from !== path) isReferredTo = true;
      if (paths.has(to)) continue;
      paths.add(to);
      if (/\.(json|ya?ml)$/i.test(to)) open.push([to, await documentAt(to, relative(root, to))]);
    }
  }
  return { paths, document: document as Contents['document'], isReferredTo };
}

/** Decoded loosely, for its references alone: what is sent are the bytes, numbers of any length among them. */
async function documentAt(path: string, name: string): Promise<unknown> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new DtpError('usage', `${name} cannot be read: ${(error as Error).message}`);
  });
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (/^\s*[[{]/.test(text))
      try {
        return JSON.parse(text);
      } catch {
        // YAML may begin so too.
      }
    const { parseYaml } = await import('../document.ts');
    return parseYaml(text);
  } catch (error) {
    const why = (error as Error).message.split('\n')[0]?.replace(/:$/, '');
    throw new DtpError('usage', `${name} is neither JSON nor YAML: ${why}`);
  }
}

/** Members whose own members have names of the author's choosing. */
const named = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'schemas',
  'responses',
  'parameters',
];

/** Members that hold what an API sends, in which a `$ref` may be a text like any other. */
const data = ['example', 'examples', 'default', 'const', 'enum'];

/** Every `$ref` to another file of this machine, and whether it need not be there. */
function referencesIn(value: unknown): ReadonlyMap<string, boolean> {
  const references = new Map<string, boolean>();
  // YAML's aliases make one value of several places, and may close a circle.
  const seen = new Set<unknown>();
  const open: (readonly [value: unknown, key: string, isData: boolean])[] = [[value, '', false]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [at, key, isData] = next;
    if (typeof at !== 'object' || at === null || seen.has(at)) continue;
    seen.add(at);
    for (const [name, inner] of Object.entries(at)) {
      if (name !== '$ref' || typeof inner !== 'string')
        open.push([inner, name, isData || (data.includes(name) && !named.includes(key))]);
      else if (!/^(#|\/\/|[a-z][a-z0-9+.-]*:|$)/i.test(inner))
        references.set(inner, isData && references.get(inner) !== false);
    }
  }
  return references;
}

async function target(root: string, from: string, reference: string): Promise<string> {
  const name = relative(root, from);
  const refuse = (why: string, hint?: string) =>
    new DtpError('usage', `${name} refers to ${reference}, which ${why}`, hint === undefined ? {} : { hint });
  const outside = () =>
    refuse("is outside of the document's folder", 'A bundle holds that folder alone: move the file into it.');
  const path = resolve(dirname(from), decoded(reference.replace(/[#?].*$/s, '')));
  if (reference.startsWith('/') || !isInside(root, path)) throw outside();
  const found = await stat(path).catch(() => undefined);
  if (!found) throw refuse('is not there');
  if (!found.isFile()) throw refuse('is no file');
  // A link may lead elsewhere.
  if (!isInside(await realpath(root), await realpath(path))) throw outside();
  return path;
}

const isInside = (root: string, path: string) => path.startsWith(root.endsWith(sep) ? root : root + sep);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
