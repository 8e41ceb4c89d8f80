/** What an operation's input lacks, in the words of whoever gives it: flags and arguments, or the inputs of a tool. */

import { DtpError, type Facts } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import { type Field, fieldNamed, type Input, type Kind, type Operation } from '../operations/operation.ts';
import { commandLine } from '../settings/command-line.ts';
import { argumentsOf, type Flag, flagsOf, kebab } from '../tree/operation-flags.ts';
import { expected } from './kinds.ts';

/** How fields are spoken of to whoever gives them. */
export interface Wording {
  readonly label: (operation: Operation, name: string) => string;
  /** The label of a field of a record. */
  readonly member: (flag: Flag) => string;
  /** What is right for each kind of value. */
  readonly kinds: Readonly<Record<Kind, string>>;
  /** How a whole record is given instead, as a sentence. */
  readonly whole: (label: string) => string;
  /** The command to run instead, with a word in the place of each thing that is missing. */
  readonly next: (operation: Operation, input: Input, argv: readonly string[]) => Facts;
}

export const ofCommandLine: Wording = {
  label: labelOf,
  member: ({ name }) => `--${name}`,
  kinds: expected,
  whole: (label) => `Or give all fields with ${label}: JSON or YAML, @FILE or - for standard input.`,
  next: (operation, input, argv) => ({ next: completed(operation, input, argv) }),
};

/** How the user gives a field: `--flag` or `<argument>`. */
function labelOf(operation: Operation, name: string): string {
  if (argumentsOf(operation).some(([argument]) => argument === name)) return `<${kebab(name)}>`;
  const flag = flagsOf(operation).find((one) => one.field === name && one.member === undefined);
  return `--${flag?.name ?? name}`;
}

/**
 * The fields that must be given and are not: those that the document requires, and where nothing of the body is given,
 * those without which the command means nothing.
 */
export function lackingFields(operation: Operation, input: Input): readonly string[] {
  const members = fieldsOf(input.body);
  const isGiven = (name: string, field: Field) =>
    input[name] !== undefined || (field.in === 'member' && members[name] !== undefined);
  const fields = Object.entries(operation.input);
  const hasBody =
    input.body !== undefined || fields.some(([name, field]) => isOfBody(field) && isGiven(name, field));
  return fields
    .filter(([name, field]) => !isGiven(name, field) && (field.required || (field.wanted && !hasBody)))
    .map(([name]) => name);
}

const isOfBody = ({ in: place }: Field): boolean =>
  place === 'body' || place === 'member' || place === 'part';

/**
 * The flags that a person gives a record with: of the fields that the record requires, or else all fields, those that
 * neither the service sets nor the client fills in. A switch is left to the person: its absence says something too.
 */
export function neededFlags(operation: Operation, name: string): readonly Flag[] {
  const flags = flagsOf(operation).filter(
    ({ field, member, kind, setBy }) =>
      field === name && member !== undefined && kind !== 'boolean' && setBy === undefined,
  );
  const required = flags.filter((flag) => flag.required);
  return required.length > 0 ? required : flags;
}

/** The error that names all that is missing. */
export function missing(
  operation: Operation,
  input: Input,
  argv: readonly string[],
  wording: Wording,
): DtpError {
  const names = lackingFields(operation, input);
  const labels = names.flatMap((name) => {
    const needed = neededFlags(operation, name).map(wording.member);
    return needed.length > 0 ? needed : [wording.label(operation, name)];
  });
  const [first = '', ...more] = labels;
  const text =
    more.length === 0
      ? `${first} is missing: give ${rightFor(operation, names[0] ?? '', wording)}`
      : `${[first, ...more.slice(0, -1)].join(', ')} and ${more.at(-1)} are missing`;
  const record = names.find((name) => neededFlags(operation, name).length > 0);
  return new DtpError('usage', text, {
    ...(record !== undefined && { hint: wording.whole(wording.label(operation, record)) }),
    ...wording.next(operation, input, argv),
  });
}

/** What is right for a field, or for the one flag that a record needs. */
function rightFor(operation: Operation, name: string, { kinds }: Wording): string {
  const { kind, oneOf } = fieldNamed(operation, name);
  const [flag] = neededFlags(operation, name);
  if (!flag) return oneOf?.join(' or ') ?? kinds[kind];
  if (flag.is !== 'enum') return kinds[flag.kind];
  return flag.isNamed ? `${kinds.string}, such as ${flag.values[0]}` : flag.values.join(' or ');
}

/** The command line with a word in the place of each thing that is missing; one each for a switch and its opposite. */
function completed(operation: Operation, input: Input, argv: readonly string[]): readonly string[] {
  const lacking = lackingFields(operation, input);
  const isSwitch = lacking.some((name) => operation.input[name]?.kind === 'boolean');
  const line = (more: readonly string[]) =>
    commandLine([...(argv.length === 0 ? operation.command : argv), ...more]);
  const words = lacking.flatMap((name) => {
    const label = labelOf(operation, name);
    if (!label.startsWith('--')) return [label.slice(1, -1).toUpperCase()];
    const needed = neededFlags(operation, name);
    if (needed.length > 0) return needed.flatMap((flag) => [`--${flag.name}`, placeholder(flag)]);
    const { kind, oneOf } = fieldNamed(operation, name);
    if (kind === 'boolean') return [label];
    return [label, oneOf?.[0] ?? files[kind] ?? label.slice(2).toUpperCase()];
  });
  const isOfSwitch = (word: string) =>
    lacking.some((name) => operation.input[name]?.kind === 'boolean' && labelOf(operation, name) === word);
  const opposite = words.map((word) => (isOfSwitch(word) ? word.replace(/^--/, '--no-') : word));
  return isSwitch ? [line(words), line(opposite)] : [line(words)];
}

/** The first of the values that a type lists; a value of an open enum is not chosen for the user. */
function placeholder(flag: Flag): string {
  const [first] = flag.is === 'enum' && !flag.isNamed ? flag.values : [];
  return first ?? files[flag.kind] ?? flag.name.toUpperCase();
}

/** What stands for a value that is best given as a file. */
const files: Readonly<Partial<Record<Kind, string>>> = { json: '@FILE', file: 'FILE' };
