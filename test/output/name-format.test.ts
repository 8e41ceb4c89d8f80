/** `-o name` prints an id or a name for every row, or fails: a script never gets an empty name with exit code 0. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { operations } from '../../src/operations/index.ts';
import { openSend as openReal } from '../../src/transport/send.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { served } from '../support/embedded-service.ts';
import { type Reply, service } from '../support/function-service.ts';
import { firstRows } from '../support/wire-subjects.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ERROR_FORMAT: 'text',
};

type Case = 'refused' | readonly [answer: unknown, shown: string];

/** The response and output of each operation. `refused`: nothing is sent. */
const table: Readonly<Record<keyof typeof operations, Case>> = {
  validateApiKey: [{ workspace_id: 'w_1', workspace_slug: 'main', org_slug: 'acme' }, 'w_1'],
  getUser: [{ id: 'u_1', email: 'a@example.com' }, 'u_1'],
  getAccessToken: 'refused',
  getWorkspaceAccess: 'refused',
  getCodeSamples: [{ snippets: [{ operationId: 'listPets', path: '/pets', code: 'x' }] }, 'listPets'],
  generateCodeSamplePreview: [{ snippets: [{ operationId: 'list' }, { operationId: 'get,one' }] }, 'list get,one'],
  generateCodeSamplePreviewAsync: [{ job_id: 'j_1', status: 'pending' }, 'j_1'],
  getCodeSamplePreviewAsync: [{ snippets: [{ operationId: 'a' }] }, 'a'],
  getCodehostSetupState: 'refused',
  checkCodehostAccess: 'refused',
  linkCodehostAccess: 'refused',
  codehostCheckPublishingPRs: [{ pull_request: 'https://x.test/1', pending_version: '1.2.3' }, 'https://x.test/1'],
  codehostCheckPublishingSecrets: [{ missing_secrets: ['NPM_TOKEN', 'PYPI'] }, 'NPM_TOKEN PYPI'],
  codehostStorePublishingSecrets: 'refused',
  codehostConfigureCodeSamples: [{ source: { location: 'l' }, codeSampleOverlayRegistryURL: 'r.test/o' }, 'r.test/o'],
  codehostConfigureDocsiteRepo: 'refused',
  codehostConfigureTarget: 'refused',
  codehostTriggerAction: 'refused',
  getCodehostAction: [{ run_url: 'https://ci.test/1', run_status: 'queued' }, 'https://ci.test/1'],
  getOrganizations: [[{ id: 'o_1', name: 'A' }, { id: 'o_2' }], 'o_1 o_2'],
  createOrganization: [{ id: 'o_1', name: 'A' }, 'o_1'],
  getOrganization: [{ id: 'o_1', name: 'A' }, 'o_1'],
  createFreeTrial: 'refused',
  getOrganizationUsage: [{ usage: [{ language: 'go' }, { language: 'python' }] }, 'go python'],
  createBillingAddOns: [{ add_ons: ['webhooks'] }, 'webhooks'],
  getBillingAddOns: [{ add_ons: ['webhooks', 'snippet_ai'] }, 'webhooks snippet_ai'],
  deleteBillingAddOn: 'refused',
  getPublishingToken: [[{ id: 'p_1', token: 't' }], 'p_1'],
  createPublishingToken: [{ id: 'p_1', token: 't' }, 'p_1'],
  getPublishingTokenByID: [{ id: 'p_1', token: 't' }, 'p_1'],
  updatePublishingTokenExpiration: 'refused',
  deletePublishingToken: 'refused',
  getPublishingTokenTargetByID: 'refused',
  getPublishingTokenPublicMetadata: 'refused',
  getWorkspaces: [[{ id: 'w_1', name: 'A' }], 'w_1'],
  getWorkspaceByContext: [{ workspace: { id: 'w_1' }, organization: { id: 'o_1' } }, 'w_1'],
  createWorkspace: [{ id: 'w_1', name: 'A' }, 'w_1'],
  getWorkspace: [{ id: 'w_1', name: 'A' }, 'w_1'],
  updateWorkspaceDetails: 'refused',
  getWorkspaceSettings: [{ workspace_id: 'w_1', webhook_url: 'https://hooks.test' }, 'w_1'],
  updateWorkspaceSettings: 'refused',
  getWorkspaceTeam: [{ users: [{ id: 'u_1', email: 'a@example.com' }] }, 'u_1'],
  grantUserAccessToWorkspace: [{ relationship: { workspace_id: 'w_1', user_id: 'u_1' } }, 'u_1'],
  revokeUserAccessToWorkspace: 'refused',
  getWorkspaceTokens: [[{ id: 't_1', name: 'ci' }], 't_1'],
  // With --no-lookup, as on the wire.
  createWorkspaceToken: 'refused',
  deleteWorkspaceToken: 'refused',
  setWorkspaceFeatureFlags: [{ feature_flags: [{ feature_flag: 'webhooks' }] }, 'webhooks'],
  getWorkspaceFeatureFlags: [{ feature_flags: [{ feature_flag: 'webhooks' }] }, 'webhooks'],
  searchWorkspaceEvents: [[{ id: 'e_1' }, { id: 'e_2' }], 'e_1 e_2'],
  postWorkspaceEvents: 'refused',
  getWorkspaceEventsByTarget: [[{ id: 'e_1' }], 'e_1'],
  getWorkspaceTargets: [[{ id: 'g_1', generate_target: 'go' }], 'g_1'],
  getWorkspaceTargetsDeprecated: [[{ id: 'g_1' }], 'g_1'],
  uploadReport: [{ url: 'https://r.test/1' }, 'https://r.test/1'],
  getLintingReportSignedUrl: [{ url: 'https://r.test/1' }, 'https://r.test/1'],
  getChangesReportSignedUrl: [{ url: 'https://r.test/1' }, 'https://r.test/1'],
  suggestOpenAPI: 'refused',
  suggest: 'refused',
  suggestItems: [['A', 'B'], 'A B'],
  suggestOpenAPIRegistry: 'refused',
  getSchemaStoreItem: [{ id: 's_1', spec: 'x' }, 's_1'],
  createSchemaStoreItem: [{ id: 's_1', spec: 'x' }, 's_1'],
  create: [{ short_url: 'https://s.test/1', full_url: 'https://long.test' }, 'https://s.test/1'],
  preflight: [{ auth_token: 'secret', namespace_id: 'n_1' }, 'n_1'],
  getNamespaces: [{ items: [{ id: 'n_1', name: 'pets' }] }, 'pets'],
  archiveNamespace: 'refused',
  getRevisions: [{ items: [{ id: 'r_1', digest: 'sha256:aa' }], next_page_token: '' }, 'sha256:aa'],
  getTags: [{ items: [{ id: 't_1', name: 'v1' }] }, 'v1'],
  postTags: 'refused',
  setVisibility: 'refused',
  listRemoteSources: 'refused',
  createRemoteSource: 'refused',
  getManifest: 'refused',
  getBlob: 'refused',
  ignoreSubscriptionNamespace: 'refused',
  activateSubscriptionNamespace: 'refused',
};

/** Runs the first wire test command of an operation against a service with this response. */
async function run(id: string, reply: Reply, flags: readonly string[], more: Record<string, string> = {}) {
  const { argv = [], files = {} } = firstRows.find((row) => row.id === id) ?? {};
  const home = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const { asked, openSend } = service(() => reply);
  const yes = argv.includes('--yes') ? [] : ['--yes'];
  const ended = await dtp([...argv, ...yes, ...flags], {
    home,
    own: 'w_1',
    openSend,
    env: { ...env, ...more },
  });
  return { ...ended, asked };
}

const nothing = { code: 2, stdout: '', stderr: expect.stringContaining('has no id or name to print') };

describe.each(Object.entries(table))('%s', (id, expected) => {
  test.each<[source: string, flags: readonly string[], env: Record<string, string>]>([
    ['-o name', ['-o', 'name'], {}],
    ['DTP_OUTPUT=name', [], { DTP_OUTPUT: 'name' }],
  ])('%s', async (_, flags, more) => {
    const ended = await run(id, [200, expected === 'refused' ? {} : expected[0]], flags, more);
    if (expected === 'refused') return expect(ended).toMatchObject({ ...nothing, asked: [] });
    expect(ended).toMatchObject({ code: 0, stdout: `${expected[1].replaceAll(' ', '\n')}\n` });
  });

  // Suggestions are strings, and any other response is rejected.
  if (expected !== 'refused' && id !== 'suggestItems')
    test('a response without it', async () => {
      const [answer] = expected;
      const [list] = Object.entries(Object(answer)).find(([, one]) => Array.isArray(one)) ?? [];
      const without = Array.isArray(answer) ? [{}] : list === undefined ? {} : { [list]: [{}] };
      const ended = await run(id, [200, without], ['-o', 'name']);
      expect(ended).toMatchObject(nothing);
      expect(ended.stderr).toContain('The command itself succeeded.');
    });
});

test.each<[id: string, answer: unknown]>([
  ['getWorkspaces', []],
  ['getNamespaces', { items: [] }],
  ['getBillingAddOns', { add_ons: [] }],
  ['codehostCheckPublishingSecrets', { missing_secrets: [] }],
  // The list is optional and left out.
  ['codehostCheckPublishingSecrets', {}],
  ['getWorkspaceFeatureFlags', {}],
])('%s with %j is an empty list', async (id, answer) => {
  expect(await run(id, [200, answer], ['-o', 'name'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'no results\n',
  });
});

test('every row of a list has a name', async () => {
  const ended = await run('getWorkspaces', [200, [{ id: 'w_1' }, { verified: true }]], ['-o', 'name']);
  expect(ended).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('row 2 of the result has no'),
  });
});

test.each<[id: string, answer: unknown, query: string, shown: string]>([
  ['getWorkspaceAccess', { message: 'ok' }, 'message', 'ok'],
  ['getWorkspaceByContext', { organization: { id: 'o_1' } }, 'organization', 'o_1'],
  ['getWorkspaces', [{ slug: 'a' }, { slug: 'b' }], '[].slug', 'a b'],
])('%s: a query can choose the name', async (id, answer, query, shown) => {
  const ended = await run(id, [200, answer], ['-o', 'name', '--query', query]);
  expect(ended).toMatchObject({ code: 0, stdout: `${shown.replaceAll(' ', '\n')}\n` });
});

test('a write without a result is rejected even with a query', async () => {
  const ended = await run('deleteWorkspaceToken', [204], ['-o', 'name', '--query', 'ok']);
  expect(ended).toMatchObject({ ...nothing, asked: [] });
});

test('--dry-run still shows the request', async () => {
  expect((await run('createWorkspaceToken', [204], ['-o', 'name', '--dry-run'])).code).toBe(0);
});

describe('dtp api', () => {
  test.each<[reply: Reply, shown: string]>([
    [[200, { id: 'x_1' }], 'x_1\n'],
    [[200, [{ name: 'a' }, { name: 'b' }]], 'a\nb\n'],
    [[200, []], ''],
  ])('%j', async (reply, stdout) => {
    const { openSend } = service(() => reply);
    expect(await dtp(['api', '/v1/x', '-o', 'name'], { own: 'w_1', openSend, env })).toMatchObject({
      code: 0,
      stdout,
    });
  });

  test.each<[reply: Reply]>([
    [[204]],
    [[200, { ok: true }]],
    [[200, { workspace: { id: 'w' }, organization: { id: 'o' } }]],
  ])('%j', async (reply) => {
    const { openSend } = service(() => reply);
    const ended = await dtp(['api', '/v1/x', '-X', 'POST', '-o', 'name'], { own: 'w_1', openSend, env });
    expect(ended).toMatchObject(nothing);
    expect(ended.stderr).toContain('The command itself succeeded.');
  });
});

describe('local commands', () => {
  const world = (): World & { readonly home: string } => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'config'), { mode: 0o700 });
    const profile = { base_url: 'https://api.example.test', credential: 'k-1', workspace: 'w_1' };
    writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({ profiles: { default: profile, other: {} } }), {
      mode: 0o600,
    });
    return { home, env: { DTP_ERROR_FORMAT: 'text' } };
  };

  test.each([
    'auth logout',
    'auth move --to keychain',
    'config set output json',
    'config unset workspace',
    'config trust --yes',
    'config untrust',
    'config use other',
    'events queue flush',
    'events queue drop --all --yes',
  ])('%s is rejected and changes nothing', async (line) => {
    const at = world();
    const before = await dtp(['config', 'list', '--json'], at);
    expect(await dtp([...line.split(' '), '-o', 'name'], at)).toMatchObject(nothing);
    expect(await dtp(['config', 'list', '--json'], at)).toEqual(before);
  });

  test.each([
    ['config list', 'local\ndefault\nother\n'],
    ['config get workspace', 'w_1\n'],
  ])('%s', async (line, stdout) => {
    expect(await dtp([...line.split(' '), '-o', 'name'], world())).toMatchObject({ code: 0, stdout });
  });

  test('a login and its status print the profile', async () => {
    const { openSend } = service(() => [200, { workspace_id: 'w_1' }]);
    const at = { ...world(), openSend };
    const login = ['auth', 'login', '--base-url', 'https://api.example.test', '--with-token', '-o', 'name'];
    expect(await dtp(login, { ...at, stdin: 'k-2' })).toMatchObject({ code: 0, stdout: 'default\n' });
    expect(await dtp(['auth', 'status', '-o', 'name'], at)).toMatchObject({ code: 0, stdout: 'default\n' });
  });
});

test('the embedded service: the current workspace, by its id', async () => {
  const { address, key, workspaceId, close } = await served();
  const ended = await dtp(['ws', 'current', '-o', 'name'], {
    openSend: async (options) => openReal(options),
    env: { DTP_BASE_URL: address, DTP_API_KEY: key },
  });
  await close();
  expect(ended).toMatchObject({ code: 0, stdout: `${workspaceId}\n` });
});
