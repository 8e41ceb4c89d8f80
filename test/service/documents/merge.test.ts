/** Merged documents have the operations of all inputs, each with the meaning that it has on its own. */
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { runDocumentTask } from '../../../src/service/documents/document-work.ts';
import { mergeDocuments } from '../../../src/service/documents/merge.ts';
import { refusal } from '../../support/service-scope.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look anywhere in a document
type Document = any;

const of = (more: object): Document => ({ openapi: '3.1.0', info: { title: 'x', version: '1' }, ...more });
const merge = (...documents: object[]): Document =>
  mergeDocuments(documents.map((document, index) => ({ name: `d${index}`, document: document as Document })));
const get = (operation: object) => ({ get: operation });
const pet = { $ref: '#/components/schemas/Pet' };

test('paths, components, webhooks and tags of all inputs are there, and the first input decides about the rest', () => {
  const one = of({
    paths: { '/a': get({ operationId: 'a' }) },
    components: { schemas: { A: { type: 'string' } } },
    tags: [{ name: 't', description: 'first' }],
  });
  const two = of({
    info: { title: 'other', version: '2' },
    paths: { '/b': get({ operationId: 'b' }), '/a': { put: { operationId: 'c' } } },
    components: { schemas: { B: { type: 'number' } }, responses: { R: { description: 'r' } } },
    webhooks: { w: { post: {} } },
    tags: [{ name: 't', description: 'second' }, { name: 'u' }],
  });
  const before = JSON.stringify([one, two]);
  expect(merge(one, two)).toEqual({
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: {
      '/a': { get: { operationId: 'a' }, put: { operationId: 'c' } },
      '/b': get({ operationId: 'b' }),
    },
    components: {
      schemas: { A: { type: 'string' }, B: { type: 'number' } },
      responses: { R: { description: 'r' } },
    },
    webhooks: { w: { post: {} } },
    tags: [{ name: 't', description: 'first' }, { name: 'u' }],
  });
  expect(JSON.stringify([one, two])).toBe(before);
  expect(merge(one)).toEqual(one);
});

test('a component of another meaning gets another name, with all references to it', () => {
  const one = of({
    paths: { '/a': get({ responses: { 200: { schema: pet } } }) },
    components: { schemas: { Pet: { type: 'string' }, Box: { items: pet } } },
  });
  const two = of({
    paths: { '/b': get({ responses: { 200: { schema: pet } } }) },
    components: {
      schemas: {
        Pet: { type: 'number' },
        // It looks the same in both, but refers to another Pet.
        Box: { items: pet },
        Any: {
          discriminator: { propertyName: 'kind', mapping: { pet: 'Pet', also: '#/components/schemas/Pet' } },
        },
        Same: { properties: { x: { $ref: '#/components/schemas/Pet/properties/y' } } },
      },
    },
  });
  const merged = merge(one, two);
  const renamed = { $ref: '#/components/schemas/Pet_2' };
  expect(merged.paths['/a'].get.responses[200].schema).toEqual(pet);
  expect(merged.paths['/b'].get.responses[200].schema).toEqual(renamed);
  expect(merged.components.schemas).toEqual({
    Pet: { type: 'string' },
    Box: { items: pet },
    Pet_2: { type: 'number' },
    Box_2: { items: renamed },
    Any: {
      discriminator: { propertyName: 'kind', mapping: { pet: 'Pet_2', also: '#/components/schemas/Pet_2' } },
    },
    Same: { properties: { x: { $ref: '#/components/schemas/Pet_2/properties/y' } } },
  });
  const three = merge(one, two, of({ components: { schemas: { Pet: { type: 'boolean' } } } }));
  expect(three.components.schemas.Pet_3).toEqual({ type: 'boolean' });
});

test('components that refer to themselves or to each other, and mean the same, are there once', () => {
  const schemas = {
    Node: { properties: { next: { $ref: '#/components/schemas/Node' }, pet } },
    Pet: { properties: { node: { $ref: '#/components/schemas/Node' } } },
  };
  const merged = merge(of({ components: { schemas } }), of({ components: { schemas }, paths: { '/b': {} } }));
  expect(merged.components.schemas).toEqual(schemas);
});

test('a security scheme of another meaning gets another name, and operations keep their own', () => {
  const withKey = (name: string, path: string) =>
    of({
      security: [{ key: [] }],
      paths: { [path]: { get: {}, put: { security: [] } } },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name } } },
    });
  const merged = merge(withKey('x-a', '/a'), withKey('x-b', '/b'));
  expect(merged.components.securitySchemes).toMatchObject({ key: { name: 'x-a' }, key_2: { name: 'x-b' } });
  expect(merged.security).toEqual([{ key: [] }]);
  expect(merged.paths).toEqual({
    '/a': { get: {}, put: { security: [] } },
    '/b': { get: { security: [{ key_2: [] }] }, put: { security: [] } },
  });
  const open = merge(withKey('x-a', '/a'), of({ paths: { '/b': get({}) } }));
  expect(open.paths['/b'].get).toEqual({ security: [] });
});

test('operations are sent to the servers that their document names', () => {
  const one = of({ servers: [{ url: 'https://a.example' }], paths: { '/a': get({}) } });
  const two = of({
    servers: [{ url: 'https://b.example' }],
    paths: { '/b': get({}), '/c': { servers: [{ url: 'https://c.example' }], get: {} } },
  });
  const merged = merge(one, two);
  expect(merged.paths).toEqual({
    '/a': get({}),
    '/b': get({ servers: [{ url: 'https://b.example' }] }),
    '/c': { servers: [{ url: 'https://c.example' }], get: {} },
  });
  expect(merged.servers).toEqual(one.servers);
  expect(merge(one, of({ paths: { '/d': get({}) } })).paths['/d']).toEqual(get({ servers: [{ url: '/' }] }));
});

test('operation ids stay unique', () => {
  const with3 = (path: string) =>
    of({
      paths: {
        [path]: { get: { operationId: 'list' }, put: { operationId: 'list_2' }, post: {} },
        '/shared': get({ operationId: 'shared' }),
      },
    });
  const { paths } = merge(with3('/a'), with3('/b'));
  expect(paths['/b']).toEqual({
    get: { operationId: 'list_3' },
    put: { operationId: 'list_2_2' },
    post: {},
  });
  expect(paths['/shared']).toEqual(get({ operationId: 'shared' }));
});

test.each<[string, object, object, RegExp]>([
  [
    'an operation with two meanings',
    of({ paths: { '/a': get({ summary: 'x' }) } }),
    of({ paths: { '/a': get({ summary: 'y' }) } }),
    /^422 GET \/a of d1 differs from that of another input/,
  ],
  [
    'parameters of a path that not all its operations have',
    of({ paths: { '/a': get({}) } }),
    of({ paths: { '/a': { put: {}, parameters: [] } } }),
    /^422 parameters of the path \/a of d1/,
  ],
  ['two versions', of({}), { ...of({}), openapi: '3.0.3' }, /^422 d0 is OpenAPI 3\.1, and d1 is 3\.0/],
  ['Swagger', { swagger: '2.0' }, of({}), /^422 Swagger 2\.0 cannot be merged: convert d0 first/],
])('%s cannot be merged', async (_name, one, two, message) => {
  expect(await refusal(() => merge(one, two))).toMatch(message);
});

test('integers of inputs and overlays are exact, and versions may be numbers', async () => {
  const long = '12345678901234567890';
  const parts = [
    `openapi: 3.0\ninfo: {title: t, version: 1.10}\npaths: {/a: {x-max: ${long}}, /c: {x: ${long}}}\n`,
    `{"openapi":3.0,"info":{"title":"t","version":"1"},"paths":{"/b":{"x-min":-${long}},"/c":{"x":${long}}}}`,
    `overlay: 1.0.0\nactions: [{target: $.info, update: {x-id: ${long}, big: 0xFFFFFFFFFFFFFFFF}}]\n`,
  ].map((text, index) => ({ name: `d${index}`, size: Buffer.byteLength(text), text }));
  const bytes = Buffer.from(parts.map(({ text }) => text).join(''));
  const task = { make: 'merge', documents: parts.slice(0, 2), overlays: parts.slice(2) } as const;
  const zip = (await runDocumentTask(task, bytes)) as Uint8Array;
  const merged = Buffer.from(unzipSync(zip)['openapi.json'] ?? []).toString();
  for (const field of [`"x-max": ${long}`, `"x-min": -${long}`, `"x-id": ${long}`, '"big": 18446744073709551615'])
    expect(merged).toContain(field);
});
