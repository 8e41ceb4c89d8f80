/** The embedded service and documents that are malicious, or merely unusual. */
import { expect, test } from 'vitest';
import { openDocumentWorker } from '../../src/service/document-worker.ts';
import type { Refusal, Reply } from '../../src/service/handler.ts';
import { codeSamples } from '../../src/service/handlers/code-samples.ts';
import { suggest } from '../../src/service/handlers/suggest.ts';
import { file, jsonOf, pushDocument, refusal, serviceScope, serviceSocket, textOf } from '../support/service-scope.ts';

/** As in the tool, a child process reads each document. */
const openScope = () => serviceScope(':memory:', openDocumentWorker());

const head = 'openapi: 3.0.0\ninfo: { title: t, version: "1" }\n';

const generate = (source: string, language: string) =>
  codeSamples.generateCodeSamplePreview({ language, schema_file: file(source) }, openScope().scope);

async function codeOf(source: string, language = 'curl'): Promise<string> {
  const { snippets } = await jsonOf(await generate(source, language));
  return snippets[0].code;
}

const posting = (example: string) =>
  `${head}paths: { /a: { post: { requestBody: { content: { application/json: { example: ${example} } } } } } }`;

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const laughs = Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join('');

test.each([
  ['an alias within itself', posting('&x { self: *x }'), /has the alias \*x at line \d+, which refers to itself/],
  [
    'an alias within its title',
    'openapi: 3.0.0\ninfo: { title: &t [*t] }',
    /the alias \*t at line 2, which refers to itself/,
  ],
  ['billion laughs', `${head}a0: &a0 [x, x]\n${laughs}`, /more than 5000000 values/],
  ['deep JSON', `{"openapi":"3.0.0","x":${nested(20_000)}}`, /nested deeper than 500/],
  ['deep YAML', `${head}x: ${nested(20_000)}`, /nested deeper than 500/],
  ['YAML one level too deep', `${head}x: ${nested(501)}`, /nested deeper than 500/],
  [
    'a name that is not a string',
    `${head}paths: { /a: { get: { parameters: [{ in: query, required: true, name: { toString: 1 } }] } } }`,
    /primitive/,
  ],
])('%s is rejected with the reason', async (_name, source, reason) => {
  const answer = await refusal(() => generate(source, 'go'));
  expect(answer).toMatch(/^422 /);
  expect(answer).toMatch(reason);
  const overlay = () => suggest.suggestOpenAPI({ 'x-session-id': 'any', schema: file(source) }, openScope().scope);
  if (!/primitive/.test(answer)) expect(await refusal(overlay)).toBe(answer.replaceAll('schema_file', 'schema'));
});

test('one anchor may be used hundreds of times, and merged', async () => {
  const uses = Array.from({ length: 300 }, (_, n) => `  /r${n}: { get: { <<: *m } }\n`).join('');
  const source = `${head}x: &m { operationId: op1, responses: {} }\npaths:\n${uses}`;
  const { snippets } = await jsonOf(await generate(source, 'curl'));
  expect(snippets).toHaveLength(300);
  expect(snippets[0].operationId).toBe('op1');
});

test('a document that takes too long or too much is rejected, and other requests are answered meanwhile', async () => {
  const { ask } = await serviceSocket(openDocumentWorker({ memoryMb: 256, timeMs: 10_000 }));
  const form = new FormData();
  form.set('language', 'go');
  form.set('schema_file', new Blob([`{"openapi":"3.0.0","x":[${'{},'.repeat(15_000_000)}{}]}`]), 'a.json');
  let isOver = false;
  let answered = 0;
  const asking = (async () => {
    while (!isOver) {
      expect((await ask('GET', '/v1/auth/validate')).status).toBe(200);
      answered++;
      await new Promise((done) => setTimeout(done, 20));
    }
  })();
  const answer = await ask('POST', '/v1/code_sample/preview', form);
  isOver = true;
  await asking;
  expect([answer.status, (await answer.json()).message]).toEqual([
    422,
    expect.stringMatching(/^the document takes more than|more than 5000000 values/),
  ]);
  // If the work blocked the service, there would be one tick before it and one after it.
  expect(answered).toBeGreaterThan(5);
});

test.each([
  ['a cyclic overlay', 'overlay: 1.0.0\nactions:\n  - &a\n    target: $\n    update: *a\n'],
  ['a cyclic title', 'openapi: 3.0.0\ninfo: { title: &t [*t] }\npaths: {}\n'],
  ['a title that is not a string', 'openapi: 3.0.0\ninfo: { title: { toString: 1 } }\npaths: {}\n'],
  ['a deep document', `${head}x: ${nested(20_000)}`],
  ['an archive', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
])('%s is stored, and has no metadata', async (_name, layer) => {
  const { scope } = openScope();
  await pushDocument(scope, 'local/default/odd', layer);
  const [revision] = scope.store.all('SELECT metadata FROM revisions');
  expect(revision?.metadata).toBeNull();
});

test('a job that is requested twice at once runs once', async () => {
  const { scope, wait } = openScope();
  const input = { language: 'go', schema_file: file(posting('1')) };
  const { job_id: jobID } = await jsonOf(await codeSamples.generateCodeSamplePreviewAsync(input, scope));
  wait(1000);
  const poll = (): Promise<Reply | Refusal> => codeSamples.getCodeSamplePreviewAsync({ jobID }, scope);
  const [one, other] = await Promise.all([poll(), poll()]);
  expect(await textOf(one)).toBe(await textOf(other));
});

test.each([
  ['v1', 'https://api.example.com/v1/a'],
  ['/v1/', 'https://api.example.com/v1/a'],
  ['//other.example', 'https://other.example/a'],
  ['https://{host}/v1', 'https://host/v1/a'],
  ['{base}/v1', 'https://api.example.com/BASE/v1/a'],
  ['https://x.example:{port}/v1', 'https://api.example.com/a'],
  ['https://{region}.example/{stage}?x=1', 'https://eu.example/live/a'],
])('the server %s gives a usable URL', async (url, address) => {
  const variables = '{ region: { enum: [eu, us] }, stage: { default: live } }';
  const source = `${head}servers: [{ url: "${url}", variables: ${variables} }]\npaths: { /a: { get: {} } }`;
  expect(await codeOf(source)).toContain(`--url '${address}'`);
});

/** The targets of an overlay that are operations. */
const operationsIn = (overlay: string): readonly string[] =>
  JSON.parse(overlay)
    .actions.map(({ target }: { target: string }) => target)
    .filter((target: string) => /\["(get|put)"\]$/.test(target));

test('suggestions for a path item that is a reference point to its target, once', async () => {
  const source = `${head}paths:
  /a: { $ref: "#/components/pathItems/P" }
  /b: { $ref: "#/components/pathItems/P" }
components: { pathItems: { P: { get: {} } } }`;
  const overlay = await textOf(
    await suggest.suggestOpenAPI({ 'x-session-id': 'any', schema: file(source) }, openScope().scope),
  );
  expect(operationsIn(overlay)).toEqual(['$["components"]["pathItems"]["P"]["get"]']);
});

test.each(['#/x', '#/info/title', './c.yaml', 'https://x.example/c.yaml', '#anchor'])(
  'a path that refers to %s, which is not in the document, is rejected by its name',
  async (reference) => {
    const source = `${head}paths: { /a: { get: {} }, /c: { $ref: "${reference}" } }`;
    const reason = new RegExp(`^422 schema.* refers to ${reference}, which (is not in|was not sent with)`);
    const overlay = () => suggest.suggestOpenAPI({ 'x-session-id': 'any', schema: file(source) }, openScope().scope);
    expect(await refusal(() => generate(source, 'go'))).toMatch(reason);
    expect(await refusal(overlay)).toMatch(reason);
  },
);

test('fields next to a reference belong to the path item, and suggestions point to where each operation is defined', async () => {
  const source = `${head}paths:
  /a: { $ref: "#/x/items/1", put: { operationId: own }, parameters: [{ in: query, name: q, required: true, schema: { type: string } }] }
x: { items: [{}, { get: { $ref: "#/x/get" }, put: { operationId: other } }], get: { operationId: far } }`;
  const { snippets } = await jsonOf(await generate(source, 'curl'));
  expect(snippets.map(({ operationId }: { operationId: string }) => operationId)).toEqual(['far', 'own']);
  expect(snippets[0].code).toContain('/a?q=string');
  const overlay = await textOf(
    await suggest.suggestOpenAPI({ 'x-session-id': 'any', schema: file(source) }, openScope().scope),
  );
  expect(operationsIn(overlay)).toEqual(['$["x"]["get"]', '$["paths"]["/a"]["put"]']);
});
