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
  /** Whether the position is an object whose values are Example Objects, or is an Example Object. */
  readonly example?: 'many' | 'one' | undefined;
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

export function spotBelow(spot: PositionContext, key: string, tree: Tree): PositionContext {
  const startsData = !spot.isData && data.has(key) && !named.has(spot.key);
  // The examples of a schema are a list, and those of Swagger 2.0 have media types as keys: both are data.
  const isMany = startsData && key === 'examples' && tree instanceof Map;
  return {
    key,
    isData: spot.isData || startsData,
    isMapping: !spot.isData && key === 'mapping' && spot.key === 'discriminator',
    example: isMany ? 'many' : spot.example === 'many' && !key.includes('/') ? 'one' : undefined,
  };
}

/**
 * How a string refers to a file: `schema` to a schema, by a pointer or its name, `value` to a file with an example, and
 * `link` to an object that stays where it is. Undefined for other fields. Fields of OpenAPI 3.0 to 3.2: `mapping` and
 * `defaultMapping` (Discriminator), `externalValue` (Example), `operationRef` (Link). `$dynamicRef` is of JSON Schema.
 */
export function referenceKindAt(spot: PositionContext, key: string): 'schema' | 'value' | 'link' | undefined {
  if (key === 'externalValue' && (!spot.isData || spot.example === 'one')) return 'value';
  if (spot.isData) return undefined;
  if (spot.isMapping || (key === 'defaultMapping' && spot.key === 'discriminator')) return 'schema';
  return key === 'operationRef' || key === '$dynamicRef' ? 'link' : undefined;
}

export function refOf(tree: Tree): string | undefined {
  const value = tree instanceof Map ? tree.get('$ref') : undefined;
  return scalarText(value);
}

export const scalarText = (tree: Tree | undefined): string | undefined =>
  isScalar(tree) && typeof tree.value === 'string' ? tree.value : undefined;

export interface FoundReference {
  readonly reference: string;
  /** The path of the object that contains the `$ref`, or of the string. */
  readonly keys: readonly string[];
  /**
   * What a missing file is: an error, a warning (`should`: the document can be used without it), or nothing (`may`: the
   * reference may be an ordinary string).
   */
  readonly need: 'must' | 'should' | 'may';
  readonly kind?: 'schema' | 'value' | 'link' | undefined;
}

/** Whether a mapping value may be the name of a schema. `cat.yaml` may be a name or a reference. */
export const mayBeName = (text: string): boolean => /^[\w.-]+$/.test(text);

/** Whether a key is the URL of a security scheme, and not its name (OpenAPI 3.2). `list` is the key of the list it is in. */
export const isSchemeUrl = (list: string | undefined, key: string): boolean => list === 'security' && key.includes('#');

/** Returns every reference to another file, in document order. */
export function referencesIn(tree: Tree): readonly FoundReference[] {
  const found: FoundReference[] = [];
  const add = (one: FoundReference) => {
    if (parseFileReference(one.reference)?.path) found.push(one);
  };
  // With YAML aliases, a value can occur several times and may contain itself.
  const seen = new Set<Tree>();
  const look = (at: Tree, keys: readonly string[], spot: PositionContext) => {
    if (isScalar(at) || seen.has(at)) return;
    seen.add(at);
    const reference = refOf(at);
    if (reference !== undefined)
      add({ reference, keys, need: spot.example === 'one' ? 'should' : spot.isData ? 'may' : 'must' });
    for (const [key, inner] of at instanceof Map ? at : at.entries()) {
      const name = String(key);
      const below = [...keys, name];
      const kind = referenceKindAt(spot, name);
      const text = kind && scalarText(inner);
      if (text !== undefined)
        add({
          reference: text,
          keys: below,
          kind,
          need: kind !== 'schema' ? 'should' : mayBeName(text) ? 'may' : 'must',
        });
      if (!spot.isData && isSchemeUrl(keys.at(-2), name))
        add({ reference: name, keys: below, kind: 'link', need: 'should' });
      if (!isScalar(inner)) look(inner, below, spotBelow(spot, name, inner));
    }
  };
  look(tree, [], topSpot);
  return found;
}
