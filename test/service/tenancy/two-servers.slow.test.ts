/** Two services with TLS on one database: what somebody of another tenant can reach through either of them. */
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../src/operations/index.ts';
import type { DatabaseRow } from '../../../src/service/data/columns.ts';
import type { Store } from '../../../src/service/data/store.ts';
import { type Answer, addStranger, send } from '../../support/embedded-service.ts';
import { LAYER, MANIFEST, md5, REPORT, requestOf, sha256 } from '../../support/every-request.ts';
import { fillService } from '../../support/filled-service.ts';
import { home, type Served, serve } from '../../support/process.ts';
import { openRemote } from '../../support/remote-store.ts';
import { hasSqld, openSqld, type Sqld } from '../../support/sqld.ts';

const { folder, remove } = home();
const certificates = resolve(import.meta.dirname, '../../support/tls');
const flags = ['--tls-cert', join(certificates, 'server.pem'), '--tls-key', join(certificates, 'server.key')];
/** In this form, it counts as an IP address beyond loopback. */
const address = ['--host', '::ffff:127.0.0.1'];

let sqld: Sqld | undefined;
let servers: readonly Served[] = [];
let store: Store | undefined;
let values: Readonly<Record<string, string>>;
/** What no response may contain. */
let secrets: readonly string[];
let attacker: ReturnType<typeof addStranger>;

const urlOf = ({ address }: Served) => `https://127.0.0.1:${new URL(address).port}`;

beforeAll(async () => {
  if (!hasSqld) return;
  const database = await openSqld();
  sqld = database;
  const started = (): Promise<Served> => serve(folder, ['--database', database.url, ...address, ...flags]);
  servers = [await started(), await started()];
  const [{ key, workspace_id: workspaceId }] = servers as [Served];
  const own = { 'x-api-key': key };
  // Every other request goes to the other server.
  let count = 0;
  const plain = (method: string, path: string, sent: Parameters<typeof send>[3] = {}) =>
    send(urlOf(servers[count++ % 2] as Served), method, path, sent);
  const { secrets: keys, values: filled } = await fillService({
    ...{ key, workspaceId, plain },
    call: (method, path, sent = {}) => plain(method, path, { ...sent, headers: { ...own, ...sent.headers } }),
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  });
  values = filled;
  secrets = [...keys, 'ann@a.example', 'user@dtp.local', REPORT];
  store = openRemote({ url: database.url });
  attacker = addStranger(store, new Date());
});

afterAll(async () => {
  store?.close();
  for (const server of servers) await server.stop();
  await sqld?.remove();
  remove();
});

type Attempt = readonly [name: string, method: string, path: string, sent?: Parameters<typeof send>[3]];

/** The requests of the registry, below each of its paths. */
const ofRegistry: readonly Attempt[] = ['/v2', '/v1/oci/v2'].flatMap((root) => {
  const theirs = `${root}/local/default/pets`;
  const manifest = { body: MANIFEST, headers: { 'content-type': 'application/vnd.oci.image.manifest.v1+json' } };
  const read = { headers: { accept: '*/*' } };
  const [digest, upload] = [sha256(MANIFEST), `${theirs}/blobs/uploads/`];
  return [
    ['root', 'GET', `${root}/`],
    ['catalog', 'GET', `${root}/_catalog`],
    ['token', 'GET', `${root}/token?scope=repository:local/default/pets:pull,push,delete`],
    ['own tags', 'GET', `${root}/two/two/pets/tags/list`],
    ['mount', 'POST', `${root}/two/two/pets/blobs/uploads/?mount=${LAYER}&from=local/default/pets`],
    ['tags', 'GET', `${theirs}/tags/list`],
    ['second', 'GET', `${root}/local/second/pets/tags/list`],
    ['referrers', 'GET', `${theirs}/referrers/${digest}`],
    ['manifest', 'GET', `${theirs}/manifests/v1`, read],
    ['manifest', 'HEAD', `${theirs}/manifests/v1`, read],
    ['manifest', 'GET', `${theirs}/manifests/${digest}`, read],
    ['manifest', 'PUT', `${theirs}/manifests/v1`, { ...manifest, body: MANIFEST.replace('}]', '},{}]') }],
    ['manifest', 'PUT', `${theirs}/manifests/v2`, manifest],
    ['manifest', 'DELETE', `${theirs}/manifests/v1`],
    ['manifest', 'DELETE', `${theirs}/manifests/${digest}`],
    ['blob', 'GET', `${theirs}/blobs/${LAYER}`],
    ['blob', 'HEAD', `${theirs}/blobs/${LAYER}`],
    ['blob', 'DELETE', `${theirs}/blobs/${LAYER}`],
    ['upload', 'POST', upload],
    ['upload', 'POST', `${upload}?digest=${sha256('x')}`, { body: 'x' }],
    ['upload', 'POST', `${upload}?mount=${LAYER}`],
    ['upload', 'GET', `${upload}none`],
    ['upload', 'PATCH', `${upload}none`, { body: 'x' }],
    ['upload', 'PUT', `${upload}none?digest=${LAYER}`],
    ['upload', 'DELETE', `${upload}none`],
  ] as const satisfies readonly Attempt[];
});

const ofApi = (): readonly Attempt[] =>
  Object.keys(operations).map((id) => {
    const { method, path, sent } = requestOf(id, values.WORKSPACE_ID ?? '', values);
    return [id, method, path, sent] as const;
  });

/** Everyone with a key may read these, whose ids nobody can guess. */
const forEveryone = ['getSchemaStoreItem', 'getPublishingTokenPublicMetadata'];

/** Their rows belong to another row, such as a run, and do not name a workspace. */
const withoutOwner = ['schema_store', 'chunks', 'codehost_outcomes'];

const tables = (store: Store) =>
  store
    .all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .map(({ name }) => String(name));

/** Every row as text, by its table. Only the time of the last use of a key may change. */
function rowsOf(store: Store): ReadonlyMap<string, readonly string[]> {
  const text = (row: DatabaseRow) =>
    JSON.stringify(row, (name, value) =>
      name === 'last_used' ? null : value instanceof ArrayBuffer ? Buffer.from(value).toString('hex') : value,
    );
  return new Map(tables(store).map((name) => [name, store.all(`SELECT * FROM ${name}`).map(text).sort()]));
}

describe.skipIf(!hasSqld)('with the key of another tenant', () => {
  test('762 requests on two servers read nothing and change nothing', async () => {
    const data = store as Store;
    const before = rowsOf(data);
    const key = attacker.headers['x-api-key'];
    const [first] = servers as [Served];
    const own = await send(urlOf(first), 'GET', `/v1/auth/access_token?workspace_id=${attacker.workspace}`, attacker);
    const credentials = [
      attacker.headers,
      { authorization: `Bearer ${key}` },
      { authorization: `Bearer ${own.json.access_token}` },
    ];
    const answers: (readonly [attempt: Attempt, answer: Answer])[] = [];
    for (const server of servers)
      for (const credential of credentials)
        for (const attempt of [...ofApi(), ...ofRegistry]) {
          const [, method, path, sent = {}] = attempt;
          const headers = { ...sent.headers, ...credential };
          answers.push([attempt, await send(urlOf(server), method, path, { ...sent, headers })]);
        }
    expect(answers).toHaveLength(762);

    const theirs = [...Object.values(values), md5(REPORT), '/local/'];
    for (const [[name, method, path], { status, text, headers }] of answers) {
      const label = `${name}: ${method} ${path} ${status} ${text}`;
      expect(status, label).toBeLessThan(500);
      const seen = text + JSON.stringify(headers);
      for (const secret of secrets) expect(path.includes(secret) || !seen.includes(secret), label).toBe(true);
      if (theirs.some((id) => path.includes(id)) && !forEveryone.includes(name) && name !== 'token')
        // A blob that cannot be mounted must be pushed.
        expect([name, status >= 400 ? 'refused' : status]).toEqual([name, name === 'mount' ? 202 : 'refused']);
    }
    for (const [[name], { json }] of answers)
      if (name === 'token' && json.token) {
        const headers = { authorization: `Bearer ${json.token}` };
        expect((await send(urlOf(first), 'GET', '/v2/local/default/pets/tags/list', { headers })).status).toBe(403);
      }

    const ids = [attacker.workspace, attacker.organization, attacker.user];
    const isOwn = (row: string) => ids.some((id) => row.includes(id));
    const after = rowsOf(data);
    for (const [table, rows] of after) {
      const [old, now] = [new Set(before.get(table)), new Set(rows)];
      expect([table, [...old].filter((row) => !now.has(row) && !isOwn(row))]).toEqual([table, []]);
      const added = rows.filter((row) => !old.has(row) && !isOwn(row));
      if (!withoutOwner.includes(table)) expect([table, added]).toEqual([table, []]);
    }
    // The comparison would have seen something.
    expect([...after.values()].flat().length).toBeGreaterThan([...before.values()].flat().length + 50);
  });
});
