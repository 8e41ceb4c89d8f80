/** Declares the operations of the API's Schema store and short URLs table. */
import { apiDocument, defineOperation, inMember } from './operation.ts';

export const getSchemaStoreItem = defineOperation('GET /v1/schema_store', {
  command: ['schema-store', 'get'],
  summary: 'Get a stored API document',
  operand: 'id',
  input: { id: { in: 'member', kind: 'string', help: 'full id of the item' } },
});

export const createSchemaStoreItem = defineOperation('POST /v1/schema_store', {
  command: ['schema-store', 'create'],
  summary: 'Store an API document publicly',
  operand: 'spec',
  input: {
    spec: { in: 'member', required: true, ...apiDocument },
    packageName: inMember('SDK package name for the code samples of the document'),
    sdkClassname: inMember('SDK class name for the code samples of the document'),
    format: {
      in: 'member',
      kind: 'string',
      required: true,
      oneOf: ['json', 'yaml'],
      formatOf: 'spec',
      help: 'format of the document (default: detected)',
    },
  },
});

export const create = defineOperation('POST /v1/short_urls', {
  command: ['short-urls', 'create'],
  summary: 'Shorten a URL',
  input: { url: inMember('URL to shorten') },
  names: 'short_url',
});
