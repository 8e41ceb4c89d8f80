/**
 * A suggested command acts on the kind of thing that the user typed, and does no harm that the user did not type: over
 * all commands with words left out, misspelled, moved, or combined with those of other commands.
 */
import { expect, test } from 'vitest';
import { guessCommands } from '../../src/suggest/commands.ts';
import { otherCommands } from '../../src/suggest/other-tools.ts';
import { allBelow, rootCommand } from '../../src/tree/tree.ts';
import { dtp } from '../support/context.ts';

/** The commands that delete, revoke, publish or cost money. */
const harmful: ReadonlySet<string> = new Set([
  'ws tokens delete',
  'ws team revoke',
  'publishing-tokens delete',
  'artifacts namespaces archive',
  'artifacts namespaces set-visibility',
  'schema-store create',
  'orgs create',
  'orgs free-trial create',
  'orgs add-ons create',
  'orgs add-ons delete',
  'config delete',
  'events queue drop',
]);

const all = allBelow(rootCommand).filter((one) => one !== rootCommand);
const isNoun = (one: (typeof all)[number]) => one.commands.length > 0;
const commands = all.filter((one) => !isNoun(one)).map((one) => one.words);
const verbs = [...new Set(commands.map((path) => path.at(-1) ?? ''))];
/** Each noun by its name and aliases. The words of a noun are those of its command. */
const nouns = new Map(all.filter(isNoun).flatMap((one) => [one.name, ...one.aliases].map((name) => [name, one.words])));
/** The names of a command's last word. */
const namesOf = new Map(all.map((one) => [one.words.join(' '), [one.name, ...one.aliases]]));

/** Ways to misspell a word: each letter missing, one doubled, swapped or wrong, and the beginning of a long word. */
const misspelled = (word: string): readonly string[] => [
  ...[...word].map((_, at) => word.slice(0, at) + word.slice(at + 1)),
  word.slice(0, 2) + word.slice(1),
  word.slice(0, 1) + word.charAt(2) + word.charAt(1) + word.slice(3),
  `${word.slice(0, -1)}q`,
  ...(word.length > 5 ? [word.slice(0, 4)] : []),
];

/** Whether a word is a name, the beginning of one, or a misspelled name. */
const isNear = (typed: string, name: string): boolean =>
  typed === name ||
  (typed.length > 2 && name.startsWith(typed)) ||
  typed.slice(0, -1) === name ||
  misspelled(name).includes(typed);

const rows: readonly (readonly [what: string, lines: readonly (readonly string[])[]])[] = [
  ['a word is left out', commands.flatMap((path) => path.map((_, at) => path.toSpliced(at, 1)))],
  [
    'a word is misspelled',
    commands.flatMap((path) => path.flatMap((word, at) => misspelled(word).map((one) => path.with(at, one)))),
  ],
  [
    'the words are in another order',
    commands.flatMap((path) => [[...path].reverse(), [...path.slice(1), ...path.slice(0, 1)]]),
  ],
  ['the verb is of another command', [...nouns.values()].flatMap((noun) => verbs.map((verb) => [...noun, verb]))],
  [
    'the noun has no parent, and the verb is of another command',
    [...nouns.keys()].flatMap((noun) => verbs.map((verb) => [noun, verb])),
  ],
  [
    'the verb is misspelled and of another command',
    [...nouns.values()].flatMap((noun) => verbs.flatMap((verb) => [[...noun, `${verb}s`]])),
  ],
  ['a verb alone', verbs.map((verb) => [verb])],
];

/** What is wrong with a suggestion. */
function faultOf(typed: readonly string[], words: readonly string[]): string | undefined {
  const names = words.map((_, at) => namesOf.get(words.slice(0, at + 1).join(' ')) ?? []);
  const typedNouns = typed.filter((word) => nouns.has(word));
  const lost = typedNouns.find((word) => !names.flat().includes(word));
  if (lost !== undefined) return `it is not about ${lost}`;
  const isCommand = commands.some((path) => path.join(' ') === words.join(' '));
  const kind = names.at(isCommand && words.length > 1 ? -2 : -1) ?? [];
  const last = names.at(-1) ?? [];
  const verb = last.includes('delete') ? [...last, 'revoke'] : last;
  const hasNear = (some: readonly string[]) => typed.some((word) => some.some((name) => isNear(word, name)));
  // A noun only shows its help. What the words mean in other tools is known.
  if (isCommand && !otherCommands.has(typed.join(' ')) && typedNouns.length > 0 && !hasNear(kind)) {
    const parts = kind.flatMap((name) => name.split('-'));
    if (!typed.some((word) => parts.includes(word))) return `nobody typed ${kind[0]}`;
  }
  if (harmful.has(words.join(' ')) && !(hasNear(kind) && hasNear(verb))) return 'nobody typed this harm';
  return undefined;
}

test.each(rows)('%s', (_, lines) => {
  expect(lines.length).toBeGreaterThan(30);
  let guessed = 0;
  const faults = lines.flatMap((typed) =>
    guessCommands(typed, 0).flatMap(({ words, used }) => {
      guessed++;
      const fault = faultOf(typed.slice(0, used), words);
      return fault === undefined ? [] : [`${typed.join(' ')} → ${words.join(' ')}: ${fault}`];
    }),
  );
  expect(faults).toEqual([]);
  expect(guessed).toBeGreaterThan(0);
});

test('every harmful command exists', () => {
  const names = commands.map((path) => path.join(' '));
  expect([...harmful].filter((one) => !names.includes(one))).toEqual([]);
});

test('every command is still suggested after one wrong letter in its last word', () => {
  const missing = commands.flatMap((path) => {
    const last = path.at(-1) ?? '';
    if (last.length < 5 || path.length < 2) return [];
    return misspelled(last)
      .map((word) => path.with(-1, word))
      .filter((typed) => !nouns.has(typed.at(-1) ?? '') && !commands.some((one) => one.join() === typed.join()))
      .filter((typed) => !guessCommands(typed, path.length - 1).some(({ words }) => words.join() === path.join()))
      .map((typed) => typed.join(' '));
  });
  expect(missing).toEqual([]);
});

test.each([
  ['ws delete petstore', ['dtp ws --help']],
  ['orgs delete acme', ['dtp orgs --help']],
  ['ws revoke ann@example.com', ['dtp ws --help']],
  ['ws team remove ann@example.com', ['dtp ws team --help']],
  ['subscriptions delete s_1', ['dtp subscriptions --help']],
  ['artifacts delete pets', ['dtp artifacts --help']],
  ['artifacts archive pets', ['dtp artifacts --help']],
  ['update', ['dtp --help']],
  ['delete t_1', ['dtp --help']],
  ['archive pets', ['dtp --help']],
  ['drop --all', ['dtp --help']],
  ['help ws delete', ['dtp help ws']],
  // These must not change.
  ['ws tokens delte t_1', ['dtp ws tokens delete t_1']],
  ['tokens delte t_1', ['dtp ws tokens delete t_1']],
  ['delete token t_1', ['dtp ws tokens delete t_1']],
  ['publishing-token delet p_1', ['dtp publishing-tokens delete p_1']],
  ['orgs crate --name Acme', ['dtp orgs create --name Acme']],
  ['usage get', ['dtp orgs usage get']],
  ['push spec --namespace pets', ['dtp artifacts push spec --namespace pets']],
])('dtp %s', async (line, next) => {
  const ended = await dtp(line.split(' '), { env: { DTP_ERROR_FORMAT: 'json' } });
  expect(ended.code).toBe(2);
  expect(JSON.parse(ended.stderr).error.next.map((one: { command: string }) => one.command)).toEqual(next);
});
