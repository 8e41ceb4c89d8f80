/** The document's Schema store and short URLs table. */
import { operation } from './operation.ts';

export const getSchemaStoreItem = operation({
  id: 'getSchemaStoreItem',
  command: ['schema-store', 'get'],
  summary: 'Get a stored API description',
  method: 'GET',
  path: '/v1/schema_store',
  input: { id: { in: 'member', kind: 'string', help: 'Id of the item' } },
  result: 'record',
});

export const createSchemaStoreItem = operation({
  id: 'createSchemaStoreItem',
  command: ['schema-store', 'create'],
  summary: 'Store an API description for everyone to read',
  method: 'POST',
  path: '/v1/schema_store',
  input: {
    spec: {
      in: 'member',
      kind: 'file',
      document: true,
      required: true,
      help: 'API description, with the files it refers to',
    },
    packageName: { in: 'member', kind: 'string', required: true, help: 'Package name used in snippets' },
    sdkClassname: { in: 'member', kind: 'string', required: true, help: 'Class name used in snippets' },
    format: {
      in: 'member',
      kind: 'string',
      required: true,
      oneOf: ['json', 'yaml'],
      help: 'Form of the document',
    },
  },
  result: 'record',
});

export const create = operation({
  id: 'create',
  command: ['short-urls', 'create'],
  summary: 'Shorten a URL',
  method: 'POST',
  path: '/v1/short_urls',
  input: { url: { in: 'member', kind: 'string', required: true, help: 'The URL to shorten' } },
  result: 'record',
  names: 'short_url',
});
