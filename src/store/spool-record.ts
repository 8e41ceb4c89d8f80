/** A kept batch as a file: a line of JSON that says what it is, then the body, byte for byte as it is sent. */

import { createHash, webcrypto } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fieldsOf, type JsonObject } from '../json-object.ts';
import { syncFolder } from './files.ts';

/** What the first line says, beside the body's size and digest and a digest of the line. `created_at` is RFC 3339. */
export interface Head {
  readonly base: string;
  readonly workspace: string;
  readonly events: number;
  readonly created_at: string;
}

const isHead = (said: JsonObject): said is JsonObject & Head =>
  typeof said.base === 'string' &&
  typeof said.workspace === 'string' &&
  typeof said.events === 'number' &&
  typeof said.created_at === 'string';

/** Bytes of a first line: a base URL, a workspace and a few numbers. */
const HEAD_LIMIT = 16 * 1024;

/** Bytes of a first line beside the base URL and the workspace: the names of its fields, numbers and two digests. */
const REST = 1024;

/** Whether a first line has room for a destination: one that is longer could not be read again. */
export const hasRoomFor = (to: Pick<Head, 'base' | 'workspace'>): boolean =>
  Buffer.byteLength(JSON.stringify(to)) <= HEAD_LIMIT - REST;

const NEWLINE = 10;

/** Off the main thread, which has events to read meanwhile. */
const digestOf = async (body: Uint8Array): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', body)).toString('hex');

/** So that a batch whose first line was damaged goes nowhere, and not elsewhere. */
const checkOf = (said: object) => createHash('sha256').update(JSON.stringify(said)).digest('hex');

/**
 * Beside its place first, and on the disk before it takes its name; it is there when this returns, and not there when it
 * throws what the file system does. With `replace` one that is there already stands until then.
 */
export async function writeRecord(
  path: string,
  head: Head,
  body: Uint8Array,
  replace = false,
): Promise<void> {
  const said = { ...head, bytes: body.byteLength, sha256: await digestOf(body) };
  const line = JSON.stringify({ ...said, check: checkOf(said) });
  const beside = join(dirname(path), `.dtp-${basename(path, '.batch')}`);
  // A process that was killed may have left what it began to write.
  const file = await open(beside, replace ? 'w' : 'wx', 0o600);
  try {
    try {
      // Not writev, which may take a part and call that done.
      for (const part of [Buffer.from(`${line}\n`), body]) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
    // What is replaced is there either way: a power cut may undo it, and nothing is lost by that.
    const synced = syncFolder(dirname(path));
    await (replace ? synced.catch(() => undefined) : synced);
  } catch (error) {
    for (const one of replace ? [beside] : [beside, path]) await rm(one, { force: true });
    throw error;
  }
}

/** The first line alone; undefined where it is none of ours, or damaged. Throws what the file system does. */
export async function readHead(path: string): Promise<Head | undefined> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_LIMIT), 0, HEAD_LIMIT, 0);
    return parseHead(buffer.subarray(0, bytesRead))?.head;
  } finally {
    await file.close();
  }
}

/** The body, where all of it is there and unchanged. Throws what the file system does. */
export async function readBody(path: string): Promise<Uint8Array | undefined> {
  const bytes = await readFile(path);
  const found = parseHead(bytes);
  if (!found) return undefined;
  const body = bytes.subarray(found.length + 1);
  return body.byteLength === found.bytes && (await digestOf(body)) === found.sha256 ? body : undefined;
}

function parseHead(bytes: Uint8Array) {
  const length = bytes.indexOf(NEWLINE);
  if (length < 0) return undefined;
  try {
    const { check, ...said } = fieldsOf(JSON.parse(Buffer.from(bytes.subarray(0, length)).toString()));
    if (check !== checkOf(said)) return undefined;
    const { bytes: size, sha256, ...head } = said;
    return isHead(head) && typeof size === 'number' && typeof sha256 === 'string'
      ? { head, bytes: size, sha256, length }
      : undefined;
  } catch {
    return undefined;
  }
}
