/** With the embedded service (`local:`), no command reads or writes another workspace than the selected one. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { served } from '../support/embedded-service.ts';
import { LAYER, md5, REPORT, sha256 } from '../support/every-request.ts';
import { fillService } from '../support/filled-service.ts';
import { freshStore } from '../support/fresh-store.ts';
import { workspaceKinds } from '../support/recorded-workspaces.ts';
import { PETSTORE } from '../support/service-scope.ts';

const folder = mkdtempSync(join(tmpdir(), 'dtp-workspaces-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The first workspace has one of everything. The second one belongs to the same user. */
let ids: Readonly<Record<'own' | 'other', string>>;
let names: Readonly<Record<'own' | 'other', string>>;
let values: Readonly<Record<string, string>>;
beforeAll(async () => {
  const service = await served(join(folder, 'service.db'));
  ({ values } = await fillService(service));
  const listed: { id: string; name: string }[] = (await service.call('GET', '/v1/workspaces')).json;
  const [own, other] = [
    listed.find(({ id }) => id === service.workspaceId),
    listed.find((row) => row.name === 'Second'),
  ];
  ids = { own: own?.id ?? '', other: other?.id ?? '' };
  names = { own: own?.name ?? '', other: 'Second' };
  await service.close();
});

const summary = [
  '--body',
  '{"suggestion_type":"method-names","diagnostics":[],"oas_summary":{"info":{"title":"t","version":"1"},"operations":[]}}',
];
const repository = ['-R', 'acme/sdk'];
const lock = ['--lock-id', 'lock-1'];
const target = ['--target-name', 't'];
const document = ['openapi.yaml', '--language', 'curl'];

/** The arguments of each operation after the words of its command. Values in capitals are ids of the filled service. */
const args: Readonly<Record<keyof typeof operations, readonly string[]>> = {
  validateApiKey: [],
  getUser: [],
  getAccessToken: [],
  getWorkspaceAccess: [],
  getCodeSamples: ['--registry-url', 'registry.example.com/local/default/pets:v1', '--language', 'curl'],
  generateCodeSamplePreview: document,
  generateCodeSamplePreviewAsync: document,
  getCodeSamplePreviewAsync: ['JOB_ID'],
  getCodehostSetupState: [...repository, ...lock],
  checkCodehostAccess: repository,
  linkCodehostAccess: ['--codehost-org', 'other'],
  codehostCheckPublishingPRs: [...repository, ...lock],
  codehostCheckPublishingSecrets: lock,
  codehostStorePublishingSecrets: [...lock, '--secrets', '{"NPM_TOKEN":"n"}'],
  codehostConfigureCodeSamples: [...repository, ...target],
  codehostConfigureDocsiteRepo: [...repository, '--input', 'openapi.yaml', '--overlays', 'overlay.yaml'],
  codehostConfigureTarget: ['-R', 'acme/other'],
  codehostTriggerAction: [...repository, ...lock],
  getCodehostAction: repository,
  getOrganizations: [],
  createOrganization: ['--name', 'New'],
  getOrganization: ['ORGANIZATION_ID'],
  createFreeTrial: [],
  getOrganizationUsage: [],
  createBillingAddOns: ['--add-ons', 'webhooks'],
  getBillingAddOns: [],
  deleteBillingAddOn: ['snippet_ai'],
  getPublishingToken: [],
  createPublishingToken: [...lock, '--target-resource', 'document', '--valid-until', '90d', '--name', 'new'],
  getPublishingTokenByID: ['PUBLISHING_ID'],
  updatePublishingTokenExpiration: ['PUBLISHING_ID', '--valid-until', '90d'],
  deletePublishingToken: ['PUBLISHING_ID'],
  getPublishingTokenTargetByID: ['PUBLISHING_ID'],
  getPublishingTokenPublicMetadata: ['PUBLISHING_ID'],
  getWorkspaces: [],
  getWorkspaceByContext: [],
  createWorkspace: ['--name', 'New'],
  getWorkspace: [],
  updateWorkspaceDetails: ['--name', 'Renamed'],
  getWorkspaceSettings: [],
  updateWorkspaceSettings: ['--webhook-url', 'https://hooks.example.com/new'],
  getWorkspaceTeam: [],
  grantUserAccessToWorkspace: ['bob@a.example'],
  revokeUserAccessToWorkspace: ['MEMBER_ID'],
  getWorkspaceTokens: [],
  createWorkspaceToken: ['--name', 'new'],
  deleteWorkspaceToken: ['TOKEN_ID'],
  setWorkspaceFeatureFlags: ['--feature-flags', 'webhooks'],
  getWorkspaceFeatureFlags: [],
  searchWorkspaceEvents: [],
  postWorkspaceEvents: ['--id', 'e2', '--type', 'CI_EXEC'],
  getWorkspaceEventsByTarget: ['lock-1'],
  getWorkspaceTargets: [],
  getWorkspaceTargetsDeprecated: [],
  uploadReport: ['lint.html', '--type', 'linting'],
  getLintingReportSignedUrl: [md5(REPORT)],
  getChangesReportSignedUrl: [md5(REPORT)],
  suggestOpenAPI: ['openapi.yaml', '--opts', '{"suggestion_type":"method-names"}'],
  suggest: summary,
  suggestItems: ['--prompt', 'p', '--items', 'a'],
  suggestOpenAPIRegistry: ['pets', 'v1', ...summary],
  getSchemaStoreItem: ['SCHEMA_ID'],
  createSchemaStoreItem: ['openapi.yaml', '--package', 'p', '--sdk-class', 'C'],
  create: ['--url', 'https://a.example/'],
  preflight: ['--namespace', 'pets'],
  getNamespaces: [],
  archiveNamespace: ['pets'],
  getRevisions: ['pets'],
  getTags: ['pets'],
  postTags: ['pets:v1', '--tag', 'v2'],
  setVisibility: ['pets', '--public'],
  listRemoteSources: ['--namespace', 'merged'],
  createRemoteSource: ['--body', '{"inputs":[{"registry_url":"pets:v1"}],"output":{"registry_url":"more"}}'],
  getManifest: ['pets', 'v1'],
  getBlob: ['pets', LAYER],
  ignoreSubscriptionNamespace: ['SUBSCRIPTION_ID', 'pets'],
  activateSubscriptionNamespace: ['SUBSCRIPTION_ID', 'pets'],
};

/** The digest of all rows of a workspace, and of everything in the store. */
function contentsOf(home: string) {
  const store = freshStore(join(home, 'data/service.db'));
  const tables = store.all("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name));
  const rows = tables.flatMap((table) =>
    store
      .all(`SELECT * FROM ${table}`)
      .map((row) => ({ table, row, of: row.workspace_id ?? (table === 'workspaces' && row.id) })),
  );
  store.close();
  // The service notes when a key was used.
  const digest = (some: typeof rows) =>
    sha256(
      some
        .map(({ table, row: { last_used: _, ...row } }) => JSON.stringify([table, row]))
        .sort()
        .join('\n'),
    );
  return {
    all: digest(rows.filter(({ table }) => table !== 'meta')),
    own: digest(rows.filter(({ of }) => of === ids.own)),
    other: digest(rows.filter(({ of }) => of === ids.other)),
  };
}

async function run(id: keyof typeof operations, flags: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder();
  cpSync(folder, join(home, 'data'), { recursive: true });
  writeFileSync(join(home, 'openapi.yaml'), PETSTORE);
  writeFileSync(join(home, 'lint.html'), '<p>another report</p>');
  const before = contentsOf(home);
  const words = args[id].map((word) => values[word] ?? word);
  const argv = [...operations[id].command, ...words, '--yes', '-o', 'json', '--profile', 'local', ...flags];
  const ended = await dtp(argv, { home, env: { DTP_ERROR_FORMAT: 'text', ...env } });
  return { ...ended, before, after: contentsOf(home) };
}

const all = Object.keys(args) as (keyof typeof operations)[];

describe.each(['id', 'name', 'variable'] as const)('the other workspace is selected (%s)', (how) => {
  const select = () => (how === 'variable' ? [] : ['-w', how === 'id' ? ids.other : names.other]);
  test.each(all)('%s', async (id) => {
    const env = how === 'variable' ? { DTP_WORKSPACE_ID: ids.other } : {};
    const { code, stdout, stderr, before, after } = await run(id, select(), env);
    if (workspaceKinds.get(id) === 'credential') {
      expect([code, stdout, after], stderr).toEqual([2, '', before]);
      return;
    }
    if (workspaceKinds.get(id) === 'none') {
      expect(code, stderr).toBe(0);
      return;
    }
    expect(after.own, stderr).toBe(before.own);
    // A thing of the first workspace is not found in the second one.
    expect([0, 6], stderr).toContain(code);
    // A member's record names the workspace that the member created first.
    const own = id === 'getWorkspaceTeam' ? [] : [ids.own];
    for (const secret of [...own, values.TOKEN_ID, values.MEMBER_ID, 'lock-1', 'hooks.example.com/a-secret'])
      expect(stdout).not.toContain(secret);
  });
});

describe.each(['none', 'id', 'name'] as const)("the credential's workspace is selected (%s)", (how) => {
  const select = () => (how === 'none' ? [] : ['-w', how === 'id' ? ids.own : names.own]);
  test.each(all)('%s', async (id) => {
    const { code, stderr, before, after } = await run(id, select());
    expect([0, 8], stderr).toContain(code);
    expect(after.other).toBe(before.other);
  });
});
