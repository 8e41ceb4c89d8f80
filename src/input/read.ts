/** Builds the Input of an operation from arguments, flags, files and standard input. */
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

/** Parsed arguments in order, and flag values by name. Repeated flags are arrays. */
export interface Given {
  /** The whole command line, for suggested corrections. */
  readonly argv: readonly string[];
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** The flags of the operation's flow, by the names that commander gives them. */
  readonly flow: FlowValues;
}

/**
 * Returns the Input of an operation, with defaults. Strings become typed values if possible, and checkInput rejects the
 * others. Throws `usage` for a record field flag with a value of the wrong type.
 */
export async function readInput(
  operation: Operation,
  given: Given,
  context: Pick<Context, 'uuid'>,
  files: Files,
): Promise<Input> {
  // `dtp api` takes any query parameter, even `__proto__`.
  const input: Record<string, unknown> = Object.create(null);
  const whole = takesBody(operation) ? await bodyOf(operation, given, files) : undefined;
  if (whole !== undefined) await spread(operation, whole, input, files);

  for (const flag of flagsOf(operation)) {
    const text = given.flags[flag.name];
    if (text === undefined || flag.name === 'body') continue;
    const value = await toValue(operation.input[flag.field], flag, text, files);
    if (flag.member === undefined) input[flag.field] = value;
    else {
      // Only flags are checked: -F, -f and --body may set any value of a record, and a flag overrides them.
      checkMember(`--${flag.name}`, flag, value);
      input[flag.field] = withMember(operation.input[flag.field], input[flag.field], flag.member, value);
    }
  }

  argumentsOf(operation).forEach(([name], index) => {
    input[name] = given.args[index];
  });
  return withDefaults(operation, input, context);
}

/** Adds the default of each field that neither the input nor its body sets. */
export function withDefaults(operation: Operation, input: Input, context: Pick<Context, 'uuid'>): Input {
  const full: Record<string, unknown> = { ...input };
  const body = fieldsOf(input.body);
  for (const [name, field] of Object.entries(operation.input)) {
    if (full[name] !== undefined) continue;
    if (field.default !== undefined && !(name in body)) full[name] = field.default;
    else if (name === 'x-session-id') full[name] = context.uuid();
    else if (field.formatOf !== undefined && !(name in body)) {
      const document = input[field.formatOf] ?? body[field.formatOf];
      if (typeof document === 'string') full[name] = formatIn(document);
    }
  }
  return full;
}

/** JSON is also valid YAML, so only a document that parses as JSON is JSON. */
function formatIn(document: string): 'json' | 'yaml' {
  if (!/^\ufeff?\s*[{[]/.test(document)) return 'yaml';
  try {
    JSON.parse(document.replace(/^\ufeff/, ''));
    return 'json';
  } catch {
    return 'yaml';
  }
}

/** The value of `--body`, changed by `-F` and then by `-f`. */
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

/** The value of a `-F` flag. `@FILE` is the content of a file, except for a file in a form. */
async function typedValue({ input }: Operation, { steps, text }: Assignment, files: Files): Promise<unknown> {
  const [name = ''] = steps;
  const field = Object.hasOwn(input, name) ? input[name] : undefined;
  if (field?.in === 'part' && field.kind === 'file') return text;
  if (text === '@') throw new DtpError('usage', '-F: @ must be followed by a file path');
  const isDocument = field?.document === true && steps.length === 1;
  return text.startsWith('@') ? files.text(text.slice(1), '-F', isDocument) : typed(text, '-F');
}

/** Stores the value of `--body`: the parts of a form, or the body that flags are merged into. */
async function spread(operation: Operation, whole: unknown, input: Record<string, unknown>, files: Files) {
  const parts = Object.entries(operation.input).filter(([, field]) => field.in === 'part');
  if (parts.length === 0) {
    // A single record is sent as a batch of one.
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
  // Other processes can read the command line, so the secret may come from a file or standard input.
  if (flag.field === 'codehost_oidc_token' && /^(@|-$)/.test(given))
    return tokenIn((await files.text(given.replace(/^@/, ''), label)).trim(), label);
  return given;
}

/** The token from a file or a pipe, without the quotes of JSON output. It is empty if the command in the pipe failed. */
function tokenIn(text: string, label: string): string {
  const bare = text.replace(/^"(.*)"$/, '$1');
  if (bare !== '') return bare;
  throw new DtpError('usage', `${label}: the token is empty`);
}

/**
 * Sets `member` in a record, or in each record of a list. A value that is not a record is returned unchanged, and
 * checkInput rejects it.
 */
export function withMember(field: Field | undefined, value: unknown, member: string, one: unknown): unknown {
  const merged = (record: unknown) => (isRecord(record) ? { ...record, [member]: one } : record);
  if (!field?.many) return merged(value ?? {});
  const all = value ?? [{}];
  return Array.isArray(all) ? all.map(merged) : all;
}
