/** Declares the operations of the API's Auth table. */
import { defineOperation, defineOwn, inQuery, plan, workspace } from './operation.ts';
import { defaultRetryPolicy } from './retry-rules.ts';

export const validateApiKey = defineOperation('GET /v1/auth/validate', {
  command: ['auth', 'validate'],
  summary: 'Check the credential and show its permissions',
  names: 'workspace_id',
});

export const getUser = defineOperation('GET /v1/user', { command: ['auth', 'user'], summary: 'Show the current user' });

export const getAccessToken = defineOperation('GET /v1/auth/access_token', {
  command: ['auth', 'token'],
  summary: 'Get or refresh an access token for a workspace',
  input: { workspace_id: { ...workspace, in: 'query' } },
  names: false,
  auth: 'none',
  simplified: "without a key, the first user's token; shows no keys",
});

export const getWorkspaceAccess = defineOwn('GET /v1/workspace/access', {
  command: ['auth', 'access'],
  summary: 'Check whether the workspace may generate code',
  input: {
    genLockId: inQuery('lock id of the target'),
    targetType: inQuery('kind of target'),
    passive: { in: 'query', kind: 'boolean', help: 'skip side effects such as metrics' },
  },
  names: false,
  retry: defaultRetryPolicy,
  simplified: plan,
});
