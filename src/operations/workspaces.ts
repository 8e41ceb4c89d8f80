/** Declares the operations of the API's Workspaces table. */
import { defineOperation } from './operation.ts';
import { workspace } from './shared.ts';

const body = { in: 'body', kind: 'json', required: true, record: 'Workspace', help: 'workspace' } as const;

/** The embedded service never connects to another machine, and often exits before a webhook would be called. */
const uncalled = 'webhook_url is stored, but never called';

export const getWorkspaces = defineOperation({
  id: 'getWorkspaces',
  command: ['ws', 'list'],
  summary: 'List workspaces',
  method: 'GET',
  path: '/v1/workspaces',
  input: {},
  result: 'list',
  columns: ['id', 'name', 'slug', 'organization_id', 'created_at'],
  screen: ['name', 'slug', 'id', 'created_at', 'organization_id'],
  areWorkspaces: true,
});

export const getWorkspaceByContext = defineOperation({
  id: 'getWorkspaceByContext',
  command: ['ws', 'current'],
  summary: 'Show the workspace and organization of the credential',
  method: 'GET',
  path: '/v1/workspace',
  input: {},
  result: 'record',
  workspace: 'credential',
  names: 'workspace.id',
});

export const createWorkspace = defineOperation({
  id: 'createWorkspace',
  command: ['ws', 'create'],
  summary: 'Create a workspace',
  method: 'POST',
  path: '/v1/workspace',
  input: { body },
  result: 'record',
});

export const getWorkspace = defineOperation({
  id: 'getWorkspace',
  command: ['ws', 'get'],
  summary: 'Show a workspace',
  method: 'GET',
  path: '/v1/workspace/{workspace_id}',
  input: { workspace_id: workspace },
  result: 'record',
});

export const updateWorkspaceDetails = defineOperation({
  id: 'updateWorkspaceDetails',
  command: ['ws', 'update'],
  summary: 'Change the details of a workspace',
  method: 'POST',
  path: '/v1/workspace/{workspace_id}/details',
  input: { workspace_id: workspace, body },
  result: 'none',
});

export const getWorkspaceSettings = defineOperation({
  id: 'getWorkspaceSettings',
  command: ['ws', 'settings', 'get'],
  summary: 'Show the settings of a workspace',
  method: 'GET',
  path: '/v1/workspace/{workspace_id}/settings',
  input: { workspace_id: workspace },
  result: 'record',
  names: 'workspace_id',
  simplified: uncalled,
});

export const updateWorkspaceSettings = defineOperation({
  id: 'updateWorkspaceSettings',
  command: ['ws', 'settings', 'update'],
  summary: 'Change the settings of a workspace',
  method: 'PUT',
  path: '/v1/workspace/{workspace_id}/settings',
  input: {
    workspace_id: workspace,
    body: { in: 'body', kind: 'json', required: true, record: 'WorkspaceSettings', help: 'settings' },
  },
  result: 'none',
  simplified: uncalled,
});

export const getWorkspaceTeam = defineOperation({
  id: 'getWorkspaceTeam',
  command: ['ws', 'team', 'list'],
  summary: 'List the members of a workspace',
  method: 'GET',
  path: '/v1/workspace/{workspace_id}/team',
  input: { workspace_id: workspace },
  result: 'record',
  rows: 'users',
  columns: ['id', 'email', 'display_name', 'admin', 'last_login_at'],
  screen: ['email', 'display_name', 'admin', 'last_login_at', 'id'],
});

export const grantUserAccessToWorkspace = defineOperation({
  id: 'grantUserAccessToWorkspace',
  command: ['ws', 'team', 'grant'],
  summary: 'Grant a user access to a workspace',
  method: 'PUT',
  path: '/v1/workspace/{workspace_id}/team/email/{email}',
  input: {
    workspace_id: workspace,
    email: { in: 'path', kind: 'string', required: true, help: 'e-mail address of the user' },
  },
  result: 'record',
  names: 'relationship.user_id',
});

export const revokeUserAccessToWorkspace = defineOperation({
  id: 'revokeUserAccessToWorkspace',
  command: ['ws', 'team', 'revoke'],
  summary: "Revoke a user's access to a workspace",
  method: 'DELETE',
  path: '/v1/workspace/{workspace_id}/team/{userId}',
  input: {
    workspace_id: workspace,
    userId: { in: 'path', kind: 'string', required: true, help: 'user: id, e-mail address or display name' },
  },
  result: 'none',
  effect: 'destroy',
});

export const getWorkspaceTokens = defineOperation({
  id: 'getWorkspaceTokens',
  command: ['ws', 'tokens', 'list'],
  summary: 'List workspace tokens',
  method: 'GET',
  path: '/v1/workspace/{workspace_id}/tokens',
  input: { workspace_id: workspace },
  result: 'list',
  columns: ['id', 'name', 'alg', 'created_at', 'last_used'],
  screen: ['name', 'id', 'created_at', 'last_used', 'created_by_name'],
});

export const createWorkspaceToken = defineOperation({
  id: 'createWorkspaceToken',
  command: ['ws', 'tokens', 'create'],
  summary: 'Create a workspace token',
  method: 'POST',
  path: '/v1/workspace/{workspace_id}/tokens',
  input: {
    workspace_id: workspace,
    body: { in: 'body', kind: 'json', required: true, record: 'WorkspaceToken', help: 'token' },
  },
  result: 'none',
  notes: [
    'The service returns neither the id nor the key. So this command lists the tokens before and after, and prints the new one.',
  ],
  // Another process may create a token with the same name, and the user may decline to.
  ends: ['partial', 'cancelled'],
});

export const deleteWorkspaceToken = defineOperation({
  id: 'deleteWorkspaceToken',
  command: ['ws', 'tokens', 'delete'],
  summary: 'Delete a workspace token',
  method: 'DELETE',
  path: '/v1/workspace/{workspace_id}/tokens/{tokenID}',
  input: {
    workspace_id: workspace,
    tokenID: { in: 'path', kind: 'string', required: true, help: 'token: id or name' },
  },
  result: 'none',
  effect: 'destroy',
});

export const setWorkspaceFeatureFlags = defineOperation({
  id: 'setWorkspaceFeatureFlags',
  command: ['ws', 'feature-flags', 'set'],
  summary: 'Set the feature flags of the current workspace',
  method: 'POST',
  path: '/v1/workspace/feature_flags',
  input: {
    body: {
      in: 'body',
      kind: 'json',
      required: true,
      record: 'WorkspaceFeatureFlagRequest',
      help: 'feature flags',
    },
  },
  result: 'record',
  workspace: 'credential',
  rows: 'feature_flags',
  columns: ['feature_flag', 'trial_ends_at'],
});

export const getWorkspaceFeatureFlags = defineOperation({
  id: 'getWorkspaceFeatureFlags',
  command: ['ws', 'feature-flags', 'get'],
  summary: 'Show the feature flags of a workspace',
  method: 'GET',
  path: '/v1/workspace/{workspace_id}/feature_flags',
  input: { workspace_id: workspace },
  result: 'record',
  rows: 'feature_flags',
  columns: ['feature_flag', 'trial_ends_at'],
});
