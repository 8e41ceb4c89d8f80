/** Example values of schemas: the author's own example comes first, and no schema generates an endless one. */
import { describe, expect, test } from 'vitest';
import { exampleOf } from '../../../src/service/documents/example.ts';

/** In a chain of schemas, each refers to the next. Returns the example of the first, and how often the last was read. */
function exampleOfChain(length: number, make: (next: object) => object): [json: string, reads: number] {
  let reads = 0;
  const name = (index: number) => `s${index}`;
  const schemas = Array.from({ length }, (_, index) => [
    name(index),
    make({ $ref: `#/components/schemas/${name(index + 1)}` }),
  ]);
  const string = {
    get type() {
      reads++;
      return 'string';
    },
  };
  const last = [name(length), string];
  const document = { components: { schemas: Object.fromEntries([...schemas, last]) } };
  return [JSON.stringify(exampleOf(document, { $ref: '#/components/schemas/s0' })), reads];
}

const twice = (next: object) => [next, next];

describe('a schema of exponential size has a small example', () => {
  test.each([
    ['allOf', (next: object) => ({ allOf: twice(next) })],
    ['anyOf', (next: object) => ({ anyOf: twice(next), properties: { a: next } })],
    ['properties', (next: object) => ({ properties: { a: next, b: next } })],
    ['items', (next: object) => ({ type: 'array', items: { properties: { a: next, b: next } } })],
  ])('%s, sixteen deep', (_, make) => {
    const [json, reads] = exampleOfChain(16, make);
    expect(json.length).toBeLessThan(1000);
    expect(reads).toBeLessThan(100);
  });

  test('references to references, twenty thousand in a row', () => {
    const [json] = exampleOfChain(20_000, (next) => next);
    expect(json.length).toBeLessThan(1000);
  });

  test('a thousand properties', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    expect(Object.keys(exampleOf({}, { properties }) as object)).toHaveLength(12);
  });

  test.each([
    ['a string', { type: 'string', minLength: 1e5 }],
    ['a list', { type: 'array', minItems: 1e5, items: { type: 'string' } }],
  ])('%s that must be long', (_, schema) => {
    expect(JSON.stringify(exampleOf({}, schema)).length).toBeLessThan(100);
  });
});

describe('an invalid schema has an example too', () => {
  test.each([
    ['a reference that leads nowhere', { $ref: '#/components/schemas/none' }],
    ['a reference into another file', { properties: { a: { $ref: 'other.yaml#/a' } } }],
    ['keywords of other types', { type: 'array', items: 5, allOf: null, oneOf: 'x', enum: 7 }],
    ['nothing', null],
  ])('%s', (_, schema) => {
    expect(JSON.stringify(exampleOf({}, schema))).toMatch(/^[[{n"]/);
  });
});

test('the example that the author gave is used, and optional fields are left out', () => {
  const pet = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', examples: ['Rex'] },
      age: { type: 'integer' },
    },
  };
  expect(exampleOf({}, pet)).toEqual({ name: 'Rex' });
  expect(exampleOf({}, { ...pet, example: { name: 'Bello' } })).toEqual({ name: 'Bello' });
});
