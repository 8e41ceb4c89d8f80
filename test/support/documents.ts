/** API documents in several files, including one that the bundler itself writes. */
import { bundle } from '../../src/documents/bundle.ts';
import { collectFiles, outsideFolder } from '../../src/documents/files.ts';
import { readTree } from '../../src/documents/read-tree.ts';
import { writeTree } from '../../src/documents/tree.ts';

export type Value = Readonly<Record<string, unknown>> | readonly unknown[] | string;

export const ROOT = 'openapi.json';

/** Decodes the single document. Files other than JSON and YAML become strings. */
export async function bundled(files: Readonly<Record<string, Value>>, root = ROOT): Promise<unknown> {
  const tree = (name: string) => {
    const value = files[name];
    return readTree(typeof value === 'string' ? value : JSON.stringify(value), 'json').tree;
  };
  const open = (name: string) =>
    name in files ? { tree: tree(name) } : name.startsWith('../') ? outsideFolder : { fault: 'is missing' };
  return JSON.parse(writeTree(bundle(root, await collectFiles(root, tree(root), open)), 'json'));
}

export const ref = ($ref: string) => ({ $ref });

export const pet = { type: 'object', properties: { name: { type: 'string' } } };

/**
 * A document in five files, with a cycle, a shared parameter, a path item with its extra fields, and a reference
 * back.
 */
export const split: Readonly<Record<string, string>> = {
  'openapi.yaml': `openapi: 3.1.0
info: { title: Pets, version: 1.10 }
servers: [{ url: https://pets.example/v1 }]
paths:
  /pets: { $ref: paths/pets.yaml }
  /pets/{petId}:
    $ref: './paths/pets.yaml#/x-one'
    parameters: [{ name: petId, in: path, required: true, schema: { type: string, example: p-1 } }]
components:
  schemas:
    Pet: { $ref: schemas/Pet.yaml }
  responses:
    Ok: { description: ok }
`,
  'paths/pets.yaml': `get:
  operationId: listPets
  parameters: [{ $ref: ../parameters/limit.json }]
  responses: { '200': { $ref: '../openapi.yaml#/components/responses/Ok' } }
post:
  operationId: createPet
  parameters: [{ $ref: ../parameters/limit.json }]
  requestBody: { content: { application/json: { schema: { $ref: ../schemas/Pet.yaml } } } }
  responses: { '201': { description: made } }
x-one:
  get:
    responses: { '200': { description: ok } }
`,
  'parameters/limit.json': '{"name":"limit","in":"query","required":true,"schema":{"type":"integer","default":20}}',
  'schemas/Pet.yaml': `type: object
required: [name, owner]
properties:
  name: { type: string, example: Rex }
  owner: { $ref: Owner.yaml }
`,
  'schemas/Owner.yaml': `type: object
properties:
  pets: { type: array, items: { $ref: Pet.yaml } }
`,
};

/** The same as a single document. */
export const splitAsOne = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: 1.1 },
  servers: [{ url: 'https://pets.example/v1' }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [{ name: 'limit', in: 'query', required: true, schema: { type: 'integer', default: 20 } }],
        responses: { '200': ref('#/components/responses/Ok') },
      },
      post: {
        operationId: 'createPet',
        parameters: [ref('#/paths/~1pets/get/parameters/0')],
        requestBody: { content: { 'application/json': { schema: ref('#/components/schemas/Pet') } } },
        responses: { '201': { description: 'made' } },
      },
      'x-one': { get: { responses: { '200': { description: 'ok' } } } },
    },
    '/pets/{petId}': {
      get: { responses: { '200': { description: 'ok' } } },
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string', example: 'p-1' } }],
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['name', 'owner'],
        properties: {
          name: { type: 'string', example: 'Rex' },
          owner: {
            type: 'object',
            properties: { pets: { type: 'array', items: ref('#/components/schemas/Pet') } },
          },
        },
      },
    },
    responses: { Ok: { description: 'ok' } },
  },
};

/** What the code sample of each operation must contain. */
export const splitSnippets: Readonly<Record<string, readonly string[]>> = {
  listPets: ['https://pets.example/v1/pets?limit=20'],
  createPet: ['https://pets.example/v1/pets?limit=20', '"name": "Rex"', '"owner": {\n    "pets": ['],
  getPet: ['https://pets.example/v1/pets/p-1'],
};

/** The same in JSON only. */
export const splitJson: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(split).map(([name, text]) => [
    name.replace('.yaml', '.json'),
    writeTree(readTree(text, 'json').tree, 'json').replaceAll('.yaml', '.json'),
  ]),
);
