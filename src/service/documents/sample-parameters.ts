/** Serializes the parameters of a call in their OpenAPI style, or in the default style. */
import { fieldsOf, isRecord, type JsonObject } from '../http/fields.ts';
import { wellFormed } from './sample-text.ts';

export type Pair = readonly [name: string, value: string];

export const parameterText = (value: unknown): string =>
  typeof value === 'string' ? wellFormed(value) : (JSON.stringify(value) ?? '');

/** The OpenAPI 3 style for each `collectionFormat` of Swagger 2.0. */
const COLLECTIONS: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['csv', { explode: false }],
  ['multi', { explode: true }],
  ['ssv', { style: 'spaceDelimited' }],
  ['pipes', { style: 'pipeDelimited' }],
]);

/** The delimiters, encoded because a URL must not contain a space or a `|`. */
const DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['spaceDelimited', '%20'],
  ['pipeDelimited', '%7C'],
]);

/** Percent-encodes a string, including the apostrophe, which only some clients encode in a query. */
export const encode = (text: string): string => encodeURIComponent(wellFormed(text)).replaceAll("'", '%27');

/** Percent-encodes a string, except for reserved characters that do not end a query value. */
const encodeReserved = (text: string): string => encode(text).replace(/%(3A|2F|3F|40|24|2C|3B)/g, decodeURIComponent);

/** Percent-encodes the characters that a path must not contain. Existing escapes stay the same. */
export const encodePath = (text: string): string =>
  wellFormed(text).replace(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9_\-.~!$&'()*+,;=:@/%]/gu, encodeURIComponent);

const pairsIn = (all: JsonObject): Pair[] => Object.entries(all).map(([key, one]) => [key, parameterText(one)]);

const repeat = (name: string, all: readonly unknown[]): Pair[] => all.map((one) => [name, parameterText(one)]);

/** Flattens a nested value to pairs such as `filter[a][b]=1`, or `filter[tags][0]=x` for a list. */
const deepPairs = (name: string, value: unknown): readonly Pair[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => deepPairs(`${name}[${key}]`, item))
    : [[name, parameterText(value)]];

function styleOf(parameter: JsonObject, usual: string) {
  const { style = usual, explode = style === 'form' } = {
    ...parameter,
    ...COLLECTIONS.get(String(parameter.collectionFormat ?? (parameter.type === 'array' ? 'csv' : ''))),
  } as JsonObject;
  return { style, explode, encode: parameter.allowReserved === true ? encodeReserved : encode };
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Whether a value is written without a style. A parameter with a media type never has a style. */
const isPlain = (parameter: JsonObject, value: unknown): boolean =>
  parameter.content !== undefined || typeof value !== 'object' || value === null;

/** Serializes a query parameter. A list becomes `ids=a&ids=b`, unless the parameter has another style. */
export function queryText(parameter: JsonObject, value: unknown): string {
  const name = String(parameter.name);
  const how = styleOf(parameter, 'form');
  const join = (pairs: readonly Pair[]) => pairs.map(([key, item]) => `${encode(key)}=${how.encode(item)}`).join('&');
  if (isPlain(parameter, value)) return join([[name, parameterText(value)]]);
  if (how.style === 'deepObject') return join(deepPairs(name, value));
  const object = isRecord(value) ? value : undefined;
  const list = isList(value) ? value : [];
  if (how.explode) return join(object ? pairsIn(object) : repeat(name, list));
  const items = object ? pairsIn(object).flat() : list.map(parameterText);
  return `${encode(name)}=${items.map(how.encode).join(DELIMITERS.get(String(how.style)) ?? ',')}`;
}

/** Writes a list as `a,b`, and an object as `k,v` or, with explode, as `k=v`. */
function simpleText(value: unknown, explode: boolean, encoded: (text: string) => string): string {
  if (isList(value)) return value.map((item) => encoded(parameterText(item))).join(',');
  if (!isRecord(value)) return encoded(parameterText(value));
  return pairsIn(value)
    .map((pair) => pair.map(encoded).join(explode ? '=' : ','))
    .join(',');
}

/** Serializes a path parameter: as `a,b`, as `.a,b` in label style, or as `;ids=a,b` in matrix style. */
export function pathText(parameter: JsonObject, value: unknown): string {
  const name = encode(String(parameter.name));
  const { style, explode } = styleOf(parameter, 'simple');
  if (isPlain(parameter, value) && style !== 'label' && style !== 'matrix') return encode(parameterText(value));
  const text = simpleText(value, explode === true, encode);
  if (style === 'label') return `.${explode === true ? text.replaceAll(',', '.') : text}`;
  if (style !== 'matrix') return text;
  if (explode !== true || typeof value !== 'object') return `;${name}=${text}`;
  return text
    .split(',')
    .map((item) => (isList(value) ? `;${name}=${item}` : `;${item}`))
    .join('');
}

/** Percent-encodes everything in a header value except visible ASCII characters and spaces between them. */
const headerSafe = (text: string): string =>
  wellFormed(text)
    .replace(/[^\x20-\x7e]/gu, encodeURIComponent)
    .replace(/^ +| +$/g, (spaces) => '%20'.repeat(spaces.length));

export const headerText = (parameter: JsonObject, value: unknown): string =>
  headerSafe(
    isPlain(parameter, value)
      ? parameterText(value)
      : simpleText(value, styleOf(parameter, 'simple').explode === true, (text) => text),
  );

export const isToken = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

const cookieSafe = (text: string): string => wellFormed(text).replace(/[^\x21-\x7e]|[",;\\]/gu, encodeURIComponent);

/** Serializes a cookie parameter, such as `a=1; b=2`. */
export function cookieText(parameter: JsonObject, value: unknown): string {
  const name = String(parameter.name);
  if (isPlain(parameter, value)) return `${name}=${cookieSafe(parameterText(value))}`;
  const { explode } = styleOf(parameter, 'form');
  if (explode !== true) return `${name}=${simpleText(value, false, cookieSafe)}`;
  const pairs = isRecord(value) ? pairsIn(value) : repeat(name, isList(value) ? value : []);
  return pairs.map(([key, item]) => `${cookieSafe(key)}=${cookieSafe(item)}`).join('; ');
}

/** Returns the fields of a form. A list becomes one field for each item, unless the form's encoding differs. */
export const formPairs = (value: unknown, encoding: JsonObject = {}): readonly Pair[] =>
  Object.entries(fieldsOf(value)).flatMap(([name, item]) => {
    const own = encoding[name];
    if (isRecord(own) && own.style === 'deepObject') return deepPairs(name, item);
    if (isRecord(own) && own.explode === false && isList(item))
      return [[name, item.map(parameterText).join(',')] as const];
    return repeat(name, isList(item) ? item : [item]);
  });
