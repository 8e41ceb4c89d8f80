/**
 * How long one tenant waits while another one reads lists that have grown. What the work of the operations grows with:
 *
 * | With | Operations |
 * |---|---|
 * | events | searchWorkspaceEvents, getWorkspaceEventsByTarget (turns.slow.test.ts) |
 * | targets | getWorkspaceTargets, getWorkspaceTargetsDeprecated, codehostConfigureCodeSamples, codehostCheckPublishingPRs |
 * | languages and targets of an organization | getWorkspaceAccess, getOrganizationUsage |
 * | namespaces | getNamespaces, listRemoteSources, createRemoteSource, the list of repositories |
 * | revisions | getRevisions, the page's view of a namespace, referrers of a manifest, deletion of a blob |
 * | tags | getTags, getRevisions, the list of tags in the registry |
 * | tokens | getWorkspaceTokens, createWorkspaceToken, deleteWorkspaceToken |
 * | publishing tokens | getPublishingToken and the other operations on them |
 * | users | getWorkspaceTeam, grantUserAccessToWorkspace, revokeUserAccessToWorkspace |
 * | workspaces | getWorkspaces, getOrganizations, getOrganizationUsage, createWorkspace |
 * | feature flags, add-ons | getWorkspaceFeatureFlags, getBillingAddOns, deleteBillingAddOn, getWorkspaceAccess |
 * | runs | codehostTriggerAction, getCodehostAction, the page's view of runs |
 * | the body | postWorkspaceEvents, postTags, setWorkspaceFeatureFlags, createBillingAddOns, suggest, suggestItems,
 *   codehostStorePublishingSecrets, codehostConfigureDocsiteRepo, codehostConfigureTarget, updateWorkspaceDetails,
 *   updateWorkspaceSettings, createOrganization, the manifest of a push (turns.slow.test.ts) |
 * | a document | generateCodeSamplePreview, generateCodeSamplePreviewAsync, getCodeSamplePreviewAsync, getCodeSamples,
 *   suggestOpenAPI, suggestOpenAPIRegistry, createSchemaStoreItem, getSchemaStoreItem (turns.slow.test.ts) |
 * | a stream | uploadReport, getBlob, getManifest, a push (memory.slow.test.ts) |
 * | nothing | validateApiKey, getUser, getAccessToken, checkCodehostAccess, linkCodehostAccess, getCodehostSetupState,
 *   codehostCheckPublishingSecrets, getOrganization, createFreeTrial, getWorkspaceByContext, getWorkspace,
 *   getWorkspaceSettings, getLintingReportSignedUrl, getChangesReportSignedUrl, create, preflight, archiveNamespace,
 *   setVisibility, ignoreSubscriptionNamespace, activateSubscriptionNamespace |
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../../src/service/data/store.ts';
import { WORKSPACE } from '../../../src/service/schema/events.ts';
import { addRows, digestOf, MIB, manifestOf, registry } from '../../support/large-data.ts';
import { atMost, type Reaction } from '../../support/rough-clients.ts';
import { type Attacked, faultsIn, logIn, type Tenants, twoTenants, watch } from '../../support/watched-service.ts';

/** How many there are of each. */
const COUNT = 20_000;
const LARGE = 300;

/** How long the other tenant waits at most, and how long an attack lasts at most, in milliseconds. */
const [WAIT, LASTS_MS] = [1000, 10_000];

const time = `'2025-03-01T10:00:00.000Z'`;
const own = { workspace_id: '?1', namespace: `'grown'` };
const user = '(SELECT id FROM users ORDER BY seq LIMIT 1)';
const organization = '(SELECT organization_id FROM workspaces WHERE id = ?1)';
const manifest = manifestOf([]);

function fill(store: Store): void {
  const add = (table: string, columns: Readonly<Record<string, string>>) => addRows(store, table, columns, COUNT);
  const dates = { created_at: time, updated_at: time };
  add('namespaces', { workspace_id: '?1', name: `'n' || i`, id: `'n' || i`, ...dates });
  store.run(`UPDATE namespaces SET name = 'grown' WHERE name = 'n1'`);
  const revision = { media_type: `'a/b'`, manifest: `CAST('${manifest}' AS BLOB)`, ...dates };
  add('revisions', { id: `'r' || i`, ...own, digest: `'sha256:' || printf('%064d', i)`, ...revision });
  add('tags', { ...own, name: `'t' || i`, id: `'t' || i`, digest: `'sha256:' || printf('%064d', i)` });
  add('referrers', { ...own, subject: `'${digestOf('subject')}'`, digest: `'sha256:' || printf('%064d', i)` });
  // Manifests of 1 MiB that may refer to any blob, because they have escapes.
  const long = `{"schemaVersion":2,"layers":[],"annotations":{"a":"\\\\' || printf('%.*c', ${MIB}, 'x') || '"}}`;
  const large = { ...own, digest: `'sha256:' || printf('%063dL', i)` };
  addRows(store, 'revisions', { id: `'l' || i`, ...large, ...revision, manifest: `CAST('${long}' AS BLOB)` }, LARGE);
  addRows(store, 'referrers', { ...large, subject: `'${digestOf('large')}'` }, LARGE);
  addRows(store, 'blobs', { ...own, digest: `'${digestOf('blob')}'`, content_id: `'none'`, size: '1' }, 1);
  const record = (fields: string) => `json_object('created_at', ${time}, ${fields})`;
  const token = { id: `'w' || i`, workspace_id: '?1', record: record(`'id', 'w' || i, 'name', 'w' || i`) };
  add('workspace_tokens', { ...token, key: `'key-' || i`, created_by: user });
  add('publishing_tokens', { ...token, record: record(`'id', 'p' || i, 'valid_until', '2100-01-01T00:00:00Z'`) });
  add('users', { id: `'u' || i`, email: `'u' || i || '@a.example'`, record: record(`'id', 'u' || i`) });
  add('members', { workspace_id: '?1', user_id: `'u' || i` });
  const workspace = { id: `'s' || i`, slug: `'s' || i`, record: record(`'id', 's' || i`), settings: `'{}'` };
  add('workspaces', { ...workspace, organization_id: organization });
  add('members', { workspace_id: `'s' || i`, user_id: user });
  add('feature_flags', { workspace_id: '?1', feature_flag: `'f' || i` });
  add('billing_add_ons', { organization_id: organization, add_on: `'a' || i` });
  const event = `'id', 'e' || i, 'generate_gen_lock_id', 'lock-' || i, 'generate_target', 'go-' || i`;
  const target = { generate_gen_lock_id: `'lock-' || i`, generate_target: `'go-' || i` };
  add('events', { workspace: WORKSPACE, id: `'e' || i`, created_at: 'i', record: record(event), ...target });
  const newest = `(SELECT seq FROM events WHERE id = 'e' || i)`;
  add('target_events', {
    workspace: WORKSPACE,
    target: `'lock-' || i`,
    fields: '1',
    created_at: 'i',
    event: newest,
  });
  const run = { workspace_id: '?1', org: `'acme'`, repo: `'sdk'`, target: `'t'`, gen_lock_id: `'lock-' || i` };
  add('codehost_runs', { id: `'run-' || i`, ...run, created_at: time, record: `'{}'` });
  add('codehost_outcomes', { run_id: `'run-' || i`, record: `'{"status":"completed"}'` });
}

let tenants: Tenants;
beforeAll(() => {
  tenants = twoTenants(fill);
});
afterAll(() => tenants?.remove());

const namespace = '/v1/artifacts/namespaces/grown';

const lists: Readonly<Record<string, readonly string[]>> = {
  targets: ['/v1/workspace/events/targets', 'W/events/targets'],
  'languages of an organization with many workspaces': ['/v1/organization/usage', '/v1/workspace/access?targetType=go'],
  namespaces: ['/v1/artifacts/namespaces', '/v2/_catalog'],
  revisions: [
    `${namespace}/revisions`,
    ...['subject', 'large'].map((name) => `${registry('grown')}/referrers/${digestOf(name)}`),
  ],
  tags: [`${namespace}/tags`, `${registry('grown')}/tags/list`],
  tokens: ['W/tokens'],
  'publishing tokens': ['/v1/publishing-tokens'],
  users: ['W/team'],
  workspaces: ['/v1/workspaces', '/v1/organizations'],
  'feature flags and add-ons': ['W/feature_flags', '/v1/organization/add_ons'],
  runs: [
    '/v1/codehost/action?org=acme&repo=sdk',
    '/v1/codehost/publishing_prs?org=acme&repo=sdk&generate_gen_lock_id=lock-1',
  ],
};

const views = ['registry', 'registry/grown', 'runs', ''];

/** Each language names all add-ons, so this response would have 3 GB. */
const tooLarge = '/v1/organization/usage';

/** Reads each twice, for a while. */
const inTurn = async ({ clients, attacker }: Attacked, paths: readonly string[], cookie = '') => {
  const answers: Reaction[] = [];
  const faults: string[] = [];
  const read = async () => {
    for (const path of [...paths, ...paths]) {
      const url = path.replace(/^W/, `/v1/workspace/${attacker.workspace}`);
      const answer = await clients.ask('GET', url, { headers: { cookie } });
      answers.push(answer);
      const { status, start } = answer;
      if (path === tooLarge ? status !== 503 : status >= 400) faults.push(`${path}: ${status} ${start}`);
    }
  };
  await atMost(LASTS_MS, read());
  return [...answers, ...faults];
};

const attack = (paths: readonly string[]) => (attacked: Attacked) => inTurn(attacked, paths);

test.skipIf(process.platform !== 'linux').each(Object.entries(lists))(
  `${COUNT} %s: the other tenant is served within a second`,
  async (_, paths) => {
    expect(faultsIn(await watch(tenants, 'behind a proxy', attack(paths)), { wait: WAIT })).toEqual([]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'the views of the page: the other tenant is served within a second',
  async () => {
    const found = await watch(tenants, 'behind a proxy', async (attacked) =>
      inTurn(
        attacked,
        views.map((view) => `/-/${view}`),
        await logIn(attacked.clients, attacked.attacker),
      ),
    );
    expect(faultsIn(found, { wait: WAIT })).toEqual([]);
  },
);

test.skipIf(process.platform !== 'linux')(
  `a blob to which any of ${LARGE} large manifests may refer: the other tenant is served within a second`,
  async () => {
    const found = await watch(tenants, 'behind a proxy', async ({ clients }) => [
      await clients.ask('DELETE', `${registry('grown')}/blobs/${digestOf('blob')}`),
    ]);
    expect(faultsIn(found, { wait: WAIT })).toEqual([]);
  },
);
