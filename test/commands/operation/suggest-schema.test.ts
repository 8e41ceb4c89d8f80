/** `suggest from-summary --schema`: the summary that is made from an API document. */
import { expect, test } from 'vitest';
import { petstore } from '../../story/petstore.ts';
import { write } from '../../support/artifacts.ts';
import { dtp, temporaryFolder } from '../../support/context.ts';
import { split } from '../../support/documents.ts';
import { answer, guardWire, wire } from '../../support/wire.ts';

guardWire();

const path = '/v1/suggest/openapi_from_summary';
const line = ['suggest', 'from-summary', '--schema'];

const document = `openapi: 3.1.0
info: { title: Pets, version: 1.2.0, summary: All pets, license: { name: MIT, identifier: MIT } }
x-shared: &tags [pets]
paths:
  /pets:
    summary: Pets
    get: { operationId: listPets, description: Lists pets, tags: *tags, x-method-name: list, x-group: pets }
    post: { operationId: 7, tags: [pets, 3] }
  /owners: { $ref: '#/x-owners' }
x-owners:
  delete: { operationId: deleteOwner }
`;

const summary = {
  info: {
    title: 'Pets',
    summary: 'All pets',
    description: '',
    version: '1.2.0',
    license: { identifier: 'MIT' },
  },
  operations: [
    {
      method: 'get',
      path: '/pets',
      operation_id: 'listPets',
      description: 'Lists pets',
      tags: ['pets'],
      method_name_override: 'list',
      group_override: 'pets',
    },
    { method: 'post', path: '/pets', operation_id: '', description: '', tags: ['pets'] },
    { method: 'delete', path: '/owners', operation_id: 'deleteOwner', description: '', tags: [] },
  ],
};

/** Runs a command line on the document and returns the body that it sent. */
async function bodyOf(argv: readonly string[], text = document, stdin?: string) {
  const seen = answer('POST', path, [200, 'overlay: 1.0.0\n']);
  const ended = await wire([...line, ...argv], {
    files: { 'openapi.yaml': text, 'body.json': '{"suggestion_type":"diagnostics-only","more":1}' },
    ...(stdin !== undefined && { stdin }),
  });
  expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: 'overlay: 1.0.0\n' });
  return JSON.parse(seen[0]?.body ?? '');
}

test('a document becomes the summary, and the other fields have defaults', async () => {
  const body = { suggestion_type: 'method-names', diagnostics: [], oas_summary: summary };
  expect(await bodyOf(['openapi.yaml'])).toEqual(body);
  expect(await bodyOf(['@openapi.yaml'])).toEqual(body);
  expect(await bodyOf(['-'], '', document)).toEqual(body);
});

test('flags and --body set the other fields', async () => {
  const diagnostics = [{ message: 'no id', path: ['paths', '/pets', 'post'], type: 'operation-id' }];
  expect(await bodyOf(['openapi.yaml', '--body', '@body.json', '--diagnostics', JSON.stringify(diagnostics)])).toEqual({
    suggestion_type: 'diagnostics-only',
    more: 1,
    diagnostics,
    oas_summary: summary,
  });
});

test('the format of the file does not matter', async () => {
  const json = {
    openapi: '3.0.3',
    info: { title: 'A', version: '1' },
    paths: { '/a': { get: { tags: ['a'] } } },
  };
  const { oas_summary } = await bodyOf(['openapi.yaml'], `\ufeff${JSON.stringify(json)}`);
  expect(oas_summary).toEqual({
    info: { title: 'A', summary: '', description: '', version: '1', license: {} },
    operations: [{ method: 'get', path: '/a', operation_id: '', description: '', tags: ['a'] }],
  });
});

test('the files that a document refers to are part of its summary', async () => {
  const home = write(temporaryFolder(), split);
  const seen = answer('POST', path, [200, 'overlay: 1.0.0\n']);
  const { stderr } = await wire([...line, 'openapi.yaml'], { home });
  expect(stderr).toContain('as one document, merged with the files that it refers to');
  const { info, operations } = JSON.parse(seen[0]?.body ?? '').oas_summary;
  expect(info.version).toMatch(/^1\.10?$/);
  expect(operations.map((one: { operation_id: string }) => one.operation_id)).toContain('createPet');
});

test.each([
  ['title: Pets\n', 'is not an OpenAPI 3.x or Swagger 2.0 document'],
  ['- 1\n', 'is not an OpenAPI 3.x or Swagger 2.0 document'],
  ['a: [\n', 'is not valid JSON or YAML'],
  ['{"openapi":', 'is not valid JSON or YAML'],
  ["openapi: 3.1.0\npaths: { /a: { $ref: '#/x' } }\n", 'the path /a refers to #/x, which is not in the document'],
])('%j is refused before anything is sent', async (text, words) => {
  const env = { DTP_ERROR_FORMAT: 'text' };
  const { code, stderr } = await wire([...line, 'openapi.yaml'], { files: { 'openapi.yaml': text }, env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`FILE: openapi.yaml ${words}`.replace(' the', ': the'))]);
});

test('--schema and --oas-summary cannot be combined', async () => {
  const env = { DTP_ERROR_FORMAT: 'text' };
  const files = { 'openapi.yaml': document };
  const { code, stderr } = await wire([...line, 'openapi.yaml', '--oas-summary', '{}'], { files, env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('pass either FILE or --oas-summary')]);
});

test('with the embedded service, the overlay is the same as that of the deprecated command', async () => {
  const home = write(temporaryFolder(), { 'openapi.yaml': petstore });
  const run = async (...argv: string[]) => {
    const ended = await dtp(['--profile', 'local', 'suggest', ...argv, '--schema', 'openapi.yaml'], { home });
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout;
  };
  const overlay = await run('from-summary');
  expect(overlay).toContain('x-method-name');
  expect(overlay).toBe(await run('openapi', '--suggestion-type', 'method-names'));
});
