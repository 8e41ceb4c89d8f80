/** Data of which a workspace has very much, written with one statement each, and bodies that are very large. */
import { createHash } from 'node:crypto';
import type { Store } from '../../src/service/data/store.ts';
import { WORKSPACE } from '../../src/service/schema/events.ts';
import type { RoughClients } from './rough-clients.ts';

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

/** An API document with one operation, which may be any of these, and this description. */
export const documentOf = (description: string, number = 0): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1.0.0' },
    paths: { [`/pets${number}`]: { get: { operationId: `listPets${number}`, description, responses: {} } } },
  });

export const digestOf = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** A manifest with these layers. Others differ in their number. */
export const manifestOf = (layers: readonly object[], number = 0): Buffer =>
  Buffer.from(JSON.stringify({ schemaVersion: 2, annotations: { number: String(number) }, layers }));

export const manifestHeaders = { 'content-type': 'application/vnd.oci.image.manifest.v1+json' };
export const jsonHeaders = { 'content-type': 'application/json' };

/** The paths of a namespace of the first user. */
export const registry = (namespace: string): string => `/v2/local/default/${namespace}`;

/** Pushes a document, or any other content, as a revision of a namespace with the tag `v1`. Returns its digest. */
export async function push(
  { ask }: Pick<RoughClients, 'ask'>,
  namespace: string,
  content: Uint8Array,
): Promise<string> {
  const digest = digestOf(content);
  const blob = await ask('POST', `${registry(namespace)}/blobs/uploads/?digest=${digest}`, { body: content });
  const body = manifestOf([{ mediaType: 'application/octet-stream', digest }]);
  const manifest = await ask('PUT', `${registry(namespace)}/manifests/v1`, { headers: manifestHeaders, body });
  if (blob.status !== 201 || manifest.status !== 201) throw new Error(`cannot push: ${blob.start} ${manifest.start}`);
  return digestOf(body);
}

/** Adds rows to a table. The columns are SQL of `i`, the number of a row, and of the workspace ?1. */
export function addRows(store: Store, table: string, columns: Readonly<Record<string, string>>, count: number): void {
  const [names, values] = [Object.keys(columns).join(', '), Object.values(columns).join(', ')];
  const workspace = String(store.get('SELECT id FROM workspaces ORDER BY seq')?.id);
  store.run(`INSERT INTO ${table} (${names}) ${numbers(count)} SELECT ${values} FROM n WHERE ?1 <> ''`, workspace);
}
