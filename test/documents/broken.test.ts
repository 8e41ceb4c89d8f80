/** Documents of several files that cannot be bundled. */
import { describe, expect, test } from 'vitest';
import { bundled, ROOT, ref, type Value } from '../support/documents.ts';

describe('a broken reference is reported with its file and position', () => {
  test.each<[string, Readonly<Record<string, Value>>]>([
    [
      'openapi.json refers to gone.json#/a, which is missing (at #/paths/~1a%7Bb%7D)',
      { [ROOT]: { paths: { '/a{b}': ref('gone.json#/a') } } },
    ],
    [
      'd/x.json refers to ../gone.json, which is missing (at #/l/0)',
      { [ROOT]: ref('d/x.json'), 'd/x.json': { l: [ref('../gone.json')] } },
    ],
    [
      'x.json refers to #/no, which does not exist in that file (at #/a)',
      { [ROOT]: ref('x.json'), 'x.json': { a: ref('#/no'), no2: 1 } },
    ],
    [
      'openapi.json refers to x.json#/a/2, which does not exist in that file (at #)',
      { [ROOT]: ref('x.json#/a/2'), 'x.json': { a: [0, 1] } },
    ],
    [
      'openapi.json refers to x.json#/toString, which does not exist in that file (at #)',
      { [ROOT]: ref('x.json#/toString'), 'x.json': {} },
    ],
    [
      'openapi.json refers to #/components/schemas/no, which does not exist in that file (at #/b)',
      { [ROOT]: { a: ref('x.json'), b: ref('#/components/schemas/no') }, 'x.json': {} },
    ],
    [
      'openapi.json refers to x.json#name, which is an anchor (only JSON pointers are supported) (at #)',
      { [ROOT]: ref('x.json#name'), 'x.json': { $anchor: 'name' } },
    ],
    [
      "openapi.json refers to ../x.json, which is outside the document's folder (at #/a)",
      { [ROOT]: { a: ref('../x.json') }, 'x.json': {} },
    ],
    [
      "openapi.json refers to /x.json, which is outside the document's folder (at #/a)",
      { [ROOT]: { a: ref('/x.json') }, 'x.json': {} },
    ],
    [
      'openapi.json refers to x.json, which refers back to itself (at #/a)',
      { [ROOT]: { a: ref('x.json') }, 'x.json': ref('y.json'), 'y.json': ref('x.json') },
    ],
    [
      'openapi.json refers to x.json, which refers back to itself (at #/a)',
      { [ROOT]: { a: ref('x.json') }, 'x.json': ref('openapi.json#/a') },
    ],
    [
      'x.json refers to x.json, which refers back to itself (at #/0)',
      { [ROOT]: { a: ref('x.json') }, 'x.json': [ref('x.json')] },
    ],
    [
      'x.json refers to ./gone.json, which is missing (at #/discriminator/mapping/a)',
      { [ROOT]: ref('x.json'), 'x.json': { discriminator: { mapping: { a: './gone.json' } } } },
    ],
  ])('%s', async (message, files) => {
    await expect(bundled(files)).rejects.toThrow(expect.objectContaining({ message }));
  });
});

test('a document that would be too deep or too large is rejected', async () => {
  const laughs = Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join('');
  await expect(bundled({ [ROOT]: ref('x.yaml'), 'x.yaml': `a0: &a0 [x, x]\n${laughs}` })).rejects.toThrow(
    'has more than 5000000 values',
  );
  await expect(bundled({ [ROOT]: ref('x.yaml'), 'x.yaml': 'a: &a { b: *a }' })).rejects.toThrow(
    'has the alias *a at line 1, which refers to itself',
  );
  for (const deep of ['['.repeat(20_000) + ']'.repeat(20_000), `a: ${'['.repeat(502)}${']'.repeat(502)}`])
    await expect(bundled({ [ROOT]: ref('x.json'), 'x.json': deep })).rejects.toThrow('is nested deeper than 500');
});
