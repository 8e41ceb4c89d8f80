/** Resolves a reference to a file and a position in it. */
import type { DocumentFiles } from './files.ts';
import { parseFileReference, resolveRelativePath } from './pointer.ts';
import { refOf } from './references.ts';
import type { Tree } from './tree.ts';

export interface DocumentPlace {
  readonly name: string;
  readonly keys: readonly string[];
  readonly tree: Tree;
}

const mostHops = 100;

/**
 * Finds the target of a reference, following references along the way. Returns undefined for a URL. If the target is
 * itself a reference, it is followed too, unless it has other fields or is in the root document. Objects of the root
 * document stay in place. A fault is phrased to follow "which".
 */
export function locate(
  { root, files }: { readonly root: string; readonly files: DocumentFiles },
  from: string,
  reference: string,
): DocumentPlace | { readonly fault: string } | undefined {
  let holder = from;
  let next = parseFileReference(reference);
  let rest: readonly string[] = [];
  if (!next) return undefined;
  for (let hops = 0; hops < mostHops; hops++) {
    const name = next.path === '' ? holder : resolveRelativePath(holder, next.path);
    const file = name === undefined ? undefined : files.get(name);
    if (name === undefined || !file) return { fault: 'does not exist' };
    if (!next.keys) return { fault: 'is an anchor (only JSON pointers are supported)' };
    const wanted = [...next.keys, ...rest];
    const { tree, count } = descend(file, wanted);
    const keys = wanted.slice(0, count);
    rest = wanted.slice(count);
    const onward = parseFileReference(refOf(tree) ?? '');
    const isPure = tree instanceof Map && tree.size === 1;
    if (rest.length === 0 && (name === root || !isPure || !onward)) return { name, keys, tree };
    if (!onward) return { fault: 'does not exist in that file' };
    holder = name;
    next = onward;
  }
  return { fault: 'refers back to itself' };
}

/** Follows the keys as far as possible. */
function descend(tree: Tree, keys: readonly string[]): { readonly tree: Tree; readonly count: number } {
  let at = tree;
  for (const [count, key] of keys.entries()) {
    const below = at instanceof Map ? at.get(key) : Array.isArray(at) ? at[indexOf(key)] : undefined;
    if (below === undefined) return { tree: at, count };
    at = below;
  }
  return { tree: at, count: keys.length };
}

/** Returns the list index that a key of a JSON pointer stands for (RFC 6901 §4), or -1. */
const indexOf = (key: string): number => (/^(0|[1-9]\d{0,8})$/.test(key) ? Number(key) : -1);
