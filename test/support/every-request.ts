/** One request for each of the API's operations, and what a caller with only the id of a workspace may do with it. */
import { createHash } from 'node:crypto';
import type { Served } from './embedded-service.ts';
import { PETSTORE } from './service-scope.ts';

export const md5 = (text: string) => createHash('md5').update(text).digest('hex');
export const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

export const REPORT = '<p>report</p>';
export const LAYER = sha256(PETSTORE);
export const MANIFEST = JSON.stringify({
  schemaVersion: 2,
  layers: [{ mediaType: 'application/zip', digest: LAYER }],
});

export function form(parts: Readonly<Record<string, string>>, file: readonly [name: string, text: string]) {
  const part = (name: string, text: string, more = '') =>
    `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
  const fields = Object.entries(parts).map(([name, text]) => part(name, text));
  const body = `${fields.join('')}${part(...file, '; filename="f"')}--b--\r\n`;
  return { body, headers: { 'content-type': 'multipart/form-data; boundary=b' } };
}

export const sample = form({ language: 'curl' }, ['schema_file', PETSTORE]);
const session = { headers: { 'x-session-id': 's' } };
const summary = {
  suggestion_type: 'method-names',
  diagnostics: [],
  oas_summary: { info: { title: 't', version: '1' }, operations: [] },
};
const repository = 'org=acme&repo=sdk';
const lock = 'generate_gen_lock_id=lock-1';
export const target = { org: 'acme', repo: 'sdk', repo_name: 'sdk', targetName: 't', gen_lock_id: 'lock-1' };
export const publishing = {
  target_id: 't1',
  target_resource: 'document',
  valid_until: '2100-01-01T00:00:00Z',
  token_name: 'docs',
};

/** With only the id: `allowed` as with a key, allowed but `blank` where the secret is, or `refused` with 403. */
export type Verdict = 'allowed' | 'blank' | 'refused';
type Row = readonly [Verdict, request: string, sent?: Parameters<Served['plain']>[2]];

/** `W` stands for the path of the workspace, a name in capitals for a value of the world below. */
export const rows: Readonly<Record<string, Row>> = {
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
  getOrganizationUsage: ['refused', 'GET /v1/organization/usage'],
  createBillingAddOns: ['refused', 'POST /v1/organization/add_ons', { json: { add_ons: ['webhooks'] } }],
  getBillingAddOns: ['refused', 'GET /v1/organization/add_ons'],
  deleteBillingAddOn: ['refused', 'DELETE /v1/organization/add_ons/snippet_ai'],
  getPublishingToken: ['blank', 'GET /v1/publishing-tokens'],
  createPublishingToken: ['refused', 'POST /v1/publishing-tokens', { json: publishing }],
  getPublishingTokenByID: ['blank', 'GET /v1/publishing-tokens/PUBLISHING_ID'],
  updatePublishingTokenExpiration: [
    'refused',
    'PUT /v1/publishing-tokens/PUBLISHING_ID',
    { json: { valid_until: '2101-01-01T00:00:00Z' } },
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

/** The request of a row. `values` are those that `fillService` returns. */
export function requestOf(id: string, workspaceId: string, values: Readonly<Record<string, string>>) {
  const fill = (text: string) =>
    text.replace(/^(\w+) W(?=\/|$)/, `$1 /v1/workspace/${workspaceId}`).replace(/[A-Z]+_ID/g, (name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`no value for ${name}`);
      return value;
    });
  const [, request, sent = {}] = rows[id] ?? ['refused', ''];
  const [method = '', path = ''] = fill(request).split(' ');
  return {
    method,
    path,
    sent: sent.json === undefined ? sent : { ...sent, json: JSON.parse(fill(JSON.stringify(sent.json))) },
  };
}
