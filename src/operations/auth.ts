/** The document's Auth table. */
import { operation } from './operation.ts';
import { backoff, plan } from './shared.ts';

export const validateApiKey = operation({
  id: 'validateApiKey',
  command: ['auth', 'validate'],
  summary: 'Check the credential of this request and show what it may do',
  method: 'GET',
  path: '/v1/auth/validate',
  input: {},
  result: 'record',
  names: 'workspace_id',
});

export const getUser = operation({
  id: 'getUser',
  command: ['auth', 'user'],
  summary: 'Show the current user',
  method: 'GET',
  path: '/v1/user',
  input: {},
  result: 'record',
});

export const getAccessToken = operation({
  id: 'getAccessToken',
  command: ['auth', 'token'],
  summary: 'Get or refresh an access token for a workspace; needs no credential',
  method: 'GET',
  path: '/v1/auth/access_token',
  input: {
    workspace_id: {
      in: 'query',
      kind: 'string',
      required: true,
      help: 'Workspace id (default: the current workspace)',
    },
  },
  result: 'record',
  names: false,
  auth: 'none',
  simplified: "nobody says who asks: it is the first member's token",
});

export const getWorkspaceAccess = operation({
  id: 'getWorkspaceAccess',
  command: ['auth', 'access'],
  summary: 'Check whether generation is permitted',
  method: 'GET',
  path: '/v1/workspace/access',
  input: {
    genLockId: { in: 'query', kind: 'string', help: 'Gen lock id' },
    targetType: { in: 'query', kind: 'string', help: 'Kind of target' },
    passive: { in: 'query', kind: 'boolean', help: 'Skip side effects such as incrementing metrics' },
  },
  result: 'record',
  names: false,
  retry: backoff,
  simplified: plan,
});
