/** Decides where the content of other files goes in the bundle. */
import type { DocumentFiles } from './files.ts';
import { type DocumentPlace, locate } from './locate.ts';
import { pointerTo } from './pointer.ts';
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
