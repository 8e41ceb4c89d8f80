/** Data of which a workspace has very much, written with one statement each, and bodies that are very large. */
import type { Store } from '../../src/service/data/store.ts';
import { WORKSPACE } from '../../src/service/schema/events.ts';

const numbers = (count: number) =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

interface Events {
  readonly count: number;
  /** How many characters each has besides its other fields. */
  readonly size: number;
  /** Their execution id, and the start of their ids. */
  readonly run: string;
}

export function addEvents(store: Store, workspace: string, { count, size, run }: Events): void {
  store.run(
    `INSERT INTO events (workspace, id, created_at, execution_id, record) ${numbers(count)}
      SELECT ${WORKSPACE}, ?2 || '-' || i, 1700000000000 + i, ?2,
        json_object('id', ?2 || '-' || i, 'workspace_id', ?1, 'created_at', '2023-11-14T22:13:20.000Z',
          'execution_id', ?2, 'error', printf('%.*c', ${size}, 'x')) FROM n`,
    workspace,
    run,
  );
}

export const MIB = 2 ** 20;

/** A JSON array of events that is as large as this. All have the same ids each time. */
export function eventsOf(bytes: number): Buffer {
  const error = 'x'.repeat(60_000);
  const one = (at: number) => JSON.stringify({ id: `large-${at}`, error });
  const count = Math.floor(bytes / (one(0).length + 4));
  return Buffer.from(`[${Array.from({ length: count }, (_, at) => one(at)).join(',')}]`);
}

const boundary = 'dtp-boundary';
export const formHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` };

const partOf = (name: string, more = '') =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;

/** A form with these fields, which may be the same, and a file. */
export function formOf(fields: readonly (readonly [string, string])[], [name, content]: readonly [string, string]) {
  const texts = fields.map(([field, text]) => `${partOf(field)}${text}\r\n`);
  return Buffer.from(`${texts.join('')}${partOf(name, '; filename="f"')}${content}\r\n--${boundary}--\r\n`);
}

/** A form with one field, `count` times, each time with as many bytes as this. */
export function* repeated(name: string, count: number, bytes: number): Iterable<Uint8Array> {
  const piece = Buffer.alloc(MIB, 'x');
  for (let number = 0; number < count; number++) {
    yield Buffer.from(partOf(name));
    for (let left = bytes; left > 0; left -= MIB) yield piece.subarray(0, Math.min(left, MIB));
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

/** An API document that is as large as this, of which most is one description. */
export const documentOf = (bytes: number): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1.0.0', description: 'x'.repeat(bytes) },
    paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'OK' } } } } },
  });
