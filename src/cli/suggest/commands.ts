/** Which command was meant by words that lead to none. */
import type { Command } from 'commander';
import { likeness } from '../../render/nearest.ts';
import { visibleBelow } from '../../tree/nouns.ts';

export interface Meant {
  /** The words of the right command. */
  readonly words: readonly string[];
  /** How many of the typed words they stand for. */
  readonly used: number;
}

/** Below this the words have too little to do with each other. */
const ENOUGH = 0.6;

/** More that are as good say that it is anybody's guess. */
const MOST = 3;

/** No command has more words than this, with one that is too many. */
const LONGEST = 5;

/**
 * The commands that typed words may mean; the first `right` of them lead somewhere, the next does not. A command is found
 * under another's name, at another place, and in another order. Empty where it is anybody's guess.
 */
export function meantBy(program: Command, typed: readonly string[], right: number): readonly Meant[] {
  const all = commandsBelow(program);
  // The longest run of words that makes sense: what follows are arguments.
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

/** The names of a word of a command: its own, then its aliases. */
type Names = readonly [name: string, ...aliases: string[]];

function commandsBelow(command: Command, above: readonly Names[] = []): readonly (readonly Names[])[] {
  return visibleBelow(command).flatMap((one) => {
    const path: readonly Names[] = [...above, [one.name(), ...one.aliases()]];
    return [path, ...commandsBelow(one, path)];
  });
}

/** From 0 to 1; 0 where a typed word is none of the command's. */
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

/** A word that is mistyped counts less than one that is right, a part of one less again. */
function alike(word: string, names: Names): number {
  if (names.includes(word)) return 1;
  const isPart = names.some((name) => name.split('-').includes(word));
  return Math.max(isPart ? 0.5 : 0, ...names.map((name) => 0.9 * likeness(word, name)));
}
