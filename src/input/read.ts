/** Arguments, flags, files and standard input → Input. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { fieldsOf, isRecord } from '../json-object.ts';
import type { Field, Input, Operation } from '../operations/operation.ts';
import type { FlowValues } from '../tree/flow-flags.ts';
import { argumentsOf, type Flag, flagsOf, takesBody } from '../tree/operation-flags.ts';
import { type Assignment, assign, parseAssignment, typed } from './assignments.ts';
import type { Files } from './files.ts';
import { checkMember, integerIn } from './kinds.ts';
import { refuseSplitIn } from './whole.ts';

/** What commander has read: arguments in order, and flag values by name; repeated flags are arrays. */
export interface Given {
  /** The whole command line, for suggestions of a better one. */
  readonly argv: readonly string[];
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** What the flags of the operation's flow say, by commander's names. */
  readonly flow: FlowValues;
}

/**
 * The Input of an operation, with defaults. Texts are turned into values where they can be; checkInput refuses the rest.
 * Throws `usage` for the flag of a record's field whose value is not of its type.
 */
export async function readInput(
  operation: Operation,
  given: Given,
  context: Pick<Context, 'uuid'>,
  files: Files,
): Promise<Input> {
  // The names in a query of the user's may be any.
  const input: Record<string, unknown> = Object.create(null);
  const whole = takesBody(operation) ? await bodyOf(operation, given, files) : undefined;
  if (whole !== undefined) await spread(operation, whole, input, files);

  for (const flag of flagsOf(operation)) {
    const text = given.flags[flag.name];
    if (text === undefined || flag.name === 'body') continue;
    const value = await toValue(operation.input[flag.field], flag, text, files);
    if (flag.member === undefined) input[flag.field] = value;
    else {
      // Only here: what -F, -f and --body say of a record is not checked, and a flag wins over them.
      checkMember(`--${flag.name}`, flag, value);
      input[flag.field] = withMember(operation.input[flag.field], input[flag.field], flag.member, value);
    }
  }

  argumentsOf(operation).forEach(([name], index) => {
    input[name] = given.args[index];
  });
  return withDefaults(operation, input, context);
}

/** The input with what is sent where nothing is given. A body may give a member too; one that is no object has none. */
export function withDefaults(operation: Operation, input: Input, context: Pick<Context, 'uuid'>): Input {
  const full: Record<string, unknown> = { ...input };
  const body = fieldsOf(input.body);
  for (const [name, field] of Object.entries(operation.input)) {
    if (full[name] !== undefined) continue;
    if (field.default !== undefined && !(name in body)) full[name] = field.default;
    else if (name === 'x-session-id') full[name] = context.uuid();
  }
  return full;
}

/** What `--body` gives, with what `-F` and then `-f` set in it. */
async function bodyOf(operation: Operation, { flags, flow }: Given, files: Files): Promise<unknown> {
  const whole = await files.document(flags.body, '--body');
  const { field: typedOnes = [], rawField: texts = [] } = flow;
  if (typedOnes.length === 0 && texts.length === 0) {
    await refuseSplitIn(operation, whole, '--body');
    return whole;
  }
  const body = whole ?? {};
  for (const given of typedOnes) {
    const assignment = parseAssignment(given, '-F');
    assign(body, assignment, await typedValue(operation, assignment, files), '-F');
  }
  for (const given of texts) {
    const assignment = parseAssignment(given, '-f');
    assign(body, assignment, assignment.text, '-f');
  }
  await refuseSplitIn(operation, body, 'the body');
  return body;
}

/** `@FILE` is a file's text, save where a file is a part of a form. */
async function typedValue({ input }: Operation, { steps, text }: Assignment, files: Files): Promise<unknown> {
  const [name = ''] = steps;
  const field = Object.hasOwn(input, name) ? input[name] : undefined;
  if (field?.in === 'part' && field.kind === 'file') return text;
  if (text === '@') throw new DtpError('usage', '-F: @ must be followed by the path of a file');
  const isDocument = field?.document === true && steps.length === 1;
  return text.startsWith('@') ? files.text(text.slice(1), '-F', isDocument) : typed(text, '-F');
}

/** `--body` is the whole body, or the members that flags are merged over, or the parts of a form. */
async function spread(operation: Operation, whole: unknown, input: Record<string, unknown>, files: Files) {
  const parts = Object.entries(operation.input).filter(([, field]) => field.in === 'part');
  if (parts.length === 0) {
    // A batch may be given as its one record.
    input.body = operation.input.body?.many && !Array.isArray(whole) ? [whole] : whole;
    return;
  }
  if (!isRecord(whole)) throw new DtpError('usage', '--body must be an object with the parts of the form');
  const known = new Map(parts);
  for (const [name, value] of Object.entries(whole)) {
    const field = known.get(name);
    if (!field)
      throw new DtpError('usage', `--body: the form has no part "${name}"`, {
        hint: `Its parts: ${[...known.keys()].join(', ')}.`,
      });
    input[name] = field.kind === 'file' ? await files.file(String(value), name, field.document) : value;
  }
}

async function toValue(
  field: Field | undefined,
  flag: Flag,
  given: string | boolean | readonly string[],
  files: Files,
): Promise<unknown> {
  if (typeof given === 'boolean') return given;
  if (typeof given !== 'string') {
    const all = await Promise.all(given.map((one) => toValue(field, flag, one, files)));
    // `--method-paths '[…]'` gives several at once.
    return flag.kind === 'json' ? all.flat() : all;
  }
  const label = `--${flag.name}`;
  if (flag.nullable && given === 'null') return null;
  if (flag.kind === 'json') return files.document(given, label);
  if (flag.kind === 'file')
    return field?.in === 'member'
      ? files.text(given, label, field.document)
      : files.file(given, label, field?.document);
  if (flag.kind === 'integer') return integerIn(given);
  // A secret has no place on a command line, where every process can read it.
  if (flag.field === 'codehost_oidc_token' && /^(@|-$)/.test(given))
    return secretIn((await files.text(given.replace(/^@/, ''), label)).trim(), label);
  return given;
}

/** A text that may have come out of a pipe of ours, which writes JSON. An empty one is what a failed command leaves. */
function secretIn(text: string, label: string): string {
  const bare = text.replace(/^"(.*)"$/, '$1');
  if (bare !== '') return bare;
  throw new DtpError('usage', `${label}: there is no token in it`);
}

/**
 * The value of a record's field with a member set in it; of a field with many records, in each of them. What is no record
 * stays as it is, for checkInput to refuse.
 */
export function withMember(field: Field | undefined, value: unknown, member: string, one: unknown): unknown {
  const merged = (record: unknown) => (isRecord(record) ? { ...record, [member]: one } : record);
  if (!field?.many) return merged(value ?? {});
  const all = value ?? [{}];
  return Array.isArray(all) ? all.map(merged) : all;
}
