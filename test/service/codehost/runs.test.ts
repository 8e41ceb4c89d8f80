/** Runs of the workflow action over a real socket: what they leave behind, and how they survive. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Served, served } from '../../support/embedded-service.ts';
import { removeFolder } from '../../support/folders.ts';
import { faults } from '../../support/record-shape.ts';
import { repo, runsOf } from '../../support/run-world.ts';
import { PETSTORE } from '../../support/service-scope.ts';

let service: Served;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dtp-test-'));
  service = await served(join(folder, 'service.db'));
});
afterEach(async () => {
  await service.close();
  removeFolder(folder);
});

const { get, post, events, action, pull, page, push, known, configure, trigger, run } = runsOf(() => service);

test('a run is queued, then works, then leaves events, a target, a revision and a pull request', async () => {
  const digest = await push('pets', PETSTORE);
  await known();
  await configure();
  await trigger();
  const status = async () => (await action()).run_status;
  expect(await status()).toBe('queued');
  service.wait(499);
  expect(await status()).toBe('queued');
  service.wait(1);
  expect(await status()).toBe('in_progress');
  service.wait(999);
  expect(await status()).toBe('in_progress');
  expect(await pull()).toEqual({});
  expect(await events()).toHaveLength(1);
  service.wait(1);
  expect(await status()).toBe('completed');

  const [newest, generated] = await events(`?limit=2`);
  expect([newest.interaction_type, generated.interaction_type]).toEqual(['CI_EXEC', 'TARGET_GENERATE']);
  expect(generated).toMatchObject({
    success: true,
    execution_id: newest.execution_id,
    generate_gen_lock_id: 'lock',
    generate_target: 'typescript',
    generate_number_of_operations_used: 3,
    generate_config_pre_version: '1.2.9',
    generate_config_post_version: '1.2.10',
    source_revision_digest: digest,
    duration_ms: 1000,
    gh_action_repository: 'sdk',
    created_at: '2025-03-01T10:00:01.500Z',
  });
  const [target] = await get('/v1/workspace/events/targets');
  expect(faults('TargetSDK', target)).toEqual([]);
  expect(target).toMatchObject({
    id: 'lock',
    generate_target_name: 'ts',
    generate_config_post_version: '1.2.10',
    source_revision_digest: digest,
    last_event_interaction_type: 'CI_EXEC',
  });
  const { items } = await get('/v1/artifacts/namespaces/sdk-ts-code-samples/revisions');
  expect(items).toMatchObject([
    {
      tags: ['latest'],
      contents_metadata: { type: 'OPENAPI_OVERLAY', num_overlay_actions: 3, contains_code_samples: true },
    },
  ]);
  expect(await page()).toMatchObject({
    run_status: 'completed',
    version: '1.2.10',
    operations: 3,
    code_samples: { namespace: 'sdk-ts-code-samples', revision_digest: items[0].digest },
  });
  const pending = await pull();
  expect(faults('CodehostPublishingPRResponse', pending)).toEqual([]);
  expect(pending).toMatchObject({
    pending_version: '1.2.10',
    pull_request_metadata: { status: 'open', created_at: '2025-03-01T10:00:01.500Z' },
  });
  const shown = await service.plain('GET', new URL(pending.pull_request).pathname);
  expect(shown.json).toEqual(pending);
});

test('each read of what a run leaves ends the run, and only once', async () => {
  await push('pets', PETSTORE);
  await known();
  await configure();
  for (const path of [
    `/v1/workspace/${service.workspaceId}/events`,
    `/v1/workspace/${service.workspaceId}/events/targets/lock/events`,
    '/v1/workspace/events/targets',
    '/v1/artifacts/namespaces',
    `/v1/codehost/publishing_prs?${repo}&generate_gen_lock_id=lock`,
    '/v1/organization/usage',
  ]) {
    const before = (await events()).length;
    await trigger({ force: true });
    service.wait(1500);
    await Promise.all([get(path), get(path), get(path)]);
    const row = service.store.get('SELECT count(*) AS n FROM codehost_outcomes WHERE record IS NULL');
    expect([path, row?.n]).toEqual([path, 0]);
    expect(await events()).toHaveLength(before + 2);
  }
});

test('without changes nothing is generated, unless it is forced or a version is set', async () => {
  await push('pets', PETSTORE);
  await known();
  await configure();
  expect(await run()).toMatchObject({ has_changes: true, version: '1.2.10' });
  expect(await run()).toMatchObject({ run_status: 'completed', has_changes: false });
  expect(await pull()).toMatchObject({ pending_version: '1.2.10' });
  expect(await run({ force: true })).toMatchObject({ has_changes: true, version: '1.2.11' });
  expect(await run({ set_version: '2.0.0' })).toMatchObject({ has_changes: true, version: '2.0.0' });
  await push('pets', `${PETSTORE}# more\n`);
  expect(await run()).toMatchObject({ has_changes: true, version: '2.0.1' });
  expect(await pull()).toMatchObject({ pending_version: '2.0.1' });
});

test('a lock id is known by its secrets, and a target by the language in its name', async () => {
  await push('sdk-source', PETSTORE);
  await configure();
  await post('/v1/codehost/publishing_secrets', {
    generate_gen_lock_id: 'lock',
    secrets: { NPM_TOKEN: 'n' },
  });
  expect(await run({ target_name: 'python' })).toMatchObject({ run_status: 'completed', version: '0.0.1' });
  expect(await get('/v1/workspace/events/targets')).toMatchObject([
    { id: 'lock', generate_target: 'python', source_namespace_name: 'sdk-source' },
  ]);
  const missing = await get('/v1/codehost/publishing_secrets?generate_gen_lock_id=lock');
  expect(missing).toEqual({ missing_secrets: ['PYPI_TOKEN'] });
});

test('the source may be the output of a remote source', async () => {
  await push('base', PETSTORE);
  const at = (name: string) => ({ registry_url: `x/local/default/${name}` });
  await post('/v1/artifacts/remote_sources', { inputs: [at('base')], output: at('pets') });
  await known();
  await configure();
  expect(await run()).toMatchObject({ run_status: 'completed', operations: 3 });
});

test('a language without code samples gets events, but no revision', async () => {
  await push('pets', PETSTORE);
  await known({ generate_target: 'php' });
  await configure();
  expect(await run()).toMatchObject({ run_status: 'completed', operations: 3 });
  expect((await get('/v1/artifacts/namespaces')).items).toHaveLength(1);
});

test('a run survives a restart, whatever it did before', async () => {
  await push('pets', PETSTORE);
  await known();
  await configure();
  await trigger();
  const second = await served(join(folder, 'service.db'));
  second.wait(60_000);
  const headers = { 'x-api-key': service.key };
  const seen = await second.plain('GET', `/v1/codehost/action?${repo}`, { headers });
  expect(seen.json.run_status).toBe('completed');
  await second.close();
  // The first service is still running, and sees the same outcome.
  expect(await page()).toMatchObject({ run_status: 'completed', version: '1.2.10' });
  expect(await events()).toHaveLength(3);
});
