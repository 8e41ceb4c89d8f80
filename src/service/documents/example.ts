/**
 * Generates an example value for a JSON schema: the example in the schema, or a value of the right type. The size of
 * the result is limited. The openapi-sampler package has no limit, and takes hours for a chain of allOf or a list of
 * many items.
 */
import { resolve } from '../../documents/operations.ts';
import { fieldsOf, isRecord, type JsonObject, listOf } from '../http/fields.ts';

const DEPTH = 5;
const PROPERTIES = 12;

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['date-time', '2025-01-01T00:00:00.000Z'],
  ['date', '2025-01-01'],
  ['email', 'user@example.com'],
  ['uri', 'https://example.com'],
  ['byte', 'c3RyaW5n'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
]);

/** Returns the example or fixed value that a schema, a parameter or a media type declares. */
function given(document: JsonObject, node: JsonObject): unknown {
  const named = isRecord(node.examples) ? resolve(document, Object.values(node.examples)[0]) : undefined;
  return [
    node.example,
    Array.isArray(node.examples) ? node.examples[0] : named?.value,
    node.default,
    node.const,
    Array.isArray(node.enum) ? node.enum[0] : undefined,
  ].find((value) => value !== undefined);
}

function objectFor(document: JsonObject, schema: JsonObject, depth: number): JsonObject {
  const properties = fieldsOf(schema.properties);
  const required = listOf(schema.required).map(String);
  // A read-only field is only in responses, so a request does not send it.
  const names = Object.keys(properties).filter((name) => resolve(document, properties[name]).readOnly !== true);
  const needed = names.filter((name) => required.includes(name));
  return Object.fromEntries(
    (needed.length > 0 ? needed : names)
      .slice(0, PROPERTIES)
      .map((name) => [name, exampleOf(document, properties[name], depth - 1)]),
  );
}

/** Generates an example for a schema. The depth is limited, because a schema may contain itself. */
export function exampleOf(document: JsonObject, node: unknown, depth = DEPTH): unknown {
  const schema = resolve(document, node);
  const written = given(document, schema);
  if (written !== undefined) return written;
  if (depth <= 0) return null;
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.map((part) => exampleOf(document, part, depth - 1));
    const objects = parts.filter(isRecord);
    if (objects.length === 0 && parts.length > 0) return parts[0];
    return Object.fromEntries([objectFor(document, schema, depth), ...objects].flatMap(Object.entries));
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(choices)) {
    const chosen = exampleOf(document, choices[0], depth - 1);
    // If the schema also has properties, the choice only adds to them, for example by making one of them required.
    if (!isRecord(schema.properties) || !isRecord(chosen)) return chosen;
    const { required = [] } = resolve(document, choices[0]);
    const needed = [schema.required ?? [], required].flat();
    return { ...objectFor(document, { ...schema, required: needed }, depth), ...chosen };
  }
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type;
  if (type === 'array') return [exampleOf(document, schema.items, depth - 1)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'string') return FORMATS.get(String(schema.format)) ?? 'string';
  return objectFor(document, schema, depth);
}

/** Returns the example of a parameter or a media type, or generates one from its content or its schema. */
export function exampleIn(document: JsonObject, holder: JsonObject): unknown {
  const media = isRecord(holder.content) ? Object.values(holder.content)[0] : undefined;
  if (media !== undefined) return exampleIn(document, resolve(document, media));
  const own = given(document, holder);
  return own === undefined ? exampleOf(document, holder.schema ?? holder) : own;
}
