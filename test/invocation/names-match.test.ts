/** The rules for names and ids, as properties. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findThing, missOf, type Thing, thingsIn } from '../../src/invocation/names-match.ts';
import { isIdShaped, needsLookUp, unknownsIn } from '../../src/invocation/names-shape.ts';
import { allOperations, operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { listedResourceFor, workspaceResource } from '../../src/operations/resources.ts';
import { argumentsOf } from '../../src/tree/operation-flags.ts';
import { anyText, property } from '../support/property.ts';

/** The resource that a field takes, if it may be selected by a name. */
function namedResourceFor(operation: Operation, field: string) {
  const resource = listedResourceFor(operation, field);
  return resource?.nameForm && resource;
}

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const letters = (from: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...from), minLength: min, maxLength: max });

/** The forms in which services issue ids. */
const id = fc.oneof(
  fc.uuid(),
  fc.uuid().map((one) => one.toUpperCase()),
  fc.tuple(letters('abcdwstokrgp', 1, 4), hex(3), fc.nat(9)).map(([kind, rest, digit]) => `${kind}_${rest}${digit}`),
  fc.ulid(),
  hex(22).map((rest) => `a1${rest}`),
  hex(64).map((rest) => `sha256:${rest}`),
);

/** Every argument that may be a name, with its operation. */
const places = allOperations.flatMap((operation) =>
  argumentsOf(operation).flatMap(([field]) => (namedResourceFor(operation, field) ? [{ operation, field }] : [])),
);

property('an id is never looked up', [id, fc.constantFrom(...places)], (value, { operation, field }) => {
  expect(isIdShaped(value)).toBe(true);
  expect(unknownsIn(operation, { input: { [field]: value } })).toEqual([]);
});

/** Few values, so that names, ids and their beginnings meet. */
const value = fc.oneof(
  fc.constantFrom('deploy', 'ci', 'deadbeef', 'deadbeef01', 'deadbeef02', 'a', 'abcdef', 'abcdefg'),
  anyText,
);
const things = fc.uniqueArray(
  fc.record({ id: value.filter(Boolean), names: fc.uniqueArray(value, { maxLength: 3 }) }),
  { maxLength: 8, selector: ({ id: own }) => own },
);

const sought = (given: string, isOnTerminal: boolean) => ({
  ...{ value: given, isOnTerminal, resource: workspaceResource, argv: ['ws', 'get', '-w', given] },
});

property(
  'an id wins, then the only thing with this name, then the only beginning of an id on a terminal',
  [value, things, fc.boolean()],
  (given, list, isOnTerminal) => {
    const find = () => findThing(sought(given, isOnTerminal), list);
    const itself = list.find((one) => one.id === given);
    const named = list.filter(({ names }) => names.includes(given));
    const begun = list.filter(({ id: own }) => given.length >= 6 && own.startsWith(given.replace(/…$/, '')));
    if (itself) expect(find()).toBe(itself);
    else if (named.length > 1) expect(find).toThrow(`"${given}" matches ${named.length} workspaces`);
    else if (named.length === 1) expect(find()).toBe(named[0]);
    else {
      const found = find();
      if (found) expect([isOnTerminal || given.includes(':'), begun]).toEqual([true, [found]]);
    }
  },
  2000,
);

property('every suggestion for an unknown value is in the list', [value, things], (given, list) => {
  const { hint, next } = missOf(sought(given, false), list).advice;
  expect(hint).toContain(`No workspace has the id or name "${given}". `);
  expect(hint.endsWith('List what exists:')).toBe(!hint.includes('Did you mean'));
  const all = list.flatMap(({ id: own, names }: Thing) => [own, ...names]);
  const quoted = all.filter((one) => hint.includes(`"${one}"`));
  expect(quoted.length > 0 || next.length === 0).toBe(true);
});

test.each([
  ['petstore', true],
  ['Default', true],
  ['my team', true],
  ['my_team', true],
  ['deploy_2026', true],
  ['658378c1', true],
  ['658378c1…', true],
  ['ann@example.com', true],
  ['42', true],
  ['', false],
  ['ws_2c81', false],
  ['658378c1-5d1f-4a2b-9c3d-0123456789ab', false],
])('whether "%s" is looked up: %s', (text, isLooked) => {
  expect(needsLookUp(workspaceResource, text)).toBe(isLooked);
});

test('lock ids are never looked up, and tags only for a flag that takes a digest', () => {
  const at = (operation: (typeof allOperations)[number], field: string, text: string) => {
    const resource = namedResourceFor(operation, field);
    return resource !== undefined && needsLookUp(resource, text);
  };
  const lockIds = ['target_id', 'generate_gen_lock_id', 'gen_lock_id', 'genLockId'];
  for (const operation of allOperations)
    for (const field of lockIds) expect(namedResourceFor(operation, field)).toBeUndefined();
  const revision = (text: string) => at(operations.getManifest, 'revision_reference', text);
  expect(['v1', 'latest', '20261122', 'deadbeef'].map(revision)).toEqual([false, false, false, false]);
  expect(['sha256:4f0c91', 'sha256:4f0c91a2b7de…'].map(revision)).toEqual([true, true]);
});

test('fewer than six characters are not the beginning of an id', () => {
  const list = [{ id: 'deadbeef', names: ['a'] }];
  const find = (one: string) => findThing(sought(one, true), list);
  expect(['deadb', 'dead', ''].map(find)).toEqual([undefined, undefined, undefined]);
  expect(find('deadbe')).toBe(list[0]);
});

test('no look-up calls a deprecated operation', () => {
  for (const operation of allOperations)
    for (const field of ['tokenID', 'userId', 'organizationID', ...Object.keys(operation.input)])
      expect(namedResourceFor(operation, field)?.list.deprecated).toBeUndefined();
});

test('the names of 200,000 rows with the same id are merged within 10 s', () => {
  const rows = Array.from({ length: 200_000 }, (_, at) => ({ id: 'w', name: `name ${at}`, slug: 'same' }));
  const [only, ...others] = thingsIn(rows, workspaceResource);
  expect([only?.id, only?.names.length, others]).toEqual(['w', 200_001, []]);
}, 10_000);
