/** What a caller may do who only knows the id of a workspace: a row for each of the API's operations. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { operations } from '../../../src/operations/index.ts';
import { type Answer, type Served, served } from '../../support/served.ts';
import { PETSTORE } from '../../support/service-scope.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const REPORT = '<p>report</p>';
const LAYER = sha256(PETSTORE);
const MANIFEST = JSON.stringify({
  schemaVersion: 2,
  layers: [{ mediaType: 'application/zip', digest: LAYER }],
});

function form(parts: Readonly<Record<string, string>>, file: readonly [name: string, text: string]) {
  const part = (name: string, text: string, more = '') =>
    `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
  const fields = Object.entries(parts).map(([name, text]) => part(name, text));
  const body = `${fields.join('')}${part(...file, '; filename="f"')}--b--\r\n`;
  return { body, headers: { 'content-type': 'multipart/form-data; boundary=b' } };
}

const sample = form({ language: 'curl' }, ['schema_file', PETSTORE]);
const session = { headers: { 'x-session-id': 's' } };
const summary = {
  suggestion_type: 'method-names',
  diagnostics: [],
  oas_summary: { info: { title: 't', version: '1' }, operations: [] },
};
const repository = 'org=acme&repo=sdk';
const lock = 'generate_gen_lock_id=lock-1';
const target = { org: 'acme', repo: 'sdk', repo_name: 'sdk', targetName: 't', gen_lock_id: 'lock-1' };
const publishing = {
  target_id: 't1',
  target_resource: 'document',
  valid_until: '2026-01-01T00:00:00Z',
  token_name: 'docs',
};

/** With only the id: `allowed` as with a key, allowed but `blank` where the secret is, or `refused` with 403. */
type Verdict = 'allowed' | 'blank' | 'refused';
type Row = readonly [Verdict, request: string, sent?: Parameters<Served['plain']>[2]];

/** `W` stands for the path of the workspace, a name in capitals for a value of the world below. */
const rows: Readonly<Record<string, Row>> = {
  validateApiKey: ['allowed', 'GET /v1/auth/validate'],
  getUser: ['allowed', 'GET /v1/user'],
  getAccessToken: ['allowed', 'GET /v1/auth/access_token?workspace_id=WORKSPACE_ID'],
  getWorkspaceAccess: ['allowed', 'GET /v1/workspace/access'],
  getCodeSamples: ['allowed', 'GET /v1/code_sample?registry_url=local/default/pets&languages=curl'],
  generateCodeSamplePreview: ['allowed', 'POST /v1/code_sample/preview', sample],
  generateCodeSamplePreviewAsync: ['allowed', 'POST /v1/code_sample/preview/async', sample],
  getCodeSamplePreviewAsync: ['allowed', 'GET /v1/code_sample/preview/async/JOB_ID'],
  getCodehostSetupState: ['allowed', `GET /v1/codehost/setup?${repository}&${lock}`],
  checkCodehostAccess: ['allowed', `GET /v1/codehost/check_access?${repository}`],
  linkCodehostAccess: ['allowed', 'POST /v1/codehost/link'],
  codehostCheckPublishingPRs: ['allowed', `GET /v1/codehost/publishing_prs?${repository}&${lock}`],
  codehostCheckPublishingSecrets: ['allowed', `GET /v1/codehost/publishing_secrets?${lock}`],
  codehostStorePublishingSecrets: [
    'refused',
    'POST /v1/codehost/publishing_secrets',
    { json: { generate_gen_lock_id: 'lock-1', secrets: { NPM_TOKEN: 'npm_other' } } },
  ],
  codehostConfigureCodeSamples: ['allowed', 'POST /v1/codehost/configure_code_samples', { json: target }],
  codehostConfigureDocsiteRepo: [
    'allowed',
    'POST /v1/codehost/configure_docsite_repo',
    { json: { ...target, input: 'openapi.yaml', overlays: [] } },
  ],
  codehostConfigureTarget: ['allowed', 'POST /v1/codehost/configure_target', { json: target }],
  codehostTriggerAction: ['allowed', 'POST /v1/codehost/trigger_action', { json: target }],
  getCodehostAction: ['allowed', `GET /v1/codehost/action?${repository}`],
  getOrganizations: ['allowed', 'GET /v1/organizations'],
  createOrganization: ['refused', 'POST /v1/organization', { json: { name: 'New' } }],
  getOrganization: ['allowed', 'GET /v1/organization/ORGANIZATION_ID'],
  createFreeTrial: ['refused', 'POST /v1/organization/free_trial'],
  getOrganizationUsage: ['allowed', 'GET /v1/organization/usage'],
  createBillingAddOns: ['refused', 'POST /v1/organization/add_ons', { json: { add_ons: ['webhooks'] } }],
  getBillingAddOns: ['allowed', 'GET /v1/organization/add_ons'],
  deleteBillingAddOn: ['refused', 'DELETE /v1/organization/add_ons/snippet_ai'],
  getPublishingToken: ['blank', 'GET /v1/publishing-tokens'],
  createPublishingToken: ['refused', 'POST /v1/publishing-tokens', { json: publishing }],
  getPublishingTokenByID: ['blank', 'GET /v1/publishing-tokens/PUBLISHING_ID'],
  updatePublishingTokenExpiration: [
    'refused',
    'PUT /v1/publishing-tokens/PUBLISHING_ID',
    { json: { valid_until: '2027-01-01T00:00:00Z' } },
  ],
  deletePublishingToken: ['refused', 'DELETE /v1/publishing-tokens/PUBLISHING_ID'],
  getPublishingTokenTargetByID: ['allowed', 'GET /v1/publishing-tokens/PUBLISHING_ID/target'],
  getPublishingTokenPublicMetadata: ['allowed', 'GET /v1/publishing-tokens/PUBLISHING_ID/metadata'],
  getWorkspaces: ['allowed', 'GET /v1/workspaces'],
  getWorkspaceByContext: ['allowed', 'GET /v1/workspace'],
  createWorkspace: ['refused', 'POST /v1/workspace', { json: { name: 'New' } }],
  getWorkspace: ['allowed', 'GET W'],
  updateWorkspaceDetails: ['refused', 'POST W/details', { json: { name: 'Renamed' } }],
  getWorkspaceSettings: ['blank', 'GET W/settings'],
  updateWorkspaceSettings: ['refused', 'PUT W/settings', { json: { webhook_url: '' } }],
  getWorkspaceTeam: ['allowed', 'GET W/team'],
  grantUserAccessToWorkspace: ['refused', 'PUT W/team/email/mallory@a.example'],
  revokeUserAccessToWorkspace: ['refused', 'DELETE W/team/MEMBER_ID'],
  getWorkspaceTokens: ['blank', 'GET W/tokens'],
  createWorkspaceToken: ['refused', 'POST W/tokens', { json: { name: 'new' } }],
  deleteWorkspaceToken: ['refused', 'DELETE W/tokens/TOKEN_ID'],
  setWorkspaceFeatureFlags: ['refused', 'POST /v1/workspace/feature_flags', { json: { feature_flags: [] } }],
  getWorkspaceFeatureFlags: ['allowed', 'GET W/feature_flags'],
  searchWorkspaceEvents: ['allowed', 'GET W/events'],
  postWorkspaceEvents: ['allowed', 'POST W/events', { json: [{ id: 'e2' }] }],
  getWorkspaceEventsByTarget: ['allowed', 'GET W/events/targets/lock-1/events'],
  getWorkspaceTargets: ['allowed', 'GET /v1/workspace/events/targets'],
  getWorkspaceTargetsDeprecated: ['allowed', 'GET W/events/targets'],
  uploadReport: ['allowed', 'POST /v1/reports', form({ data: '{"type":"linting"}' }, ['file', 'other'])],
  getLintingReportSignedUrl: ['allowed', `GET /v1/reports/linting/${md5(REPORT)}`],
  getChangesReportSignedUrl: ['allowed', `GET /v1/reports/changes/${md5(REPORT)}`],
  suggestOpenAPI: [
    'allowed',
    'POST /v1/suggest/openapi',
    (({ body, headers }) => ({ body, headers: { ...headers, ...session.headers } }))(
      form({ opts: '{"suggestion_type":"method-names"}' }, ['schema', PETSTORE]),
    ),
  ],
  suggest: ['allowed', 'POST /v1/suggest/openapi_from_summary', { ...session, json: summary }],
  suggestItems: ['allowed', 'POST /v1/suggest/items', { json: { prompt: 'p', items: ['a'] } }],
  suggestOpenAPIRegistry: ['allowed', 'POST /v1/suggest/openapi/pets/v1', { ...session, json: summary }],
  getSchemaStoreItem: ['allowed', 'GET /v1/schema_store', { json: { id: 'SCHEMA_ID' } }],
  createSchemaStoreItem: [
    'allowed',
    'POST /v1/schema_store',
    { json: { spec: PETSTORE, packageName: 'p', sdkClassname: 'C', format: 'yaml' } },
  ],
  create: ['allowed', 'POST /v1/short_urls', { json: { url: 'https://a.example/' } }],
  preflight: ['allowed', 'POST /v1/artifacts/preflight', { json: { namespace_name: 'pets' } }],
  getNamespaces: ['allowed', 'GET /v1/artifacts/namespaces'],
  archiveNamespace: ['allowed', 'POST /v1/artifacts/namespaces/pets/archive', { json: { archived: false } }],
  getRevisions: ['allowed', 'GET /v1/artifacts/namespaces/pets/revisions'],
  getTags: ['allowed', 'GET /v1/artifacts/namespaces/pets/tags'],
  postTags: [
    'allowed',
    'POST /v1/artifacts/namespaces/pets/tags',
    { json: { revision_digest: sha256(MANIFEST), tags: ['v2'] } },
  ],
  setVisibility: ['allowed', 'POST /v1/artifacts/namespaces/pets/visibility', { json: { public: false } }],
  listRemoteSources: ['allowed', 'GET /v1/artifacts/remote_sources?namespace_name=merged'],
  createRemoteSource: [
    'allowed',
    'POST /v1/artifacts/remote_sources',
    { json: { inputs: [{ registry_url: 'pets' }], output: { registry_url: 'more' } } },
  ],
  getManifest: ['allowed', 'GET /v1/oci/v2/local/default/pets/manifests/v1', { headers: { accept: '*/*' } }],
  getBlob: ['allowed', `GET /v1/oci/v2/local/default/pets/blobs/${LAYER}`],
  ignoreSubscriptionNamespace: ['allowed', 'POST /v1/subscriptions/SUBSCRIPTION_ID/pets/ignore'],
  activateSubscriptionNamespace: ['allowed', 'POST /v1/subscriptions/SUBSCRIPTION_ID/pets/activate'],
};

let service: Served;
let values: Readonly<Record<string, string>>;
/** What no answer to a caller with only the id may contain. */
let secrets: readonly string[];

const fill = (text: string) =>
  text
    .replace(/^(\w+) W(?=\/|$)/, `$1 /v1/workspace/${service.workspaceId}`)
    .replace(/[A-Z]+_ID/g, (name) => {
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

/** A workspace that has one of everything, and a second workspace of the same user. */
beforeEach(async () => {
  service = await served();
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
    [
      'workspace_tokens',
      'publishing_tokens',
      'members',
      'owners',
      'invites',
      'codehost_secrets',
      'workspaces',
    ]
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
