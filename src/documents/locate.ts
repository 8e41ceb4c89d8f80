/** Where a reference leads: a file, and a place in it. */
import type { Files } from './files.ts';
import { nameFrom, parseReference } from './pointer.ts';
import { refOf } from './references.ts';
import type { Tree } from './tree.ts';

export interface Place {
  readonly name: string;
  readonly keys: readonly string[];
  readonly tree: Tree;
}

export interface Lost {
  /** The end of a sentence that begins with "which". */
  readonly fault: string;
}

const mostHops = 100;

/**
 * The place that a file refers to, through the references on the way there; undefined for a URL. A reference at the end
 * is followed too, unless it has fields beside it or stands in the root, whose places stay where they are.
 */
export function locate(
  { root, files }: { readonly root: string; readonly files: Files },
  from: string,
  reference: string,
): Place | Lost | undefined {
  let holder = from;
  let next = parseReference(reference);
  let rest: readonly string[] = [];
  if (!next) return undefined;
  for (let hops = 0; hops < mostHops; hops++) {
    const name = next.path === '' ? holder : nameFrom(holder, next.path);
    const file = name === undefined ? undefined : files.get(name);
    if (name === undefined || !file) return { fault: 'is not there' };
    if (!next.keys) return { fault: 'names an anchor; only JSON pointers are followed' };
    const wanted = [...next.keys, ...rest];
    const { tree, count } = descend(file, wanted);
    const keys = wanted.slice(0, count);
    rest = wanted.slice(count);
    const onward = parseReference(refOf(tree) ?? '');
    const isPure = tree instanceof Map && tree.size === 1;
    if (rest.length === 0 && (name === root || !isPure || !onward)) return { name, keys, tree };
    if (!onward) return { fault: 'is not in that file' };
    holder = name;
    next = onward;
  }
  return { fault: 'leads back to itself' };
}

/** As far down as the keys lead. */
function descend(tree: Tree, keys: readonly string[]): { readonly tree: Tree; readonly count: number } {
  let at = tree;
  for (const [count, key] of keys.entries()) {
    const below = at instanceof Map ? at.get(key) : Array.isArray(at) ? at[indexOf(key)] : undefined;
    if (below === undefined) return { tree: at, count };
    at = below;
  }
  return { tree: at, count: keys.length };
}

/** RFC 6901 §4. */
const indexOf = (key: string): number => (/^(0|[1-9]\d{0,8})$/.test(key) ? Number(key) : -1);
