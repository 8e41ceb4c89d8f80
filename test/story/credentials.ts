/** The story's credential steps. */
import { expect } from 'vitest';
import type { Step } from './step.ts';

export const credentials: readonly Step[] = [
  {
    says: 'the credential is valid',
    id: 'validateApiKey',
    argv: () => ['auth', 'validate'],
    record: 'ApiKeyDetails',
    check: (value, state) =>
      Object.assign(state, {
        org_slug: value.org_slug,
        workspace_slug: value.workspace_slug,
        workspace: value.workspace_id,
      }),
  },
  {
    says: 'who am I',
    id: 'getUser',
    argv: () => ['auth', 'user'],
    record: 'User',
    check: (value, state) => Object.assign(state, { user: value.id }),
  },
  {
    says: 'an access token, without a credential',
    id: 'getAccessToken',
    argv: () => ['auth', 'token'],
    env: () => ({ DTP_API_KEY: 'not a key' }),
    record: 'AccessToken',
    check: (value, state) => Object.assign(state, { token: value.access_token }),
  },
  {
    says: 'the access token is a credential',
    id: 'getUser',
    argv: () => ['auth', 'user'],
    env: ({ token }) => ({ DTP_API_KEY: '', DTP_TOKEN: token ?? '' }),
    record: 'User',
    check: (value, state) => expect(value.id).toBe(state.user),
  },
  {
    says: 'another key is rejected',
    id: 'getUser',
    argv: () => ['auth', 'user'],
    env: () => ({ DTP_API_KEY: 'not a key', DTP_WORKSPACE_ID: '' }),
    code: 4,
  },
];
