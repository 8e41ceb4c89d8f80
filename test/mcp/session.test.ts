/** `dtp mcp` with the embedded service: reads of every area, writes, errors, confirmations, and limited results. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { petstore } from '../story/petstore.ts';
import { type Connected, connectMcp } from '../support/mcp.ts';
import { dtp, home, type Served, serve } from '../support/process.ts';
import { push } from '../support/push.ts';
import { faults } from '../support/record-shape.ts';

const { folder, remove } = home();
const cwd = join(folder, 'work');
let service: Served;
/** The server with --allow-writes uses the protocol's new version, the one without the old version. */
let writer: Connected;
let reader: Connected;
const state: Record<string, string> = {};

beforeAll(async () => {
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'petstore.yaml'), petstore);
  service = await serve(folder);
  const env = {
    DTP_BASE_URL: service.address,
    DTP_API_KEY: service.key,
    DTP_WORKSPACE_ID: service.workspace_id,
  };
  writer = await connectMcp(folder, ['mcp', '--allow-writes'], { cwd, env, modern: true });
  reader = await connectMcp(folder, ['mcp'], { cwd, env });
});
afterAll(async () => {
  await writer.close();
  await reader.close();
  expect(await service.stop()).toBe(0);
  remove();
});

/** The value of a call that must succeed. */
async function done(on: Connected, name: string, args: Record<string, unknown> = {}) {
  const called = await on.call(name, args);
  expect(called.isError, JSON.stringify(called.value)).toBe(false);
  return called.value;
}

/** The error of a call that must fail. */
async function refused(on: Connected, name: string, args: Record<string, unknown> = {}) {
  const called = await on.call(name, args);
  expect(called.isError, JSON.stringify(called.value)).toBe(true);
  expect(JSON.parse(called.texts[0] ?? '')).toEqual({ error: called.value });
  return called.value;
}

test('the server declares only what it does: no list changes while it runs, and nothing can be subscribed to', async () => {
  for (const on of [reader, writer])
    expect(on.client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} });
  const subscribe = reader.client.request({ method: 'resources/subscribe', params: { uri: 'dtp://events' } });
  await expect(subscribe).rejects.toThrow('Method not found');
});

describe('writes', () => {
  test('a token is created and found, and is deleted only if confirm names it', async () => {
    expect(await done(writer, 'ws_tokens_create', { body: { name: 'made by a tool' } })).toMatchObject({
      ok: true,
    });
    const find = async () => done(writer, 'ws_tokens_list', { query: "[?name=='made by a tool'].id" });
    const [tokenID] = await find();
    const args = { tokenID };
    for (const confirm of [undefined, true, 'yes', 'made by a tool', `${tokenID} `]) {
      const { code, message, hint } = await refused(writer, 'ws_tokens_delete', { ...args, confirm });
      expect([code, message]).toEqual(['usage', expect.stringContaining('removes data or access')]);
      expect(hint).toContain(`confirm set to "${tokenID}"`);
    }
    expect(await find()).toEqual([tokenID]);
    await done(writer, 'ws_tokens_delete', { ...args, confirm: tokenID });
    expect(await find()).toEqual([]);
  });

  test('nothing is bought by accident: confirm must name everything that is bought', async () => {
    const body = { add_ons: ['webhooks', 'snippet_ai'] };
    const bought = async () => (await done(reader, 'orgs_add_ons_list')).add_ons ?? [];
    for (const confirm of [undefined, 'orgs add-ons', 'webhooks', 'webhooks, sdk_testing']) {
      const { message, hint } = await refused(writer, 'orgs_add_ons_create', { body, confirm });
      expect(message).toContain('may incur charges');
      expect(hint).toContain('confirm set to "webhooks, snippet_ai"');
    }
    expect(await bought()).toEqual([]);
    await done(writer, 'orgs_add_ons_create', { body, confirm: 'webhooks, snippet_ai' });
    expect((await bought()).sort()).toEqual(['snippet_ai', 'webhooks']);
    expect((await refused(writer, 'orgs_free_trial_create')).hint).toContain('confirm set to "orgs free-trial"');
  });

  test('the tool says so beforehand', async () => {
    const { tools } = await writer.client.listTools();
    const of = (name: string) => tools.find((one) => one.name === name);
    expect(of('orgs_add_ons_create')?.description).toContain('may incur charges or be hard to undo: needs confirm');
    expect(of('orgs_add_ons_create')?.inputSchema.properties).toHaveProperty('confirm');
    expect(of('orgs_add_ons_list')?.inputSchema.properties).not.toHaveProperty('confirm');
    expect(of('suggest_openapi')?.description).toContain('Deprecated');
  });

  test('events are filled in and delivered', async () => {
    const event = { interaction_type: 'LINT', success: true, execution_id: 'run-1' };
    const posted = await done(writer, 'events_post', { body: [event, { ...event, success: false }] });
    expect(posted).toMatchObject({ accepted: 2, delivered: 2, pending: 0 });
    // A single event may be given without a list.
    expect(await done(writer, 'events_post', { body: event })).toMatchObject({ delivered: 1 });
    expect(await done(reader, 'events_search', { execution_id: 'run-1', success: true, limit: 9 })).toHaveLength(2);
  });

  test('files and inline text are sent', async () => {
    await push(service, 'local/default/pets', petstore);
    const report = { data: { type: 'linting' }, file: { text: '<title>lint</title>', name: 'lint.html' } };
    const uploaded = await writer.call('reports_upload', report);
    expect(uploaded.value.url).toContain('signature=***');
    // A result of a write must not suggest to write again.
    expect(uploaded.notes).toEqual([expect.stringMatching(/which tools do not see\. Do not call the tool again/)]);
    const stored = { packageName: 'pets', sdkClassname: 'Pets', format: 'yaml' };
    const item = await done(writer, 'schema_store_create', {
      ...stored,
      spec: { path: 'petstore.yaml' },
      confirm: `sha256:${createHash('sha256').update(petstore).digest('hex')}, pets, Pets, yaml`,
    });
    state.item = item.id;
  });
});

describe('reads of every area', () => {
  const reads: readonly (readonly [name: string, args: Record<string, unknown>, type: string])[] = [
    ['auth_validate', {}, 'ApiKeyDetails'],
    ['auth_user', {}, 'User'],
    ['auth_access', { passive: true }, 'AccessDetails'],
    ['auth_token', {}, 'AccessToken'],
    ['orgs_list', {}, 'Organization[]'],
    ['orgs_usage_get', {}, 'OrganizationUsageResponse'],
    ['ws_list', {}, 'Workspace[]'],
    ['ws_get', {}, 'Workspace'],
    ['ws_tokens_list', {}, 'WorkspaceToken[]'],
    ['publishing_tokens_list', {}, 'PublishingToken[]'],
    ['codehost_setup_get', { org: 'o', repo: 'r', generate_gen_lock_id: 'l' }, 'CodehostSetupStateResponse'],
    ['events_search', { limit: 1 }, 'json'],
    ['events_targets_list', {}, 'TargetSDK[]'],
    ['suggest_items', { body: { prompt: 'shorter', items: ['a long name'] } }, 'json'],
  ];
  test.each(reads)('%s', async (name, args, type) => {
    expect(faults(type, await done(reader, name, args))).toEqual([]);
  });

  test('the registry, samples, reports and the schema store', async () => {
    const [tag] = (await done(reader, 'artifacts_tags_list', { namespace_name: 'pets' })).items;
    expect(tag.name).toBe('v1');
    // Bytes that are text are shown as text.
    const args = { namespace_name: 'pets', revision_reference: 'v1' };
    const manifest = await done(reader, 'artifacts_manifests_get', args);
    const { digest } = manifest.layers[0];
    expect(await done(reader, 'artifacts_blobs_get', { namespace_name: 'pets', digest })).toBe(petstore);
    const schema_file = { path: 'petstore.yaml' };
    const samples = { schema_file, language: 'go', query: 'snippets[0].language' };
    expect(await done(reader, 'code_samples_preview', samples)).toBe('go');
    const documentChecksum = '5738c7ff7aa1f2e70bb693017378bc67';
    expect((await refused(reader, 'reports_changes_url', { documentChecksum })).code).toBe('not_found');
    expect((await done(reader, 'schema_store_get', { id: state.item })).spec).toBe(petstore);
  });

  test('no tool shows the credential, a token or a signature', async () => {
    const shown = await dtp(folder, ['ws', 'tokens', 'list', '-o', 'json'], {
      env: {
        DTP_BASE_URL: service.address,
        DTP_API_KEY: service.key,
        DTP_WORKSPACE_ID: service.workspace_id,
      },
    });
    const keys = (JSON.parse(shown.stdout) as { key: string }[]).map((one) => one.key);
    expect(keys).toContain(service.key);
    await done(writer, 'artifacts_preflight', { body: { namespace_name: 'pets' } });
    // It is the same secret under another name.
    const renamed = await done(reader, 'ws_tokens_list', { query: '[].{shown: key}' });
    expect(renamed).toEqual(keys.map(() => ({ shown: '***' })));
    for (const text of [reader.written(), writer.written()]) {
      for (const key of keys) expect(text).not.toContain(key);
      // The service signs its own tokens, and so its URLs are secret.
      expect(text).not.toMatch(/eyJ[\w-]+\.[\w-]+\.|signature=[^*]/);
      expect(text).toContain('***');
    }
    const { notes } = await reader.call('auth_token');
    expect(notes).toEqual([expect.stringContaining('dtp auth token')]);
  });
});

describe('refusals', () => {
  test('without --allow-writes, tools that write are not listed and cannot be called', async () => {
    const names = (await reader.client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('ws_tokens_list');
    expect(names).not.toContain('ws_tokens_create');
    const { code, hint } = await refused(reader, 'ws_tokens_create', { body: { name: 'x' } });
    expect([code, hint]).toEqual(['forbidden', expect.stringContaining('--allow-writes')]);
    const listed = await done(reader, 'ws_tokens_list', { query: '[].name' });
    expect(listed).not.toContain('x');
    await expect(reader.client.callTool({ name: 'ws_tokens' })).rejects.toThrow('unknown tool ws_tokens');
  });

  test.each([
    ['orgs_get', {}, 'missing input: organizationID'],
    ['orgs_get', { organizationID: '..' }, 'must not be ".."'],
    ['orgs_get', { organizationID: 7 }, 'organizationID must be a string, not 7'],
    ['orgs_get', { organization_id: 'o' }, 'unknown input "organization_id"'],
    ['ws_get', { workspace_id: '' }, 'workspace_id must be a string'],
    ['events_search', { limit: '3' }, 'limit must be a whole number'],
    ['events_search', { query: '[?' }, 'query: '],
    ['events_search', { query: 'length(`1`)' }, 'query: '],
    ['suggest_items', {}, 'missing inputs: prompt and items'],
    ['suggest_items', { body: 'x' }, 'body must be a JSON object'],
    ['suggest_items', { body: { n: 2 ** 60 } }, 'body: the number has too many digits to be exact'],
    ['code_samples_preview', { schema_file: 'petstore.yaml' }, 'schema_file must be {"path": "…"} or'],
    ['code_samples_preview', {}, 'missing inputs: schema_file and language'],
  ])('%s with %j', async (name, args, words) => {
    const { code, message, next } = await refused(reader, name, args);
    expect([code, message, next]).toEqual(['usage', expect.stringContaining(words), undefined]);
  });

  test('a body that is nested too deeply', async () => {
    const body = JSON.parse(`${'{"a":'.repeat(600)}1${'}'.repeat(600)}`);
    expect((await refused(reader, 'suggest_items', { body })).message).toContain('nested deeper than');
  });

  test('an error of the service is passed on with its status and the tool that helps', async () => {
    expect(await refused(reader, 'orgs_get', { organizationID: 'org_0' })).toMatchObject({
      code: 'not_found',
      status: 404,
      operation: 'getOrganization',
      next: ['the tool orgs_list'],
    });
  });
});
