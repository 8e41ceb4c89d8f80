/** Input → HttpRequest. */
import { fieldsOf } from '../json-object.ts';
import { type Field, type Input, isFile, type Operation } from '../operations/operation.ts';
import { findTemplate, isParameter } from '../operations/paths.ts';
import { inWords, type Words } from '../operations/words.ts';
import { type Body, type HttpRequest, headerValue } from './http.ts';
import { multipart, type Part } from './multipart.ts';
import { pathOf, queryOf, urlOf } from './url.ts';

/** Where requests go: the base address without a slash at its end, and the words of the deployment there. */
export interface Target {
  readonly base: string;
  readonly words: Words;
}

/**
 * The request of an operation. `boundary` makes what separates the parts of a form. Throws `usage` for a path value or a header
 * value that cannot be sent. The credential is not in it: transport adds that last.
 */
export function buildRequest(
  operation: Operation,
  input: Input,
  target: Target,
  boundary: () => string = () => '',
): HttpRequest {
  const fields = Object.entries(operation.input).filter(([name]) => input[name] !== undefined);
  const at = (place: Field['in']) => fields.filter(([, field]) => field.in === place);
  const wire = wireOf(operation, target.words);

  const path = pathOf(wire.path, input);
  const pairs = at('query').flatMap(([name, field]) =>
    queryValues(field, input[name]).map((value) => [wire.nameOf(name), value] as const),
  );
  const given = at('header').map(
    ([name]) => [name.toLowerCase(), headerValue(name, String(input[name]))] as const,
  );
  const headers = { accept: accepts[operation.result], ...Object.fromEntries(given) };

  const request = { method: operation.method, url: urlOf(target.base, path, queryOf(pairs)) };
  const body = bodyOf(operation, input, boundary);
  if (!body) return { ...request, headers };
  // What the user says of a body stands.
  return { ...request, headers: { 'content-type': body.type, ...headers }, body: body.body };
}

const accepts = {
  none: 'application/json',
  record: 'application/json',
  list: 'application/json',
  text: 'text/plain',
  bytes: '*/*',
} as const satisfies Record<Operation['result'], string>;

/**
 * The path template and the query names of an operation in a deployment's words (records.md, Wire words). The path of
 * `dtp api` is the user's own: only what it shares with an operation of the document is replaced, and no name in it.
 */
function wireOf(operation: Operation, words: Words) {
  const segments = operation.path.split('/');
  const template = findTemplate(segments);
  const known = operation.id === 'api' ? template?.operations.get(operation.method) : operation;
  return {
    path: segments
      .map((segment, at) => (isParameter(template?.segments[at] ?? '{') ? segment : inWords(segment, words)))
      .join('/'),
    nameOf: (name: string) => (known?.input[name]?.in === 'query' ? inWords(name, words) : name),
  };
}

/** Arrays are repeated names, save arrays of objects: one JSON array in one parameter (records.md, Wire form). */
function queryValues(field: Field, value: unknown): readonly string[] {
  if (field.kind === 'json') return [JSON.stringify(value)];
  return valuesOf(field, value).map(String);
}

/** One for a field that is not a list. */
const valuesOf = (field: Field, value: unknown): readonly unknown[] =>
  field.many && Array.isArray(value) ? value : [value];

function bodyOf(
  operation: Operation,
  input: Input,
  makeBoundary: () => string,
): { type: string; body: Body } | undefined {
  const fields = Object.entries(operation.input);
  if (fields.some(([, field]) => field.in === 'part')) {
    const parts = fields.flatMap(([name, field]) =>
      field.in === 'part' ? partsOf(name, field, input[name]) : [],
    );
    const boundary = makeBoundary();
    return { type: `multipart/form-data; boundary=${boundary}`, body: multipart(parts, boundary) };
  }
  const json = jsonBody(operation, input);
  return json === undefined
    ? undefined
    : { type: 'application/json', body: Buffer.from(JSON.stringify(json)) };
}

/** The JSON body: the whole one, or the members merged over what `body` gives; undefined where there is none. */
export function jsonBody(operation: Operation, input: Input): unknown {
  const members = Object.entries(operation.input).filter(([, field]) => field.in === 'member');
  if (members.length === 0) return input.body;
  const given = members.filter(([name]) => input[name] !== undefined).map(([name]) => [name, input[name]]);
  return { ...fieldsOf(input.body), ...Object.fromEntries(given) };
}

/** The parts of a field. Arrays are repeated parts of one name (records.md, Wire form). */
export function partsOf(name: string, field: Field, value: unknown): readonly Part[] {
  if (value === undefined) return [];
  if (field.kind === 'file' && isFile(value)) return [{ name, file: value }];
  if (field.kind === 'json') return [{ name, text: JSON.stringify(value) }];
  return valuesOf(field, value).map((one) => ({ name, text: String(one) }));
}
