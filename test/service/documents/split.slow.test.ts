/** The embedded service and documents of several files: code samples, overlays, metadata, and refusals. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { codeSamples } from '../../../src/service/handlers/code-samples.ts';
import { suggest } from '../../../src/service/handlers/suggest.ts';
import { sha, zipOf } from '../../support/artifacts.ts';
import { bundled, split, splitJson, splitSnippets } from '../../support/documents.ts';
import {
  bytesOf,
  jsonOf,
  pushDocument,
  refusal,
  registryCall,
  serviceScope,
  textOf,
} from '../../support/service-scope.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

const pack = (files: Files, method?: number) =>
  zipOf(
    Object.entries(files).map(([name, content]) => ({
      name,
      content,
      ...(method !== undefined && { method }),
    })),
  );

async function pushed(files: Files, method?: number) {
  const { scope } = serviceScope();
  const zip = pack(files, method);
  const digest = await pushDocument(scope, 'local/default/pets', zip);
  const session = { 'x-session-id': 'any' };
  return {
    scope,
    zip,
    digest,
    samples: async () =>
      jsonOf(await codeSamples.getCodeSamples({ registry_url: 'local/default/pets', languages: ['curl'] }, scope)),
    overlay: async () =>
      parse(
        await textOf(
          await suggest.suggestOpenAPIRegistry(
            { ...session, namespace_name: 'pets', revision_reference: 'latest' },
            scope,
          ),
        ),
      ),
  };
}

const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [folder + name, content]));

/** The file names after a push: the document is openapi.yaml, and has its original name too, since a file refers to it. */
const renamed: Files = Object.fromEntries(
  Object.entries(split).flatMap(([name, text]) => {
    const own = text.replaceAll('openapi.yaml', 'main.yaml');
    return name === 'openapi.yaml'
      ? [
          [name, own],
          ['main.yaml', own],
        ]
      : [[name, own]];
  }),
);

test.each<[string, Files, number?]>([
  ['YAML', split],
  ['JSON', splitJson],
  ['stored, not deflated', split, 0],
  ['a folder of the bundle', below('api/v1/', split)],
  ['a document of another name', renamed],
])('%s: code samples and suggestions of every operation', async (_name, files, method) => {
  const { samples, overlay } = await pushed(files, method);
  const { snippets } = await samples();
  const codes = Object.fromEntries(
    snippets.map(({ operationId, code }: { operationId: string; code: string }) => [operationId, code]),
  );
  expect(Object.keys(codes).sort()).toEqual(Object.keys(splitSnippets).sort());
  for (const [id, parts] of Object.entries(splitSnippets)) for (const part of parts) expect(codes[id]).toContain(part);
  const { actions } = await overlay();
  expect(actions.slice(0, 3).map(({ target }: { target: string }) => target)).toEqual([
    '$["paths"]["/pets"]["get"]',
    '$["paths"]["/pets"]["post"]',
    '$["paths"]["/pets/{petId}"]["get"]',
  ]);
  expect(actions[2].update.operationId).toBe('getPet');
});

test('the overlay applies to the bundled document, after which nothing is left to suggest', async () => {
  const before = await pushed(split);
  const document = await bundled(split, 'openapi.yaml');
  for (const { target, update } of (await before.overlay()).actions) {
    const keys: string[] = [...target.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/g)].map(([, key, index]) =>
      index === undefined ? JSON.parse(`"${key}"`) : index,
    );
    // biome-ignore lint/suspicious/noExplicitAny: the test goes where the overlay says.
    const at = keys.reduce<any>((value, key) => value[key], document);
    expect(at).toBeTypeOf('object');
    Object.assign(at, update);
  }
  const after = await pushed({ 'openapi.json': JSON.stringify(document) });
  expect((await after.overlay()).actions).toEqual([{ target: '$', update: {} }]);
  const { snippets } = await after.samples();
  expect(snippets).toHaveLength(3);
});

test('the metadata has the operations of all files, and the bundle is stored unchanged', async () => {
  const { scope, zip } = await pushed(split);
  const [row] = scope.store.all('SELECT metadata FROM revisions');
  expect(JSON.parse(String(row?.metadata))).toMatchObject({
    title: 'Pets',
    operation_ids: ['listPets', 'createPet'],
    type: 'OPENAPI_BUNDLE',
  });
  const got = await registryCall(scope, scope.caller)('GET', `/v2/local/default/pets/blobs/${sha(zip)}`);
  expect(Buffer.compare(await bytesOf(got), zip)).toBe(0);
});

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';

test.each<[string, Files, string]>([
  [
    'a missing file',
    { 'openapi.yaml': `${head}paths: { /a: { $ref: a.yaml } }` },
    'openapi.yaml refers to a.yaml, which is not in the bundle (at #/paths/~1a)',
  ],
  [
    'a missing file that another file refers to',
    {
      'openapi.yaml': `${head}paths: { /a: { $ref: p/a.yaml } }`,
      'p/a.yaml': 'get: { x: { $ref: ../no.yaml } }',
    },
    'p/a.yaml refers to ../no.yaml, which is not in the bundle (at #/get/x)',
  ],
  [
    'a missing part of a file',
    { 'openapi.yaml': `${head}paths: { /a: { $ref: "a.yaml#/no" } }`, 'a.yaml': 'get: {}' },
    'openapi.yaml refers to a.yaml#/no, which does not exist in that file (at #/paths/~1a)',
  ],
  [
    'a file outside the folder',
    { 'openapi.yaml': `${head}paths: { /a: { $ref: ../../etc/passwd } }` },
    "openapi.yaml refers to ../../etc/passwd, which is outside the document's folder (at #/paths/~1a)",
  ],
  [
    'an entry whose name leads outside',
    { 'openapi.yaml': `${head}paths: { /a: { $ref: ../a.yaml } }`, '../a.yaml': 'get: {}' },
    "openapi.yaml refers to ../a.yaml, which is outside the document's folder (at #/paths/~1a)",
  ],
  [
    'a circular reference without content',
    { 'openapi.yaml': `${head}paths: { /a: { $ref: a.yaml } }`, 'a.yaml': '$ref: a.yaml' },
    'openapi.yaml refers to a.yaml, which refers back to itself (at #/paths/~1a)',
  ],
  [
    'a file that is not valid JSON or YAML',
    { 'openapi.yaml': `${head}paths: { /a: { $ref: a.yaml } }`, 'a.yaml': 'a: [' },
    'a.yaml of pets is not valid JSON or YAML: ',
  ],
  [
    'a file that is too deep',
    {
      'openapi.yaml': `${head}paths: { /a: { $ref: a.json } }`,
      'a.json': '['.repeat(20_000) + ']'.repeat(20_000),
    },
    'a.json of pets is nested deeper than 500',
  ],
  [
    'aliases that expand to many values',
    {
      'openapi.yaml': `${head}paths: { /a: { $ref: a.yaml } }`,
      'a.yaml': `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join('')}`,
    },
    'pets has more than 5000000 values',
  ],
  [
    'files that are too large when unpacked',
    {
      'openapi.yaml': `${head}paths: { /a: { $ref: a.json }, /b: { $ref: b.json } }`,
      'a.json': `{}${' '.repeat(40 * 2 ** 20)}`,
      'b.json': `{}${' '.repeat(40 * 2 ** 20)}`,
    },
    'is not a readable ZIP: ',
  ],
])('%s is refused by name, but the push is accepted', async (_name, files, message) => {
  const { samples, overlay } = await pushed(files);
  for (const work of [samples, overlay]) {
    const refused = await refusal(work);
    expect(refused.slice(0, 4)).toBe('422 ');
    expect(refused).toContain(message);
  }
});

const root = { name: 'openapi.yaml', content: `${head}paths: { /a: { $ref: größe.yaml } }` };
const named = { name: 'größe.yaml', content: 'get: { operationId: measure }' };

test('names in a ZIP may be UTF-8 without the flag for it', async () => {
  for (const flags of [0x800, 0]) {
    const { scope } = serviceScope();
    await pushDocument(scope, 'local/default/pets', zipOf([root, { ...named, flags }]));
    const { snippets } = await jsonOf(
      await codeSamples.getCodeSamples({ registry_url: 'local/default/pets', languages: ['curl'] }, scope),
    );
    expect(snippets.map((one: { operationId: string }) => one.operationId)).toEqual(['measure']);
  }
});

test.each([
  ['a symbolic link', { content: '/etc/passwd', mode: 0o120777 }, 'it is a link or not a regular file'],
  ['an encrypted file', { flags: 0x801 }, 'it is encrypted'],
  ['an unknown method', { method: 12 }, 'it is packed with method 12'],
  ['a wrong checksum', { crc: 1 }, 'has the wrong checksum'],
  ['a size that is too small', { size: 1 }, 'too many bytes'],
  ['a size that is too large', { size: 1e6 }, 'not enough bytes'],
])('%s in a bundle is refused if the document refers to it', async (_, faulty, why) => {
  const { scope } = serviceScope();
  const zip = zipOf([root, { ...named, ...faulty }]);
  await pushDocument(scope, 'local/default/pets', zip);
  const refused = await refusal(() =>
    codeSamples.getCodeSamples({ registry_url: 'local/default/pets', languages: ['curl'] }, scope),
  );
  expect(refused).toContain(`422 the layer ${sha(zip)} is not a readable ZIP: `);
  expect(refused).toContain(why);
});
