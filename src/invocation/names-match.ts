/** Finds the thing in a list that a value refers to, or what was probably meant. */
import { DtpError, type Facts } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import type { ListedResource } from '../operations/resources.ts';
import { likeness } from '../render/nearest.ts';
import { commandLine } from '../settings/command-line.ts';
import { shortenedForm } from './names-shape.ts';

/** A thing in a list. `names` may be empty. */
export interface Thing {
  readonly id: string;
  readonly names: readonly string[];
}

/** Returns the things in the rows of a list. Rows without an id are left out. Rows with the same id are merged. */
export function thingsIn(rows: readonly unknown[], { id, names = [] }: ListedResource): readonly Thing[] {
  const all = new Map<string, Set<string>>();
  for (const row of rows) {
    if (!isRecord(row)) continue;
    const own = row[id];
    if (typeof own !== 'string' || own === '') continue;
    const known = all.get(own) ?? new Set();
    all.set(own, known);
    for (const name of names.flatMap((field) => row[field]))
      if (typeof name === 'string' && name !== '') known.add(name);
  }
  return [...all].map(([own, known]) => ({ id: own, names: [...known] }));
}

export interface LookupQuery {
  readonly value: string;
  readonly resource: ListedResource;
  /** The user's command line. Errors suggest it again with an id instead of the value. */
  readonly argv: readonly string[];
  /** Whether a person typed the value on a terminal, where tables show only the beginning of an id. */
  readonly isOnTerminal: boolean;
}

/**
 * Returns the thing that a value refers to: the one with this id, else the only one with this name, else the only one
 * whose id begins with the value. Apart from digests, the beginning of an id counts only on a terminal. Undefined if
 * there is no such thing. Throws `usage` if several things have the name.
 */
export function findThing(sought: LookupQuery, things: readonly Thing[]): Thing | undefined {
  const { value, isOnTerminal } = sought;
  const itself = things.find(({ id }) => id === value);
  if (itself) return itself;
  const [named, ...others] = things.filter(({ names }) => names.includes(value));
  if (named && others.length > 0) throw ambiguous(sought, [named, ...others]);
  if (named) return named;
  const [begun, ...more] = isOnTerminal || value.includes(':') ? beginning(value, things) : [];
  return more.length === 0 ? begun : undefined;
}

/** Returns the things whose id begins with a value. Empty if the value is too short for the beginning of an id. */
function beginning(value: string, things: readonly Thing[]): readonly Thing[] {
  const [, start] = shortenedForm.exec(value) ?? [];
  return start === undefined ? [] : things.filter(({ id }) => id.startsWith(start));
}

/** The maximum number of candidates that an error lists, and the maximum number of commands that it suggests. */
const [mostShown, mostTried] = [5, 3];

function ambiguous({ value, resource, argv }: LookupQuery, found: readonly Thing[]): DtpError {
  const shown = found.slice(0, mostShown).map(({ id, names: [name = ''] }) => `${name} (${id})`.trim());
  const more = found.length > mostShown ? ` and ${found.length - mostShown} more` : '';
  return new DtpError('usage', `"${value}" matches ${found.length} ${resource.noun}s`, {
    hint: `Pass the id instead: ${shown.join(', ')}${more}.`,
    next: found.slice(0, mostTried).flatMap(({ id }) => withId(argv, value, id)),
    details: { candidates: found.map(({ id, names: [name = null] }) => ({ name, id })) },
  });
}

const nearestOf = (names: readonly string[], value: string) =>
  names
    .map((name) => ({ name, score: likeness(value, name) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);

/** A value that nothing in a list has as its id or name. It is sent as it was typed. */
export interface FailedLookup {
  readonly value: string;
  /** What the error advises if the service does not know the value either. */
  readonly advice: Required<Pick<Facts, 'hint' | 'next'>>;
}

/** The latest value that a list did not have, by the words of the list command. */
export type Misses = Map<string, FailedLookup>;

/** Describes a value that is not in the list, with the ids that begin with it and the names that are similar to it. */
export function missOf({ value, resource, argv }: LookupQuery, things: readonly Thing[]): FailedLookup {
  const near = things
    .flatMap(({ names }) => nearestOf(names, value).slice(0, 1))
    .sort((one, other) => other.score - one.score)
    .map(({ name }) => name);
  const alike = [...new Set([...beginning(value, things).map(({ id }) => id), ...near])].slice(0, mostTried - 1);
  const what = resource.names === undefined ? 'id' : 'id or name';
  const question = `Did you mean ${alike.map((name) => `"${name}"`).join(' or ')}?`;
  return {
    value,
    advice: {
      hint: `No ${resource.noun} has the ${what} "${value}". ${alike.length === 0 ? 'List what exists:' : question}`,
      next: alike.flatMap((name) => withId(argv, value, name)),
    },
  };
}

/** Returns the user's command with an id instead of the name. Empty without the name in it, or for an id like a flag. */
function withId(argv: readonly string[], value: string, id: string): readonly string[] {
  const at = argv.findIndex((word) => wordWith(word, value) !== undefined);
  const start = at < 0 ? undefined : wordWith(argv[at] ?? '', value);
  return start === undefined || id.startsWith('-') ? [] : [commandLine(argv.with(at, `${start}${id}`))];
}

/** Returns what is before the value in a word: '', `-w` or a flag such as `--workspace=`. Undefined for other words. */
const wordWith = (word: string, value: string): string | undefined =>
  ['', '-w', /^--[a-z-]+=/.exec(word)?.[0]].find((start) => start !== undefined && word === `${start}${value}`);
