/** What one workspace or one user may have at most, because a list or a check reads everything in one turn. */
import { expect, test } from 'vitest';
import type { Scope } from '../../../src/service/handler.ts';
import { artifacts } from '../../../src/service/handlers/artifacts.ts';
import { organizations } from '../../../src/service/handlers/organizations.ts';
import { publishingTokens } from '../../../src/service/handlers/publishing-tokens.ts';
import { workspaces } from '../../../src/service/handlers/workspaces.ts';
import { addRows } from '../../support/large-data.ts';
import { serviceScope } from '../../support/service-scope.ts';

type Row = Readonly<Record<string, string>>;

const own = { workspace_id: '?1' };
const user = '(SELECT id FROM users ORDER BY seq LIMIT 1)';
const organization = '(SELECT organization_id FROM workspaces WHERE id = ?1)';
const workspace = { id: `'s' || i`, slug: `'s' || i`, organization_id: organization, record: `'{}'`, settings: `'{}'` };
const url = (name: string) => ({ registry_url: `localhost/local/default/${name}` });
const token = { target_id: 'a', target_resource: 'report', token_name: 'a', valid_until: '2100-01-01T00:00:00Z' };

/** Makes one more of something, of which there is the most. */
const cases: Readonly<Record<string, readonly [number, Readonly<Record<string, Row>>, (scope: Scope) => unknown]>> = {
  'a workspace has at most 10000 tokens: delete some': [
    10_000,
    { workspace_tokens: { ...own, id: `'w' || i`, key: `'k' || i`, created_by: user, record: `'{}'` } },
    (scope) => workspaces.createWorkspaceToken({ workspace_id: scope.caller.workspaceId, body: { name: 'a' } }, scope),
  ],
  'a workspace has at most 10000 publishing tokens: delete some': [
    10_000,
    { publishing_tokens: { ...own, id: `'p' || i`, record: `'{}'` } },
    (scope) => publishingTokens.createPublishingToken(token as never, scope),
  ],
  'a workspace has at most 10000 users: remove some': [
    10_000,
    {
      users: { id: `'u' || i`, email: `'u' || i || '@a.example'`, record: `'{}'` },
      members: { ...own, user_id: `'u' || i` },
    },
    (scope) =>
      workspaces.grantUserAccessToWorkspace({ workspace_id: scope.caller.workspaceId, email: 'ann@a.example' }, scope),
  ],
  'a workspace has at most 1000 remote sources': [
    1000,
    { remote_sources: { ...own, namespace: `'n' || i`, subscription_id: `'s' || i`, record: `'{}'` } },
    (scope) => {
      const times = { created_at: `''`, updated_at: `''` };
      addRows(scope.store, 'namespaces', { ...own, name: `'n' || i`, id: `'n' || i`, ...times }, 1);
      return artifacts.createRemoteSource({ body: { inputs: [url('n1')], output: url('new') } }, scope);
    },
  ],
  'a user has at most 10000 organizations': [
    10_000,
    { organizations: { id: `'o' || i`, slug: `'o' || i`, created_by: user, record: `'{}'` } },
    (scope) => organizations.createOrganization({ body: { name: 'New' } }, scope),
  ],
  'a user has at most 10000 workspaces': [
    10_000,
    {
      workspaces: workspace,
      members: { workspace_id: `'s' || i`, user_id: user },
      owners: { workspace_id: `'s' || i`, user_id: user },
    },
    (scope) => workspaces.createWorkspace({ body: { name: 'New' } }, scope),
  ],
};

const outcome = (work: () => unknown): unknown => {
  try {
    work();
    return 'made';
  } catch (error) {
    return error;
  }
};

test.each(Object.entries(cases))('%s', (message, [count, tables, make]) => {
  const { scope } = serviceScope();
  for (const [table, columns] of Object.entries(tables)) addRows(scope.store, table, columns, count);
  expect(outcome(() => make(scope))).toMatchObject({ status: 422, message });
});
