/** A 404 or 422 suggests the list for the wrong parameter: the one that the service names, else the last in the path. */
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };

/** The suggested commands if every request except the one for a token gets this answer. */
async function suggested(
  line: string,
  body: unknown = undefined,
  [status, code] = [404, 6],
): Promise<readonly string[]> {
  const { openSend } = service(({ url }) =>
    url.endsWith('/preflight') && !line.includes('preflight') ? [200, { auth_token: 't-1' }] : [status, body],
  );
  const ended = await dtp([...line.split(' '), '-o', 'json'], {
    home: temporaryFolder(),
    own: 'w_1',
    openSend,
    env,
  });
  expect(ended.code, ended.stderr).toBe(code);
  const { next = [] } = JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) ?? '').error;
  return next.map(({ command }: { command: string }) => command);
}

const slugs = '--organization-slug acme --workspace-slug main';
/** The manifest of a revision has the digests of its blobs. */
const manifest = ['dtp artifacts tags list pets', 'dtp artifacts manifests get pets latest'];
const revisions = ['dtp artifacts tags list pets', 'dtp artifacts revisions list pets'];

/** Every operation with a parameter in its path. */
const table: Readonly<Record<string, readonly [line: string, lists: readonly string[]]>> = {
  getCodeSamplePreviewAsync: ['code-samples jobs get j_9', []],
  getOrganization: ['orgs get o_9', ['dtp orgs list']],
  deleteBillingAddOn: ['orgs add-ons delete webhooks --yes', ['dtp orgs add-ons list']],
  getPublishingTokenByID: ['publishing-tokens get p_9', ['dtp publishing-tokens list']],
  updatePublishingTokenExpiration: [
    'publishing-tokens update p_9 --valid-until 2030-01-01T00:00:00Z',
    ['dtp publishing-tokens list'],
  ],
  deletePublishingToken: ['publishing-tokens delete p_9 --yes', ['dtp publishing-tokens list']],
  getPublishingTokenTargetByID: ['publishing-tokens target p_9', ['dtp publishing-tokens list']],
  getPublishingTokenPublicMetadata: ['publishing-tokens metadata p_9', ['dtp publishing-tokens list']],
  getWorkspace: ['ws get', ['dtp ws list']],
  updateWorkspaceDetails: ['ws update --name x', ['dtp ws list']],
  getWorkspaceSettings: ['ws settings get', ['dtp ws list']],
  updateWorkspaceSettings: ['ws settings update --body {}', ['dtp ws list']],
  getWorkspaceTeam: ['ws team list', ['dtp ws list']],
  grantUserAccessToWorkspace: ['ws team grant a@example.com', ['dtp ws list']],
  revokeUserAccessToWorkspace: ['ws team revoke u_9 --yes', ['dtp ws team list']],
  getWorkspaceTokens: ['ws tokens list', ['dtp ws list']],
  createWorkspaceToken: ['ws tokens create --name ci', ['dtp ws list']],
  deleteWorkspaceToken: ['ws tokens delete t_9 --yes', ['dtp ws tokens list']],
  getWorkspaceFeatureFlags: ['ws feature-flags get', ['dtp ws list']],
  searchWorkspaceEvents: ['events search', ['dtp ws list']],
  postWorkspaceEvents: ['events post --no-queue --body {"id":"e_1"}', ['dtp ws list']],
  getWorkspaceEventsByTarget: ['events list g_9', ['dtp events targets list']],
  getWorkspaceTargetsDeprecated: ['events targets list-deprecated', ['dtp ws list']],
  getLintingReportSignedUrl: ['reports linting-url 0123', []],
  getChangesReportSignedUrl: ['reports changes-url 0123', []],
  suggestOpenAPIRegistry: ['suggest registry pets v9', revisions],
  archiveNamespace: ['artifacts namespaces archive pets --yes', ['dtp artifacts namespaces list']],
  getRevisions: ['artifacts revisions list pets', ['dtp artifacts namespaces list']],
  getTags: ['artifacts tags list pets', ['dtp artifacts namespaces list']],
  postTags: ['artifacts tags add pets --revision-digest sha256:aa --tags v1', ['dtp artifacts namespaces list']],
  setVisibility: ['artifacts namespaces set-visibility pets --public --yes', ['dtp artifacts namespaces list']],
  getManifest: [`artifacts manifests get pets v9 ${slugs}`, revisions],
  getBlob: [`artifacts blobs get pets sha256:${'a'.repeat(64)} ${slugs}`, manifest],
  ignoreSubscriptionNamespace: ['subscriptions ignore s_9 pets', ['dtp artifacts namespaces list']],
  activateSubscriptionNamespace: ['subscriptions activate s_9 pets', ['dtp artifacts namespaces list']],
};

test('every operation with a parameter in its path is in the table', () => {
  const all = Object.values(operations).filter(({ path }) => path.includes('{'));
  expect(Object.keys(table).sort()).toEqual(all.map(({ id }) => id).sort());
});

describe.each([
  undefined,
  { message: 'not found' },
  '<html><a target="_blank">no such user in this repository</a></html>',
])('a response that names no parameter: %j', (body) => {
  test.each(Object.entries(table))('%s', async (_, [line, lists]) => {
    expect(await suggested(line, body)).toEqual(lists);
  });
});

/** Messages of other services and of the embedded service. */
test.each<[line: string, body: unknown, lists: readonly string[]]>([
  // The message names the outer parameter.
  ['events list g_9', { message: 'workspace w_1 not found' }, ['dtp ws list']],
  ['events list g_9', { error: { message: 'Workspace does not exist' } }, ['dtp ws list']],
  ['ws team revoke u_9 --yes', { message: 'unknown workspace' }, ['dtp ws list']],
  ['ws tokens delete t_9 --yes', 'no such workspace', ['dtp ws list']],
  ['suggest registry pets v9', { message: 'namespace pets not found' }, ['dtp artifacts namespaces list']],
  [
    `artifacts manifests get pets v9 ${slugs}`,
    { errors: [{ code: 'NAME_UNKNOWN', message: 'name not known to registry' }] },
    ['dtp artifacts namespaces list'],
  ],
  // The message names both, and the inner one is wrong.
  ['suggest registry pets v9', { message: 'revision v9 of pets not found' }, revisions],
  ['ws team revoke u_9 --yes', { message: 'user u_9 does not have access to this workspace' }, ['dtp ws team list']],
  ['ws tokens delete t_9 --yes', { message: 'the workspace has no token t_9' }, ['dtp ws tokens list']],
  [
    `artifacts manifests get pets v9 ${slugs}`,
    { errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] },
    revisions,
  ],
  // The message contains the value.
  ['events list g_9', { message: 'g_9 not found' }, ['dtp events targets list']],
  ['events list g_9', { message: 'w_1 not found' }, ['dtp ws list']],
  // The parameter is in the body.
  [
    'artifacts tags add pets --revision-digest sha256:aa --tags v1',
    { message: 'no revision with revision_digest sha256:aa' },
    revisions,
  ],
  [
    'publishing-tokens create --target-id g_9 --target-resource document --valid-until 2030-01-01T00:00:00Z --token-name x',
    { message: 'unknown target g_9' },
    ['dtp events targets list'],
  ],
  ['auth access --gen-lock-id g_9', { message: 'unknown target' }, ['dtp events targets list']],
  // The workspace is a query parameter.
  ['auth token', { message: 'not found' }, ['dtp ws list']],
  ['auth token -w w_9', { message: 'workspace w_9 not found' }, ['dtp ws list']],
  // There is no list.
  ['code-samples jobs get j_9', { message: 'job j_9 not found' }, []],
  [`artifacts blobs get pets sha256:${'a'.repeat(64)} ${slugs}`, { errors: [{ code: 'BLOB_UNKNOWN' }] }, manifest],
  ['subscriptions ignore s_9 pets', { message: 'subscription s_9 not found' }, []],
  ['ws list', { message: 'not found' }, []],
])('%s: %j', async (line, body, lists) => {
  expect(await suggested(line, body)).toEqual(lists);
});

test('the suggestion has the flags for the same service, and the workspace if the list takes one', async () => {
  const flags = '--base-url https://other.example.test -w w_2 --allow-http --insecure';
  expect(await suggested(`ws tokens delete t_9 --yes ${flags}`)).toEqual([
    'dtp ws tokens list --base-url https://other.example.test --workspace w_2',
  ]);
  expect(await suggested(`events search ${flags}`)).toEqual(['dtp ws list --base-url https://other.example.test']);
});

describe('artifacts pull', () => {
  test.each([
    // Its tags are unknown too.
    ['pets:v9', ['dtp artifacts namespaces list']],
    // Namespaces of another workspace cannot be listed.
    ['acme/other/pets:v9', []],
  ])('%s', async (reference, lists) => {
    expect(await suggested(`artifacts pull ${reference} ${slugs} -O out`)).toEqual(lists);
  });
});

describe('a 422', () => {
  const create =
    'publishing-tokens create --target-id g_9 --target-resource document --valid-until 2030-01-01T00:00:00Z --token-name x';
  const add = 'artifacts tags add pets --revision-digest sha256:aa --tags v1';

  test.each<[line: string, body: unknown, next: readonly string[]]>([
    // It names a thing that does not exist.
    [create, { message: 'unknown target g_9' }, ['dtp events targets list']],
    [create, { message: 'target g_9 was not found' }, ['dtp events targets list']],
    [add, { message: 'no revision with revision_digest sha256:aa' }, revisions],
    // It is about how a value is written, not about what exists.
    [add, { message: 'tags: "v 1" is not a valid tag' }, ['dtp artifacts tags add --help']],
    [create, { message: 'valid_until must be in the future' }, ['dtp publishing-tokens create --help']],
    // The command has no such value.
    [create, { message: 'unknown field: color' }, ['dtp publishing-tokens create --help']],
    [create, undefined, ['dtp publishing-tokens create --help']],
  ])('%s: %j', async (line, body, next) => {
    expect(await suggested(line, body, [422, 7])).toEqual(next);
  });

  test('a 413 is not about the values of flags', async () => {
    expect(await suggested(add, { message: 'too large' }, [413, 7])).toEqual([]);
  });
});

test.each([
  ['ws get --workspace w_1', 'https://api.example.test/v1', true],
  ['ws list', 'https://api.example.test/platform/v1', true],
  ['artifacts tags list pets', 'https://api.example.test/v2', true],
  ['api /v1/user', 'https://api.example.test/v1/', true],
  ['ws list', 'https://api.example.test/version1', false],
  ['ws list', 'https://v1.example.test', false],
])('dtp %s with the base URL %s: the hint names a version that is there twice: %s', async (line, base, isNamed) => {
  const { openSend } = service(() => [404, { message: 'page not found' }]);
  const env = { DTP_BASE_URL: base, DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  const { code, stderr } = await dtp(line.split(' '), { env, own: 'w_1', openSend });
  expect([code, /Leave \/v[12] out of the base URL https/.test(stderr)], stderr).toEqual([6, isNamed]);
});
