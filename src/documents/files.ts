/** The files of a document: its root, every file that it refers to, and those that they refer to. */
import { nameFrom, parseReference, pointerTo } from './pointer.ts';
import { referencesIn } from './references.ts';
import type { Tree } from './tree.ts';

/** A file, or why there is none: the end of a sentence that begins with "which". */
export type Opened = { readonly tree: Tree } | { readonly fault: string; readonly hint?: string };

/** Opens the file of a name, which is relative to the folder of the root and parted by `/`. */
export type Open = (name: string) => Opened | Promise<Opened>;

/** By name. */
export type Files = ReadonlyMap<string, Tree>;

/** A reference that leads nowhere. */
export class BrokenReference extends Error {
  readonly hint: string | undefined;

  constructor(
    from: { readonly name: string; readonly keys: readonly string[] },
    reference: string,
    fault: string,
    hint?: string,
  ) {
    super(`${from.name} refers to ${reference}, which ${fault} (at ${pointerTo(from.keys)})`);
    this.hint = hint;
  }
}

export const outside: Opened = {
  fault: "is outside the document's folder",
  hint: 'Move the file into that folder.',
};

/** Throws BrokenReference for a file that must be there and is not, and what `open` throws. */
export async function collectFiles(root: string, tree: Tree, open: Open): Promise<Files> {
  const files = new Map([[root, tree]]);
  // A map that grows is walked to its end.
  for (const [from, holder] of files)
    for (const { reference, keys, isOptional } of referencesIn(holder)) {
      const name = nameFrom(from, parseReference(reference)?.path ?? '');
      if (name !== undefined && files.has(name)) continue;
      const opened = name === undefined ? outside : await open(name);
      if ('tree' in opened) files.set(name ?? '', opened.tree);
      else if (!isOptional)
        throw new BrokenReference({ name: from, keys }, reference, opened.fault, opened.hint);
    }
  return files;
}

/** Whether the root needs other files, or names itself as one: alone it would be half a document. */
export const isSplit = (files: Files, root: string): boolean =>
  files.size > 1 || referencesIn(files.get(root) ?? []).some(({ isOptional }) => !isOptional);

/** Whether a file refers to another. */
export const refersTo = (tree: Tree, from: string, to: string): boolean =>
  referencesIn(tree).some(({ reference }) => nameFrom(from, parseReference(reference)?.path ?? '') === to);
