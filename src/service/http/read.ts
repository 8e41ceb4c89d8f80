/** Reads the input fields of an operation from a request. Throws a Refusal that names the field if it is invalid. */
import type { Field, Operation } from '../../operations/operation.ts';
import { readAll } from '../../request/http.ts';
import { Refusal } from '../refusal.ts';
import { isRecord, type JsonObject, parseTime } from './fields.ts';
import { type ParsedForm, readForm } from './form.ts';
import { JSON_LIMIT, parseBodyJson } from './json.ts';

/** A request with decoded path parameters. Its query and body are not decoded yet. */
export interface RoutedRequest {
  readonly method: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** `done` deletes the temporary files. Call it once the response is ready. */
export async function readRequestInput(operation: Operation, incoming: RoutedRequest) {
  const fields = Object.entries(operation.input);
  const has = (...places: readonly Field['in'][]) => fields.some(([, field]) => places.includes(field.in));
  const query = readQuery(incoming.query);
  const simple = fields.map(([name, field]) => [name, simpleValue(name, field, incoming, query)] as const);
  // Check these fields first, so that the body of a refused request is not read.
  for (const [name, value] of simple) if (isSimple(operation.input[name])) checkGiven(name, operation, value);

  const form = has('part') ? await readForm(operation.input, incoming.headers['content-type'], incoming.body) : noForm;
  try {
    const json = has('body', 'member') ? await readJson(incoming.body) : undefined;
    const bodied = fields.map(([name, field]) => [name, bodyValue(name, field, json, form)] as const);
    const values = [...simple, ...bodied].filter(([, value]) => value !== undefined);
    const input: JsonObject = { ...(has('member') ? undeclared(operation, json) : {}), ...Object.fromEntries(values) };
    for (const [name] of fields) checkGiven(name, operation, input[name]);
    return { input, done: form.done };
  } catch (error) {
    await form.done();
    throw error;
  }
}

/** Returns the fields that are not in the API document. They are stored and returned like all other fields. */
const undeclared = ({ input }: Operation, json: unknown): JsonObject =>
  isRecord(json) ? Object.fromEntries(Object.entries(json).filter(([name]) => !Object.hasOwn(input, name))) : {};

const noForm: ParsedForm = { values: {}, done: async () => {} };

const isSimple = (field: Field | undefined): boolean =>
  field?.in === 'path' || field?.in === 'query' || field?.in === 'header';

function checkGiven(name: string, operation: Operation, value: unknown): void {
  const field = operation.input[name];
  if (field?.required && (value === undefined || value === '')) throw new Refusal(400, `${name} is required`);
  if (field?.oneOf && value !== undefined && !field.oneOf.includes(String(value)))
    throw new Refusal(400, `${name} must be one of ${field.oneOf.join(', ')}`);
}

type Pairs = readonly (readonly [name: string, value: string])[];

function readQuery(query: string): Pairs {
  const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      try {
        return [decode(name), decode(value)];
      } catch {
        throw new Refusal(400, `invalid percent-encoding in the query: ${pair}`);
      }
    });
}

function simpleValue(name: string, field: Field, { path, headers }: RoutedRequest, query: Pairs): unknown {
  if (field.in === 'path') return path[name];
  if (field.in === 'header') return headers[name.toLowerCase()];
  if (field.in !== 'query') return undefined;
  const values = query.filter(([key]) => key === name).map(([, value]) => value);
  if (values.length === 0) return undefined;
  if (field.kind === 'json') return values.flatMap((value) => methodPaths(name, value));
  if (field.many) return values.map((value) => queryValue(name, field, value));
  if (values.length > 1) throw new Refusal(400, `${name} was given ${values.length} times`);
  return queryValue(name, field, values[0] ?? '');
}

function queryValue(name: string, { kind }: Field, value: string): unknown {
  if (kind === 'integer') {
    if (/^-?\d+$/.test(value) && Number.isSafeInteger(Number(value))) return Number(value);
    throw new Refusal(400, `${name} must be an integer`);
  }
  if (kind === 'boolean') {
    if (value === 'true' || value === 'false') return value === 'true';
    throw new Refusal(400, `${name} must be true or false`);
  }
  if (kind === 'datetime' && Number.isNaN(parseTime(value)))
    throw new Refusal(400, `${name} must be an RFC 3339 date and time`);
  return value;
}

/** Accepts a JSON array, or the format that some clients send for each element: `method,get,path,/pets`. */
function methodPaths(name: string, value: string): readonly unknown[] {
  const flat = /^method,([^,]*),path,(.*)$/.exec(value);
  if (flat) return [{ method: flat[1], path: flat[2] }];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    throw new Refusal(400, `${name} must be a JSON array of objects with method and path`);
  }
}

/** Returns undefined if the body is empty. */
async function readJson(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  const bytes = await readAll(body, JSON_LIMIT);
  if (!bytes) throw new Refusal(413, `the body is larger than ${JSON_LIMIT / 2 ** 20} MiB`);
  return bytes.byteLength === 0 ? undefined : parseBodyJson(bytes, 'the body');
}

function bodyValue(name: string, field: Field, json: unknown, form: ParsedForm): unknown {
  if (field.in === 'part') return form.values[name];
  if (field.in === 'body') return json;
  if (field.in !== 'member' || json === undefined) return undefined;
  if (!isRecord(json)) throw new Refusal(400, 'the body must be a JSON object');
  const value = json[name] ?? undefined;
  if (value === undefined || field.kind === 'json') return value;
  const type = field.kind === 'boolean' ? 'boolean' : field.kind === 'integer' ? 'number' : 'string';
  if (typeof value === type && (type !== 'number' || Number.isInteger(value))) return value;
  throw new Refusal(400, `${name} must be ${field.kind === 'integer' ? 'an integer' : `a ${type}`}`);
}
