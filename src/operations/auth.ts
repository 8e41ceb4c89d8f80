/** Declares the operations of the API's Auth table. */
import { defineOperation } from './operation.ts';
import { defaultRetryPolicy } from './retry-rules.ts';
import { plan } from './shared.ts';

export const validateApiKey = defineOperation({
  id: 'validateApiKey',
  command: ['auth', 'validate'],
  summary: 'Check the credential and show its permissions',
  method: 'GET',
  path: '/v1/auth/validate',
  input: {},
  result: 'record',
  names: 'workspace_id',
});

export const getUser = defineOperation({
  id: 'getUser',
  command: ['auth', 'user'],
  summary: 'Show the current user',
  method: 'GET',
  path: '/v1/user',
  input: {},
  result: 'record',
});

export const getAccessToken = defineOperation({
  id: 'getAccessToken',
  command: ['auth', 'token'],
  summary: 'Get or refresh an access token for a workspace',
  method: 'GET',
  path: '/v1/auth/access_token',
  input: {
    workspace_id: {
      in: 'query',
      kind: 'string',
      required: true,
      help: 'workspace: id, name or slug (default: the current workspace)',
    },
  },
  result: 'record',
  names: false,
  auth: 'none',
  simplified: "the first user's token, which shows no keys",
});

export const getWorkspaceAccess = defineOperation({
  id: 'getWorkspaceAccess',
  command: ['auth', 'access'],
  summary: 'Check whether the workspace may generate code',
  method: 'GET',
  path: '/v1/workspace/access',
  input: {
    genLockId: { in: 'query', kind: 'string', help: 'lock id of the target' },
    targetType: { in: 'query', kind: 'string', help: 'kind of target' },
    passive: { in: 'query', kind: 'boolean', help: 'skip side effects such as metrics' },
  },
  result: 'record',
  workspace: 'credential',
  names: false,
  retry: defaultRetryPolicy,
  simplified: plan,
});
