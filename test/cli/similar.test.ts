/** The most similar word to a mistyped one, and the commands guessed from a wrong line. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from '../../src/render/nearest.ts';
import { guessCommands } from '../../src/suggest/commands.ts';
import { allBelow, rootCommand } from '../../src/tree/tree.ts';
import { seed } from '../support/random.ts';

test.each([
  ['jsn', ['table', 'json', 'yaml'], 'json'],
  ['bsh', ['zsh', 'bash', 'fish'], 'bash'],
  ['verb', ['version', 'verbose'], 'verbose'],
  ['x', ['y', 'ws'], undefined],
  ['delete', ['list', 'post', 'search'], undefined],
  ['', ['list'], undefined],
])('%s of %j', (word, candidates, meant) => {
  expect(nearest(word, candidates)).toBe(meant);
});

const commands = allBelow(rootCommand)
  .filter((one) => one !== rootCommand)
  .map((one) => one.words);
const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');

test('one wrong letter in a long word never leads to another command', () => {
  fc.assert(
    fc.property(fc.constantFrom(...commands.filter((one) => one.length > 1)), fc.nat(), letter, (path, at, wrong) => {
      const last = path.at(-1) as string;
      fc.pre(last.length > 4);
      const place = at % last.length;
      const typed = [...path.slice(0, -1), last.slice(0, place) + wrong + last.slice(place + 1)];
      fc.pre(typed.at(-1) !== last);
      expect(guessCommands(typed, path.length - 1)).toEqual([{ words: path, used: path.length }]);
    }),
    { seed },
  );
});

test('every suggestion is an existing command', () => {
  const all = new Set(commands.map((path) => path.join(' ')));
  const word = fc.oneof(fc.constantFrom(...commands.flat()), fc.string({ maxLength: 8 }));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (typed) => {
      for (const one of guessCommands(typed, 0)) {
        expect(all).toContain(one.words.join(' '));
        expect(one.used).toBeLessThanOrEqual(typed.length);
      }
    }),
    { seed },
  );
});
