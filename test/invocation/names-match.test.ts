/** The rules for names and ids, as properties. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesOf, type Thing, theOne } from '../../src/invocation/names-match.ts';
import { isIdShaped, needsLookUp, unknownsIn } from '../../src/invocation/names-shape.ts';
import { allOperations, operations } from '../../src/operations/index.ts';
import { lookUpFor, workspaceLookUp } from '../../src/tree/lists.ts';
import { argumentsOf } from '../../src/tree/operation-flags.ts';
import { anyText, property } from '../support/property.ts';

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const letters = (from: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...from), minLength: min, maxLength: max });

/** The forms in which services issue ids. */
const id = fc.oneof(
  fc.uuid(),
  fc.uuid().map((one) => one.toUpperCase()),
  fc
    .tuple(letters('abcdwstokrgp', 1, 4), hex(3), fc.nat(9))
    .map(([kind, rest, digit]) => `${kind}_${rest}${digit}`),
  fc.ulid(),
  hex(22).map((rest) => `a1${rest}`),
  hex(64).map((rest) => `sha256:${rest}`),
);

/** Every argument that may be a name, with its operation. */
const places = allOperations.flatMap((operation) =>
  argumentsOf(operation).flatMap(([field]) => (lookUpFor(operation, field) ? [{ operation, field }] : [])),
);

property('an id is never looked up', [id, fc.constantFrom(...places)], (value, { operation, field }) => {
  expect(isIdShaped(value)).toBe(true);
  expect(unknownsIn(operation, { [field]: value })).toEqual([]);
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

property(
  'a name that equals the id of another thing never wins over the id',
  [value, things],
  (given, list) => {
    const itself = list.find((one) => one.id === given);
    if (itself) expect(matchesOf(given, list)).toEqual([itself]);
  },
  2000,
);

property(
  'the result is what was named, or an error',
  [value, things],
  (given, list) => {
    const isMeant = ({ id: own, names }: Thing) =>
      own === given || names.includes(given) || own.startsWith(given.replace(/…$/, ''));
    const sought = { value: given, lookUp: workspaceLookUp, list: ['ws', 'list'], argv: [] };
    try {
      const one = theOne(sought, list);
      expect(isMeant(one)).toBe(true);
      // Nothing else has this name.
      expect(one.id === given || list.every((other) => other === one || !other.names.includes(given))).toBe(
        true,
      );
    } catch (error) {
      expect(error).toHaveProperty(
        'code',
        list.some(isMeant) ? expect.stringMatching(/usage|not_found/) : 'not_found',
      );
    }
  },
  2000,
);

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
  expect(needsLookUp(workspaceLookUp, text)).toBe(isLooked);
});

test('lock ids and tags are only looked up if they look like the beginning of an id', () => {
  const at = (operation: (typeof allOperations)[number], field: string, text: string) => {
    const lookUp = lookUpFor(operation, field);
    return lookUp !== undefined && needsLookUp(lookUp, text);
  };
  const target = (text: string) => at(operations.getWorkspaceEventsByTarget, 'target_id', text);
  expect(['sdk-ts', 'typescript', 'facades', '6583'].map(target)).toEqual([false, false, false, false]);
  expect(['658378c1', '658378c1-5d1f', '658378c1…'].map(target)).toEqual([true, true, true]);
  const revision = (text: string) => at(operations.getManifest, 'revision_reference', text);
  expect(['v1', 'latest', '20261122', 'deadbeef'].map(revision)).toEqual([false, false, false, false]);
  expect(['sha256:4f0c91', 'sha256:4f0c91a2b7de…'].map(revision)).toEqual([true, true]);
});

test('fewer than six characters are not the beginning of an id', () => {
  const list = [{ id: 'deadbeef', names: ['a'] }];
  expect(['deadb', 'dead', ''].map((one) => matchesOf(one, list))).toEqual([[], [], []]);
  expect(matchesOf('deadbe', list)).toEqual(list);
});
