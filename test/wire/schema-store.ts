/** The Schema store and short URL operations on the wire. */
import { lines, type Row, sendsJson } from '../support/wire.ts';

export const schemaStore: readonly Row[] = [
  {
    id: 'getSchemaStoreItem',
    argv: ['schema-store', 'get', '--id', 's/1 é'],
    method: 'GET',
    path: '/v1/schema_store',
    headers: sendsJson,
    body: { id: 's/1 é' },
    reply: [200, '{"id":"s/1 é","spec":"openapi: 3.1.0\\n"}'],
    stdout: lines('{', '  "id": "s/1 é",', '  "spec": "openapi: 3.1.0\\n"', '}'),
  },
  {
    id: 'createSchemaStoreItem',
    argv: [
      ...['schema-store', 'create', '--spec', 'pets.yaml', '--package-name', 'pets'],
      ...['--sdk-classname', 'Pets', '--format', 'yaml', '--yes'],
    ],
    files: { 'pets.yaml': 'openapi: 3.1.0\ninfo:\n  title: "Zoë"\n' },
    method: 'POST',
    path: '/v1/schema_store',
    headers: sendsJson,
    body: {
      spec: 'openapi: 3.1.0\ninfo:\n  title: "Zoë"\n',
      packageName: 'pets',
      sdkClassname: 'Pets',
      format: 'yaml',
    },
    reply: [201, '{"id":"s_1"}'],
    stdout: lines('{', '  "id": "s_1"', '}'),
  },
  {
    id: 'createSchemaStoreItem',
    argv: [
      ...['schema-store', 'create', '--yes', '--format', 'json', '--body'],
      '{"spec":"{}","packageName":"p","sdkClassname":"P","format":"yaml","unknown":1}',
    ],
    method: 'POST',
    path: '/v1/schema_store',
    headers: sendsJson,
    body: { spec: '{}', packageName: 'p', sdkClassname: 'P', format: 'json', unknown: 1 },
    reply: [201, '{"id":"s_1"}'],
    stdout: lines('{', '  "id": "s_1"', '}'),
  },
  {
    id: 'create',
    argv: ['short-urls', 'create', '--url', 'https://reports.example.test/1?a=b&c=%20'],
    method: 'POST',
    path: '/v1/short_urls',
    headers: sendsJson,
    body: { url: 'https://reports.example.test/1?a=b&c=%20' },
    reply: [200, '{"short_url":"https://s.example.test/1"}'],
    stdout: lines('{', '  "short_url": "https://s.example.test/1"', '}'),
  },
];
