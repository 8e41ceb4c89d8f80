/** Resolves references to other files, and decides where their content goes in the bundle. */
import type { DocumentFiles } from './files.ts';
import { parseFileReference, pointerTo, resolveRelativePath } from './pointer.ts';
import { refOf } from './references.ts';
import type { Tree } from './tree.ts';

/** The path of each target in the bundle. The keys come from `targetKeyOf`. */
export type TargetPaths = Map<string, readonly string[]>;

type Target = Pick<DocumentPlace, 'name' | 'keys'>;

export const targetKeyOf = ({ name, keys }: Target): string => name + pointerTo(keys);

/** Returns the path of a target in the bundle. The target may be inside another target. */
export function homeAt(homes: TargetPaths, { name, keys }: Target): readonly string[] | undefined {
  for (let count = keys.length; count >= 0; count--) {
    const home = homes.get(targetKeyOf({ name, keys: keys.slice(0, count) }));
    if (home) return [...home, ...keys.slice(count)];
  }
  return undefined;
}

/** The fields with named objects in OpenAPI 3 and in Swagger 2.0, and how deep the objects are in each field. */
const tops: readonly (readonly [key: string, levels: number])[] = [
  ['components', 2],
  ['definitions', 1],
  ['parameters', 1],
  ['responses', 1],
];

/** Chooses places before anything is copied. If an object of the root is only a reference, its target goes there. */
export function assignTargetPaths(root: string, files: DocumentFiles): TargetPaths {
  const homes: TargetPaths = new Map();
  const claim = (tree: Tree, from: Target, to: readonly string[], levels: number) => {
    const reference = refOf(tree);
    let [inner, holder] = [tree, from];
    if (reference !== undefined) {
      // A reference within the root stays a reference.
      if (from.name === root && reference.startsWith('#')) return;
      const place = locate({ root, files }, from.name, reference);
      if (!place || 'fault' in place || place.name === root) return;
      if (!(place.tree instanceof Map) || !(tree instanceof Map) || tree.size > 1) return;
      if (homeAt(homes, place)) return;
      homes.set(targetKeyOf(place), to);
      [inner, holder] = [place.tree, place];
    }
    if (levels === 0 || !(inner instanceof Map)) return;
    for (const [key, value] of inner)
      claim(value, { name: holder.name, keys: [...holder.keys, key] }, [...to, key], levels - 1);
  };
  const tree = files.get(root);
  for (const [key, levels] of tops) {
    const top = tree instanceof Map ? tree.get(key) : undefined;
    if (top) claim(top, { name: root, keys: [key] }, [key], levels);
  }
  return homes;
}

/** The kinds of objects by the second-to-last key of their path, such as `responses` in `responses/NotFound`. */
const kinds = [
  'parameters',
  'responses',
  'headers',
  'examples',
  'links',
  'callbacks',
  'securitySchemes',
  'requestBodies',
  'pathItems',
];

/** Returns the kind of an object by its path, named like a field of `components`. The default is `schemas`. */
export function componentKindAt(keys: readonly string[]): string {
  const [holder = '', last] = keys.slice(-2);
  if (keys.length === 2 && (holder === 'paths' || holder === 'webhooks')) return 'pathItems';
  if (last === 'requestBody') return 'requestBodies';
  const isField = keys.at(-3) === 'properties';
  return kinds.includes(holder) && !isField ? holder : 'schemas';
}

/** Finds a free path for a target, under `components` or in the Swagger 2.0 equivalent. */
export function newHome(document: Tree, target: Target, kind: string): readonly string[] {
  const isOld = document instanceof Map && document.has('swagger');
  const holder = isOld ? [kind === 'schemas' ? 'definitions' : kind] : ['components', kind];
  const known = holder.reduce<Tree | undefined>((at, key) => (at instanceof Map ? at.get(key) : undefined), document);
  const last = target.keys.at(-1) ?? target.name.replace(/^.*\/|\.[^./]*$/g, '');
  const name = last.replace(/[^\w.-]/g, '_');
  let free = name;
  for (let number = 2; known instanceof Map && known.has(free); number++) free = `${name}${number}`;
  return [...holder, free];
}

/** Sets a value in a tree, and creates the objects above it. */
export function setValue(document: Tree, keys: readonly string[], value: Tree): void {
  let at = document;
  for (const [index, key] of keys.entries()) {
    if (!(at instanceof Map)) throw new RangeError(`${pointerTo(keys.slice(0, index))} is not an object`);
    const below = index === keys.length - 1 ? value : (at.get(key) ?? new Map<string, Tree>());
    at.set(key, below);
    at = below;
  }
}

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
