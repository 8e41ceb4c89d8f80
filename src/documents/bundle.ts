/** Bundles the files of a document: each content where it is first referenced. Other references are JSON pointers. */
import { isScalar, type Scalar } from 'yaml';
import { BrokenReference, DocumentFault } from './fault.ts';
import type { DocumentFiles, Warn } from './files.ts';
import {
  assignTargetPaths,
  componentKindAt,
  type DocumentPlace,
  homeAt,
  locate,
  newHome,
  setValue,
  type TargetPaths,
  targetKeyOf,
} from './homes.ts';
import { parseFileReference, pointerTo } from './pointer.ts';
import {
  isSchemeUrl,
  mayBeName,
  type PositionContext,
  referenceKindAt,
  refOf,
  scalarText,
  spotBelow,
  topSpot,
} from './references.ts';
import { mostDepth, type Tree, textScalar, tooDeep, treeSize } from './tree.ts';

const mostValues = 5_000_000;

const tooLarge = `has more than ${mostValues} values, counting every alias and copy`;

/** A path in a file or in the bundle. Paths share their parents to save memory. */
interface Way {
  readonly key: string;
  readonly above: Way | undefined;
  readonly depth: number;
}

const wayBelow = (above: Way | undefined, key: string): Way => ({ key, above, depth: (above?.depth ?? 0) + 1 });

const wayOf = (keys: readonly string[]): Way | undefined =>
  keys.reduce<Way | undefined>((above, key) => wayBelow(above, key), undefined);

function keysOf(way: Way | undefined): readonly string[] {
  const keys: string[] = [];
  for (let at = way; at; at = at.above) keys.push(at.key);
  return keys.reverse();
}

/** The value that is being copied, and its position. */
interface From {
  readonly name: string;
  readonly way: Way | undefined;
  readonly spot: PositionContext;
}

const broken = ({ name, way }: From, reference: string, fault: string) =>
  new BrokenReference({ name, keys: keysOf(way) }, reference, fault);

const below = (from: From, key: string, tree: Tree): From => ({
  name: from.name,
  way: wayBelow(from.way, key),
  spot: spotBelow(from.spot, key, tree),
});

/** A reference whose target may get a place in the bundle later. */
interface Link {
  readonly place: DocumentPlace;
  /** Set to the pointer as soon as the target has a place. */
  readonly pointer: Scalar<string>;
}

/** A reference whose target has no place in the bundle yet, but needs one. */
interface Waiting extends Link {
  readonly kind: string;
}

interface Work {
  readonly root: string;
  readonly files: DocumentFiles;
  readonly homes: TargetPaths;
  readonly waiting: Waiting[];
  readonly links: (Link & { readonly from: From })[];
  readonly warn: (from: From, reference: string) => void;
  /** The targets that are being copied in full, to detect circular references. */
  readonly copying: Set<string>;
  count: number;
}

/**
 * Bundles `files`. Warns of a link to what is not in the bundle, which stays unchanged. Throws BrokenReference for
 * another reference that cannot be resolved, and DocumentFault if too large or too deep.
 */
export function bundle(root: string, files: DocumentFiles, warn: Warn = () => undefined): Tree {
  const tree = files.get(root);
  if (!tree) throw new DocumentFault('does not exist');
  // Copying would detect this too, but only much later.
  for (const one of files.values()) if (treeSize(one).values > mostValues) throw new DocumentFault(tooLarge);
  const homes = assignTargetPaths(root, files);
  const warnings = new Set<string>();
  const warnOf = (from: From, reference: string) =>
    warnings.add(broken(from, reference, 'is not in the merged document').message);
  const work: Work = { root, files, homes, waiting: [], links: [], copying: new Set(), count: 0, warn: warnOf };
  const made = copy(work, tree, { name: root, way: undefined, spot: topSpot }, undefined);
  for (let next = work.waiting.shift(); next; next = work.waiting.shift()) {
    const { place, kind, pointer } = next;
    let home = homeAt(homes, place);
    if (!home) {
      home = newHome(made, place, kind);
      homes.set(targetKeyOf(place), home);
      setValue(made, home, copyOf(work, place, topSpot, wayOf(home)));
    }
    pointer.value = pointerTo(home);
  }
  for (const { place, pointer, from } of work.links) {
    const home = place.name === root ? place.keys : homeAt(homes, place);
    if (home) pointer.value = pointerTo(home);
    else warnOf(from, pointer.value);
  }
  warnings.forEach(warn);
  return made;
}

const copyOf = (work: Work, { name, keys, tree }: DocumentPlace, spot: PositionContext, to: Way | undefined): Tree =>
  copy(work, tree, { name, way: wayOf(keys), spot }, to);

/** Copies a value and resolves the references in it. `to` is the path of the copy in the bundle. */
function copy(work: Work, tree: Tree, from: From, to: Way | undefined): Tree {
  if (++work.count > mostValues) throw new DocumentFault(tooLarge);
  if (isScalar(tree)) return tree;
  if (to && to.depth > mostDepth) throw new DocumentFault(tooDeep);
  if (Array.isArray(tree)) return tree.map((item, index) => copyBelow(work, item, String(index), { from, to }));
  const reference = refOf(tree);
  const made = reference === undefined ? undefined : follow(work, tree, reference, { from, to });
  if (made) return made;
  return new Map(
    [...tree].map(
      ([key, value]) => resolved(work, key, value, from) ?? [key, copyBelow(work, value, key, { from, to })],
    ),
  );
}

/** Returns the replacement of a field whose string, or whose key, refers to a file. Undefined for any other field. */
function resolved(work: Work, key: string, value: Tree, from: From): readonly [key: string, value: Tree] | undefined {
  const at = below(from, key, value);
  const kind = referenceKindAt(from.spot, key);
  const text = kind && scalarText(value);
  if (!from.spot.isData && isSchemeUrl(from.way?.above?.key, key) && !key.startsWith('#')) work.warn(at, key);
  if (text === undefined) return undefined;
  const made = kind === 'schema' ? mapped(work, text, at) : kind === 'link' ? linked(work, text, at) : undefined;
  if (made) return [key, made];
  const place = kind === 'value' ? locate(work, from.name, text) : undefined;
  return place && 'tree' in place ? ['value', place.tree] : undefined;
}

interface Ends {
  readonly from: From;
  readonly to: Way | undefined;
}

const copyBelow = (work: Work, tree: Tree, key: string, { from, to }: Ends): Tree =>
  isScalar(tree) ? copy(work, tree, from, to) : copy(work, tree, below(from, key, tree), wayBelow(to, key));

/** Returns the replacement of an object that has a reference. Undefined if the reference stays unchanged. */
function follow(work: Work, tree: Map<string, Tree>, reference: string, ends: Ends): Tree | undefined {
  const { from, to } = ends;
  const place = locate(work, from.name, reference);
  const isLocal = from.name === work.root && reference.startsWith('#');
  if (!place || (from.spot.isData && isLocal)) return undefined;
  if ('fault' in place) {
    const isAnchor = isLocal && !parseFileReference(reference)?.keys;
    if (from.spot.isData || isAnchor) return undefined;
    throw broken(from, reference, place.fault);
  }
  const isInRoot = place.name === work.root;
  if (isLocal && isInRoot) return undefined;
  // In example data, a reader would mistake a pointer for ordinary data.
  if (from.spot.isData) return inFull(work, tree, place, ends);
  const circle = () => broken(from, reference, 'refers back to itself');
  // OpenAPI readers do not accept a pointer to a list or a string.
  if (!(place.tree instanceof Map)) {
    const made = inFull(work, tree, place, ends);
    if (made) return made;
    throw circle();
  }
  const here = keysOf(to);
  const isHere = (keys: readonly string[]) => pointerTo(keys) === pointerTo(here);
  if (isInRoot && isHere(place.keys)) throw circle();
  const kind = componentKindAt(here);
  // The fields next to the reference of a path item belong to the path item (OpenAPI 3.1, Path Item Object).
  const own = kind === 'pathItems' && tree.size > 1 ? inFull(work, tree, place, ends) : undefined;
  if (own) return own;
  const home = isInRoot ? place.keys : homeAt(work.homes, place);
  if (home && !isHere(home)) return withRef(work, tree, textScalar(pointerTo(home)), ends);
  if (home || tree.size === 1) {
    work.homes.set(targetKeyOf(place), here);
    return copyOf(work, place, from.spot, to);
  }
  const pointer = textScalar('');
  work.waiting.push({ place, kind, pointer });
  return withRef(work, tree, pointer, ends);
}

/** Copies the target of a reference and adds the fields next to it. Undefined if the target contains itself. */
function inFull(work: Work, tree: Map<string, Tree>, place: DocumentPlace, ends: Ends): Tree | undefined {
  const id = targetKeyOf(place);
  if (work.copying.has(id)) return undefined;
  work.copying.add(id);
  const made = copyOf(work, place, ends.from.spot, ends.to);
  work.copying.delete(id);
  if (!(made instanceof Map)) return made;
  for (const [key, value] of tree) if (key !== '$ref') made.set(key, copyBelow(work, value, key, ends));
  return made;
}

const withRef = (work: Work, tree: Map<string, Tree>, pointer: Scalar, ends: Ends): Tree =>
  new Map([...tree].map(([key, value]) => [key, key === '$ref' ? pointer : copyBelow(work, value, key, ends)]));

/** Returns the pointer for a value of a discriminator mapping. Undefined for a name, which stays unchanged. */
function mapped(work: Work, text: string, from: From): Tree | undefined {
  if (from.name === work.root && text.startsWith('#')) return undefined;
  const place = locate(work, from.name, text);
  if (!place) return undefined;
  if ('fault' in place) {
    // Leave the value unchanged, because many authors write values that are only valid in the root file.
    if (mayBeName(text) || text.startsWith('#')) return undefined;
    throw broken(from, text, place.fault);
  }
  if (place.name === work.root) return textScalar(pointerTo(place.keys));
  const pointer = textScalar('');
  work.waiting.push({ place, kind: 'schemas', pointer });
  return pointer;
}

/** Returns the pointer for a link, which leads to where its target is in the bundle. Undefined if it stays unchanged. */
function linked(work: Work, text: string, from: From): Tree | undefined {
  const isLocal = text.startsWith('#') && (from.name === work.root || !parseFileReference(text)?.keys);
  const place = isLocal ? undefined : locate(work, from.name, text);
  if (!place) return undefined;
  const pointer = textScalar(text);
  if ('tree' in place) work.links.push({ place, pointer, from });
  else work.warn(from, text);
  return pointer;
}
