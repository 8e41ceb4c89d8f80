/** Reads the parts of a multipart form as values. Files stay on the disk until the response is ready. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Field, FileValue } from '../../operations/operation.ts';
import { readAll } from '../../request/http.ts';
import { Refusal } from '../refusal.ts';
import type { JsonObject } from './fields.ts';
import { parseBodyJson } from './json.ts';
import { boundaryOf, type FormPart, formParts } from './multipart.ts';

/** The largest part that is not a file, in bytes. */
const TEXT_LIMIT = 16 * 1024 * 1024;
const PARTS_LIMIT = 10_000;

const PIECE = 64 * 1024;

export interface ParsedForm {
  readonly values: JsonObject;
  readonly done: () => Promise<unknown>;
}

type Fields = Readonly<Record<string, Field>>;

export async function readForm(fields: Fields, contentType: string | undefined, body: AsyncIterable<Uint8Array>) {
  const boundary = boundaryOf(contentType);
  const openFiles: FileHandle[] = [];
  const done = () => Promise.all(openFiles.map((file) => file.close()));
  try {
    return { values: await readParts(fields, formParts(body, boundary), openFiles), done };
  } catch (error) {
    await done();
    throw error;
  }
}

async function readParts(fields: Fields, parts: AsyncIterable<FormPart>, openFiles: FileHandle[]): Promise<JsonObject> {
  const texts = new Map<string, string[]>();
  const files = new Map<string, FileValue>();
  let count = 0;
  for await (const part of parts) {
    if (++count > PARTS_LIMIT) throw new Refusal(413, `the form has more than ${PARTS_LIMIT} parts`);
    const name = nameOf(fields, part.name);
    const field = fieldOf(fields, name);
    if (field?.in !== 'part') continue;
    if (!field.many && (texts.has(name) || files.has(name))) throw new Refusal(400, `${name} was given twice`);
    if (field.kind === 'file') files.set(name, await saveFile(part, openFiles));
    else texts.set(name, [...(texts.get(name) ?? []), await readText(name, part)]);
  }
  const values = [...texts].map(([name, given]) => [name, partValue(name, fieldOf(fields, name), given)] as const);
  return Object.fromEntries<unknown>([...values, ...files]);
}

const fieldOf = (fields: Fields, name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** Some clients name the elements of an array `operation_ids[]`. */
const nameOf = (fields: Fields, name: string): string =>
  name.endsWith('[]') && fieldOf(fields, name.slice(0, -2))?.many ? name.slice(0, -2) : name;

async function readText(name: string, part: FormPart): Promise<string> {
  const bytes = await readAll(part.body, TEXT_LIMIT);
  if (!bytes) throw new Refusal(413, `${name} is larger than ${TEXT_LIMIT} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Replacement characters would make different inputs look the same.
    throw new Refusal(400, `${name} is not valid UTF-8`);
  }
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
  if (field?.many) return given.length === 1 ? first.split(',').filter((item) => item !== '') : given;
  return field?.kind === 'json' ? parseBodyJson(Buffer.from(first), name) : first;
}
