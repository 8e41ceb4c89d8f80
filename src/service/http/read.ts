/** Reads the input fields of an operation from a request. Throws a Refusal that names the field if it is invalid. */
import { isAscii } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orThrow } from '../../caught.ts';
import type { Field, FileValue, Operation } from '../../operations/operation.ts';
import { readAll } from '../../request/http.ts';
import { Refusal } from '../refusal.ts';
import type { Share } from '../shares.ts';
import { isRecord, type JsonObject, parseTime } from './fields.ts';
import { parseBodyJson, partsOfBody } from './json.ts';
import { boundaryOf, type FormPart, formParts } from './multipart.ts';

/** A request with decoded path parameters. Its query and body are not decoded yet. */
export interface RoutedRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  readonly share: Share;
}

/** `done` deletes the temporary files. Call it once the response is ready. */
export async function readRequestInput(operation: Operation, incoming: RoutedRequest) {
  const fields = Object.entries(operation.input);
  const has = (...places: readonly Field['in'][]) => fields.some(([, field]) => places.includes(field.in));
  const query = readQuery(incoming.query);
  const simple = fields
    .filter(([, { in: place }]) => place === 'path' || place === 'query' || place === 'header')
    .map(([name, field]) => [name, simpleValue(name, field, incoming, query)] as const);
  // Check these fields first, so that the body of a refused request is not read.
  for (const [name, value] of simple) checkGiven(name, operation, value);

  const openFiles: FileHandle[] = [];
  const done = () => Promise.all(openFiles.map((file) => file.close()));
  try {
    const form = has('part') ? await readForm(operation, incoming, openFiles) : {};
    const json = has('body', 'member') ? await readJson(operation, incoming) : undefined;
    const bodied = fields.map(([name, field]) => [name, bodyValue(name, field, json, form)] as const);
    const values = [...simple, ...bodied].filter(([, value]) => value !== undefined);
    const input: JsonObject = { ...(has('member') ? undeclared(operation, json) : {}), ...Object.fromEntries(values) };
    for (const [name] of fields) checkGiven(name, operation, input[name]);
    return { input, done };
  } catch (error) {
    await done();
    throw error;
  }
}

/** Returns the fields that are not in the API document. They are stored and returned like all other fields. */
const undeclared = ({ input }: Operation, json: unknown): JsonObject =>
  isRecord(json) ? Object.fromEntries(Object.entries(json).filter(([name]) => !Object.hasOwn(input, name))) : {};

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
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const wrong = () => new Refusal(400, `invalid percent-encoding in the query: ${pair}`);
      return orThrow(() => [decode(name), decode(value)] as const, wrong);
    });
}

function simpleValue(name: string, field: Field, { path, headers }: RoutedRequest, query: Pairs): unknown {
  if (field.in === 'path') return path[name];
  if (field.in === 'header') return headers[name.toLowerCase()];
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

const LIMIT = { bytes: 16 * 2 ** 20, text: '16 MiB' };

/** For what is stored as a record: lists have many records, and some are read for each request. */
const RECORD_LIMIT = { bytes: 128 * 2 ** 10, text: '128 KiB' };

/** Returns how large the JSON body of an operation may be, or its form besides the files. */
const limitOf = ({ effect, input }: Operation) =>
  effect === 'read' || Object.values(input).some(({ many, document }) => many || document) ? LIMIT : RECORD_LIMIT;

/** Returns undefined if the body is empty, and a function if it is a list of any length (see `JsonParts`). */
async function readJson(operation: Operation, { body, share }: RoutedRequest): Promise<unknown> {
  const most = limitOf(operation);
  const bytes = await readAll(share.holding(body), most.bytes);
  if (!bytes) throw new Refusal(413, `the body is larger than ${most.text}`);
  if (bytes.byteLength === 0) return undefined;
  await share.turn();
  const isList = Object.values(operation.input).some((field) => field.in === 'body' && field.many);
  const parts = isList ? partsOfBody(bytes) : undefined;
  if (parts) return parts;
  share.hold(moreThan(bytes));
  return parseBodyJson(bytes, 'the body');
}

/** Returns how much more memory a string takes than its bytes. If it is not ASCII, a character may take two bytes. */
const moreThan = (bytes: Uint8Array): number => (isAscii(bytes) ? 0 : bytes.byteLength);

function bodyValue(name: string, field: Field, json: unknown, form: JsonObject): unknown {
  if (field.in === 'part') return form[name];
  if (field.in === 'body') return json;
  if (field.in !== 'member' || json === undefined) return undefined;
  if (!isRecord(json)) throw new Refusal(400, 'the body must be a JSON object');
  const value = json[name] ?? undefined;
  if (value === undefined || field.kind === 'json') return value;
  const type = field.kind === 'boolean' ? 'boolean' : field.kind === 'integer' ? 'number' : 'string';
  if (typeof value === type && (type !== 'number' || Number.isInteger(value))) return value;
  throw new Refusal(400, `${name} must be ${field.kind === 'integer' ? 'an integer' : `a ${type}`}`);
}

const PARTS_LIMIT = 10_000;

const PIECE = 64 * 1024;

type Fields = Readonly<Record<string, Field>>;

async function readForm(
  operation: Operation,
  { headers, body, share }: RoutedRequest,
  openFiles: FileHandle[],
): Promise<JsonObject> {
  const texts = new Map<string, string[]>();
  const files = new Map<string, FileValue>();
  let count = 0;
  const { input: fields } = operation;
  const most = limitOf(operation);
  let left = most.bytes;
  for await (const part of formParts(body, boundaryOf(headers['content-type']))) {
    if (++count > PARTS_LIMIT) throw new Refusal(413, `the form has more than ${PARTS_LIMIT} parts`);
    const name = nameOf(fields, part.name);
    const field = fieldOf(fields, name);
    if (field?.in !== 'part') continue;
    if (!field.many && (texts.has(name) || files.has(name))) throw new Refusal(400, `${name} was given twice`);
    if (field.kind === 'file') files.set(name, await saveFile(part, openFiles));
    else {
      const bytes = await readAll(share.holding(part.body), left);
      if (!bytes) throw new Refusal(413, `${name} is too large: the form may have ${most.text} besides files`);
      left -= bytes.byteLength;
      share.hold(moreThan(bytes));
      texts.set(name, [...(texts.get(name) ?? []), textOf(name, bytes)]);
    }
  }
  await share.turn();
  const values = [...texts].map(([name, given]) => [name, partValue(name, fieldOf(fields, name), given)] as const);
  return Object.fromEntries<unknown>([...values, ...files]);
}

const fieldOf = (fields: Fields, name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** Some clients name the elements of an array `operation_ids[]`. */
const nameOf = (fields: Fields, name: string): string =>
  name.endsWith('[]') && fieldOf(fields, name.slice(0, -2))?.many ? name.slice(0, -2) : name;

function textOf(name: string, bytes: Uint8Array): string {
  // Replacement characters would make different inputs look the same.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const wrong = () => new Refusal(400, `${name} is not valid UTF-8`);
  return orThrow(() => decoder.decode(bytes), wrong);
}

async function saveFile(part: FormPart, openFiles: FileHandle[]): Promise<FileValue> {
  const path = join(tmpdir(), `dtp-form-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  openFiles.push(file);
  // The file is unlinked while it is open, so that a killed process does not leave it on the disk.
  await unlink(path);
  let size = 0;
  for await (const chunk of part.body) {
    await file.writeFile(chunk);
    size += chunk.byteLength;
  }
  return { name: part.filename ?? '', size, open: () => piecesOf(file) };
}

async function* piecesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE), 0, PIECE, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function partValue(name: string, field: Field | undefined, given: readonly string[]): unknown {
  const [first = ''] = given;
  // Some clients put all elements into one part, separated by commas.
  const list = field?.many && given.length === 1 ? first.split(',', PARTS_LIMIT + 1) : undefined;
  if (list && list.length > PARTS_LIMIT) throw new Refusal(413, `${name} has more than ${PARTS_LIMIT} elements`);
  if (field?.many) return list?.filter((item) => item !== '') ?? given;
  return field?.kind === 'json' ? parseBodyJson(Buffer.from(first), name) : first;
}
