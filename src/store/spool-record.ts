/** A kept batch as a file: a line of JSON that says what it is, then the body, byte for byte as it is sent. */
import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';

/** What the first line says. `created_at` is RFC 3339. */
export interface Head {
  readonly base: string;
  readonly workspace: string;
  readonly events: number;
  readonly created_at: string;
}

/** Longer than any first line: a base address, a workspace and a few numbers. */
const HEAD_LIMIT = 16 * 1024;

const NEWLINE = 10;

const digestOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex');

export function recordBytes(head: Head, body: Uint8Array): Uint8Array {
  const line = JSON.stringify({ ...head, bytes: body.byteLength, sha256: digestOf(body) });
  return Buffer.concat([Buffer.from(`${line}\n`), body]);
}

/** The first line alone; undefined where it is none of ours. Throws what the file system does. */
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
  return body.byteLength === found.bytes && digestOf(body) === found.sha256 ? body : undefined;
}

function parseHead(bytes: Uint8Array) {
  const length = bytes.indexOf(NEWLINE);
  if (length < 0) return undefined;
  try {
    const { bytes: size, sha256, ...head } = JSON.parse(Buffer.from(bytes.subarray(0, length)).toString());
    const { base, workspace, events, created_at } = head;
    const isHead =
      [base, workspace, created_at, sha256].every((text) => typeof text === 'string') &&
      [events, size].every(Number.isSafeInteger);
    return isHead
      ? { head: { base, workspace, events, created_at } as Head, bytes: Number(size), sha256, length }
      : undefined;
  } catch {
    return undefined;
  }
}
