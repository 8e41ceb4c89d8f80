/** Writes the parameters of a call: as one string, or as pairs by their style, with OpenAPI's defaults. */
import { isRecord, type JsonObject } from '../http/fields.ts';

export type Pair = readonly [name: string, value: string];

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** The format for a path, a header or a cookie. */
export const plainText = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);

/** Swagger 2.0's `collectionFormat` in terms of OpenAPI 3. */
const COLLECTIONS: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['csv', { explode: false }],
  ['multi', { explode: true }],
  ['ssv', { style: 'spaceDelimited' }],
  ['pipes', { style: 'pipeDelimited' }],
]);

const DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['spaceDelimited', '%20'],
  ['pipeDelimited', '|'],
]);

const encodePair = ([name, value]: Pair): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;

/** `ids=a&ids=b`, unless the parameter says otherwise. */
export function queryText(parameter: JsonObject, value: unknown): string {
  const name = String(parameter.name);
  const { style = 'form', explode = style === 'form' } = {
    ...parameter,
    ...COLLECTIONS.get(String(parameter.collectionFormat ?? (parameter.type === 'array' ? 'csv' : ''))),
  } as JsonObject;
  // A parameter with a media type is written in that type, and has no style.
  if (parameter.content !== undefined || typeof value !== 'object' || value === null)
    return encodePair([name, textOf(value)]);
  if (isRecord(value) && style === 'deepObject')
    return pairsOf(value)
      .map(([key, item]) => encodePair([`${name}[${key}]`, item]))
      .join('&');
  if (explode)
    return (isRecord(value) ? pairsOf(value) : repeat(name, value as readonly unknown[]))
      .map(encodePair)
      .join('&');
  const items = isRecord(value) ? pairsOf(value).flat() : (value as readonly unknown[]).map(textOf);
  return `${encodeURIComponent(name)}=${items.map(encodeURIComponent).join(DELIMITERS.get(String(style)) ?? ',')}`;
}

const pairsOf = (value: JsonObject): readonly Pair[] =>
  Object.entries(value).map(([key, item]) => [key, textOf(item)]);

const repeat = (name: string, items: readonly unknown[]): readonly Pair[] =>
  items.map((item) => [name, textOf(item)]);

/** The fields of a form. The name of a list is repeated for each item. */
export const formPairs = (value: unknown): readonly Pair[] =>
  Object.entries(isRecord(value) ? value : {}).flatMap(([name, item]) =>
    repeat(name, Array.isArray(item) ? item : [item]),
  );
