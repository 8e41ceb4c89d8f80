/** Finds the missing fields of an input and reports them as flags and arguments, or as inputs of a tool. */
import { orList } from '../declarations/checks.ts';
import { DtpError, type Facts } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import { type Field, fieldNamed, type Input, type Kind, type Operation } from '../operations/operation.ts';
import { commandLine, type Word } from '../settings/command-line.ts';
import { argumentsOf, type Flag, flagsOf, isRequired, isWholeRecord, neededFlags } from '../tree/operation-flags.ts';
import { repositoryFlag, wordOf } from '../tree/vocabulary.ts';
import { expectedValues } from './kinds.ts';

/** How errors name fields, on the command line or in a tool call. */
export interface Wording {
  readonly label: (operation: Operation, name: string) => string;
  /** What a label names: a flag, an argument or an input. */
  readonly noun: (label: string) => string;
  /** The label of a field of a record. */
  readonly member: (flag: Flag) => string;
  readonly kinds: Readonly<Record<Kind, string>>;
  /** A sentence that says how to pass the whole record instead. */
  readonly whole: (label: string) => string;
  /** The command with a placeholder for each missing value. */
  readonly next: (operation: Operation, input: Input, argv: readonly string[]) => Facts;
}

export const commandLineWording: Wording = {
  label: labelOf,
  noun: (label) => (label.startsWith('--') ? 'flag' : 'argument'),
  member: ({ label }) => label,
  kinds: expectedValues,
  whole: (label) => `Or pass all fields as JSON or YAML with ${label}. It also takes @FILE, or - for standard input.`,
  next: (operation, input, argv) => ({ next: completed(operation, input, argv) }),
};

/** How the user passes a field: `--flag` or `ARGUMENT`. */
function labelOf(operation: Operation, name: string): string {
  if (argumentsOf(operation).some(([argument]) => argument === name)) return wordOf(name).toUpperCase();
  return flagNamed(operation, name)?.label ?? `--${name}`;
}

const flagNamed = (operation: Operation, name: string): Flag | undefined =>
  flagsOf(operation).find((one) => one.field === name && one.member === undefined);

/** The missing fields: those that the API requires, and `wanted` ones of a body that would be empty. */
export function missingFields(operation: Operation, input: Input): readonly string[] {
  const inBody = fieldsOf(input.body);
  const isGiven = (name: string, field: Field) =>
    input[name] !== undefined || (field.in === 'member' && inBody[name] !== undefined);
  const fields = Object.entries(operation.input);
  const hasBody = input.body !== undefined || fields.some(([name, field]) => isOfBody(field) && isGiven(name, field));
  return fields
    .filter(([name, field]) => !isGiven(name, field) && (isRequired(operation, name) || (field.wanted && !hasBody)))
    .map(([name]) => name);
}

const isOfBody = ({ in: place }: Field): boolean => place === 'body' || place === 'member' || place === 'part';

export function missingError(operation: Operation, input: Input, argv: readonly string[], wording: Wording): DtpError {
  const names = missingFields(operation, input);
  // Both fields of a repository have the same label.
  const labels = [
    ...new Set(
      names.flatMap((name) => {
        const needed = neededFlags(operation, name).map(wording.member);
        return needed.length > 0 ? needed : [wording.label(operation, name)];
      }),
    ),
  ];
  const isAny = labels.length > 1 && names.length === 1 && isWholeRecord(operation, names[0] ?? '');
  const expects = labels.length === 1 ? expectation(operation, names[0] ?? '', wording) : undefined;
  const record = names.find((name) => neededFlags(operation, name).length > 0);
  const text = isAny ? `pass at least one of ${orList(labels)}` : missingText(labels, wording);
  return new DtpError('usage', `${text}${expects ? ` (${expects})` : ''}`, {
    ...(record !== undefined && { hint: wording.whole(wording.label(operation, record)) }),
    ...wording.next(operation, input, argv),
  });
}

/** Returns `missing flags: --package and --sdk-class`, or `missing: …` if the labels are both flags and arguments. */
function missingText(labels: readonly string[], { noun }: Pick<Wording, 'noun'>): string {
  const [sort = '', ...others] = new Set(labels.map(noun));
  const what = others.length > 0 ? '' : ` ${sort}${labels.length > 1 ? 's' : ''}`;
  const list = [labels.slice(0, -1).join(', '), labels.at(-1)].filter(Boolean).join(' and ');
  return `missing${what}: ${list}`;
}

/** Returns what to pass for a field, or for the only flag that a record needs. Undefined for a plain string. */
function expectation(operation: Operation, name: string, { kinds }: Wording): string | undefined {
  const { kind, oneOf } = fieldNamed(operation, name);
  const [flag] = neededFlags(operation, name);
  const plain = (one: Kind) => (one === 'string' ? undefined : kinds[one]);
  if (!flag) return oneOf?.join(' or ') ?? plain(kind);
  if (flag.is !== 'enum') return plain(flag.kind);
  return flag.isNamed ? `such as ${flag.values[0]}` : flag.values.join(' or ');
}

/** Adds a placeholder for each missing value. No suggestion makes something public, so a boolean becomes `--no-…`. */
function completed(operation: Operation, input: Input, argv: readonly string[]): readonly string[] {
  const missing = missingFields(operation, input);
  const line = (more: readonly Word[]) => commandLine(argv.length === 0 ? operation.command : argv, more);
  const words = missing.flatMap((name): readonly Word[] => {
    const label = labelOf(operation, name);
    const all = neededFlags(operation, name);
    const needed = isWholeRecord(operation, name) ? all.slice(0, 1) : all;
    if (needed.length > 0) return needed.map((flag) => [flag.label, placeholder(flag)]);
    if (!label.startsWith('--')) return [[label]];
    const { kind, oneOf } = fieldNamed(operation, name);
    if (kind === 'boolean') return [label.replace(/^--/, '--no-')];
    return [[label, oneOf?.[0] ?? placeholder(flagNamed(operation, name))]];
  });
  // `--repo` stands for two fields.
  const given = [...new Map(words.map((word) => [[word].flat()[0], word])).values()];
  if (operation.flow === 'summary') return [line([['FILE']]), line(given)];
  return [line(given)];
}

/** Returns the first value of an enum that has no name in records.ts. Otherwise returns a placeholder. */
function placeholder(flag: Flag | undefined): string {
  const [first] = flag?.is === 'enum' && !flag.isNamed ? flag.values : [];
  if (!flag || first !== undefined) return first ?? 'VALUE';
  if (flag.label === `--${repositoryFlag}`) return 'OWNER/NAME';
  return files[flag.kind] ?? flag.name.toUpperCase();
}

const files: Readonly<Partial<Record<Kind, string>>> = { json: '@FILE', file: 'FILE' };
