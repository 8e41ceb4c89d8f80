/** The embedded service's code host integration: links, settings, secrets, runs. */
import { expect, test } from 'vitest';
import { codehost } from '../src/service/handlers/codehost.ts';
import { events } from '../src/service/handlers/events.ts';
import { faults } from './support/conforms.ts';
import { refusal, serviceScope, serviceSocket } from './support/service-scope.ts';

const where = { org: 'acme', repo: 'sdk' };
const lock = { generate_gen_lock_id: 'lock' };

function open() {
  const opened = serviceScope();
  const { scope } = opened;
  const generated = (more: object) =>
    events.postWorkspaceEvents(
      {
        workspace_id: scope.caller.workspaceId,
        body: [{ id: JSON.stringify(more), generate_gen_lock_id: 'lock', ...more }],
      },
      scope,
    );
  const link = (org = 'acme') => codehost.linkCodehostAccess({ codehost_org: org }, scope);
  const trigger = (more: object = {}) =>
    codehost.codehostTriggerAction(
      { body: { org: 'acme', repo_name: 'sdk', gen_lock_id: 'lock', ...more } },
      scope,
    );
  const missing = () => codehost.codehostCheckPublishingSecrets(lock, scope).missing_secrets;
  return { ...opened, generated, link, trigger, missing };
}

test('access is 404 until the org, or any, is linked', async () => {
  const { scope, stranger, link } = open();
  const check = (org: string, as = scope) =>
    refusal(() => codehost.checkCodehostAccess({ ...where, org }, as));
  expect(await check('acme')).toMatch(/^404 acme\/sdk/);
  expect(await refusal(() => codehost.linkCodehostAccess({}, scope))).toMatch(
    /^422 .*installation_id.*codehost_org/,
  );
  link();
  expect([await check('acme'), await check('other')]).toEqual(['not refused', expect.stringMatching(/^404/)]);
  expect(await check('acme', stranger)).toMatch(/^404/);
  codehost.linkCodehostAccess({ installation_id: '7' }, scope);
  expect(await check('other')).toBe('not refused');
});

test('the setup state follows what is linked, configured and stored', () => {
  const { scope, link } = open();
  const state = () => codehost.getCodehostSetupState({ ...where, ...lock }, scope);
  const expected = (installed: boolean, configured: boolean, secrets: boolean) => ({
    app_installed: installed,
    actions: { generation_action_configured: configured, publish_action_configured: configured && secrets },
    secrets: { api_key_configured: installed, publishing_secrets_configured: secrets },
  });
  expect(state()).toEqual(expected(false, false, false));
  link();
  expect(state()).toEqual(expected(true, false, false));
  codehost.codehostConfigureTarget({ body: { org: 'acme', repo_name: 'sdk' } }, scope);
  expect(state()).toEqual(expected(true, true, false));
  codehost.codehostStorePublishingSecrets({ body: { ...lock, secrets: { NPM_TOKEN: 'x' } } }, scope);
  expect(state()).toEqual(expected(true, true, true));
  expect(faults('CodehostSetupStateResponse', state())).toEqual([]);
});

test('missing secrets are those of the target language, less those that are stored', async () => {
  const { scope, generated, missing } = open();
  expect(missing()).toEqual(['NPM_TOKEN']);
  generated({ generate_target: 'java' });
  const java = ['OSSRH_USERNAME', 'OSSRH_PASSWORD', 'JAVA_GPG_SECRET_KEY', 'JAVA_GPG_PASSPHRASE'];
  expect(missing()).toEqual(java);
  const store = (body: object) => codehost.codehostStorePublishingSecrets({ body }, scope);
  store({ ...lock, secrets: { OSSRH_USERNAME: 'top secret' } });
  store({ ...lock, secrets: { OSSRH_PASSWORD: 'p' } });
  store({ ...lock });
  store({ generate_gen_lock_id: 'other', secrets: { JAVA_GPG_PASSPHRASE: 'p' } });
  expect(missing()).toEqual(java.slice(2));
  expect(JSON.stringify(scope.store.all('SELECT * FROM codehost_secrets'))).not.toContain('top secret');
  generated({ generate_target: 'go' });
  expect(missing()).toEqual([]);
  expect(await refusal(() => store({ secrets: {} }))).toMatch(/^422 generate_gen_lock_id/);
  expect(await refusal(() => store({ ...lock, secrets: { A: 1 } }))).toMatch(/^422 secrets/);
});

test('code samples are configured with addresses in the registry', async () => {
  const { scope, generated, link, trigger } = open();
  const configure = (more: object = {}) =>
    codehost.codehostConfigureCodeSamples({ body: { ...where, targetName: 'ts', ...more } }, scope);
  const first = configure();
  expect(first).toEqual({
    source: { location: '127.0.0.1:9/local/default/sdk-source' },
    codeSampleOverlayRegistryURL: '127.0.0.1:9/local/default/sdk-ts-code-samples',
  });
  expect(faults('CodehostConfigureCodeSamplesResponse', first)).toEqual([]);
  generated({ generate_target_name: 'ts', source_namespace_name: 'pets' });
  link();
  trigger({ target_name: 'ts' });
  expect(configure()).toMatchObject({
    source: { location: '127.0.0.1:9/local/default/pets' },
    ghActionID: expect.any(String),
  });
  expect(await refusal(() => configure({ targetName: undefined }))).toMatch(/^422 targetName/);
  expect(scope.store.all("SELECT target FROM codehost_settings WHERE kind = 'code-samples'")).toHaveLength(1);
});

test('a docsite repository and a target are configured, unknown fields and all', async () => {
  const { scope } = open();
  const docsite = (body: object) => codehost.codehostConfigureDocsiteRepo({ body }, scope);
  const body = { ...where, input: 'pets', overlays: ['fix'], extra: 1 };
  expect(docsite(body)).toBeUndefined();
  const row = scope.store.get("SELECT record FROM codehost_settings WHERE kind = 'docsite'");
  expect(JSON.parse(String(row?.record))).toEqual(body);
  expect(await refusal(() => docsite({ ...body, input: '' }))).toMatch(/^422 input/);
  expect(await refusal(() => docsite({ ...body, overlays: undefined }))).toMatch(/^422 overlays/);
  expect(await refusal(() => codehost.codehostConfigureTarget({ body: { org: 'a' } }, scope))).toMatch(
    /^422 repo_name/,
  );
});

test('an action is triggered, and comes to its end by the clock', async () => {
  const { scope, stranger, link, trigger, wait } = open();
  const latest = (targetName?: string, as = scope) =>
    codehost.getCodehostAction({ ...where, ...(targetName && { targetName }) }, as);
  expect(await refusal(() => trigger())).toMatch(/^404/);
  expect(latest()).toEqual({});
  link();
  trigger({ target_name: 'ts' });
  const first = latest();
  expect(first).toMatchObject({ run_status: 'queued', run_url: expect.stringMatching(/^http:.*\/runs\/.+/) });
  wait(1000);
  expect(latest()).toEqual({ ...first, run_status: 'in_progress' });
  wait(2000);
  expect(latest()).toEqual({ ...first, run_status: 'completed' });
  trigger({ target_name: 'py' });
  expect(latest().run_url).not.toBe(first.run_url);
  expect(latest('ts').run_url).toBe(first.run_url);
  expect(latest('go')).toEqual({});
  expect(latest(undefined, stranger)).toEqual({});
  expect(await refusal(() => trigger({ gen_lock_id: undefined }))).toMatch(/^422 gen_lock_id/);
});

test('a completed run has a pull request that would publish', () => {
  const { scope, link, trigger, wait, generated } = open();
  const check = () => codehost.codehostCheckPublishingPRs({ ...where, ...lock }, scope);
  link();
  generated({ generate_config_post_version: '1.2.9' });
  trigger({ target_name: 'ts' });
  expect(check()).toEqual({});
  wait(3000);
  expect(check()).toMatchObject({
    pull_request: expect.stringContaining('/runs/'),
    pending_version: '1.2.10',
    pull_request_metadata: { status: 'open', created_at: scope.now().toISOString(), labels: [] },
  });
  expect(faults('CodehostPublishingPRResponse', check())).toEqual([]);
  trigger({ set_version: '2.0.0' });
  expect(check()).toMatchObject({ pending_version: '1.2.10' });
  wait(3000);
  expect(check()).toMatchObject({ pending_version: '2.0.0' });
});

test('over a socket: linked by query, triggered, seen to its end', async () => {
  const { ask, send, wait } = await serviceSocket();
  const query = new URLSearchParams(where);
  expect((await ask('GET', `/v1/codehost/check_access?${query}`)).status).toBe(404);
  expect((await ask('POST', '/v1/codehost/link')).status).toBe(422);
  expect((await ask('POST', '/v1/codehost/link?codehost_org=acme')).status).toBe(204);
  expect((await ask('GET', `/v1/codehost/check_access?${query}`)).status).toBe(204);
  const action = async () => (await ask('GET', `/v1/codehost/action?${query}`)).json();
  expect(await action()).toEqual({});
  const body = { org: 'acme', repo_name: 'sdk', gen_lock_id: 'lock' };
  expect((await send('POST', '/v1/codehost/trigger_action', body)).status).toBe(204);
  expect((await action()).run_status).toBe('queued');
  wait(3000);
  expect((await action()).run_status).toBe('completed');
  const pending = await ask('GET', `/v1/codehost/publishing_prs?${query}&generate_gen_lock_id=lock`);
  expect(await pending.json()).toMatchObject({ pending_version: '0.0.1' });
  const missing = await ask('GET', '/v1/codehost/publishing_secrets');
  expect([missing.status, (await missing.json()).message]).toEqual([
    400,
    expect.stringContaining('generate_gen_lock_id'),
  ]);
});
