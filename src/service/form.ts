/** The parts of a form as values: files are kept in a folder of the disk until the answer is given. */
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Field, FileValue } from '../operations/operation.ts';
import { readAll } from '../request/http.ts';
import { Refusal } from './handler.ts';
import type { Members } from './members.ts';
import { boundaryOf, type FormPart, formParts } from './multipart.ts';

/** The most that is read of a part that is no file. */
const TEXT_LIMIT = 16 * 1024 * 1024;
const PARTS_LIMIT = 10_000;

export interface Form {
  readonly values: Members;
  readonly done: () => Promise<void>;
}

type Fields = Readonly<Record<string, Field>>;

export async function readForm(
  fields: Fields,
  contentType: string | undefined,
  body: AsyncIterable<Uint8Array>,
): Promise<Form> {
  const boundary = boundaryOf(contentType);
  const folder = await mkdtemp(join(tmpdir(), 'dtp-form-'));
  const done = () => rm(folder, { recursive: true, force: true });
  try {
    return { values: await readParts(fields, formParts(body, boundary), folder), done };
  } catch (error) {
    await done();
    throw error;
  }
}

async function readParts(fields: Fields, parts: AsyncIterable<FormPart>, folder: string): Promise<Members> {
  const texts = new Map<string, string[]>();
  const files = new Map<string, FileValue>();
  let count = 0;
  for await (const part of parts) {
    if (++count > PARTS_LIMIT) throw new Refusal(413, `the form has more than ${PARTS_LIMIT} parts`);
    const name = nameOf(fields, part.name);
    const field = fields[name];
    if (field?.in !== 'part') continue;
    if (!field.many && (texts.has(name) || files.has(name)))
      throw new Refusal(400, `${name} was given twice`);
    if (field.kind === 'file') files.set(name, await keep(part, join(folder, String(count))));
    else texts.set(name, [...(texts.get(name) ?? []), await readText(name, part)]);
  }
  const values = [...texts].map(([name, given]) => [name, partValue(name, fields[name], given)] as const);
  return Object.fromEntries<unknown>([...values, ...files]);
}

/** Known clients name the elements of an array `operation_ids[]`. */
const nameOf = (fields: Fields, name: string): string =>
  name.endsWith('[]') && fields[name.slice(0, -2)]?.many ? name.slice(0, -2) : name;

async function readText(name: string, part: FormPart): Promise<string> {
  const bytes = await readAll(part.body, TEXT_LIMIT);
  if (!bytes) throw new Refusal(413, `${name} is larger than ${TEXT_LIMIT} bytes`);
  return Buffer.from(bytes).toString('utf8');
}

async function keep(part: FormPart, path: string): Promise<FileValue> {
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    for await (const chunk of part.body) {
      await file.writeFile(chunk);
      size += chunk.byteLength;
    }
  } finally {
    await file.close();
  }
  return { name: part.filename ?? '', size, open: () => createReadStream(path) };
}

function partValue(name: string, field: Field | undefined, given: readonly string[]): unknown {
  const [first = ''] = given;
  // Known clients put all the elements into one part.
  if (field?.many) return given.length === 1 ? first.split(',').filter((item) => item !== '') : given;
  if (field?.kind !== 'json') return first;
  try {
    return JSON.parse(first);
  } catch (error) {
    throw new Refusal(400, `${name} is no valid JSON: ${(error as Error).message}`);
  }
}
