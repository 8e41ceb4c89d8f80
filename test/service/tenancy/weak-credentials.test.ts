/** What a caller may do who only knows the id of a workspace: a row for each of the API's operations. */
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { operations } from '../../../src/operations/index.ts';
import { type Answer, type Served, served } from '../../support/embedded-service.ts';
import { requestOf, rows } from '../../support/every-request.ts';
import { fillService } from '../../support/filled-service.ts';
import { removeFolder } from '../../support/folders.ts';

let service: Served;
let values: Readonly<Record<string, string>>;
/** What no answer to a caller with only the id may contain. */
let secrets: readonly string[];

/** Sends the request of a row with some credential. */
function send(id: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const { method, path, sent } = requestOf(id, service.workspaceId, values);
  return service.plain(method, path, { ...sent, headers: { ...sent.headers, ...headers } });
}

const folder = mkdtempSync(join(tmpdir(), 'dtp-weak-'));
const filled = join(folder, 'filled');
const data = 'service.db';

/** A workspace that has one of everything, and a second workspace of the same user. Each test gets a copy. */
beforeAll(async () => {
  service = await served(join(filled, data));
  ({ values, secrets } = await fillService(service));
  await service.close();
});
afterAll(() => removeFolder(folder));

beforeEach(async () => {
  const copy = mkdtempSync(join(folder, 'copy-'));
  cpSync(filled, copy, { recursive: true });
  service = await served(join(copy, data));
});
afterEach(() => service.close());

test('each operation has a row', () => {
  expect(Object.keys(rows).sort()).toEqual(Object.keys(operations).sort());
  expect(Object.keys(rows)).toHaveLength(77);
});

test.each(Object.entries(rows))('with only the id of a workspace, %s is %j', async (id, [verdict]) => {
  const path = `/v1/auth/access_token?workspace_id=${service.workspaceId}`;
  const { access_token } = (await service.plain('GET', path)).json;
  const weak = [];
  for (const headers of [
    { authorization: `Bearer ${access_token}` },
    { 'x-workspace-identifier': service.workspaceId },
  ])
    weak.push(await send(id, headers));
  const strong = await send(id, { 'x-api-key': service.key });
  expect([strong.text, strong.status < 300]).toEqual([strong.text, true]);
  for (const { status, text, headers } of weak) {
    if (verdict === 'refused') expect([status, text]).toEqual([403, expect.stringContaining('send the key')]);
    else expect([text, status]).toEqual([text, strong.status]);
    for (const secret of secrets) expect(text + JSON.stringify(headers)).not.toContain(secret);
  }
  const isSecret = secrets.slice(0, -2).some((secret) => strong.text.includes(secret));
  expect(isSecret || verdict !== 'blank').toBe(true);
});

test('what was refused has not changed anything, and what was blank still works', async () => {
  const headers = { 'x-workspace-identifier': service.workspaceId };
  const stored = () =>
    ['workspace_tokens', 'publishing_tokens', 'members', 'owners', 'invites', 'codehost_secrets', 'workspaces']
      .map((table) => JSON.stringify(service.store.all(`SELECT * FROM ${table}`)))
      .join()
      .replaceAll(/"(_metadata|last_used)":[^,}]*}?/g, '');
  const before = stored();
  for (const [id, [verdict]] of Object.entries(rows)) if (verdict !== 'allowed') await send(id, headers);
  expect(stored()).toBe(before);
});

test('a registry token or a new access token gives no more than the credential that it was made with', async () => {
  const weak = { 'x-workspace-identifier': service.workspaceId };
  const { auth_token } = (await send('preflight', weak)).json;
  const { access_token } = (await send('getAccessToken', weak)).json;
  const scope = 'scope=repository:local/default/pets:*';
  const { token } = (await service.plain('GET', `/v2/token?${scope}`, { headers: weak })).json;
  for (const bearer of [auth_token, access_token, token]) {
    const headers = { authorization: `Bearer ${bearer}` };
    for (const [id, [verdict]] of Object.entries(rows))
      if (verdict === 'refused') expect([403, 401]).toContain((await send(id, headers)).status);
    expect((await service.plain('GET', '/v2/local/default/pets/tags/list', { headers })).status).toBe(200);
  }
});

test('a token of the registry does not show the id of a workspace', async () => {
  await service.call('POST', '/v1/artifacts/namespaces/pets/visibility', { json: { public: true } });
  const anyone = await service.plain('GET', '/v2/token?scope=repository:local/default/pets:pull');
  const own = await service.call('GET', '/v2/token?scope=repository:local/default/pets:pull');
  const preflight = await send('preflight', { 'x-api-key': service.key });
  for (const token of [anyone.json.token, own.json.token, preflight.json.auth_token])
    for (const part of String(token).split(/[._]/))
      expect(Buffer.from(part, 'base64url').toString('latin1')).not.toContain(service.workspaceId);
});
