/** Who may send which request: `rights.txt` has a row for each request, and a column for each kind of caller. */
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../../src/operations/index.ts';
import { readAll } from '../../../src/request/http.ts';
import { openStore, type Store } from '../../../src/service/data/store.ts';
import { createService } from '../../../src/service/service.ts';
import { firstKey, seed } from '../../../src/service/tenancy/seed.ts';
import { addToken, addUser, addWorkspace, extendReach } from '../../../src/service/tenancy/tenants.ts';
import { openInProcessWorker } from '../../support/document-worker.ts';
import { type Answer, addStranger, type Served } from '../../support/embedded-service.ts';
import { LAYER, MANIFEST, publishing, requestOf, sha256 } from '../../support/every-request.ts';
import { fillService } from '../../support/filled-service.ts';
import { removeFolder } from '../../support/folders.ts';

type Sent = NonNullable<Parameters<Served['plain']>[2]>;
type Request = readonly [method: string, path: string, sent?: Sent];
type Headers = Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), 'dtp-rights-'));
afterAll(() => removeFolder(folder));

const START = Date.parse('2025-03-01T10:00:00.000Z');
const HOUR = 3_600_000;
let time = START;
const now = () => new Date(time);

/** Two services on one file, in turn, so that each request reads what the other service has written. */
function openServices(place: string) {
  const file = join(place, 'service.db');
  const stores = [openStore(file), openStore(file)] as const;
  // Hundreds of copies are opened, and none of them has to survive a power cut.
  for (const store of stores) store.all('PRAGMA synchronous = OFF');
  const services = stores.map((store) => createService(store, { now: () => time }, openInProcessWorker()));
  let turn = 0;
  const plain = async (method: string, path: string, { json, body, headers }: Sent = {}): Promise<Answer> => {
    const text = json === undefined ? body : JSON.stringify(json);
    const type = json === undefined ? {} : { 'content-type': 'application/json' };
    const request = { method, url: `http://127.0.0.1:9${path}`, headers: { accept: '*/*', ...type, ...headers } };
    const sent = text === undefined ? request : { ...request, body: Buffer.from(text) };
    const { signal } = new AbortController();
    const response = await services[turn++ % 2]?.(sent, { signal });
    if (!response) throw new Error('no service');
    const answer = Buffer.from((await readAll(response.body, Number.POSITIVE_INFINITY)) ?? []).toString();
    const isJson = response.headers['content-type']?.startsWith('application/json') === true && answer !== '';
    const { status } = response;
    return { status, headers: response.headers, text: answer, json: isJson ? JSON.parse(answer) : undefined };
  };
  const close = () => {
    // A copy of the file is then complete without its log.
    stores[0].all('PRAGMA wal_checkpoint(TRUNCATE)');
    for (const store of stores) store.close();
  };
  return { plain, store: stores[0], close };
}

/** A folder with a state of the service. `ask` answers from this state: what a request has changed is undone after it. */
class World {
  readonly place: string;
  #open: ReturnType<typeof openServices> | undefined;

  constructor(place: string) {
    this.place = place;
  }

  async ask(method: string, path: string, sent: Sent): Promise<Answer> {
    if (!this.#open) {
      const copy = mkdtempSync(join(folder, 'copy-'));
      cpSync(this.place, copy, { recursive: true });
      this.#open = openServices(copy);
    }
    const answer = await this.#open.plain(method, path, sent);
    if (answer.status < 300 && method !== 'GET' && method !== 'HEAD') this.close();
    return answer;
  }

  close(): void {
    this.#open?.close();
    this.#open = undefined;
  }
}

const PETS = '/v2/local/default/pets';
const UPLOAD = `${PETS}/blobs/uploads/`;
const manifest: Sent = { body: MANIFEST, headers: { 'content-type': 'application/vnd.oci.image.manifest.v1+json' } };

/** The requests of OCI clients. They work below both paths of the registry. */
const ofRegistry: Readonly<Record<string, Request>> = {
  root: ['GET', '/v2/'],
  catalog: ['GET', '/v2/_catalog'],
  token: ['GET', '/v2/token?scope=repository:local/default/pets:pull,push'],
  'manifest get': ['GET', `${PETS}/manifests/v1`],
  'manifest get by digest': ['GET', `${PETS}/manifests/${sha256(MANIFEST)}`],
  'manifest head': ['HEAD', `${PETS}/manifests/v1`],
  'manifest put': ['PUT', `${PETS}/manifests/v2`, manifest],
  'manifest delete': ['DELETE', `${PETS}/manifests/${sha256(MANIFEST)}`],
  'tag delete': ['DELETE', `${PETS}/manifests/v1`],
  'tags list': ['GET', `${PETS}/tags/list`],
  referrers: ['GET', `${PETS}/referrers/${sha256(MANIFEST)}`],
  'blob get': ['GET', `${PETS}/blobs/${LAYER}`],
  'blob head': ['HEAD', `${PETS}/blobs/${LAYER}`],
  'blob delete': ['DELETE', `${PETS}/blobs/${LAYER}`],
  'upload start': ['POST', UPLOAD],
  'upload whole': ['POST', `${UPLOAD}?digest=${sha256('x')}`, { body: 'x' }],
  'upload mount': ['POST', `${UPLOAD}?mount=${LAYER}`],
  'upload get': ['GET', `${UPLOAD}none`],
  'upload patch': ['PATCH', `${UPLOAD}none`, { body: 'x' }],
  'upload put': ['PUT', `${UPLOAD}none?digest=${LAYER}`],
  'upload delete': ['DELETE', `${UPLOAD}none`],
};

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const basic = (token: string): Headers => ({
  authorization: `Basic ${Buffer.from(`any:${token}`).toString('base64')}`,
});

/** Every way in which a secret can be sent. The API has no passwords. */
const waysOf = (secret: string, isRegistry: boolean): readonly Headers[] => [
  ...(secret.startsWith('dtp_') && !secret.startsWith('dtp_publish_') ? [{ 'x-api-key': secret }] : []),
  bearer(secret),
  ...(isRegistry ? [basic(secret)] : []),
];

interface Column {
  readonly world: World;
  /** The later moment of the requests, in milliseconds after the start. */
  readonly later?: number;
  readonly secrets?: readonly string[];
  readonly headers?: readonly Headers[];
}

let workspaceId: string;
let values: Readonly<Record<string, string>>;
let columns: Readonly<Record<string, readonly Column[]>>;
let worlds: readonly World[] = [];

/** Adds a workspace that a user of another one has created in its organization, as versions before this rule allowed. */
function addFormer(store: Store, userId: string, organizationId: string, tokenId: string) {
  const at = { name: 'Former', slug: 'former', organizationId, userId, now: now() };
  const id = String(addWorkspace(store, {}, at).id);
  const reach = [workspaceId, organizationId];
  extendReach(store, { workspaceId, organizationId, userId, tokenId, reach }, id);
  return { id, key: addToken(store, {}, { name: 'ci', workspaceId: id, userId, reach: [...reach, id], now: now() }) };
}

beforeAll(async () => {
  const before = join(folder, 'before');
  const { plain, store, close } = openServices(before);
  seed(store, now());
  const first = firstKey(store);
  workspaceId = first.workspaceId;
  const as =
    (key: string) =>
    (method: string, path: string, sent: Sent = {}) =>
      plain(method, path, { ...sent, headers: { 'x-api-key': key, ...sent.headers } });
  const creator = as(first.key);
  const wait = (ms: number) => {
    time += ms;
  };
  const filled = await fillService({ ...first, call: creator, plain, wait });
  values = filled.values;
  const [, invited = ''] = filled.secrets;
  const { MEMBER_ID: ann = '', TOKEN_ID: tokenId = '', ORGANIZATION_ID: organization = '' } = values;

  const verified = { email_verified: true, confirmed: true };
  const bob = String(addUser(store, 'bob@a.example', verified, now()).id);
  await creator('PUT', `/v1/workspace/${workspaceId}/team/email/bob@a.example`);
  const member = addToken(store, {}, { name: 'bob', workspaceId, userId: bob, now: now() });
  const former = addFormer(store, ann, organization, tokenId);
  const [, second] = (await creator('GET', '/v1/workspaces')).json;
  const grant = await creator('PUT', `/v1/workspace/${second.id}/team/email/carl@a.example`);
  const { text } = await plain('GET', new URL(grant.json.invite_link).pathname);
  const other = /dtp_[0-9a-f]{64}/.exec(text)?.[0] ?? '';
  const stranger = addStranger(store, now()).headers['x-api-key'];

  const accessToken = async (headers: Headers, id = workspaceId): Promise<string> =>
    (await plain('GET', `/v1/auth/access_token?workspace_id=${id}`, { headers })).json.access_token;
  const registryToken = async (headers: Headers, name = 'default'): Promise<string> =>
    (await plain('GET', `/v2/token?scope=registry:catalog:*&scope=repository:local/${name}/pets:*`, { headers })).json
      .token;
  const preflightToken = async (headers: Headers): Promise<string> =>
    (await plain('POST', '/v1/artifacts/preflight', { headers, json: { namespace_name: 'pets' } })).json.auth_token;
  const publishingToken = async (valid_until: string): Promise<string> =>
    (await as(invited)('POST', '/v1/publishing-tokens', { json: { ...publishing, target_id: 'pets', valid_until } }))
      .json.token;
  const [ofCreator, ofInvited, ofFormer] = [
    { 'x-api-key': first.key },
    { 'x-api-key': invited },
    { 'x-api-key': former.key },
  ];
  const access = await accessToken(ofInvited);
  const accessFormer = await accessToken(ofFormer);
  const registry = [await registryToken(ofInvited), await registryToken(bearer(access))];
  const preflight = [await preflightToken(ofInvited), await preflightToken(bearer(access))];
  const publishingTokens = [await publishingToken('2100-01-01T00:00:00Z')];
  const anonymous = await accessToken({});
  const short = await publishingToken(new Date(time + HOUR).toISOString());
  const ofCreatorToken = await accessToken(ofCreator);
  const formerTokens = [await accessToken(ofFormer, former.id), accessFormer, await registryToken(ofFormer, 'former')];
  close();

  const after = join(folder, 'after');
  cpSync(before, after, { recursive: true });
  const revoking = openServices(after);
  const path = `/v1/workspace/${workspaceId}/team/${ann}`;
  expect((await revoking.plain('DELETE', path, { headers: ofCreator })).status).toBe(200);
  revoking.close();

  const [world, revoked] = [new World(before), new World(after)];
  worlds = [world, revoked];
  columns = {
    creator: [{ world, secrets: [first.key] }],
    'creator token': [{ world, secrets: [ofCreatorToken] }],
    member: [{ world, secrets: [member] }],
    invited: [{ world, secrets: [invited] }],
    'invited token': [{ world, secrets: [access] }],
    id: [{ world, secrets: [anonymous], headers: [{ 'x-workspace-identifier': workspaceId }] }],
    former: [{ world, secrets: [former.key] }],
    other: [{ world, secrets: [other] }],
    stranger: [{ world, secrets: [stranger] }],
    registry: [{ world, secrets: registry }],
    preflight: [{ world, secrets: preflight }],
    // Publishing tokens belong to the workspace, so they stay after a revocation.
    publishing: [world, revoked].map((each) => ({ world: each, secrets: publishingTokens })),
    nobody: [{ world, headers: [{}] }],
    revoked: [{ world: revoked, secrets: [invited, access, ...registry, ...preflight, former.key, ...formerTokens] }],
    expired: [
      { world, later: 2 * HOUR, secrets: [access, anonymous, ofCreatorToken, ...registry, ...preflight, short] },
    ],
  };
});
afterAll(() => {
  for (const world of worlds) world.close();
});

const table = readFileSync(join(import.meta.dirname, 'rights.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const [[, ...names] = [], ...rows] = table;

test('each operation and each request of the registry has a row', () => {
  const requests = [...Object.keys(operations), ...Object.keys(ofRegistry)];
  expect(rows.map(([name]) => name).sort()).toEqual(requests.sort());
  expect(Object.keys(operations)).toHaveLength(77);
  expect(names).toEqual(Object.keys(columns));
});

test.each(rows.map(([name = '', ...cells]) => [name, cells] as const))('%s', async (name, cells) => {
  const filled = ofRegistry[name] ? undefined : requestOf(name, workspaceId, values);
  const [method, path, sent = {}] = ofRegistry[name] ?? [filled?.method ?? '', filled?.path ?? '', filled?.sent];
  const isRegistry = /^(\/v1\/oci)?\/v2\//.test(path);
  const seen: Record<string, string> = {};
  for (const [column, parts] of Object.entries(columns)) {
    const statuses = new Set<string>();
    for (const { world, later = 0, secrets = [], headers = [] } of parts)
      for (const credential of [...headers, ...secrets.flatMap((secret) => waysOf(secret, isRegistry))]) {
        const start = time;
        time += later;
        const { status } = await world.ask(method, path, { ...sent, headers: { ...sent.headers, ...credential } });
        time = start;
        statuses.add(status < 300 ? 'ok' : String(status));
      }
    seen[column] = [...statuses].join('/');
  }
  expect(seen).toEqual(Object.fromEntries(names.map((column, at) => [column, cells[at]])));
});
