/** Where in a document references stand, and what only looks like one. */
import { isScalar } from 'yaml';
import { parseReference } from './pointer.ts';
import type { Tree } from './tree.ts';

/** What is known of a place from the keys that lead to it. */
export interface Spot {
  /** The last key. */
  readonly key: string;
  /** Within a value that an API sends. */
  readonly isData: boolean;
  /** Within the values of a discriminator's mapping. */
  readonly isMapping: boolean;
}

export const topSpot: Spot = { key: '', isData: false, isMapping: false };

/** Fields whose own fields have names of the author's choosing. */
const named = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'schemas',
  'responses',
  'parameters',
  'headers',
  'requestBodies',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems',
]);

/** Fields that hold what an API sends, in which a `$ref` may be a text like any other. */
const data = new Set(['example', 'examples', 'default', 'const', 'enum']);

export const spotBelow = (spot: Spot, key: string): Spot => ({
  key,
  isData: spot.isData || (data.has(key) && !named.has(spot.key)),
  isMapping: !spot.isData && key === 'mapping' && spot.key === 'discriminator',
});

/** The text of an object's `$ref`. */
export function refOf(tree: Tree): string | undefined {
  const value = tree instanceof Map ? tree.get('$ref') : undefined;
  return textOf(value);
}

export const textOf = (tree: Tree | undefined): string | undefined =>
  isScalar(tree) && typeof tree.value === 'string' ? tree.value : undefined;

export interface Found {
  readonly reference: string;
  /** The keys of the object that refers. */
  readonly keys: readonly string[];
  /** Whether it may be a text like any other, so that nothing need be there. */
  readonly isOptional: boolean;
}

/** A mapping names a schema, or refers to one; `cat.yaml` may be either. */
export const mayBeName = (text: string): boolean => /^[\w.-]+$/.test(text);

/** Every reference to another file, in the order of the document. */
export function referencesIn(tree: Tree): readonly Found[] {
  const found: Found[] = [];
  const add = (reference: string, keys: readonly string[], isOptional: boolean) => {
    if (parseReference(reference)?.path) found.push({ reference, keys, isOptional });
  };
  // YAML's aliases make one value of several places, and may close a circle.
  const seen = new Set<Tree>();
  const look = (at: Tree, keys: readonly string[], spot: Spot) => {
    if (isScalar(at) || seen.has(at)) return;
    seen.add(at);
    const reference = refOf(at);
    if (reference !== undefined) add(reference, keys, spot.isData);
    for (const [key, inner] of at instanceof Map ? at : at.entries()) {
      const name = String(key);
      const text = spot.isMapping ? textOf(inner) : undefined;
      if (text !== undefined) add(text, [...keys, name], mayBeName(text));
      if (!isScalar(inner)) look(inner, [...keys, name], spotBelow(spot, name));
    }
  };
  look(tree, [], topSpot);
  return found;
}
