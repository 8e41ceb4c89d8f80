/** Declares the operations of the API's Workspaces table. */
import { defineOperation, defineOwn, inBody, inPath, workspace } from './operation.ts';

const body = inBody('Workspace', 'workspace');

/** The embedded service never connects to another machine, and often exits before a webhook would be called. */
const uncalled = 'webhook_url is stored, but never called';

export const getWorkspaces = defineOperation('GET /v1/workspaces', {
  command: ['ws', 'list'],
  summary: 'List workspaces',
  result: 'list',
  columns: ['id', 'name', 'slug', 'organization_id', 'created_at'],
  screen: ['name', 'slug', 'id', 'created_at', 'organization_id'],
  areWorkspaces: true,
});

export const getWorkspaceByContext = defineOwn('GET /v1/workspace', {
  command: ['ws', 'current'],
  summary: 'Show the workspace and organization of the credential',
  names: 'workspace.id',
});

export const createWorkspace = defineOperation('POST /v1/workspace', {
  command: ['ws', 'create'],
  summary: 'Create a workspace',
  input: { body },
});

export const getWorkspace = defineOperation('GET /v1/workspace/{workspace_id}', {
  command: ['ws', 'get'],
  summary: 'Show a workspace',
  input: { workspace_id: workspace },
});

export const updateWorkspaceDetails = defineOperation('POST /v1/workspace/{workspace_id}/details', {
  command: ['ws', 'update'],
  summary: 'Change the details of a workspace',
  input: { workspace_id: workspace, body },
  result: 'none',
});

export const getWorkspaceSettings = defineOperation('GET /v1/workspace/{workspace_id}/settings', {
  command: ['ws', 'settings', 'get'],
  summary: 'Show the settings of a workspace',
  input: { workspace_id: workspace },
  names: 'workspace_id',
  simplified: uncalled,
});

export const updateWorkspaceSettings = defineOperation('PUT /v1/workspace/{workspace_id}/settings', {
  command: ['ws', 'settings', 'update'],
  summary: 'Change the settings of a workspace',
  input: { workspace_id: workspace, body: inBody('WorkspaceSettings', 'settings') },
  result: 'none',
  simplified: uncalled,
});

export const getWorkspaceTeam = defineOperation('GET /v1/workspace/{workspace_id}/team', {
  command: ['ws', 'team', 'list'],
  summary: 'List the members of a workspace',
  input: { workspace_id: workspace },
  rows: 'users',
  columns: ['id', 'email', 'display_name', 'admin', 'last_login_at'],
  screen: ['email', 'display_name', 'admin', 'last_login_at', 'id'],
});

export const grantUserAccessToWorkspace = defineOperation('PUT /v1/workspace/{workspace_id}/team/email/{email}', {
  command: ['ws', 'team', 'grant'],
  summary: 'Grant a user access to a workspace',
  input: { workspace_id: workspace, email: inPath('e-mail address of the user') },
  names: 'relationship.user_id',
});

export const revokeUserAccessToWorkspace = defineOperation('DELETE /v1/workspace/{workspace_id}/team/{userId}', {
  command: ['ws', 'team', 'revoke'],
  summary: "Revoke a user's access to a workspace",
  input: { workspace_id: workspace, userId: inPath('user: id, e-mail address or display name') },
  result: 'none',
  effect: 'destroy',
});

export const getWorkspaceTokens = defineOperation('GET /v1/workspace/{workspace_id}/tokens', {
  command: ['ws', 'tokens', 'list'],
  summary: 'List workspace tokens',
  input: { workspace_id: workspace },
  result: 'list',
  columns: ['id', 'name', 'alg', 'created_at', 'last_used', 'created_by_name'],
  screen: ['name', 'id', 'created_at', 'last_used', 'created_by_name'],
});

export const createWorkspaceToken = defineOperation('POST /v1/workspace/{workspace_id}/tokens', {
  command: ['ws', 'tokens', 'create'],
  summary: 'Create a workspace token',
  input: { workspace_id: workspace, body: inBody('WorkspaceToken', 'token') },
  result: 'none',
  notes: [
    'The service returns neither the id nor the key. So this command lists the tokens before and after, and prints the new one.',
  ],
  // `partial`: another process has created a token of the same name. `cancelled`: the user declines a second one.
  ends: ['partial', 'cancelled'],
});

export const deleteWorkspaceToken = defineOperation('DELETE /v1/workspace/{workspace_id}/tokens/{tokenID}', {
  command: ['ws', 'tokens', 'delete'],
  summary: 'Delete a workspace token',
  input: { workspace_id: workspace, tokenID: inPath('token: id or name') },
  result: 'none',
  effect: 'destroy',
});

const featureFlags = { rows: 'feature_flags', columns: ['feature_flag', 'trial_ends_at'] } as const;

export const setWorkspaceFeatureFlags = defineOwn('POST /v1/workspace/feature_flags', {
  command: ['ws', 'feature-flags', 'set'],
  summary: 'Set the feature flags of the current workspace',
  input: { body: inBody('WorkspaceFeatureFlagRequest', 'feature flags') },
  notes: [
    'The API does not say whether other flags stay on. The embedded service turns them off. The result shows what is on.',
  ],
  ends: ['cancelled'],
  ...featureFlags,
});

export const getWorkspaceFeatureFlags = defineOperation('GET /v1/workspace/{workspace_id}/feature_flags', {
  command: ['ws', 'feature-flags', 'get'],
  summary: 'Show the feature flags of a workspace',
  input: { workspace_id: workspace },
  ...featureFlags,
});
