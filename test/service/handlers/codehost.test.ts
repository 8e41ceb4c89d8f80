/** The embedded service's code host integration: links, settings, secrets, runs. */
import { expect, test } from 'vitest';
import { codehost } from '../../../src/service/handlers/codehost.ts';
import { events } from '../../../src/service/handlers/events.ts';
import { faults } from '../../support/record-shape.ts';
import { refusal, request, START, serviceScope, serviceSocket } from '../../support/service-scope.ts';

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
    codehost.codehostTriggerAction({ body: { org: 'acme', repo_name: 'sdk', gen_lock_id: 'lock', ...more } }, scope);
  const configure = (as = scope) => codehost.codehostConfigureTarget({ body: { org: 'acme', repo_name: 'sdk' } }, as);
  const missing = () => codehost.codehostCheckPublishingSecrets(lock, scope).missing_secrets;
  return { ...opened, generated, link, configure, trigger, missing };
}

test('access is 404 until this org, or every org, is linked', async () => {
  const { scope, stranger, link } = open();
  const check = (org: string, as = scope) => refusal(() => codehost.checkCodehostAccess({ ...where, org }, as));
  expect(await check('acme')).toMatch(/^404 acme\/sdk/);
  link();
  expect([await check('acme'), await check('other')]).toEqual(['not rejected', expect.stringMatching(/^404/)]);
  expect(await check('acme', stranger)).toMatch(/^404/);
  codehost.linkCodehostAccess({ installation_id: '7' }, scope);
  expect(await check('other')).toBe('not rejected');
  // api.md, linkCodehostAccess: all inputs are optional.
  codehost.linkCodehostAccess({}, stranger);
  expect(await check('acme', stranger)).toBe('not rejected');
});

const jwt = (claims: unknown) => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl`;
};

test('an OIDC token links the owner that it names, and nobody else', async () => {
  const { scope } = open();
  const check = (org: string) => refusal(() => codehost.checkCodehostAccess({ ...where, org }, scope));
  const link = (codehost_oidc_token: string, more: object = {}) =>
    refusal(() => codehost.linkCodehostAccess({ codehost_oidc_token, ...more }, scope));
  const acme = jwt({ repository_owner: 'acme' });
  for (const wrong of ['', 'garbage', 'a.b.c', jwt('acme'), jwt({ sub: 'acme' }), acme.replace(/[^.]+$/, '')])
    expect(await link(wrong, { installation_id: '7' })).toMatch(/^422 codehost_oidc_token must/);
  expect(await link(acme, { codehost_org: 'other' })).toMatch(/^422 .*acme.*other/);
  expect(await check('acme')).toMatch(/^404/);
  expect(await link(acme)).toBe('not rejected');
  expect([await check('acme'), await check('other')]).toEqual(['not rejected', expect.stringMatching(/^404/)]);
});

test('an org cannot be configured before it is linked', async () => {
  const { scope, stranger, link, configure } = open();
  link();
  const samples = (as: typeof scope) =>
    codehost.codehostConfigureCodeSamples({ body: { ...where, targetName: 'ts' } }, as);
  const docsite = (as: typeof scope) =>
    codehost.codehostConfigureDocsiteRepo({ body: { ...where, input: 'pets', overlays: [] } }, as);
  for (const work of [configure, samples, docsite]) {
    expect(await refusal(() => work(stranger))).toMatch(/^404 acme\/sdk is not linked/);
    expect(await refusal(() => work(scope))).toBe('not rejected');
  }
  expect(scope.store.all('SELECT DISTINCT workspace_id FROM codehost_settings')).toHaveLength(1);
});

test('the setup state shows what is linked, configured and stored', () => {
  const { scope, link, configure, generated } = open();
  const state = () => codehost.getCodehostSetupState({ ...where, ...lock }, scope);
  const expected = (installed: boolean, configured: boolean, secrets: boolean) => ({
    app_installed: installed,
    actions: { generation_action_configured: configured, publish_action_configured: configured && secrets },
    secrets: { api_key_configured: installed, publishing_secrets_configured: secrets },
  });
  expect(state()).toEqual(expected(false, false, false));
  link();
  expect(state()).toEqual(expected(true, false, false));
  configure();
  expect(state()).toEqual(expected(true, true, false));
  generated({ generate_target: 'typescript' });
  expect(state()).toEqual(expected(true, true, false));
  codehost.codehostStorePublishingSecrets({ body: { ...lock, secrets: { NPM_TOKEN: 'x' } } }, scope);
  expect(state()).toEqual(expected(true, true, true));
  expect(faults('CodehostSetupStateResponse', state())).toEqual([]);
});

test('missing secrets are those of the target language that are not stored', async () => {
  const { scope, generated, missing } = open();
  expect(await refusal(missing)).toBe('404 no target has the lock id lock');
  generated({ interaction_type: 'LINT' });
  expect(await refusal(missing)).toMatch(/^404 the target lock has not been generated yet/);
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
  for (const generate_target of ['go', 'swift', 'constructor']) {
    generated({ generate_target });
    expect(missing()).toEqual([]);
  }
  expect(await refusal(() => store({ secrets: {} }))).toMatch(/^422 generate_gen_lock_id/);
  expect(await refusal(() => store({ ...lock, secrets: { A: 1 } }))).toMatch(/^422 secrets/);
  generated({ generate_target: 'python' });
  expect(await refusal(() => store({ ...lock, secrets: { A: 'a', PYPI_TOKEN: ' ' } }))).toMatch(
    /^422 secrets\.PYPI_TOKEN/,
  );
  expect(missing()).toEqual(['PYPI_TOKEN']);
});

test('code samples are configured with registry URLs', async () => {
  const { scope, generated, link, configure, trigger } = open();
  const samples = (more: object = {}) =>
    codehost.codehostConfigureCodeSamples({ body: { ...where, targetName: 'ts', ...more } }, scope);
  link();
  const first = await samples();
  expect(first).toEqual({
    source: { location: '127.0.0.1:9/local/default/sdk-source' },
    codeSampleOverlayRegistryURL: '127.0.0.1:9/local/default/sdk-ts-code-samples',
  });
  expect(faults('CodehostConfigureCodeSamplesResponse', first)).toEqual([]);
  generated({ generate_target_name: 'ts', source_namespace_name: 'pets' });
  configure();
  trigger({ target_name: 'ts' });
  expect(await samples()).toMatchObject({
    source: { location: '127.0.0.1:9/local/default/pets' },
    ghActionID: expect.any(String),
  });
  expect(await refusal(() => samples({ targetName: undefined }))).toMatch(/^422 targetName/);
  expect(scope.store.all("SELECT target FROM codehost_settings WHERE kind = 'code-samples'")).toHaveLength(1);
});

test('a docsite repository and a target are configured, including unknown fields', async () => {
  const { scope, link } = open();
  link();
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

test('an action is triggered only if the org is linked, a target is configured, and the names are valid', async () => {
  const { scope, stranger, link, configure, trigger } = open();
  const latest = (targetName?: string, as = scope) =>
    codehost.getCodehostAction({ ...where, ...(targetName && { targetName }) }, as);
  expect(await refusal(() => trigger())).toMatch(/^404/);
  link();
  expect(await refusal(() => trigger())).toMatch(/^409 acme\/sdk has no target configured/);
  expect(latest()).toEqual({});
  configure();
  trigger({ target_name: 'ts' });
  const first = latest();
  expect(first).toMatchObject({ run_status: 'queued', run_url: expect.stringMatching(/^http:.*\/runs\/.+/) });
  trigger({ target_name: 'py' });
  expect(latest().run_url).not.toBe(first.run_url);
  expect(latest('ts').run_url).toBe(first.run_url);
  expect(latest('go')).toEqual({});
  expect(latest(undefined, stranger)).toEqual({});
  expect(await refusal(() => trigger({ gen_lock_id: undefined }))).toMatch(/^422 gen_lock_id/);
  for (const [org, repo_name] of [
    ['acme', 'a/b'],
    ['acme', '..'],
    ['a b', 'sdk'],
  ])
    expect(await refusal(() => trigger({ org, repo_name }))).toMatch(/^422 (org|repo) must be the name/);
});

test('over a socket: an org is linked and configured, and a run is triggered and followed at its URL', async () => {
  const { address, ask, send, wait } = await serviceSocket();
  const query = new URLSearchParams(where);
  expect((await ask('GET', `/v1/codehost/check_access?${query}`)).status).toBe(404);
  const linked = await ask('POST', '/v1/codehost/link?codehost_org=acme');
  expect([linked.status, linked.headers.get('dtp-simplified')]).toEqual([
    204,
    expect.stringContaining('no signature is checked'),
  ]);
  expect((await ask('GET', `/v1/codehost/check_access?${query}`)).status).toBe(204);
  const action = async () => (await ask('GET', `/v1/codehost/action?${query}`)).json();
  expect(await action()).toEqual({});
  const body = { org: 'acme', repo_name: 'sdk', gen_lock_id: 'lock', note: 'n' };
  expect((await send('POST', '/v1/codehost/configure_target', body)).status).toBe(204);
  expect((await send('POST', '/v1/codehost/trigger_action', body)).status).toBe(204);
  const { run_url, run_status } = await action();
  expect([run_url, run_status]).toEqual([expect.stringContaining(`${address}/runs/`), 'queued']);
  for (const path of ['/runs/none', '/runs/none/pull_request', `${new URL(run_url).pathname}/logs`])
    expect((await ask('GET', path)).status).toBe(404);
  const page = await request(run_url);
  expect(page.headers.get('dtp-simplified')).toBe('a run posts events, pushes samples, publishes no SDK');
  expect(await page.json()).toEqual({ ...body, run_url, run_status: 'queued', created_at: START });
  wait(500);
  expect((await action()).run_status).toBe('in_progress');
  const missing = await ask('GET', '/v1/codehost/publishing_secrets');
  expect([missing.status, (await missing.json()).message]).toEqual([
    400,
    expect.stringContaining('generate_gen_lock_id'),
  ]);
});
