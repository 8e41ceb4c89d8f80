/** Input against its operation, before anything is sent: what the document requires inline, and the kinds of values. */
import { DtpError, withFacts } from '../errors.ts';
import type { Field, Input, Kind, Operation } from '../operations/operation.ts';
import { isDeeper } from '../request/http.ts';
import { commandLine } from './advice.ts';
import { argumentsOf, flagsOf, kebab } from './flags.ts';

/** How a field is spoken of to whoever gives it. */
export interface Wording {
  readonly label: (operation: Operation, name: string) => string;
  /** What is right for each kind of value. */
  readonly kinds: Readonly<Record<Kind, string>>;
  /** What else would do where a field is missing, as the end of a sentence. */
  readonly others: (operation: Operation, name: string) => string;
  /** What to say instead, with a word in the place of each thing that is missing. */
  readonly next: (operation: Operation, input: Input, argv: readonly string[]) => readonly string[];
}

/**
 * Throws `usage`, naming the field, as `wording` has it, and what would be right. Known fields of records are never
 * required.
 */
export function checkInput(
  operation: Operation,
  input: Input,
  argv: readonly string[] = [],
  wording: Wording = ofCommandLine,
): void {
  const { label } = wording;
  const members = (input.body ?? {}) as Readonly<Record<string, unknown>>;
  for (const [name, field] of Object.entries(operation.input)) {
    const value = input[name] ?? (field.in === 'member' ? members[name] : undefined);
    if (value !== undefined) checkField(label(operation, name), field, value, wording);
    else if (field.required)
      throw withFacts(missing(operation, name, field, wording), {
        next: wording.next(operation, input, argv),
      });
  }
  const body = label(operation, 'body');
  if (hasMembers(operation) && input.body !== undefined && !isRecord(input.body))
    throw new DtpError('usage', `${body} must be a JSON object`);
  checkBody(operation.input.body, input.body, body);
  const parts = Object.entries(operation.input).filter(([, field]) => field.in === 'part');
  // The code-sample forms: the document requires the form and shows none of its fields.
  if (parts.length > 0 && parts.every(([name]) => input[name] === undefined))
    throw new DtpError(
      'usage',
      `a form is required; give ${parts.map(([name]) => label(operation, name)).join(', ')}`,
    );
}

/** No service reads deeper JSON, and some Nodes do not write it. */
const depthLimit = 500;

/** A record is an object, a batch an array of them. What is in them is the service's to judge. */
function checkBody(field: Field | undefined, body: unknown, label: string): void {
  if (isDeeper(body, depthLimit)) throw new DtpError('usage', `${label} is nested deeper than ${depthLimit}`);
  if (field?.record === undefined || body === undefined) return;
  if (!field.many && !isRecord(body)) throw new DtpError('usage', `${label} must be a JSON object`);
  if (field.many && !(Array.isArray(body) && body.every(isRecord)))
    throw new DtpError('usage', `${label} must be a JSON array of objects, or one object`);
}

/** The command line with a word in the place of each thing that is missing. */
function completed(operation: Operation, input: Input, argv: readonly string[]): string {
  const members = (input.body ?? {}) as Readonly<Record<string, unknown>>;
  const lacking = Object.entries(operation.input).filter(
    ([name, field]) => field.required && input[name] === undefined && members[name] === undefined,
  );
  const words = lacking.flatMap(([name, field]) => {
    const label = labelOf(operation, name);
    if (!label.startsWith('--')) return [label.slice(1, -1).toUpperCase()];
    if (field.kind === 'boolean') return [label];
    return [label, field.oneOf?.[0] ?? (field.kind === 'json' ? '@FILE' : label.slice(2).toUpperCase())];
  });
  return commandLine([...(argv.length === 0 ? operation.command : argv), ...words]);
}

const hasMembers = (operation: Operation) =>
  Object.values(operation.input).some((field) => field.in === 'member');

const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** How the user gives a field: `--flag` or `<argument>`. */
function labelOf(operation: Operation, name: string): string {
  if (argumentsOf(operation).some(([argument]) => argument === name)) return `<${kebab(name)}>`;
  const flag = flagsOf(operation).find((one) => one.field === name && one.member === undefined);
  return `--${flag?.name ?? name}`;
}

function missing(operation: Operation, name: string, field: Field, wording: Wording): DtpError {
  const { label, kinds, others } = wording;
  const what = field.oneOf ? `${field.oneOf.join(' or ')}` : kinds[field.kind];
  return new DtpError(
    'usage',
    `${label(operation, name)} is missing: give ${what}${others(operation, name)}`,
  );
}

/** The flags of the members of a record, a few of them. */
function otherFlags(operation: Operation, name: string): string {
  const flags = flagsOf(operation).filter((flag) => flag.field === name && flag.member !== undefined);
  const some = flags.slice(0, 4).map((flag) => `--${flag.name}`);
  return some.length === 0 ? '' : `, or ${some.join(', ')}${flags.length > 4 ? ' …' : ''}`;
}

function checkField(label: string, field: Field, value: unknown, wording: Wording): void {
  const many = field.many === true && field.in !== 'body';
  if (many && !Array.isArray(value)) throw wrong(label, 'a list', value);
  for (const one of many ? (value as readonly unknown[]) : [value]) checkOne(label, field, one, wording);
}

function checkOne(label: string, field: Field, value: unknown, { kinds }: Wording): void {
  if (field.oneOf && !field.oneOf.includes(value as string))
    throw wrong(label, field.oneOf.join(' or '), value);
  if (!right[field.kind](value)) throw wrong(label, kinds[field.kind], value);
  if (field.required && value === '') throw new DtpError('usage', `${label} must not be empty`);
}

const wrong = (label: string, what: string, value: unknown) =>
  new DtpError('usage', `${label} must be ${what}; ${shown(value)} is not`);

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

export const expected: Readonly<Record<Kind, string>> = {
  string: 'a text',
  integer: 'a whole number, such as 100',
  boolean: 'true or false',
  datetime: 'a date and time, such as 2026-01-31T12:00:00Z',
  json: 'JSON, @FILE or -',
  file: 'a file',
};

const ofCommandLine: Wording = {
  label: labelOf,
  kinds: expected,
  others: otherFlags,
  next: (operation, input, argv) => [completed(operation, input, argv)],
};

const right: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  datetime: isDateTime,
  json: () => true,
  file: (value) => typeof value === 'string' || isRecord(value),
};

/** RFC 3339 §5.6, and a day that the month has. */
export function isDateTime(value: unknown): boolean {
  const found =
    /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(
      String(value),
    );
  if (typeof value !== 'string' || !found) return false;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 60;
}
