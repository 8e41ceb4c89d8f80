/** Declares the operations of the API's Publishing tokens table. */
import { defineOperation } from './operation.ts';
import { publishingToken } from './shared.ts';

export const getPublishingToken = defineOperation({
  id: 'getPublishingToken',
  command: ['publishing-tokens', 'list'],
  summary: 'List publishing tokens',
  method: 'GET',
  path: '/v1/publishing-tokens',
  input: {},
  result: 'list',
  workspace: 'credential',
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

export const createPublishingToken = defineOperation({
  id: 'createPublishingToken',
  command: ['publishing-tokens', 'create'],
  summary: 'Create a publishing token for a target',
  method: 'POST',
  path: '/v1/publishing-tokens',
  input: {
    target_id: { in: 'member', kind: 'string', required: true, help: 'id of the target' },
    target_resource: { in: 'member', kind: 'string', required: true, help: 'kind of resource' },
    valid_until: {
      in: 'member',
      kind: 'datetime',
      direction: 'future',
      required: true,
      help: 'expiration time',
    },
    token_name: { in: 'member', kind: 'string', required: true, help: 'name of the token' },
  },
  result: 'record',
  workspace: 'credential',
  simplified: 'a token for an unknown target covers every namespace',
});

export const getPublishingTokenByID = defineOperation({
  id: 'getPublishingTokenByID',
  command: ['publishing-tokens', 'get'],
  summary: 'Show a publishing token',
  method: 'GET',
  path: '/v1/publishing-tokens/{tokenID}',
  input: { tokenID: publishingToken },
  result: 'record',
  workspace: 'credential',
});

export const updatePublishingTokenExpiration = defineOperation({
  id: 'updatePublishingTokenExpiration',
  command: ['publishing-tokens', 'update'],
  summary: 'Change the expiration of a publishing token',
  method: 'PUT',
  path: '/v1/publishing-tokens/{tokenID}',
  input: {
    tokenID: publishingToken,
    valid_until: {
      in: 'member',
      kind: 'datetime',
      direction: 'future',
      required: true,
      help: 'new expiration time',
    },
    token_name: { in: 'member', kind: 'string', help: 'new name' },
  },
  result: 'none',
  workspace: 'credential',
});

export const deletePublishingToken = defineOperation({
  id: 'deletePublishingToken',
  command: ['publishing-tokens', 'delete'],
  summary: 'Delete a publishing token',
  method: 'DELETE',
  path: '/v1/publishing-tokens/{tokenID}',
  input: { tokenID: publishingToken },
  result: 'none',
  workspace: 'credential',
  effect: 'destroy',
});

export const getPublishingTokenTargetByID = defineOperation({
  id: 'getPublishingTokenTargetByID',
  command: ['publishing-tokens', 'target'],
  summary: 'Show the target that a publishing token is bound to',
  method: 'GET',
  path: '/v1/publishing-tokens/{tokenID}/target',
  input: { tokenID: publishingToken },
  result: 'text',
  workspace: 'credential',
});

export const getPublishingTokenPublicMetadata = defineOperation({
  id: 'getPublishingTokenPublicMetadata',
  command: ['publishing-tokens', 'metadata'],
  summary: 'Show the public metadata of a publishing token',
  method: 'GET',
  path: '/v1/publishing-tokens/{tokenID}/metadata',
  input: { tokenID: publishingToken },
  result: 'record',
  workspace: 'credential',
  names: false,
});
