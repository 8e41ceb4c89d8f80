/** The story's workspace, team, token and flag steps. */
import { expect } from 'vitest';
import type { Step } from './step.ts';

const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
export const workspaces: readonly Step[] = [
  {
    says: 'a workspace is created',
    id: 'createWorkspace',
    argv: () => ['ws', 'create', '--name', 'Second', '--body', '{"colour":"red"}'],
    record: 'Workspace',
    check: (value, state) => Object.assign(state, { second: value.id }),
  },
  {
    says: 'it is renamed',
    id: 'updateWorkspaceDetails',
    argv: ({ second }) => ['ws', 'update', '-w', second as string, '--name', 'Renamed'],
    empty: true,
  },
  {
    says: 'it has its new name, and the unknown field',
    id: 'getWorkspace',
    argv: ({ second }) => ['ws', 'get', '-w', second as string],
    record: 'Workspace',
    check: (value) => expect(value).toMatchObject({ name: 'Renamed', colour: 'red' }),
  },
  {
    says: 'it is in the list',
    id: 'getWorkspaces',
    argv: () => ['ws', 'list'],
    record: 'Workspace[]',
    check: (value) => expect(names(value)).toContain('Renamed'),
  },
  {
    says: 'the current one belongs to the credential',
    id: 'getWorkspaceByContext',
    argv: () => ['ws', 'current'],
    record: 'WorkspaceAndOrganization',
    check: (value, state) => expect(value.workspace.id).toBe(state.workspace),
  },
  {
    says: 'its settings change',
    id: 'updateWorkspaceSettings',
    argv: () => ['ws', 'settings', 'update', '--webhook-url', 'https://hooks.example.test/1'],
    empty: true,
  },
  {
    says: 'and are read back',
    id: 'getWorkspaceSettings',
    argv: () => ['ws', 'settings', 'get'],
    record: 'WorkspaceSettings',
    check: (value) => expect(value.webhook_url).toBe('https://hooks.example.test/1'),
  },
  {
    says: 'a colleague joins',
    id: 'grantUserAccessToWorkspace',
    argv: () => ['ws', 'team', 'grant', 'ann+1@example.test'],
    record: 'WorkspaceInviteResponse',
    check: (value, state) => Object.assign(state, { colleague: value.relationship.user_id }),
  },
  {
    says: 'and is on the team',
    id: 'getWorkspaceTeam',
    argv: () => ['ws', 'team', 'list'],
    record: 'WorkspaceTeamResponse',
    check: (value, state) =>
      expect(value.users.find((one: { id: string }) => one.id === state.colleague).email).toBe('ann+1@example.test'),
  },
  {
    says: 'and leaves',
    id: 'revokeUserAccessToWorkspace',
    argv: ({ colleague }) => ['ws', 'team', 'revoke', colleague as string, '--yes'],
    empty: true,
  },
  {
    says: 'leaving twice is not found',
    id: 'revokeUserAccessToWorkspace',
    argv: ({ colleague }) => ['ws', 'team', 'revoke', colleague as string, '--yes'],
    code: 6,
  },
  {
    says: 'a token is created',
    id: 'createWorkspaceToken',
    argv: () => ['ws', 'tokens', 'create', '--name', 'ci'],
    record: 'WorkspaceToken',
  },
  {
    says: 'the list contains its key',
    id: 'getWorkspaceTokens',
    argv: () => ['ws', 'tokens', 'list'],
    record: 'WorkspaceToken[]',
    check: (value, state) => {
      const made = value.find((one: { name: string }) => one.name === 'ci');
      Object.assign(state, { ci: made.id, ciKey: made.key });
    },
  },
  {
    says: 'the key is a credential',
    id: 'validateApiKey',
    argv: () => ['auth', 'validate'],
    env: ({ ciKey }) => ({ DTP_API_KEY: ciKey as string }),
    record: 'ApiKeyDetails',
  },
  {
    says: 'the token is deleted',
    id: 'deleteWorkspaceToken',
    argv: ({ ci }) => ['ws', 'tokens', 'delete', ci as string, '--yes'],
    empty: true,
  },
  {
    says: 'its key no longer works',
    id: 'validateApiKey',
    argv: () => ['auth', 'validate'],
    env: ({ ciKey }) => ({ DTP_API_KEY: ciKey as string }),
    code: 4,
  },
  {
    says: 'feature flags are set',
    id: 'setWorkspaceFeatureFlags',
    argv: () => ['ws', 'feature-flags', 'set', '--feature-flags', 'webhooks', '--feature-flags', 'schema_registry'],
    record: 'WorkspaceFeatureFlagResponse',
  },
  {
    says: 'and shown',
    id: 'getWorkspaceFeatureFlags',
    argv: () => ['ws', 'feature-flags', 'get'],
    record: 'WorkspaceFeatureFlagResponse',
    check: (value) =>
      expect(value.feature_flags.map((one: { feature_flag: string }) => one.feature_flag).sort()).toEqual([
        'schema_registry',
        'webhooks',
      ]),
  },
];
