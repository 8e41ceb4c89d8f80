/** Collects the files of a document: the root and every file that it references, directly or indirectly. */
import { messageOf } from '../caught.ts';
import { BrokenReference } from './fault.ts';
import { parseFileReference, resolveRelativePath } from './pointer.ts';
import { referencesIn } from './references.ts';
import type { Tree } from './tree.ts';

/**
 * A file, or why it cannot be opened, phrased to follow "which". A file that is refused must not be read, so a reference
 * to it is an error even if the document can be used without the file.
 */
export type Opened =
  | { readonly tree: Tree }
  | { readonly fault: string; readonly hint?: string; readonly isRefused?: boolean };

/**
 * Opens a file by its name: a path relative to the folder of the root, with `/` as separator. It may begin with `../`.
 * A value is the content of an example, which need not be JSON or YAML.
 */
export type Open = (name: string, isValue: boolean) => Opened | Promise<Opened>;

/** Gets a warning about a reference. */
export type Warn = (text: string) => void;

/** The content of each file, by its name. */
export type DocumentFiles = ReadonlyMap<string, Tree>;

export const outsideFolder: Opened = {
  fault: "is outside the document's folder",
  hint: 'Move the file into that folder.',
};

/** Only Windows would find the file. */
const backslash: Opened = { fault: 'contains a backslash', hint: 'Write / instead.' };

/**
 * Opens every file that the root references, directly or not. Targets of links are only opened for `forLinks`. Warns of
 * a file that the document can be used without. Throws BrokenReference for another one, and what `open` throws.
 */
export async function collectFiles(
  root: string,
  tree: Tree,
  open: Open,
  { warn = () => undefined, forLinks = false }: { readonly warn?: Warn; readonly forLinks?: boolean } = {},
): Promise<DocumentFiles> {
  const files = new Map([[root, tree]]);
  // The files whose references are read. In a file that is only the value of an example, they are data.
  const holders = new Map(files);
  const unneeded = new Set<string>();
  const warned = new Set<string>();
  // A loop over a map includes entries that are added during the loop.
  for (const [from, holder] of holders)
    for (const { reference, keys, kind, ...one } of referencesIn(holder)) {
      const need = one.need === 'must' && unneeded.has(from) ? 'should' : one.need;
      const path = parseFileReference(reference)?.path ?? '';
      const name = resolveRelativePath(from, path);
      const isValue = kind === 'value';
      const id = `${kind} ${name ?? reference}`;
      if ((kind === 'link' && !forLinks) || (need === 'should' && warned.has(id))) continue;
      if (name !== undefined && (isValue ? files : holders).has(name)) continue;
      const work = async () => (name === undefined ? outsideFolder : open(name, isValue));
      const opened = path.includes('\\') ? backslash : await (need === 'should' ? work().catch(unreadable) : work());
      if ('tree' in opened) {
        files.set(name ?? '', opened.tree);
        if (!isValue) holders.set(name ?? '', opened.tree);
        if (need === 'should') unneeded.add(name ?? '');
      } else if (need === 'must' || (need === 'should' && opened.isRefused))
        throw new BrokenReference({ name: from, keys }, reference, opened.fault, opened.hint);
      else if (need === 'should') {
        warned.add(id);
        warn(new BrokenReference({ name: from, keys }, reference, opened.fault).message);
      }
    }
  return files;
}

const unreadable = (error: unknown): Opened => ({ fault: `cannot be sent: ${messageOf(error)}` });

/** Whether the root references other files, or itself by its file name. If so, it cannot be used alone. */
export const isSplit = (files: DocumentFiles, root: string): boolean =>
  files.size > 1 || referencesIn(files.get(root) ?? []).some((one) => one.need === 'must' || leadsTo(one, root, root));

const leadsTo = ({ reference }: { readonly reference: string }, from: string, to: string): boolean =>
  resolveRelativePath(from, parseFileReference(reference)?.path ?? '') === to;

export const refersTo = (tree: Tree, from: string, to: string): boolean =>
  referencesIn(tree).some((one) => leadsTo(one, from, to));
