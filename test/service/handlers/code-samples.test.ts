/** The embedded service's code samples for an uploaded document, directly or by a job, and from the registry. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeSamples } from '../../../src/service/handlers/code-samples.ts';
import { zipOf } from '../../support/artifacts.ts';
import { removeFolder } from '../../support/folders.ts';
import { freshStore } from '../../support/fresh-store.ts';
import { faults } from '../../support/record-shape.ts';
import {
  anyScope,
  file,
  jsonOf,
  PETSTORE,
  pushDocument,
  refusal,
  serviceScope,
  serviceSocket,
} from '../../support/service-scope.ts';

interface Snippets {
  readonly snippets: readonly {
    readonly operationId: string;
    readonly language: string;
    readonly code: string;
    readonly path: string;
  }[];
}

const preview = async (input: object): Promise<Snippets> =>
  jsonOf(await codeSamples.generateCodeSamplePreview({ schema_file: file(PETSTORE), ...input }, anyScope()));

test.each(['curl', 'typescript', 'python', 'go', 'java', 'csharp', 'ruby', 'swift'])(
  '%s code samples show the call as it is',
  async (language) => {
    const answer = await preview({ language });
    expect(faults('UsageSnippets', answer)).toEqual([]);
    expect(answer.snippets.map(({ operationId }) => operationId)).toEqual(['listPets', 'createPet', 'getPet']);
    const [list, create, get] = answer.snippets.map(({ code }) => code);
    expect(list).toContain('https://pets.example/v1/pets?limit=20');
    expect(list).toMatch(/authorization/i);
    expect(list).toMatch(/Bearer .*\bKEY_TOKEN\b/);
    expect(get).toContain('https://pets.example/v1/pets/PET_ID');
    expect(create).toMatch(/post/i);
    expect(create).toMatch(/content-?type/i);
  },
);

test('curl escapes quotes', async () => {
  const [, create] = (await preview({ language: 'curl' })).snippets;
  expect(create?.code).toContain(`  "name": "Rex'\\''s",`);
});

test('a schema may contain itself, and Python code samples have Python literals', async () => {
  const { snippets } = await preview({ language: 'python', operation_ids: ['createPet'] });
  expect(snippets).toHaveLength(1);
  expect(snippets[0]?.code).toContain('"indoor": True');
});

test.each([
  ['no language', {}, /^422 language is required/],
  ['no document', { language: 'go', schema_file: undefined }, /^422 schema_file/],
  ['an unknown language', { language: 'cobol' }, /^422 .*curl, typescript, python, go/],
  ['a name of Object', { language: 'constructor' }, /^422 language constructor/],
  [
    'a document that does not parse',
    { language: 'go', schema_file: file('{"a":') },
    /^422 schema_file is not valid JSON or YAML: /,
  ],
  ['bad YAML', { language: 'go', schema_file: file('a: [1\nb: }') }, /^422 schema_file is not valid JSON or YAML: /],
  ['plain text', { language: 'go', schema_file: file('hello') }, /^422 schema_file is not/],
  ['another document', { language: 'go', schema_file: file('a: 1') }, /^422 schema_file is not an OpenAPI/],
])('%s is refused with the reason', async (_name, input, message) => {
  expect(await refusal(() => preview(input))).toMatch(message);
});

test('a Swagger 2.0 document is accepted', async () => {
  const swagger = {
    swagger: '2.0',
    host: 'old.example',
    basePath: '/api',
    paths: { '/a': { put: { parameters: [{ in: 'body', name: 'b', schema: { type: 'string' } }] } } },
  };
  const { snippets } = await preview({ language: 'curl', schema_file: file(JSON.stringify(swagger)) });
  expect(snippets[0]?.code).toContain("--url 'https://old.example/api/a'");
  expect(snippets[0]?.code).toContain(`--data '"string"'`);
});

test('a thousand operations in 13 MB take a few seconds', async () => {
  const schema = { type: 'object', description: 'x'.repeat(12_000), properties: { a: { type: 'string' } } };
  const entry = (n: number) => ({
    post: { operationId: `op${n}`, requestBody: { content: { 'application/json': { schema } } } },
  });
  const paths = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`/r${n}`, entry(n)]));
  const document = file(JSON.stringify({ openapi: '3.0.0', paths }));
  expect(document.size).toBeGreaterThan(12_000_000);
  const { snippets } = await preview({ language: 'go', schema_file: document });
  expect(snippets).toHaveLength(1000);
});

test('413 for a document of more than 64 MiB', async () => {
  const huge = {
    ...file(''),
    open: async function* () {
      for (let n = 0; n <= 64; n++) yield Buffer.alloc(1024 * 1024, 32);
    },
  };
  expect(await refusal(() => preview({ language: 'go', schema_file: huge }))).toMatch(/^413 schema_file/);
});

test('a job is pending, running and done, and survives a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-'));
  try {
    const { scope, stranger, wait } = serviceScope(join(folder, 'store.db'));
    const input = { language: 'go', operation_ids: ['listPets'], schema_file: file(PETSTORE) };
    const started = await codeSamples.generateCodeSamplePreviewAsync(input, scope);
    expect(started.status).toBe(202);
    const { job_id: jobID, status } = await jsonOf(started);
    expect(status).toBe('pending');
    const running = await codeSamples.getCodeSamplePreviewAsync({ jobID }, scope);
    expect(running).toMatchObject({ status: 202 });
    expect(await jsonOf(running)).toEqual({ status: 'running' });
    scope.store.close();

    const reopened = serviceScopeAgain(join(folder, 'store.db'), scope);
    wait(1000);
    const done: Snippets = await jsonOf(await codeSamples.getCodeSamplePreviewAsync({ jobID }, reopened));
    expect(done.snippets.map(({ operationId }) => operationId)).toEqual(['listPets']);
    expect(await jsonOf(await codeSamples.getCodeSamplePreviewAsync({ jobID }, reopened))).toEqual(done);
    const other = { ...reopened, caller: stranger.caller };
    expect(await refusal(() => codeSamples.getCodeSamplePreviewAsync({ jobID }, other))).toMatch(/^403/);
    expect(await refusal(() => codeSamples.getCodeSamplePreviewAsync({ jobID: 'no' }, reopened))).toMatch(/^404/);
    reopened.store.close();
  } finally {
    removeFolder(folder);
  }
});

test('a job with an invalid document reports the reason each time', async () => {
  const { scope, wait } = serviceScope();
  const input = { language: 'go', schema_file: file('{') };
  const { job_id: jobID } = await jsonOf(await codeSamples.generateCodeSamplePreviewAsync(input, scope));
  wait(1000);
  for (const _ of [1, 2])
    expect(await refusal(() => codeSamples.getCodeSamplePreviewAsync({ jobID }, scope))).toMatch(
      /^422 schema_file is not valid JSON or YAML/,
    );
  expect(await refusal(() => codeSamples.generateCodeSamplePreviewAsync({}, scope))).toMatch(/^422 language/);
});

test('a document in the registry gives code samples in all default languages, or those that match the filters', async () => {
  const { scope, stranger } = serviceScope();
  const digest = await pushDocument(scope, 'local/default/pets', PETSTORE);
  const get = async (registry_url: string, more: object = {}, as = scope): Promise<Snippets> =>
    jsonOf(await codeSamples.getCodeSamples({ registry_url, ...more }, as));
  const all = await get('https://registry.example:8080/local/default/pets');
  expect(all.snippets).toHaveLength(12);
  expect(await get(`local/default/pets@${digest}`)).toEqual(all);
  expect(await get('registry.example/local/default/pets:latest')).toEqual(all);
  const one = await get('local/default/pets', {
    languages: ['go'],
    method_paths: [{ method: 'GET', path: '/pets' }],
  });
  expect(one.snippets.map(({ operationId, language }) => [operationId, language])).toEqual([['listPets', 'go']]);
  const named = await get('local/default/pets', { operation_ids: ['getPet'], languages: ['curl'] });
  expect(named.snippets.map(({ path }) => path)).toEqual(['/pets/{petId}']);
  const wrong: readonly [string, object, RegExp][] = [
    ['pets', {}, /^422 registry_url/],
    ['local/default/dogs', {}, /^404/],
    ['local/default/pets:gone', {}, /^404/],
    ['nobody/default/pets', {}, /^404/],
    ['local/default/pets', { languages: ['cobol'] }, /^422 language/],
    ['local/default/pets', { method_paths: ['get'] }, /^422 method_paths/],
  ];
  for (const [url, more, message] of wrong) expect(await refusal(() => get(url, more))).toMatch(message);
  expect(await refusal(() => get('local/default/pets', {}, stranger))).toMatch(/^403/);
});

test.each(['stored', 'deflated'] as const)('the document is found in a ZIP with %s entries', async (how) => {
  const { scope } = serviceScope();
  const method = how === 'stored' ? 0 : 8;
  const zip = zipOf([
    { name: 'a/readme.yaml', content: 'a: 1', method },
    { name: 'a/openapi.yaml', content: PETSTORE, method },
  ]);
  await pushDocument(scope, 'local/default/zipped', zip);
  const answer: Snippets = await jsonOf(
    await codeSamples.getCodeSamples({ registry_url: 'local/default/zipped' }, scope),
  );
  expect(answer.snippets).toHaveLength(12);
});

test('a damaged ZIP is refused with the reason', async () => {
  const { scope } = serviceScope();
  const zip = zipOf([{ name: 'openapi.yaml', content: PETSTORE }]);
  await pushDocument(scope, 'local/default/cut', zip.subarray(0, zip.length - 30));
  const damaged = Buffer.from(zip);
  damaged.fill(0xff, 45, 200);
  await pushDocument(scope, 'local/default/damaged', damaged);
  for (const name of ['cut', 'damaged'])
    expect(await refusal(() => codeSamples.getCodeSamples({ registry_url: `local/default/${name}` }, scope))).toMatch(
      /^422 the layer sha256:\w+ is not a readable ZIP: /,
    );
});

function serviceScopeAgain(path: string, scope: ReturnType<typeof serviceScope>['scope']) {
  return { ...scope, store: freshStore(path) };
}

test('over a socket: code samples for a form, directly and as a job, and from the registry', async () => {
  const { ask, wait, scope } = await serviceSocket();
  const form = new FormData();
  form.set('schema_file', new Blob([PETSTORE]), 'openapi.yaml');
  form.set('language', 'python');
  form.append('operation_ids[]', 'getPet');
  form.append('operation_ids[]', 'listPets');
  const names = ({ snippets }: Snippets) => snippets.map(({ operationId }) => operationId);
  const direct: Snippets = await (await ask('POST', '/v1/code_sample/preview', form)).json();
  expect(names(direct)).toEqual(['listPets', 'getPet']);
  const started = await ask('POST', '/v1/code_sample/preview/async', form);
  expect(started.status).toBe(202);
  const path = `/v1/code_sample/preview/async/${(await started.json()).job_id}`;
  expect((await ask('GET', path)).status).toBe(202);
  wait(1000);
  const done = await ask('GET', path);
  expect([done.status, await done.json()]).toEqual([200, direct]);
  form.delete('language');
  const missing = await ask('POST', '/v1/code_sample/preview', form);
  expect([missing.status, (await missing.json()).message]).toEqual([422, 'language is required']);

  await pushDocument(scope, 'local/default/pets', PETSTORE);
  const query = new URLSearchParams({ registry_url: 'local/default/pets', languages: 'go' });
  const json = encodeURIComponent(JSON.stringify([{ method: 'post', path: '/pets' }]));
  for (const selector of [json, 'method,post,path,/pets']) {
    const answer = await ask('GET', `/v1/code_sample?${query}&method_paths=${selector}`);
    expect(names(await answer.json())).toEqual(['createPet']);
  }
});
