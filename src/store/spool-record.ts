/** Reads and writes the file of a queued batch: a line of JSON that describes it, then the request body unchanged. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { attempt, ignoring, systemCode } from '../caught.ts';
import { fieldsOf, type JsonObject } from '../json-object.ts';
import { exposureOf, SAFE_READ } from '../system/owner.ts';
import { suffix, syncFolder } from './files.ts';
import { rename } from './rename.ts';
import { writeGroup } from './write-behind.ts';

/**
 * The fields of the first line that describe the batch. The line also has the size and digest of the body, and its
 * own digest. `created_at` is RFC 3339.
 */
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

/** The maximum size of a first line in bytes. */
const HEAD_LIMIT = 16 * 1024;

/** The space in a first line for everything except the base URL and the workspace, in bytes. */
const REST = 1024;

/** Whether the destination fits in a first line. A line over the limit could not be read again. */
export const hasRoomFor = (to: Pick<Head, 'base' | 'workspace'>): boolean =>
  Buffer.byteLength(JSON.stringify(to)) <= HEAD_LIMIT - REST;

const NEWLINE = 10;

/** Runs on this thread, because another thread would need a copy of the body, which takes as long as the digest. */
const digestOf = (body: string | Uint8Array): string => createHash('sha256').update(body).digest('hex');

/** Detects a damaged first line, which might otherwise send the batch to the wrong service. */
const checkOf = (said: object) => digestOf(JSON.stringify(said));

/** A record that is on the disk under a temporary name. */
export type Draft = Awaited<ReturnType<typeof writeDraft>>;

/**
 * Writes a record under a temporary name and syncs it. If that fails, deletes the temporary file and throws the file
 * system error. With `replace`, an existing record stays in place until the draft is shown.
 */
export async function writeDraft(path: string, head: Head, body: Uint8Array, replace = false) {
  const said = { ...head, bytes: body.byteLength, sha256: digestOf(body) };
  const line = Buffer.from(`${JSON.stringify({ ...said, check: checkOf(said) })}\n`);
  const beside = join(dirname(path), `.dtp-${suffix()}`);
  /** Deletes the record. With `replace`, only deletes the temporary file. */
  const drop = async () => {
    for (const one of replace ? [beside] : [beside, path]) await rm(one, { force: true });
  };
  const file = await open(beside, 'wx', 0o600);
  await writeGroup(file, [line, body], line.byteLength + body.byteLength)
    .then(() => file.sync())
    .finally(() => file.close())
    .catch((error: unknown) => drop().then(() => Promise.reject(error)));
  /** Renames the record to its final name. A power failure may undo this until the folder is synced. */
  const show = () => rename(beside, path);
  return { show, drop };
}

/**
 * Writes a new record, or replaces an existing one. Throws file system errors. If a new record cannot be written, no
 * file is left. If an existing record cannot be replaced, it stays unchanged.
 */
export async function writeRecord(path: string, head: Head, body: Uint8Array, replace = false): Promise<void> {
  const draft = await writeDraft(path, head, body, replace);
  try {
    await draft.show();
    // With `replace`, ignore a failed sync. At worst, a power failure restores the old batch, and no events are lost.
    const synced = syncFolder(dirname(path));
    await (replace ? synced.catch(() => undefined) : synced);
  } catch (error) {
    await draft.drop();
    throw error;
  }
}

/**
 * Reads only the first line. Undefined if it is damaged or in another format, or if the path is not a file of the user
 * `uid` or root. Throws file system errors.
 */
export const readHead = (path: string, uid?: number): Promise<Head | undefined> =>
  useRecord(path, uid, async (_, found) => found.head);

/** Reads the body. Undefined if the file is incomplete or damaged. Throws file system errors. */
export const readBody = (path: string, uid?: number): Promise<Uint8Array | undefined> =>
  useRecord(path, uid, async (file, { length, bytes, sha256, size }) => {
    // Check the size first, because a damaged file may be too large for the memory.
    if (size !== length + 1 + bytes) return undefined;
    const body = (await file.readFile()).subarray(length + 1);
    return digestOf(body) === sha256 ? body : undefined;
  });

/** Opens a record without waiting for a pipe. Returns undefined for anything but a record of the user or root. */
async function useRecord<T>(
  path: string,
  uid: number | undefined,
  use: (file: FileHandle, found: NonNullable<ReturnType<typeof parseHead>> & { size: number }) => Promise<T>,
): Promise<T | undefined> {
  const isLinkOrSocket = (error: unknown) => ['ELOOP', 'ENXIO'].includes(systemCode(error) ?? '');
  const file = await open(path, SAFE_READ).catch(ignoring(isLinkOrSocket));
  try {
    const found = await file?.stat();
    if (!file || !found?.isFile() || exposureOf(found, uid) === 'foreign') return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_LIMIT), 0, HEAD_LIMIT, 0);
    const head = parseHead(buffer.subarray(0, bytesRead));
    return head && (await use(file, { ...head, size: found.size }));
  } finally {
    await file?.close();
  }
}

function parseHead(bytes: Uint8Array) {
  const length = bytes.indexOf(NEWLINE);
  if (length < 0) return undefined;
  return attempt(() => {
    const { check, ...said } = fieldsOf(JSON.parse(Buffer.from(bytes.subarray(0, length)).toString()));
    if (check !== checkOf(said)) return undefined;
    const { bytes: size, sha256, ...head } = said;
    return isHead(head) && typeof size === 'number' && typeof sha256 === 'string'
      ? { head, bytes: size, sha256, length }
      : undefined;
  }, undefined);
}
