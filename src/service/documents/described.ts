/** Generates the missing descriptions of a document by fixed rules. The fields of operations are in overlay.ts. */
import { STATUS_CODES } from 'node:http';
import { fieldsOf, isRecord, type JsonObject, listOf, recordsIn } from '../http/fields.ts';
import { describedOperationsOf } from './document.ts';
import { nameWordsOf, sentence } from './naming.ts';

/** The keys and indexes that lead to a node. */
export type NodePath = readonly (string | number)[];

/** Fields that are missing from the object at a place. */
export interface Missing {
  readonly place: NodePath;
  readonly update: JsonObject;
  /** Another place that leads to the same object through a reference. */
  readonly alias?: NodePath;
}

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';

/** Turns a name such as `APet` or `pet-status` into words for a sentence. */
const named = (name: unknown): string => nameWordsOf(String(name ?? '')).join(' ') || 'value';

/** Returns an empty list for a reference, because its target has the description. */
const undescribed = (place: NodePath, node: JsonObject, description: string): readonly Missing[] =>
  node.$ref === undefined && isBlank(node.description) ? [{ place, update: { description } }] : [];

/** Describes the `info` of a document or of its summary. Returns an empty list if `info` has no title. */
export const undescribedInfo = (info: unknown): readonly Missing[] =>
  isRecord(info) && !isBlank(info.title)
    ? undescribed(['info'], info, `The ${String(info.title).trim().replace(/ api$/i, '')} API.`)
    : [];

const parameterText = ({ name, in: where }: JsonObject): string =>
  where === 'body' ? 'The body of the request.' : `The ${named(name)}.`;

const responseText = (status: string): string =>
  STATUS_CODES[status] ?? (status === 'default' ? 'Any other response' : `A response with status ${status}`);

const parametersAt = (place: NodePath, parameters: unknown): readonly Missing[] =>
  listOf(parameters).flatMap((one, index) =>
    isRecord(one) ? undescribed([...place, 'parameters', index], one, parameterText(one)) : [],
  );

const responsesAt = (place: NodePath, responses: unknown): readonly Missing[] =>
  recordsIn(responses)
    .filter(([status]) => !status.startsWith('x-'))
    .flatMap(([status, one]) => undescribed([...place, 'responses', status], one, responseText(status)));

const schemasAt = (place: NodePath, schemas: unknown): readonly Missing[] =>
  recordsIn(schemas).flatMap(([name, schema]) => [
    ...undescribed([...place, name], schema, `${sentence(nameWordsOf(name))}.`),
    ...recordsIn(schema.properties).flatMap(([property, one]) =>
      undescribed([...place, name, 'properties', property], one, `The ${named(property)} of the ${named(name)}.`),
    ),
  ]);

/** Describes tags without a description, and declares tags that operations use without a declaration. */
function tagsOf(document: JsonObject, used: readonly string[]): readonly Missing[] {
  const declared = listOf(document.tags);
  const names = new Set(declared.map((tag) => (isRecord(tag) ? tag.name : undefined)));
  const text = (name: unknown) => `Operations on ${named(name)}.`;
  const undeclared = [...new Set(used)].filter((name) => !names.has(name));
  const tags = undeclared.map((name) => ({ name, description: text(name) }));
  return [
    ...declared.flatMap((tag, index) =>
      isRecord(tag) && !isBlank(tag.name) ? undescribed(['tags', index], tag, text(tag.name)) : [],
    ),
    ...(tags.length > 0 ? [{ place: [], update: { tags } }] : []),
  ];
}

/** Describes everything except the operations themselves. `used` has the tags that operations have or will get. */
export function undescribedIn(document: JsonObject, used: readonly string[]): readonly Missing[] {
  const components = fieldsOf(document.components);
  const shared = (kind: string, text: (name: string, one: JsonObject) => string) =>
    recordsIn(components[kind]).flatMap(([name, one]) => undescribed(['components', kind, name], one, text(name, one)));
  return [
    ...undescribedInfo(document.info),
    ...tagsOf(document, used),
    ...recordsIn(document.paths).flatMap(([path, item]) => parametersAt(['paths', path], item.parameters)),
    ...describedOperationsOf(document).flatMap(({ operation, place, id }) => [
      ...parametersAt(place, operation.parameters),
      ...(isRecord(operation.requestBody)
        ? undescribed([...place, 'requestBody'], operation.requestBody, `The body of ${named(id)}.`)
        : []),
      ...responsesAt(place, operation.responses),
    ]),
    ...shared('parameters', (_, one) => parameterText(one)),
    ...shared('requestBodies', (name) => `The ${named(name)}.`),
    ...shared('responses', (name) => `${sentence(nameWordsOf(name))}.`),
    ...schemasAt(['components', 'schemas'], components.schemas),
    ...schemasAt(['definitions'], document.definitions),
  ];
}
