/** Bundling several files into one document: what each reference becomes. */
import { describe, expect, test } from 'vitest';
import { bundled, pet, ROOT, ref, type Value } from '../support/documents.ts';

describe('a reference becomes', () => {
  test.each<[string, Readonly<Record<string, Value>>, unknown]>([
    [
      'the content at the first position, and a pointer at the next',
      { [ROOT]: { a: ref('pet.json'), b: ref('./pet.json') }, 'pet.json': pet },
      { a: pet, b: ref('#/a') },
    ],
    [
      'a pointer to the entry with its name under components',
      {
        [ROOT]: {
          paths: { '/': { get: { schema: ref('pet.json') } } },
          components: { schemas: { Pet: ref('pet.json') } },
        },
        'pet.json': pet,
      },
      {
        paths: { '/': { get: { schema: ref('#/components/schemas/Pet') } } },
        components: { schemas: { Pet: pet } },
      },
    ],
    [
      'a pointer to the definitions of Swagger 2.0',
      { [ROOT]: { a: [ref('pet.json')], definitions: { Pet: ref('pet.json') } }, 'pet.json': pet },
      { a: [ref('#/definitions/Pet')], definitions: { Pet: pet } },
    ],
    [
      'a pointer into an index of components',
      {
        [ROOT]: {
          a: ref('schemas/Pet.json'),
          b: ref('schemas/index.json#/Own'),
          components: { schemas: ref('schemas/index.json') },
        },
        'schemas/index.json': { Pet: ref('Pet.json'), Own: { type: 'null' } },
        'schemas/Pet.json': pet,
      },
      {
        a: ref('#/components/schemas/Pet'),
        b: ref('#/components/schemas/Own'),
        components: { schemas: { Pet: pet, Own: { type: 'null' } } },
      },
    ],
    [
      'a pointer to itself in a circle',
      {
        [ROOT]: { a: ref('tree.json') },
        'tree.json': { child: ref('tree.json'), other: { child: ref('#') } },
      },
      { a: { child: ref('#/a'), other: { child: ref('#/a') } } },
    ],
    [
      'a pointer in a circle of two files',
      {
        [ROOT]: { a: ref('b/one.json') },
        'b/one.json': { two: ref('two.json') },
        'b/two.json': { one: ref('one.json') },
      },
      { a: { two: { one: ref('#/a') } } },
    ],
    [
      'a part of a file, relative to the referencing file',
      {
        [ROOT]: { a: ref('d/x.json#/deep/1/b~1c~0d%25') },
        'd/x.json': { deep: [0, { 'b/c~d%': ref('../y.json') }] },
        'y.json': { y: 1 },
      },
      { a: { y: 1 } },
    ],
    [
      'the target of a pointer within another file',
      { [ROOT]: { a: ref('x.json#/one') }, 'x.json': { one: { two: ref('#/two') }, two: { x: 2 } } },
      { a: { two: { x: 2 } } },
    ],
    [
      'a pointer into the root, from a file that references the root',
      {
        [ROOT]: {
          '/a {b}~': ref('x.json'),
          components: { schemas: { Pet: ref('pet.json'), '{id} #': { x: 1 } } },
        },
        'x.json': {
          one: ref('openapi.json#/components/schemas/Pet'),
          two: ref('./openapi.json#/components/schemas/{id}%20%23'),
        },
        'pet.json': pet,
      },
      {
        '/a {b}~': { one: ref('#/components/schemas/Pet'), two: ref('#/components/schemas/%7Bid%7D%20%23') },
        components: { schemas: { Pet: pet, '{id} #': { x: 1 } } },
      },
    ],
    [
      'a pointer that continues through a reference',
      {
        [ROOT]: { a: ref('#/s/Pet/properties/name'), s: { Animal: ref('pet.json'), Pet: ref('pet.json') } },
        'pet.json': pet,
      },
      { a: { type: 'string' }, s: { Animal: pet, Pet: ref('#/s/Animal') } },
    ],
    [
      'the end of a chain',
      {
        [ROOT]: { a: ref('x.json'), b: ref('y.json') },
        'x.json': ref('y.json#/z'),
        'y.json': { z: { last: 1 } },
      },
      { a: { last: 1 }, b: { z: { last: 1 } } },
    ],
    [
      'a part of content that is already in place',
      { [ROOT]: { b: ref('y.json'), a: ref('y.json#/z/0') }, 'y.json': { z: [{ last: 1 }] } },
      { b: { z: [{ last: 1 }] }, a: ref('#/b/z/0') },
    ],
    [
      'itself: pointers within the root, URLs, anchors',
      {
        [ROOT]: {
          a: ref('#/b'),
          b: { c: 1 },
          d: ref('https://x.example/a.json#/b'),
          e: ref('//x/y'),
          f: ref('#anchor'),
          x: ref('x.json'),
        },
        'x.json': { y: ref('http://x.example') },
      },
      {
        a: ref('#/b'),
        b: { c: 1 },
        d: ref('https://x.example/a.json#/b'),
        e: ref('//x/y'),
        f: ref('#anchor'),
        x: { y: ref('http://x.example') },
      },
    ],
    [
      'a property of that name',
      { [ROOT]: { properties: { $ref: { type: 'string' }, x: ref('pet.json') } }, 'pet.json': pet },
      { properties: { $ref: { type: 'string' }, x: pet } },
    ],
    [
      'a list or a value, each time',
      {
        [ROOT]: { a: { required: ref('x.json#/l') }, b: { required: ref('x.json#/l') }, c: ref('x.json#/t') },
        'x.json': { l: ['a'], t: 7 },
      },
      { a: { required: ['a'] }, b: { required: ['a'] }, c: 7 },
    ],
    [
      'the content of YAML in JSON',
      { [ROOT]: { a: ref('x.yaml') }, 'x.yaml': 'a: &x {n: 1.50, "on": yes}\nb: {<<: *x, n: 0x10}\n' },
      { a: { a: { n: 1.5, on: 'yes' }, b: { n: 16, on: 'yes' } } },
    ],
  ])('%s', async (_, files, expected) => {
    // The order of the keys matters.
    expect(JSON.stringify(await bundled(files), undefined, 1)).toBe(JSON.stringify(expected, undefined, 1));
  });
});

describe('with fields next to it', () => {
  test('a reference stays, and its target is placed elsewhere', async () => {
    const described = { ...ref('pet.json'), description: 'mine' };
    expect(await bundled({ [ROOT]: { a: described, b: ref('pet.json') }, 'pet.json': pet })).toEqual({
      a: { $ref: '#/b', description: 'mine' },
      b: pet,
    });
    const self = { properties: { child: { ...ref('node.json'), deprecated: true } } };
    const parameters = [{ ...ref('limit.json'), description: 'd' }];
    expect(
      await bundled({
        [ROOT]: {
          a: { ...ref('d/node.json'), title: 't' },
          parameters,
          components: { schemas: { node: {} } },
        },
        'd/node.json': self,
        'limit.json': { name: 'limit' },
      }),
    ).toEqual({
      a: { $ref: '#/components/schemas/node2', title: 't' },
      parameters: [{ $ref: '#/components/parameters/limit', description: 'd' }],
      components: {
        schemas: {
          node: {},
          node2: { properties: { child: { $ref: '#/components/schemas/node2', deprecated: true } } },
        },
        parameters: { limit: { name: 'limit' } },
      },
    });
  });

  test('a path item has both, without affecting other paths', async () => {
    const item = { get: { operationId: 'x', schema: ref('pet.json') } };
    expect(
      await bundled({
        [ROOT]: {
          paths: { '/a': { ...ref('p/a.json'), summary: 's' }, '/b': ref('p/a.json'), '/c': ref('p/a.json') },
        },
        'p/a.json': item,
        'p/pet.json': pet,
      }),
    ).toEqual({
      paths: {
        '/a': { get: { operationId: 'x', schema: pet }, summary: 's' },
        '/b': { get: { operationId: 'x', schema: ref('#/paths/~1a/get/schema') } },
        '/c': ref('#/paths/~1b'),
      },
    });
  });
});

describe('a discriminator', () => {
  test('maps to its schema, or to a new entry', async () => {
    const mapping = {
      cat: './cat.json',
      dog: 'dog.json',
      bird: 'Bird',
      fish: '#/components/schemas/Fish',
      url: 'https://x.example/u',
    };
    expect(
      await bundled({
        [ROOT]: { a: { discriminator: { propertyName: 'p', mapping }, oneOf: [ref('cat.json')] } },
        'cat.json': { title: 'cat' },
        'dog.json': { title: 'dog' },
      }),
    ).toEqual({
      a: {
        discriminator: {
          propertyName: 'p',
          mapping: { ...mapping, cat: '#/a/oneOf/0', dog: '#/components/schemas/dog' },
        },
        oneOf: [{ title: 'cat' }],
      },
      components: { schemas: { dog: { title: 'dog' } } },
    });
  });

  test('of another file maps to its target in that file', async () => {
    expect(
      await bundled({
        [ROOT]: { a: ref('d/animal.json') },
        'd/animal.json': {
          discriminator: { mapping: { cat: '#/$defs/cat', owner: '../openapi.json#/a' } },
          $defs: { cat: {} },
        },
      }),
    ).toEqual({
      a: { discriminator: { mapping: { cat: '#/a/$defs/cat', owner: '#/a' } }, $defs: { cat: {} } },
    });
  });
});

describe('in data', () => {
  test('a $ref is a string unless the file exists, and its content is copied each time', async () => {
    expect(
      await bundled({
        [ROOT]: {
          example: ref('gone.json'),
          default: ref('#/x/y'),
          examples: { a: ref('a.json'), b: ref('a.json') },
          x: { enum: [ref('openapi.json#/gone')] },
        },
        'a.json': { value: { $ref: '#/gone' } },
      }),
    ).toEqual({
      example: ref('gone.json'),
      default: ref('#/x/y'),
      examples: { a: { value: ref('#/gone') }, b: { value: ref('#/gone') } },
      x: { enum: [ref('openapi.json#/gone')] },
    });
  });
});
