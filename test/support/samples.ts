/**
 * A valid value for every input of every operation: as arguments on a command line, as JSON, and as the input of
 * an MCP tool.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../src/operations/index.ts';
import { harmOf, type Operation } from '../../src/operations/operation.ts';
import { enumValues, records } from '../../src/operations/records.ts';
import { listedResourceFor } from '../../src/operations/resources.ts';
import { argumentsOf, type Flag, flagsOf } from '../../src/tree/operation-flags.ts';

export const everyOperation = Object.values(operations) as readonly Operation[];

export interface Sample {
  readonly words: readonly string[];
  readonly value: unknown;
}

/** A file that the samples name. */
export const sampleFile = { name: 'sample.html', text: '<title>a sample</title>' };

export const writeSampleFile = (folder: string): void => writeFileSync(join(folder, sampleFile.name), sampleFile.text);

/** The declared type of a field, as written in records.ts, parsed here a second time in the shortest way. */
export interface Declared {
  readonly one: string;
  readonly many: boolean;
  readonly nullable: boolean;
}

/** The type of a record's field; undefined if the flag belongs to another field. */
export function declaredOf({ input }: Operation, { field, member }: Flag): Declared | undefined {
  if (member === undefined) return undefined;
  const [type] = records[input[field]?.record ?? '']?.[member] ?? [''];
  const [, one = '', list, nullable] = /^(.*?)(\[\])?(\|null)?\??$/.exec(type) ?? [];
  return { one, many: list !== undefined, nullable: nullable !== undefined };
}

/** A value for each type, as an argument and decoded. */
const right: Readonly<Record<string, readonly [text: string, value: unknown]>> = {
  string: ['5 é', '5 é'],
  integer: ['-5', -5],
  datetime: ['2026-01-31T12:00:00+01:00', '2026-01-31T12:00:00+01:00'],
  json: ['{"a":[1]}', { a: [1] }],
  selector: ['{"method":"get","path":"/x"}', { method: 'get', path: '/x' }],
};

function valueOfType(type: string): readonly [text: string, value: unknown] {
  const known = /^enum\((.*)\)$/.exec(type)?.[1]?.split(',')[0] ?? (type in enumValues ? 'a new one' : undefined);
  if (known !== undefined) return [known, known];
  return right[type] ?? ['{"more":true}', { more: true }];
}

/** The only field of kind json that is not a record but has its elements checked. */
const kindOf = ({ kind, name }: Flag) => (name === 'method-paths' ? 'selector' : kind);

/** The type of a flag. */
export function sampleOf(operation: Operation, flag: Flag): Sample {
  const field = operation.input[flag.field];
  const { one, many } = declaredOf(operation, flag) ?? {
    one: field?.oneOf?.[0] === undefined ? kindOf(flag) : `enum(${field.oneOf[0]})`,
    many: flag.many,
  };
  const name = `--${flag.name}`;
  // Another value would be looked up as a name.
  const isId = listedResourceFor(operation, flag.member ?? flag.field)?.nameForm !== undefined;
  // -R is only suggested for a repository that it takes.
  const isRepository = /^(org|repo|repo_name)$/.test(flag.member ?? flag.field);
  // A number below 1 is refused.
  if (flag.name === 'limit') return { words: [name, '5'], value: 5 };
  if (one === 'boolean') return { words: [name], value: true };
  if (one === 'file')
    return { words: [name, sampleFile.name], value: field?.in === 'member' ? sampleFile.text : sampleFile };
  const [text, value] =
    field?.in === 'header' ? ['s-1', 's-1'] : isId ? ['x_1', 'x_1'] : isRepository ? ['5é', '5é'] : valueOfType(one);
  return many ? { words: [name, text, name, text], value: [value, value] } : { words: [name, text], value };
}

/** The flags, except a whole record if its fields have flags too. */
export const sampleFlags = (operation: Operation): readonly Flag[] =>
  flagsOf(operation).filter(
    ({ name, field, member }) => name !== 'body' && (member !== undefined || !hasMembers(operation, field)),
  );

const hasMembers = (operation: Operation, name: string): boolean =>
  flagsOf(operation).some(({ field, member }) => field === name && member !== undefined);

/** The whole command line: every argument, and these flags. */
export const sampleLine = (operation: Operation, flags = sampleFlags(operation)): readonly string[] => [
  ...operation.command,
  ...argumentsOf(operation).map(() => 'x_1'),
  ...flags.flatMap((flag) => sampleOf(operation, flag).words),
  ...(harmOf(operation) === undefined && operation.id !== 'setWorkspaceFeatureFlags' ? [] : ['--yes']),
];
