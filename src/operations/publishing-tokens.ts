/** Declares the operations of the API's Publishing tokens table. */
import { defineOwn, inMember, publishingToken } from './operation.ts';

const expiration = { in: 'member', kind: 'datetime', direction: 'future', required: true } as const;

export const getPublishingToken = defineOwn('GET /v1/publishing-tokens', {
  command: ['publishing-tokens', 'list'],
  summary: 'List publishing tokens',
  result: 'list',
  columns: ['id', 'token_name', 'target_id', 'target_resource', 'valid_until', 'created_by'],
  screen: [
    { title: 'NAME', from: ['token_name'] },
    'id',
    'valid_until',
    'target_id',
    'target_resource',
    { title: 'CREATED BY', from: ['created_by_name', 'created_by'] },
  ],
});

export const createPublishingToken = defineOwn('POST /v1/publishing-tokens', {
  command: ['publishing-tokens', 'create'],
  summary: 'Create a publishing token for a target',
  input: {
    target_id: inMember('lock id of the target'),
    target_resource: inMember('kind of resource'),
    valid_until: { ...expiration, help: 'expiration time' },
    token_name: inMember('name of the token'),
  },
  simplified: 'a token for an unknown target covers every namespace',
});

export const getPublishingTokenByID = defineOwn('GET /v1/publishing-tokens/{tokenID}', {
  command: ['publishing-tokens', 'get'],
  summary: 'Show a publishing token',
  input: { tokenID: publishingToken },
});

export const updatePublishingTokenExpiration = defineOwn('PUT /v1/publishing-tokens/{tokenID}', {
  command: ['publishing-tokens', 'update'],
  summary: 'Change the expiration of a publishing token',
  input: {
    tokenID: publishingToken,
    valid_until: { ...expiration, help: 'new expiration time' },
    token_name: { in: 'member', kind: 'string', help: 'new name' },
  },
  result: 'none',
});

export const deletePublishingToken = defineOwn('DELETE /v1/publishing-tokens/{tokenID}', {
  command: ['publishing-tokens', 'delete'],
  summary: 'Delete a publishing token',
  input: { tokenID: publishingToken },
  result: 'none',
  effect: 'destroy',
});

export const getPublishingTokenTargetByID = defineOwn('GET /v1/publishing-tokens/{tokenID}/target', {
  command: ['publishing-tokens', 'target'],
  summary: 'Show the target that a publishing token is bound to',
  input: { tokenID: publishingToken },
  result: 'text',
});

export const getPublishingTokenPublicMetadata = defineOwn('GET /v1/publishing-tokens/{tokenID}/metadata', {
  command: ['publishing-tokens', 'metadata'],
  summary: 'Show the public metadata of a publishing token',
  input: { tokenID: publishingToken },
  names: false,
});
