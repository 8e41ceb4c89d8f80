/** Collects the files of a document: the root and every file that it references, directly or indirectly. */
import { BrokenReference } from './fault.ts';
import { parseFileReference, resolveRelativePath } from './pointer.ts';
import { referencesIn } from './references.ts';
import type { Tree } from './tree.ts';

/** A file, or why it cannot be opened, phrased to follow "which". */
export type Opened = { readonly tree: Tree } | { readonly fault: string; readonly hint?: string };

/** Opens a file by its name: a path relative to the folder of the root, with `/` as separator. */
export type Open = (name: string) => Opened | Promise<Opened>;

/** The content of each file, by its name. */
export type DocumentFiles = ReadonlyMap<string, Tree>;

export const outsideFolder: Opened = {
  fault: "is outside the document's folder",
  hint: 'Move the file into that folder.',
};

/** Only Windows would find the file. */
const backslash: Opened = { fault: 'contains a backslash', hint: 'Write / instead.' };

/** Opens every file that the root references, directly or not. Throws BrokenReference, and what `open` throws. */
export async function collectFiles(root: string, tree: Tree, open: Open): Promise<DocumentFiles> {
  const files = new Map([[root, tree]]);
  // A loop over a map includes entries that are added during the loop.
  for (const [from, holder] of files)
    for (const { reference, keys, isOptional } of referencesIn(holder)) {
      const path = parseFileReference(reference)?.path ?? '';
      const name = resolveRelativePath(from, path);
      if (name !== undefined && files.has(name)) continue;
      const opened = path.includes('\\') ? backslash : name === undefined ? outsideFolder : await open(name);
      if ('tree' in opened) files.set(name ?? '', opened.tree);
      else if (!isOptional) throw new BrokenReference({ name: from, keys }, reference, opened.fault, opened.hint);
    }
  return files;
}

/** Whether the root references other files, or itself by its file name. If so, it cannot be used alone. */
export const isSplit = (files: DocumentFiles, root: string): boolean =>
  files.size > 1 || referencesIn(files.get(root) ?? []).some(({ isOptional }) => !isOptional);

export const refersTo = (tree: Tree, from: string, to: string): boolean =>
  referencesIn(tree).some((one) => resolveRelativePath(from, parseFileReference(one.reference)?.path ?? '') === to);
