/** What a caller may do who only knows the id of a workspace: a row for each of the API's operations. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { operations } from '../../../src/operations/index.ts';
import { type Answer, type Served, served } from '../../support/embedded-service.ts';
import { form, LAYER, MANIFEST, publishing, REPORT, rows, sample, target } from '../../support/every-request.ts';
import { PETSTORE } from '../../support/service-scope.ts';

let service: Served;
let values: Readonly<Record<string, string>>;
/** What no answer to a caller with only the id may contain. */
let secrets: readonly string[];

const fill = (text: string) =>
  text.replace(/^(\w+) W(?=\/|$)/, `$1 /v1/workspace/${service.workspaceId}`).replace(/[A-Z]+_ID/g, (name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for ${name}`);
    return value;
  });

/** Sends the request of a row with some credential. */
function send(id: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const [, request, sent = {}] = rows[id] ?? ['refused', ''];
  const [method = '', path = ''] = fill(request).split(' ');
  return service.plain(method, path, {
    ...sent,
    ...(sent.json !== undefined && { json: JSON.parse(fill(JSON.stringify(sent.json))) }),
    headers: { ...sent.headers, ...headers },
  });
}

const folder = mkdtempSync(join(tmpdir(), 'dtp-weak-'));
const [filled, copy] = [join(folder, 'filled'), join(folder, 'copy')];
const data = 'service.db';

/** A workspace that has one of everything, and a second workspace of the same user. Each test gets a copy. */
beforeAll(async () => {
  service = await served(join(filled, data));
  const at = `/v1/workspace/${service.workspaceId}`;
  const made = async (method: string, path: string, sent = {}) => {
    const answer = await service.call(method, path, sent);
    expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
    return answer.json;
  };
  const event = { id: 'e1', generate_gen_lock_id: 'lock-1', generate_target: 'typescript' };
  await made('POST', `${at}/events`, { json: [{ ...event, generate_target_name: 't' }] });
  await made('POST', '/v1/reports', form({ data: '{"type":"linting"}' }, ['file', REPORT]));
  await made('POST', '/v1/reports', form({ data: '{"type":"changes"}' }, ['file', REPORT]));
  await made('POST', `/v2/local/default/pets/blobs/uploads/?digest=${LAYER}`, { body: PETSTORE });
  const type = { 'content-type': 'application/vnd.oci.image.manifest.v1+json' };
  await made('PUT', '/v2/local/default/pets/manifests/v1', { body: MANIFEST, headers: type });
  const source = { inputs: [{ registry_url: 'pets:v1' }], output: { registry_url: 'merged' } };
  await made('POST', '/v1/artifacts/remote_sources', { json: source });
  await made('POST', '/v1/codehost/link?codehost_org=acme');
  await made('POST', '/v1/codehost/configure_target', { json: target });
  await made('POST', '/v1/codehost/publishing_secrets', {
    json: { generate_gen_lock_id: 'lock-1', secrets: { NPM_TOKEN: 'npm_secret' } },
  });
  await made('POST', '/v1/organization/add_ons', { json: { add_ons: ['snippet_ai'] } });
  const hook = 'https://hooks.example.com/a-secret-path';
  await made('PUT', `${at}/settings`, { json: { webhook_url: hook } });
  const grant = await made('PUT', `${at}/team/email/ann@a.example`);
  const page = await service.plain('GET', new URL(grant.invite_link).pathname);
  const job = await made('POST', '/v1/code_sample/preview/async', sample);
  service.wait(2000);
  const token = await made('POST', '/v1/publishing-tokens', { json: publishing });
  const spec = { spec: PETSTORE, packageName: 'p', sdkClassname: 'C', format: 'yaml' };
  const schema = await made('POST', '/v1/schema_store', { json: spec });
  const second = await made('POST', '/v1/workspace', { json: { name: 'Second' } });
  // The usage of the organization names the second workspace too.
  await made('POST', `/v1/workspace/${second.id}/events`, {
    json: [{ id: 'e9', generate_gen_lock_id: 'lock-9', generate_target: 'typescript' }],
  });
  const { items } = await made('GET', '/v1/artifacts/namespaces');
  const merged = items.find(({ name }: { name: string }) => name === 'merged');
  const tokens: { id: string; key: string }[] = await made('GET', `${at}/tokens`);
  values = {
    WORKSPACE_ID: service.workspaceId,
    ORGANIZATION_ID: (await made('GET', '/v1/workspace')).organization.id,
    JOB_ID: job.job_id,
    PUBLISHING_ID: token.id,
    SCHEMA_ID: schema.id,
    MEMBER_ID: grant.relationship.user_id,
    TOKEN_ID: tokens[1]?.id ?? '',
    SUBSCRIPTION_ID: merged.composite_spec_metadata.subscription_id,
  };
  const keys = tokens.map(({ key }) => key);
  expect(keys).toEqual([service.key, /dtp_\w+/.exec(page.text)?.[0]]);
  secrets = [...keys, token.token, hook, 'npm_secret', second.id];
  await service.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  rmSync(copy, { recursive: true, force: true });
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
