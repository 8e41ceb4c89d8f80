/** Values that may be passed as an argument or as a flag, and the detected format of a document. */
import { expect, test } from 'vitest';
import { answer, guardWire, wire } from '../support/wire.ts';

guardWire();

const names = ['--package-name', '@acme/pets', '--sdk-classname', 'Pets'];
const yaml = 'openapi: 3.1.0\ninfo: { title: Pets }\n';
const json = '{"openapi":"3.1.0"}';

const documents: readonly (readonly [what: string, file: string, text: string, format: string])[] = [
  ['YAML', 'openapi.yaml', yaml, 'yaml'],
  ['JSON', 'openapi.json', json, 'json'],
  ['JSON after a byte order mark', 'openapi.json', `\ufeff${json}`, 'json'],
  ['JSON in a file without an extension', 'openapi', ` \n${json}\n`, 'json'],
  ['YAML in braces', 'openapi.yml', '{ openapi: 3.1.0 }', 'yaml'],
];

test.each(documents)('schema-store create FILE: %s', async (_, file, text, format) => {
  const seen = answer('POST', '/v1/schema_store', [201, '{"id":"s_1"}']);
  const ended = await wire(['schema-store', 'create', '--yes', file, ...names], { files: { [file]: text } });
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('s_1') });
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    spec: text.replace('\ufeff', ''),
    packageName: '@acme/pets',
    sdkClassname: 'Pets',
    format,
  });
});

test('the format is also detected for --spec and for a document in the body, and a given format wins', async () => {
  const lines = [
    ['--spec', 'openapi.yaml', ...names],
    ['--body', JSON.stringify({ spec: yaml, packageName: '@acme/pets', sdkClassname: 'Pets' })],
    ['openapi.yaml', ...names, '--format', 'json'],
    ['openapi.yaml', ...names, '-f', 'format=json'],
  ];
  const seen = answer('POST', '/v1/schema_store', ...lines.map(() => [201, '{"id":"s_1"}'] as const));
  for (const line of lines)
    expect(
      (await wire(['schema-store', 'create', '--yes', ...line], { files: { 'openapi.yaml': yaml } })).code,
      line.join(' '),
    ).toBe(0);
  expect(seen.map(({ body }) => JSON.parse(body).format)).toEqual(['yaml', 'yaml', 'json', 'json']);
});

test('a document from standard input', async () => {
  const seen = answer('POST', '/v1/schema_store', [201, '{"id":"s_1"}']);
  expect((await wire(['schema-store', 'create', '--yes', '-', ...names], { stdin: json })).code).toBe(0);
  expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ spec: json, format: 'json' });
});

test('schema-store get ID', async () => {
  const seen = answer('GET', '/v1/schema_store', [200, '{"id":"s_1"}']);
  expect((await wire(['schema-store', 'get', 's_1'])).code).toBe(0);
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ id: 's_1' });
});

test.each([
  [['create', 'a.yaml', '--spec', 'b.yaml', ...names], 'pass either "a.yaml" or --spec, not both'],
  [['get', 's_1', '--id', 's_2'], 'pass either "s_1" or --id, not both'],
  [['create', 'a.yaml', 'b.yaml', ...names], 'too many arguments'],
  [['create', 'nofile.yaml', ...names], 'file not found: nofile.yaml'],
  [['create', 'a.yaml'], 'missing flags: --package and --sdk-class'],
  [['create', ...names], 'missing argument: FILE'],
])('nothing is sent for %j', async (argv, words) => {
  const files = { 'a.yaml': yaml, 'b.yaml': yaml };
  const { code, stderr } = await wire(['schema-store', ...argv], {
    files,
    env: { DTP_ERROR_FORMAT: 'text' },
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});
