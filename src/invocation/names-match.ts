/** Finds the thing that a value refers to by its id, its name, or the beginning of its id. */
import { DtpError } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import { likeness } from '../render/nearest.ts';
import { commandLine } from '../settings/command-line.ts';
import type { LookUp } from '../tree/lists.ts';
import { shortenedForm } from './names-shape.ts';

/** A thing in a list. `names` may be empty. */
export interface Thing {
  readonly id: string;
  readonly names: readonly string[];
}

/** Returns the things in the rows of a list. Rows without an id are left out. Rows with the same id are merged. */
export function thingsIn(rows: readonly unknown[], { id, names }: LookUp): readonly Thing[] {
  const all = new Map<string, readonly string[]>();
  for (const row of rows) {
    if (!isRecord(row)) continue;
    const own = row[id];
    if (typeof own !== 'string' || own === '') continue;
    const found = names.flatMap((name) => row[name]).filter((name) => typeof name === 'string');
    all.set(own, [...(all.get(own) ?? []), ...found]);
  }
  return [...all].map(([own, found]) => ({ id: own, names: [...new Set(found)].filter(Boolean) }));
}

/**
 * Returns the things that a value may refer to. If the value is an id, this is only the thing with that id, even if
 * another thing has the value as its name. Otherwise, these are all things with that name, and all things whose id
 * begins with the value.
 */
export function matchesOf(value: string, things: readonly Thing[]): readonly Thing[] {
  const itself = things.find(({ id }) => id === value);
  if (itself) return [itself];
  const [, start] = shortenedForm.exec(value) ?? [];
  return things.filter(
    ({ id, names }) => names.includes(value) || (start !== undefined && id.startsWith(start)),
  );
}

export interface Sought {
  readonly value: string;
  readonly lookUp: LookUp;
  /** The command that lists the things. */
  readonly list: readonly string[];
  /** The user's command line. Errors suggest it again with an id instead of the value. */
  readonly argv: readonly string[];
}

/** Returns the only thing that matches. Throws `usage` if several things match, and `not_found` if nothing matches. */
export function theOne(sought: Sought, things: readonly Thing[]): Thing {
  const found = matchesOf(sought.value, things);
  const [one, ...others] = found;
  if (!one && sought.lookUp.isOpen) return { id: sought.value, names: [] };
  if (!one) throw notFound(sought, things);
  if (others.length > 0) throw ambiguous(sought, found);
  return one;
}

/** The maximum number of candidates that an error lists, and the maximum number of commands that it suggests. */
const [mostShown, mostTried] = [5, 3];

function ambiguous({ value, lookUp, argv }: Sought, found: readonly Thing[]): DtpError {
  const shown = found.slice(0, mostShown).map(({ id, names: [name = ''] }) => `${name} (${id})`.trim());
  const more = found.length > mostShown ? ` and ${found.length - mostShown} more` : '';
  return new DtpError('usage', `"${value}" matches ${found.length} ${lookUp.noun}s`, {
    hint: `Pass the id instead: ${shown.join(', ')}${more}.`,
    next: found.slice(0, mostTried).flatMap(({ id }) => withId(argv, value, id)),
    details: { candidates: found.map(({ id, names: [name = null] }) => ({ name, id })) },
  });
}

/** Returns the names that are similar to a value, best first. */
const nearestOf = (names: readonly string[], value: string) =>
  names
    .map((name) => ({ name, score: likeness(value, name) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);

function notFound({ value, lookUp, list, argv }: Sought, things: readonly Thing[]): DtpError {
  const alike = things
    .flatMap(({ names }) => nearestOf(names, value).slice(0, 1))
    .sort((one, other) => other.score - one.score)
    .filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index)
    .slice(0, mostTried - 1)
    .map(({ name }) => name);
  const what = lookUp.names.length === 0 ? 'id' : 'id or name';
  return new DtpError('not_found', `no ${lookUp.noun} has the ${what} "${value}"`, {
    hint:
      alike.length === 0
        ? 'List what exists:'
        : `Did you mean ${alike.map((name) => `"${name}"`).join(' or ')}?`,
    next: [...alike.flatMap((name) => withId(argv, value, name)), commandLine(list)],
  });
}

/** Returns the user's command with an id instead of the name. Empty if the name is not on the command line. */
function withId(argv: readonly string[], value: string, id: string): readonly string[] {
  const at = argv.findIndex((word) => wordWith(word, value) !== undefined);
  const start = at < 0 ? undefined : wordWith(argv[at] ?? '', value);
  return start === undefined ? [] : [commandLine(argv.with(at, `${start}${id}`))];
}

/**
 * Returns the part of a word before the value: '', `-w` or a flag such as `--workspace=`. Undefined for other words.
 */
const wordWith = (word: string, value: string): string | undefined =>
  ['', '-w', /^--[a-z-]+=/.exec(word)?.[0]].find(
    (start) => start !== undefined && word === `${start}${value}`,
  );
