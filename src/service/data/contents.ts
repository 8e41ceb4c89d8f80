/** Stores reports, documents and blobs of any size, split into rows of 1 MiB. */
import { randomUUID } from 'node:crypto';
import { passedOn } from '../../request/http.ts';
import { Refusal } from '../refusal.ts';
import { bytesIn } from './columns.ts';
import type { Store } from './store.ts';

/** The size of a row, in bytes. */
export const CHUNK = 1024 * 1024;

/** The largest document that is processed, in bytes. */
export const DOCUMENT_LIMIT = 64 * 1024 * 1024;

export const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString('latin1') === 'PK';

interface Watch {
  /** Called with each piece, for example to compute a digest. */
  readonly see?: ((piece: Uint8Array) => void) | undefined;
  /** Called before each row is written. It can throw an error to stop. */
  readonly check?: () => void;
}

/** Appends to a content and returns the number of new bytes. Throws Refusal if another request appends to it too. */
export async function appendContent(
  store: Store,
  id: string,
  bytes: AsyncIterable<Uint8Array>,
  { see = () => {}, check = () => {} }: Watch = {},
): Promise<number> {
  const last = store.get('SELECT max(position) AS position FROM chunks WHERE content_id = ?', id)?.position;
  let position = last === null || last === undefined ? 0 : Number(last) + 1;
  let [held, heldSize]: [Uint8Array[], number] = [[], 0];
  let size = 0;
  const write = () => {
    const row = Buffer.concat(held);
    store.transaction(() => {
      check();
      // The row exists if another request is appending too. The bytes of two requests must not mix.
      if (store.insert('chunks', { content_id: id, position: position++, bytes: row }, 'ignore') === 0)
        throw new Refusal(416, 'another request is appending to this upload');
    });
    [held, heldSize] = [[], 0];
  };
  for await (const piece of bytes) {
    see(piece);
    size += piece.byteLength;
    for (let from = 0; from < piece.byteLength; ) {
      const part = piece.subarray(from, from + CHUNK - heldSize);
      held.push(part);
      heldSize += part.byteLength;
      from += part.byteLength;
      if (heldSize === CHUNK) write();
    }
  }
  if (heldSize > 0) write();
  return size;
}

/** Stores a content under a new id. Stores nothing if reading `bytes` fails. */
export async function storeContent(store: Store, bytes: AsyncIterable<Uint8Array>, see?: (piece: Uint8Array) => void) {
  const id = randomUUID();
  try {
    return { id, size: await appendContent(store, id, bytes, { see }) };
  } catch (error) {
    dropContent(store, id);
    throw error;
  }
}

export const contentSize = (store: Store, id: string): number =>
  Number(store.get('SELECT sum(length(bytes)) AS size FROM chunks WHERE content_id = ?', id)?.size ?? 0);

export async function* readContent(store: Store, id: string): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position++) {
    const row = store.find('chunks', { content_id: id, position });
    if (!row) return;
    yield bytesIn(row.bytes);
  }
}

/** Reads `length` bytes, starting at the byte `first`. The whole range must be within the content. */
export async function* readRange(store: Store, id: string, first: number, length: number): AsyncGenerator<Uint8Array> {
  const sql = 'SELECT position, length(bytes) AS size FROM chunks WHERE content_id = ? ORDER BY position';
  let skip = first;
  let left = length;
  for (const { position, size } of store.all(sql, id)) {
    if (left === 0) return;
    const from = Math.min(skip, Number(size));
    skip -= from;
    if (from === size) continue;
    const row = store.find('chunks', { content_id: id, position: position ?? 0 });
    if (!row) return;
    const piece = bytesIn(row.bytes).subarray(from, from + left);
    yield piece;
    left -= piece.byteLength;
  }
}

/** Reads the first row of a content, up to 1 MiB. A small content that was stored at once has only this row. */
export function contentStart(store: Store, id: string): Buffer {
  const row = store.find('chunks', { content_id: id, position: 0 });
  return row ? Buffer.from(bytesIn(row.bytes)) : Buffer.alloc(0);
}

/** The most rows that are deleted at once, because SQLite then reads a part of each 4 KiB: 64 MiB take about 50 ms. */
const DROP = 64;
const LAST_ROWS = `DELETE FROM chunks
  WHERE content_id = ?1 AND position > (SELECT max(position) FROM chunks WHERE content_id = ?1) - ${DROP}`;

/**
 * Deletes the last 64 MiB of a content, and returns true if more may be left. The rest then is an upload from long ago,
 * so that every later upload deletes a part of it. Call in a transaction.
 */
export function dropContent(store: Store, id: string): boolean {
  const isLeft = store.run(LAST_ROWS, id) === DROP;
  if (isLeft) store.insert('uploads', { id, workspace_id: '', namespace: '', begun_at: '' }, 'replace');
  else store.delete('uploads', { id });
  return isLeft;
}

/** Deletes a part of an upload, and returns true if more may be left. */
export const dropUpload = (store: Store, id: string): boolean =>
  // If the upload was finished meanwhile, its content belongs to a blob.
  store.transaction(() => store.find('uploads', { id }) !== undefined && dropContent(store, id));

/** Passes a document on. Throws Refusal if it is larger than DOCUMENT_LIMIT. */
export function boundedDocument(bytes: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array> {
  let size = 0;
  const see = ({ byteLength }: Uint8Array) => {
    size += byteLength;
    if (size > DOCUMENT_LIMIT) throw new Refusal(413, `${name} is larger than ${DOCUMENT_LIMIT} bytes`);
  };
  return passedOn(bytes, { see });
}
