/** References to revisions, as they are read. */
import { expect, test } from 'vitest';
import { parseReference, parseTags } from '../../../src/commands/artifacts/reference.ts';
import { DtpError } from '../../../src/errors.ts';

const digest = `sha256:${'ab'.repeat(32)}`;
const long = `sha512:${'ab'.repeat(64)}`;

test.each([
  ['pets', undefined, undefined, 'pets', 'latest'],
  ['pets:v1', undefined, undefined, 'pets', 'v1'],
  ['Pets.v2-x:1.0_b', undefined, undefined, 'Pets.v2-x', '1.0_b'],
  [`pets@${digest}`, undefined, undefined, 'pets', digest],
  ['acme/main/pets', 'acme', 'main', 'pets', 'latest'],
  ['acme/main/pets:v1', 'acme', 'main', 'pets', 'v1'],
  [`acme/main/pets@${digest}`, 'acme', 'main', 'pets', digest],
  [`acme/main/pets@${long}`, 'acme', 'main', 'pets', long],
  ['äpfel', undefined, undefined, 'äpfel', 'latest'],
])('%s', (text, organization, workspace, namespace, revision) => {
  expect(parseReference(text)).toEqual({ organization, workspace, namespace, revision });
});

test.each([
  ['', 'a part of it is empty'],
  [':v1', 'a part of it is empty'],
  ['pets:', 'no tag'],
  ['pets:v 1', 'no tag'],
  ['pets:-x', 'no tag'],
  [`pets:${'x'.repeat(129)}`, 'no tag'],
  ['pets:a:b', 'no tag'],
  ['pets@', 'no digest'],
  ['pets@sha256:abc', 'no digest'],
  [`pets@${digest.toUpperCase()}`, 'no digest'],
  [`pets:v1@${digest}`, 'a tag and a digest'],
  ['acme/pets', 'three parts'],
  ['a/b/c/d', 'three parts'],
  ['https://x/y', 'three parts'],
  ['acme//pets', 'a part of it is empty'],
  ['acme/../pets', '.. is no name'],
  ['..', '.. is no name'],
  ['a\\b', 'is no name'],
  ['a\nb', 'is no name'],
  ['-O', 'is no name'],
])('%j is refused: %s', (text, why) => {
  expect(() => parseReference(text)).toThrow(why);
  expect(() => parseReference(text)).toThrow(DtpError);
});

test('tags are each there once, and latest where none is given', () => {
  expect(parseTags([])).toEqual(['latest']);
  expect(parseTags(['b', 'a', 'b'])).toEqual(['b', 'a']);
  for (const tag of ['', 'a b', '-x', '@', 'a/b']) expect(() => parseTags([tag])).toThrow('--tag must be');
});
