/** Guesses which command the user meant if the typed words are not a command. */
import { harmOf } from '../operations/operation.ts';
import { likeness } from '../render/nearest.ts';
import { type CommandEntry, visibleBelow } from '../tree/entry.ts';
import { rootCommand } from '../tree/tree.ts';
import { otherCommands, otherVerbs } from './other-tools.ts';

/** The minimum score of a guess. Scores are from 0 to 1. */
const ENOUGH = 0.6;

/** The maximum number of equally good guesses. If there are more, nothing is suggested. */
const MOST = 3;

/** The minimum likeness of two words with one wrong letter. */
const CLOSE = 0.75;

/** The maximum number of typed words that a guess may replace. */
const LONGEST = 5;

/**
 * Guesses commands from typed words. The first `right` words are correct, and a guess replaces `used` words. The others
 * may be misspelled, in another order, or under another noun. Empty if there are no good guesses, or too many. A guess
 * never changes the kind of thing that the user named, and never adds harm: see `isMeant`.
 */
export function guessCommands(typed: readonly string[], right: number) {
  const all = commandsBelow(rootCommand);
  const nouns = new Set(all.flatMap(({ path, isNoun }) => (isNoun ? (path.at(-1) ?? []) : [])));
  for (let used = Math.min(typed.length, LONGEST); used > right; used--) {
    const others = otherCommands.get(typed.slice(0, used).join(' '));
    if (others) return others.map((one) => ({ words: one.split(' '), used }));
  }
  // Try as many words as possible first. The words after them count as arguments.
  for (let used = Math.min(typed.length, LONGEST); used > right; used--) {
    const words = typed.slice(0, used);
    const rated = all
      .map((one) => ({ ...rate(words, one.path, nouns), one }))
      .filter(({ score, matches, one }) => score >= ENOUGH && isMeant(matches, one, all));
    const best = Math.max(...rated.map(({ score }) => score));
    const found = rated.filter(({ score }) => score === best);
    if (found.length > MOST) return [];
    if (found.length > 0) return found.map(({ one }) => ({ words: one.path.map(([name]) => name), used }));
  }
  return [];
}

type Names = readonly [name: string, ...aliases: string[]];

interface Candidate {
  readonly path: readonly Names[];
  readonly isNoun: boolean;
  readonly entry: CommandEntry;
}

function commandsBelow(command: CommandEntry, above: readonly Names[] = []): readonly Candidate[] {
  return visibleBelow(command).flatMap((one) => {
    const path: readonly Names[] = [...above, [one.name, ...one.aliases]];
    return [{ path, isNoun: one.commands.length > 0, entry: one }, ...commandsBelow(one, path)];
  });
}

/** The typed word for each name of a path that has one. */
type Matches = ReadonlyMap<Names, string>;

/**
 * Whether the user may have meant a command. The user must have typed the kind of thing that it acts on: after
 * `dtp ws delete x`, `ws tokens delete` would delete something else. A verb without any noun is enough if only one kind
 * of thing has it, as in `dtp login`. A harmful command is suggested only if the user typed its noun and its verb, each
 * with at most one mistake.
 */
function isMeant(matches: Matches, { path, isNoun, entry }: Candidate, all: readonly Candidate[]): boolean {
  const verb = path.at(-1);
  const kind = isNoun || path.length === 1 ? verb : path.at(-2);
  if (!verb || !kind) return false;
  if (isHarmful(entry)) return [kind, verb].every((names) => isClose(matches.get(names), names));
  if (matches.has(kind)) return true;
  const typed = matches.get(verb);
  const isOnly = all.filter(({ path: other }) => alike(typed ?? '', other.at(-1) ?? ['']) > 0).length === 1;
  return matches.size === 1 && typed !== undefined && isOnly;
}

const isHarmful = ({ operation, local }: CommandEntry): boolean =>
  operation ? harmOf(operation) !== undefined : local?.effect === 'destroy';

/** Whether a word is a name with at most one mistake. `revoke` is `delete`, but no other foreign word means a harm. */
const isClose = (word: string | undefined, names: Names): boolean =>
  word !== undefined && names.some((name) => (word === 'revoke' && name === 'delete') || likeness(word, name) >= CLOSE);

/** Rates typed words against a command: 0 if one is similar to none of its words. `nouns` only match themselves. */
function rate(typed: readonly string[], path: readonly Names[], nouns: ReadonlySet<string>) {
  const matches = new Map<Names, string>();
  let sum = 0;
  for (const word of typed) {
    const [best] = path
      .filter((names) => !matches.has(names) && (!nouns.has(word) || names.includes(word)))
      .map((names) => ({ names, score: alike(word, names) }))
      .sort((one, other) => other.score - one.score);
    if (!best || best.score === 0) return { score: 0, matches };
    matches.set(best.names, word);
    sum += best.score;
  }
  return { score: (2 * sum) / (typed.length + path.length), matches };
}

/** Rates a word against a name: the same, a word of another tool, a typo, or a part of the name. */
function alike(word: string, names: Names): number {
  if (names.includes(word)) return 1;
  if (names.includes(otherVerbs[word] ?? '')) return 0.9;
  const isPart = names.some((name) => name.split('-').includes(word));
  return Math.max(isPart ? 0.5 : 0, ...names.map((name) => 0.9 * likeness(word, name)));
}
