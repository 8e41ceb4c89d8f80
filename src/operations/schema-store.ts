/** Declares the operations of the API's Schema store and short URLs table. */
import { defineOperation } from './operation.ts';

export const getSchemaStoreItem = defineOperation({
  id: 'getSchemaStoreItem',
  command: ['schema-store', 'get'],
  summary: 'Get a stored API document',
  method: 'GET',
  path: '/v1/schema_store',
  operand: 'id',
  input: { id: { in: 'member', kind: 'string', help: 'full id of the item' } },
  result: 'record',
});

export const createSchemaStoreItem = defineOperation({
  id: 'createSchemaStoreItem',
  command: ['schema-store', 'create'],
  summary: 'Store an API document publicly',
  method: 'POST',
  path: '/v1/schema_store',
  operand: 'spec',
  input: {
    spec: {
      in: 'member',
      kind: 'file',
      document: true,
      required: true,
      help: 'API document, with the files it refers to',
    },
    packageName: {
      in: 'member',
      kind: 'string',
      required: true,
      help: 'SDK package name for the code samples of the document',
    },
    sdkClassname: {
      in: 'member',
      kind: 'string',
      required: true,
      help: 'SDK class name for the code samples of the document',
    },
    format: {
      in: 'member',
      kind: 'string',
      required: true,
      oneOf: ['json', 'yaml'],
      formatOf: 'spec',
      help: 'format of the document (default: detected)',
    },
  },
  result: 'record',
});

export const create = defineOperation({
  id: 'create',
  command: ['short-urls', 'create'],
  summary: 'Shorten a URL',
  method: 'POST',
  path: '/v1/short_urls',
  input: { url: { in: 'member', kind: 'string', required: true, help: 'URL to shorten' } },
  result: 'record',
  names: 'short_url',
});
