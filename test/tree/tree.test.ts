/** The command tree: each command has one entry, a shortcut has the words of what it stands for, and parts are built once. */
import { expect, test } from 'vitest';
import { loadLocal } from '../../src/cli/local-code.ts';
import { localCommands } from '../../src/local/index.ts';
import { allOperations } from '../../src/operations/index.ts';
import type { CommandEntry } from '../../src/tree/entry.ts';
import { readLine } from '../../src/tree/line.ts';
import { rootCommand, runnableBelow } from '../../src/tree/tree.ts';

test('every operation and every local command has one entry', () => {
  const words = runnableBelow(rootCommand).map((entry) => entry.words.join(' '));
  expect(new Set(words).size).toBe(words.length);
  const wanted = [...allOperations.map(({ command }) => command.join(' ')), ...localCommands.map((one) => one.words)];
  expect(words.toSorted()).toEqual(wanted.toSorted());
});

test.each(localCommands)('dtp $words has code, and two examples', async ({ words, examples }) => {
  expect(await loadLocal(words)).toBeTypeOf('function');
  expect(Object.keys(examples)).toHaveLength(2);
});

test('words without code are an error', async () => {
  await expect(loadLocal('no such command')).rejects.toThrow('no code for dtp no such command');
});

test.each([
  ['tokens list', 'ws tokens list'],
  ['token ls', 'ws tokens list'],
  ['team grant', 'ws team grant'],
  ['ws token ls', 'ws tokens list'],
  ['samples get', 'code-samples get'],
])('dtp %s is dtp %s', (typed, words) => {
  expect(readLine(typed.split(' ')).command.words.join(' ')).toBe(words);
});

test('a shortcut is hidden, and its title is what the user types', () => {
  const tokens = rootCommand.commandNamed('tokens') as CommandEntry;
  const list = tokens.commandNamed('ls') as CommandEntry;
  expect([tokens.isHidden, list.title, list.words]).toEqual([true, 'dtp tokens list', ['ws', 'tokens', 'list']]);
});

test('the parts of a command are built once', () => {
  const entry = rootCommand.commandNamed('reports')?.commandNamed('upload') as CommandEntry;
  const { commands, flags } = entry;
  expect([entry.commands === commands, entry.flags === flags]).toEqual([true, true]);
});
