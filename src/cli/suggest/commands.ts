/** Guesses which command the user meant if the typed words are not a command. */
import type { Command } from 'commander';
import { likeness } from '../../render/nearest.ts';
import { visibleBelow } from '../../tree/nouns.ts';

export interface Guess {
  /** The words of the guessed command. */
  readonly words: readonly string[];
  /** The number of typed words that they replace. */
  readonly used: number;
}

/** The minimum score of a guess. Scores are from 0 to 1. */
const ENOUGH = 0.6;

/** The maximum number of equally good guesses. If there are more, nothing is suggested. */
const MOST = 3;

/** The maximum number of typed words that a guess may replace. */
const LONGEST = 5;

/**
 * Guesses commands from typed words, of which the first `right` are correct. The words may be misspelled, in another
 * order, or under another noun. Empty if there are no good guesses, or too many.
 */
export function guessCommands(program: Command, typed: readonly string[], right: number): readonly Guess[] {
  const all = commandsBelow(program);
  // Try as many words as possible first. The words after them count as arguments.
  for (let used = Math.min(typed.length, LONGEST); used > right; used--) {
    const words = typed.slice(0, used);
    const rated = all
      .map((one) => ({ words: one.map(([name]) => name), score: rate(words, one) }))
      .filter(({ score }) => score >= ENOUGH);
    const best = Math.max(...rated.map(({ score }) => score));
    const found = rated.filter(({ score }) => score === best);
    if (found.length > MOST) return [];
    if (found.length > 0) return found.map((one) => ({ words: one.words, used }));
  }
  return [];
}

/** The name of a noun or verb, and its aliases. */
type Names = readonly [name: string, ...aliases: string[]];

function commandsBelow(command: Command, above: readonly Names[] = []): readonly (readonly Names[])[] {
  return visibleBelow(command).flatMap((one) => {
    const path: readonly Names[] = [...above, [one.name(), ...one.aliases()]];
    return [path, ...commandsBelow(one, path)];
  });
}

/**
 * Rates how similar typed words are to a command. The score is 0 if a typed word is not similar to any of its words.
 */
function rate(typed: readonly string[], path: readonly Names[]): number {
  const free = new Set(path);
  let sum = 0;
  for (const word of typed) {
    const [best] = [...free]
      .map((names) => ({ names, score: alike(word, names) }))
      .sort((one, other) => other.score - one.score);
    if (!best || best.score === 0) return 0;
    free.delete(best.names);
    sum += best.score;
  }
  return (2 * sum) / (typed.length + path.length);
}

/** Rates how similar a word is to a name. An exact match scores highest, then a typo, then a part of the name. */
function alike(word: string, names: Names): number {
  if (names.includes(word)) return 1;
  const isPart = names.some((name) => name.split('-').includes(word));
  return Math.max(isPart ? 0.5 : 0, ...names.map((name) => 0.9 * likeness(word, name)));
}
