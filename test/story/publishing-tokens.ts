/** The story's publishing token steps. */
import { expect } from 'vitest';
import type { Step } from './step.ts';

const until = '2031-01-31T12:00:00.000Z';

export const publishingTokens: readonly Step[] = [
  {
    says: 'a publishing token is created',
    id: 'createPublishingToken',
    argv: () => [
      'publishing-tokens',
      'create',
      '--target-id',
      'lock-1',
      '--target-resource',
      'document',
      '--valid-until',
      '2030-01-01T00:00:00Z',
      '--token-name',
      'docs',
    ],
    record: 'PublishingToken',
    check: (value, state) => Object.assign(state, { publishing: value.id }),
  },
  {
    says: 'its expiration is changed',
    id: 'updatePublishingTokenExpiration',
    argv: ({ publishing }) => ['publishing-tokens', 'update', publishing as string, '--valid-until', until],
    empty: true,
  },
  {
    says: 'it shows the new expiration',
    id: 'getPublishingTokenByID',
    argv: ({ publishing }) => ['publishing-tokens', 'get', publishing as string],
    record: 'PublishingToken',
    check: (value) => expect(value).toMatchObject({ valid_until: until, token_name: 'docs' }),
  },
  {
    says: 'it is listed',
    id: 'getPublishingToken',
    argv: () => ['publishing-tokens', 'list'],
    record: 'PublishingToken[]',
    check: (value, state) => expect(value.map((one: { id: string }) => one.id)).toContain(state.publishing),
  },
  {
    says: 'its target is a string',
    id: 'getPublishingTokenTargetByID',
    argv: ({ publishing }) => ['publishing-tokens', 'target', publishing as string],
    check: (value) => expect(value).toBe('lock-1'),
  },
  {
    says: 'its metadata is public',
    id: 'getPublishingTokenPublicMetadata',
    argv: ({ publishing }) => ['publishing-tokens', 'metadata', publishing as string],
    check: (value, state) =>
      expect(value).toMatchObject({ target_id: 'lock-1', valid_until: until, workspace_id: state.workspace }),
  },
  {
    says: 'it is deleted',
    id: 'deletePublishingToken',
    argv: ({ publishing }) => ['publishing-tokens', 'delete', publishing as string, '--yes'],
    empty: true,
  },
  {
    says: 'and no longer found',
    id: 'getPublishingTokenByID',
    argv: ({ publishing }) => ['publishing-tokens', 'get', publishing as string],
    code: 6,
  },
];
