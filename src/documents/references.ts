/** Finds the references in a document, and ignores fields that only look like references. */
import { isScalar } from 'yaml';
import { parseFileReference } from './pointer.ts';
import type { Tree } from './tree.ts';

/** The properties of a position in a document that follow from its path. */
export interface PositionContext {
  readonly key: string;
  /** Whether the position is inside a literal value, such as an example, where `$ref` may be ordinary data. */
  readonly isData: boolean;
  readonly isMapping: boolean;
}

export const topSpot: PositionContext = { key: '', isData: false, isMapping: false };

/** Fields whose keys are names chosen by the author. */
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

/** Fields that contain example data, where a `$ref` may be an ordinary string. */
const data = new Set(['example', 'examples', 'default', 'const', 'enum']);

export const spotBelow = (spot: PositionContext, key: string): PositionContext => ({
  key,
  isData: spot.isData || (data.has(key) && !named.has(spot.key)),
  isMapping: !spot.isData && key === 'mapping' && spot.key === 'discriminator',
});

export function refOf(tree: Tree): string | undefined {
  const value = tree instanceof Map ? tree.get('$ref') : undefined;
  return scalarText(value);
}

export const scalarText = (tree: Tree | undefined): string | undefined =>
  isScalar(tree) && typeof tree.value === 'string' ? tree.value : undefined;

export interface FoundReference {
  readonly reference: string;
  /** The path of the object that contains the `$ref`, or of the mapping value. */
  readonly keys: readonly string[];
  /** Whether the reference may be an ordinary string. If so, its file need not exist. */
  readonly isOptional: boolean;
}

/** Whether a mapping value may be the name of a schema. `cat.yaml` may be a name or a reference. */
export const mayBeName = (text: string): boolean => /^[\w.-]+$/.test(text);

/** Returns every reference to another file, in document order. */
export function referencesIn(tree: Tree): readonly FoundReference[] {
  const found: FoundReference[] = [];
  const add = (reference: string, keys: readonly string[], isOptional: boolean) => {
    if (parseFileReference(reference)?.path) found.push({ reference, keys, isOptional });
  };
  // With YAML aliases, a value can occur several times and may contain itself.
  const seen = new Set<Tree>();
  const look = (at: Tree, keys: readonly string[], spot: PositionContext) => {
    if (isScalar(at) || seen.has(at)) return;
    seen.add(at);
    const reference = refOf(at);
    if (reference !== undefined) add(reference, keys, spot.isData);
    for (const [key, inner] of at instanceof Map ? at : at.entries()) {
      const name = String(key);
      const text = spot.isMapping ? scalarText(inner) : undefined;
      if (text !== undefined) add(text, [...keys, name], mayBeName(text));
      if (!isScalar(inner)) look(inner, [...keys, name], spotBelow(spot, name));
    }
  };
  look(tree, [], topSpot);
  return found;
}
