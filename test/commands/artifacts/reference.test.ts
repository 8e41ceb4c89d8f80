/** Parsing of references to revisions. */
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
  ['pets@sha256:4f0c91a2b7de', undefined, undefined, 'pets', 'sha256:4f0c91a2b7de'],
  ['pets@sha256:4f0c91a2b7de…', undefined, undefined, 'pets', 'sha256:4f0c91a2b7de…'],
  ['acme/main/pets', 'acme', 'main', 'pets', 'latest'],
  ['acme/main/pets:v1', 'acme', 'main', 'pets', 'v1'],
  [`acme/main/pets@${digest}`, 'acme', 'main', 'pets', digest],
  [`acme/main/pets@${long}`, 'acme', 'main', 'pets', long],
  ['äpfel', undefined, undefined, 'äpfel', 'latest'],
])('%s', (text, organization, workspace, namespace, revision) => {
  expect(parseReference(text)).toEqual({ organization, workspace, namespace, revision });
});

test.each([
  ['', 'a part is empty'],
  [':v1', 'a part is empty'],
  ['pets:', 'not a tag'],
  ['pets:v 1', 'not a tag'],
  ['pets:-x', 'not a tag'],
  [`pets:${'x'.repeat(129)}`, 'not a tag'],
  ['pets:a:b', 'not a tag'],
  ['pets@', 'not a digest'],
  ['pets@sha256:abc', 'the part after @ is not a digest, or 4 or more characters of one'],
  ['pets@sha256:xyz', 'not a digest'],
  [`pets@${digest.toUpperCase()}`, 'not a digest'],
  [`pets:v1@${digest}`, 'a tag or a digest'],
  ['acme/main/pets@sha256:4f0c91a2b7de', 'must be complete'],
  ['acme/pets', 'three parts'],
  ['a/b/c/d', 'three parts'],
  ['https://x/y', 'three parts'],
  ['acme//pets', 'a part is empty'],
  ['acme/../pets', '".." is not a valid name'],
  ['..', '".." is not a valid name'],
  ['a\\b', 'is not a valid name'],
  ['a\nb', 'is not a valid name'],
  ['-O', 'is not a valid name'],
])('%j is refused: %s', (text, why) => {
  expect(() => parseReference(text)).toThrow(why);
  expect(() => parseReference(text)).toThrow(DtpError);
});

test('duplicate tags are removed, and the default is latest', () => {
  expect(parseTags([])).toEqual(['latest']);
  expect(parseTags(['b', 'a', 'b'])).toEqual(['b', 'a']);
  for (const tag of ['', 'a b', '-x', '@', 'a/b']) expect(() => parseTags([tag])).toThrow('invalid tag');
});
