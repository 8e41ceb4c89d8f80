/** `dtp mcp` and API documents of several files: bundled, and only from the allowed folders. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { write } from '../support/artifacts.ts';
import { split, splitAsOne, splitSnippets } from '../support/documents.ts';
import { type Connected, connectMcp } from '../support/mcp.ts';
import { home, type Served, serve } from '../support/process.ts';

const { folder, remove } = home();
const open = join(folder, 'open');
let service: Served;
let tools: Connected;

beforeAll(async () => {
  mkdirSync(open);
  write(open, { ...split, 'out.yaml': '$ref: ../secret.yaml', 'd/up.yaml': '$ref: ../openapi.yaml' });
  write(folder, { 'secret.yaml': 'a: canary' });
  symlinkSync('../secret.yaml', join(open, 'link.yaml'));
  write(open, { 'linked.yaml': 'a: { $ref: link.yaml }', 'gone.yaml': 'a: { $ref: none.yaml }' });
  service = await serve(folder, ['--ephemeral']);
  tools = await connectMcp(folder, ['mcp', '--allow-writes', '--root', open], {
    env: { DTP_BASE_URL: service.address, DTP_API_KEY: service.key },
  });
});
afterAll(async () => {
  await tools.close();
  await service.stop();
  remove();
});

const item = { packageName: 'p', sdkClassname: 'C', format: 'yaml' };

test('each tool sends it as one document', async () => {
  const schema_file = { path: 'openapi.yaml' };
  const { value } = await tools.call('code_samples_preview', { schema_file, language: 'curl' });
  const codes = value.snippets as readonly { readonly operationId: string; readonly code: string }[];
  for (const [id, parts] of Object.entries(splitSnippets))
    for (const part of parts) expect(codes.find(({ operationId }) => operationId === id)?.code).toContain(part);
  const job = await tools.call('code_samples_jobs_create', { schema_file, language: 'curl' });
  expect(job.value.job_id).toEqual(expect.any(String));
  const overlay = await tools.call('suggest_openapi', { schema: { path: 'openapi.yaml' } });
  const targets = overlay.value.actions.map(({ target }: { readonly target: string }) => target);
  for (const part of ['["/pets/{petId}"]["get"]', '["schemas"]["Pet"]["properties"]["owner"]'])
    expect(targets).toContainEqual(expect.stringContaining(part));
  const toStore = { ...item, spec: { path: 'openapi.yaml' } };
  const { value: unconfirmed } = await tools.call('schema_store_create', toStore);
  expect(unconfirmed.message).toMatch(/\(sha256:[0-9a-f]{64}, p, C, yaml\) with POST \S+ makes something public$/);
  const [, confirm] = /confirm set to "(.*)"\.$/.exec(unconfirmed.hint) ?? [];
  const stored = await tools.call('schema_store_create', { ...toStore, confirm });
  expect(parse(stored.value.spec)).toEqual(splitAsOne);
});

test.each<[string, unknown, string]>([
  ['a file outside the allowed folder', { path: 'out.yaml' }, "outside the document's folder"],
  ["a file outside the document's folder", { path: 'd/up.yaml' }, "outside the document's folder"],
  ['a link out of the folder', { path: 'linked.yaml' }, "outside the document's folder"],
  ['a missing file', { path: 'gone.yaml' }, 'gone.yaml refers to none.yaml, which does not exist (at #/a)'],
  [
    'a string, which has no folder',
    { text: split['openapi.yaml'] },
    'which cannot be found because inline text has no folder',
  ],
])('%s is refused', async (_, given, message) => {
  for (const [tool, args] of [
    ['code_samples_preview', { language: 'curl', schema_file: given }],
    ['code_samples_jobs_create', { language: 'curl', schema_file: given }],
    ['suggest_openapi', { schema: given }],
    ['schema_store_create', { ...item, spec: given }],
  ] as const) {
    const { isError, value } = await tools.call(tool, args);
    expect([tool, isError, value.error ?? value]).toEqual([
      tool,
      true,
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) }),
    ]);
  }
  expect(tools.written()).not.toContain('canary');
});

test('a document or a folder is pushed, and gets its tags', async () => {
  write(open, { 'api/notes.md': '# Notes', 'api/.env': 'canary' });
  for (const [name, text] of Object.entries(split)) write(open, { [`api/${name}`]: text });
  const given = { namespace_name: 'pets', tags: ['v1', 'stable'] };
  const document = await tools.call('artifacts_push', { ...given, path: 'openapi.yaml' });
  expect(document.value).toMatchObject({ reference: 'local/default/pets:v1', files: Object.keys(split).sort() });
  const whole = await tools.call('artifacts_push', { ...given, path: 'api' });
  expect(whole.value.files).toEqual([...Object.keys(split), 'notes.md'].sort());
  const { value } = await tools.call('artifacts_tags_list', {
    namespace_name: 'pets',
    query: 'items[].[name, revision_digest]',
  });
  const { digest } = whole.value;
  expect(value.sort()).toEqual([
    ['stable', digest],
    ['v1', digest],
  ]);
  expect((await tools.call('artifacts_push', { path: 'api', namespace_name: 'other' })).value.tags).toEqual(['latest']);
});

test('a push takes no file outside the allowed folder', async () => {
  const openapi = "openapi: 3.1.0\ninfo: { title: a, version: '1' }\na: { $ref: ";
  write(open, { 'push-out.yaml': `${openapi}../secret.yaml }`, 'push-link.yaml': `${openapi}link.yaml }` });
  write(folder, { 'outside/openapi.yaml': `${openapi}x.yaml }` });
  symlinkSync('../outside', join(open, 'linked'));
  for (const path of [
    '..',
    '../outside',
    join(folder, 'outside'),
    'linked',
    'linked/openapi.yaml',
    'push-out.yaml',
    'push-link.yaml',
  ]) {
    const { isError, value } = await tools.call('artifacts_push', { path, namespace_name: 'outside' });
    expect([path, isError, value.message]).toEqual([
      path,
      true,
      expect.stringMatching(/is not in|outside the document's folder/),
    ]);
  }
  // The folder has a link that leads outside.
  const { value } = await tools.call('artifacts_push', { path: '.', namespace_name: 'outside' });
  expect(value.message).toContain('is a link that does not lead to a file in the folder');
  expect(tools.written()).not.toContain('canary');
});

test('a document in the body of a tool is a string too', async () => {
  const { value } = await tools.call('schema_store_create', {
    ...item,
    body: { spec: split['openapi.yaml'] },
  });
  expect(JSON.stringify(value)).toContain('has no folder');
});
