/** Every operation on the wire: the literal request that a command line sends, and what it prints for the answer. */
import { expect, test } from 'vitest';
import { frozenClock } from '../support/clocks.ts';
import { answer, answerPreflight, guardWire, type Row, type Seen, wire } from '../support/wire.ts';
import { rows } from './rows.ts';

guardWire();

/** Typed from the table of commands, plus the three operations that the document does not show. */
const commands: Readonly<Record<string, string>> = {
  validateApiKey: 'auth validate',
  getUser: 'auth user',
  getAccessToken: 'auth token',
  getWorkspaceAccess: 'auth access',
  getCodeSamples: 'code-samples get',
  generateCodeSamplePreview: 'code-samples preview',
  generateCodeSamplePreviewAsync: 'code-samples jobs create',
  getCodeSamplePreviewAsync: 'code-samples jobs get',
  getCodehostSetupState: 'codehost setup get',
  checkCodehostAccess: 'codehost access check',
  linkCodehostAccess: 'codehost access link',
  codehostCheckPublishingPRs: 'codehost publishing-prs check',
  codehostCheckPublishingSecrets: 'codehost publishing-secrets check',
  codehostStorePublishingSecrets: 'codehost publishing-secrets store',
  codehostConfigureCodeSamples: 'codehost configure code-samples',
  codehostConfigureDocsiteRepo: 'codehost configure docsite-repo',
  codehostConfigureTarget: 'codehost configure target',
  codehostTriggerAction: 'codehost actions trigger',
  getCodehostAction: 'codehost actions get',
  getOrganizations: 'orgs list',
  createOrganization: 'orgs create',
  getOrganization: 'orgs get',
  createFreeTrial: 'orgs free-trial create',
  getOrganizationUsage: 'orgs usage get',
  createBillingAddOns: 'orgs add-ons create',
  getBillingAddOns: 'orgs add-ons list',
  deleteBillingAddOn: 'orgs add-ons delete',
  getPublishingToken: 'publishing-tokens list',
  createPublishingToken: 'publishing-tokens create',
  getPublishingTokenByID: 'publishing-tokens get',
  updatePublishingTokenExpiration: 'publishing-tokens update',
  deletePublishingToken: 'publishing-tokens delete',
  getPublishingTokenTargetByID: 'publishing-tokens target',
  getPublishingTokenPublicMetadata: 'publishing-tokens metadata',
  getWorkspaces: 'ws list',
  getWorkspaceByContext: 'ws current',
  createWorkspace: 'ws create',
  getWorkspace: 'ws get',
  updateWorkspaceDetails: 'ws update',
  getWorkspaceSettings: 'ws settings get',
  updateWorkspaceSettings: 'ws settings update',
  getWorkspaceTeam: 'ws team list',
  grantUserAccessToWorkspace: 'ws team grant',
  revokeUserAccessToWorkspace: 'ws team revoke',
  getWorkspaceTokens: 'ws tokens list',
  createWorkspaceToken: 'ws tokens create',
  deleteWorkspaceToken: 'ws tokens delete',
  setWorkspaceFeatureFlags: 'ws feature-flags set',
  getWorkspaceFeatureFlags: 'ws feature-flags get',
  searchWorkspaceEvents: 'events search',
  postWorkspaceEvents: 'events post',
  getWorkspaceEventsByTarget: 'events list',
  getWorkspaceTargets: 'events targets list',
  getWorkspaceTargetsDeprecated: 'events targets list-deprecated',
  uploadReport: 'reports upload',
  getLintingReportSignedUrl: 'reports linting-url',
  getChangesReportSignedUrl: 'reports changes-url',
  suggestOpenAPI: 'suggest openapi',
  suggest: 'suggest from-summary',
  suggestItems: 'suggest items',
  suggestOpenAPIRegistry: 'suggest registry',
  getSchemaStoreItem: 'schema-store get',
  createSchemaStoreItem: 'schema-store create',
  create: 'short-urls create',
  preflight: 'artifacts preflight',
  getNamespaces: 'artifacts namespaces list',
  archiveNamespace: 'artifacts namespaces archive',
  getRevisions: 'artifacts revisions list',
  getTags: 'artifacts tags list',
  postTags: 'artifacts tags add',
  setVisibility: 'artifacts namespaces set-visibility',
  listRemoteSources: 'artifacts remote-sources list',
  createRemoteSource: 'artifacts remote-sources create',
  getManifest: 'artifacts manifests get',
  getBlob: 'artifacts blobs get',
  ignoreSubscriptionNamespace: 'subscriptions ignore',
  activateSubscriptionNamespace: 'subscriptions activate',
};

test('there is a row for each of the 77 operations, and for no other', () => {
  expect(Object.keys(commands)).toHaveLength(77);
  expect([...new Set(rows.map(({ id }) => id))].sort()).toEqual(Object.keys(commands).sort());
});

test.each(rows.map((row) => [row.argv.join(' '), row] as const))('dtp %s', async (line, row) => {
  expect(`${line} `.startsWith(`${commands[row.id]} `)).toBe(true);
  const asked = row.tokenOf === undefined ? [] : answerPreflight();
  const seen = answer(row.method, row.path, row.reply);
  const ended = await wire([...row.argv, '-o', 'json'], { files: row.files ?? {}, clock: frozenClock });
  expect(ended).toMatchObject({ code: 0, stdout: row.stdout });
  expect(asked.map(({ body }) => JSON.parse(body).namespace_name)).toEqual(
    row.tokenOf === undefined ? [] : [row.tokenOf],
  );
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([`${row.method} ${row.path}`]);
  checkHeaders(row, seen[0] as Seen);
  checkBody(row, seen[0] as Seen);
});

/** The complete set, so that the request has nothing that the document does not ask for. */
function checkHeaders(row: Row, seen: Seen): void {
  const { connection: _, 'user-agent': agent, ...headers } = seen.headers;
  expect(agent).toMatch(/^dtp\/\d+\.\d+\.\d+/);
  expect(headers).toEqual({
    host: 'api.example.test',
    'accept-encoding': 'identity',
    ...(row.anonymous ? {} : row.tokenOf ? { authorization: 'Bearer t-1' } : { 'x-api-key': 'k-1' }),
    ...(row.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(seen.body)) }),
    ...row.headers,
  });
}

function checkBody(row: Row, seen: Seen): void {
  if (row.body === undefined) expect(seen.body).toBe('');
  else if (typeof row.body === 'string') expect(seen.body).toBe(row.body);
  else expect(JSON.parse(seen.body)).toEqual(row.body);
}

const firsts = Object.keys(commands).map((id) => rows.find((row) => row.id === id) as Row);

test.each(firsts.map((row) => [row.id, row] as const))('%s: 404 exits with 6', async (id, row) => {
  if (row.tokenOf !== undefined) answerPreflight();
  const seen = answer(row.method, row.path, [404, '{"message":"no such thing","status_code":404}']);
  const ended = await wire([...row.argv, '-o', 'json'], { files: row.files ?? {} });
  expect(ended).toMatchObject({ code: 6, stdout: '' });
  expect(seen).toHaveLength(1);
  const lastLine = ended.stderr.trimEnd().split('\n').at(-1) as string;
  expect(JSON.parse(lastLine).error).toMatchObject({
    code: 'not_found',
    exit_code: 6,
    status: 404,
    operation: id,
    method: row.method,
    path: row.path.split('?')[0],
    retryable: false,
    attempts: 1,
    details: { message: 'no such thing', status_code: 404 },
  });
});
