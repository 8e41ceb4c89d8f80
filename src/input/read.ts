/** Builds the Input of an operation from arguments, flags, files and standard input. */
import { attempt } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { fieldsOf, isRecord } from '../json-object.ts';
import { memberTypes, typeOf } from '../operations/field-types.ts';
import type { Field, Input, Operation } from '../operations/operation.ts';
import type { FlowValues } from '../tree/flow-flags.ts';
import { argumentsOf, type Flag, flagsOf, takesBody, valuesIn } from '../tree/operation-flags.ts';
import { type Assignment, assign, decodeTyped, parseAssignment } from './assignments.ts';
import type { InputFiles } from './files.ts';
import { checkMember, integerIn } from './kinds.ts';
import { instantFrom, timeOf } from './times.ts';
import { refuseSplitIn } from './whole.ts';

/** Parsed arguments in order, and flag values by name. Repeated flags are arrays. */
export interface ParsedArguments {
  /** The whole command line, for suggested corrections. */
  readonly argv: readonly string[];
  readonly args: readonly string[];
  /** The ids and names of arguments that were chosen from a list, by field. */
  readonly names?: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** The flags of the operation's flow, by the names that commander gives them. */
  readonly flow: FlowValues;
}

/**
 * Returns the Input of an operation, with defaults. Strings are converted to the types of their fields. A string that
 * cannot be converted stays a string, and checkInput rejects it. Throws `usage` if a flag sets a field of a record to
 * a value of the wrong type.
 */
export async function readInput(
  operation: Operation,
  given: ParsedArguments,
  context: Pick<Context, 'uuid' | 'date'>,
  files: InputFiles,
): Promise<Input> {
  // The object has no prototype, because `dtp api` accepts any query parameter, even `__proto__`.
  const input: Record<string, unknown> = Object.create(null);
  const whole = takesBody(operation) ? await bodyOf(operation, given, files, context.date) : undefined;
  if (whole !== undefined) await spread(operation, whole, input, files);

  for (const flag of flagsOf(operation)) {
    const text = given.flags[flag.name];
    if (text === undefined || flag.name === 'body') continue;
    const field = operation.input[flag.field];
    const value =
      flag.kind === 'datetime' && typeof text === 'string' && !(flag.nullable && text === 'null')
        ? timeOf(flag.label, text, context.date(), flag.direction)
        : await toValue(field, flag, text, files);
    if (flag.member === undefined) input[flag.field] = value;
    else {
      // Only flags are checked. In a record, -F, -f and --body may set any value, and a flag overrides it.
      checkMember(flag.label, flag, value);
      input[flag.field] = withMember(field, input[flag.field], flag.member, value);
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

/** Detects the format of a document. JSON is also valid YAML, so only a document that parses as JSON is JSON. */
function formatIn(document: string): 'json' | 'yaml' {
  const isJson = () => typeof JSON.parse(document.replace(/^\ufeff/, '')) === 'object';
  return /^\ufeff?\s*[{[]/.test(document) && attempt(isJson, false) ? 'json' : 'yaml';
}

/** Returns the value of `--body`, with the fields set by `-F` and then by `-f`. */
async function bodyOf(operation: Operation, parsed: ParsedArguments, files: InputFiles, date: Context['date']) {
  const { flags, flow } = parsed;
  const whole = await files.document(flags.body, '--body');
  if (/^[@-]/.test(String(flags.body))) refusePaths(operation, whole, files, String(flags.body));
  const { field: typedOnes = [], rawField: texts = [] } = flow;
  if (typedOnes.length === 0 && texts.length === 0) {
    await refuseSplitIn(operation, whole, '--body');
    return whole;
  }
  const body = whole ?? {};
  for (const given of typedOnes) {
    const assignment = parseAssignment(given, '-F');
    const value = await typedValue(operation, assignment, files);
    assign(body, assignment, withTime(operation, assignment, value, date), '-F');
  }
  for (const given of texts) {
    const assignment = parseAssignment(given, '-f');
    assign(body, assignment, assignment.text, '-f');
  }
  await refuseSplitIn(operation, body, 'the body');
  return body;
}

/** Throws `usage` if a body that may come from somebody else names a file outside of its repository or folder. */
function refusePaths({ input }: Operation, whole: unknown, files: InputFiles, body: string): void {
  for (const [name, value] of Object.entries(fieldsOf(whole)))
    if (Object.hasOwn(input, name) && input[name]?.in === 'part' && input[name].kind === 'file')
      files.refuseOutside(String(value), `--body: ${name}`, body);
}

/** Returns the value of a `-F` flag. `@FILE` stands for the content of the file, except in a file field of a form. */
async function typedValue({ input }: Operation, { steps, text }: Assignment, files: InputFiles): Promise<unknown> {
  const [name = ''] = steps;
  const field = Object.hasOwn(input, name) ? input[name] : undefined;
  if (field?.in === 'part' && field.kind === 'file') return text;
  if (text === '@') throw new DtpError('usage', '-F: @ must be followed by a file path');
  const isDocument = field?.document === true && steps.length === 1;
  return text.startsWith('@') ? files.text(text.slice(1), '-F', isDocument) : decodeTyped(text, '-F');
}

/**
 * Converts the value of `-F` to RFC 3339 if its field is a time. Throws `usage` if the field belongs to the operation
 * itself and the value is not a time. The fields of a record accept any value, so a value that is not a time is
 * returned unchanged there. Values of all other fields are returned unchanged.
 */
function withTime({ input }: Operation, { steps }: Assignment, value: unknown, date: Context['date']): unknown {
  const [name = '', ...more] = steps;
  if (typeof value !== 'string' || more.length > 0) return value;
  const field = Object.hasOwn(input, name) ? input[name] : undefined;
  if (field?.in === 'member')
    return field.kind === 'datetime' ? timeOf(`-F ${name}`, value, date(), field.direction) : value;
  const [, known] = (input.body ? memberTypes(typeOf(input.body)) : []).find(([one]) => one === name) ?? [];
  return known?.kind === 'datetime' ? (instantFrom(value, date()) ?? value) : value;
}

/** Stores the value of `--body` in the input: as the fields of a form, or as a body that flags can then change. */
async function spread(operation: Operation, whole: unknown, input: Record<string, unknown>, files: InputFiles) {
  const parts = Object.entries(operation.input).filter(([, field]) => field.in === 'part');
  if (parts.length === 0) {
    // A single record is sent as a batch of one.
    input.body = operation.input.body?.many && !Array.isArray(whole) ? [whole] : whole;
    return;
  }
  if (!isRecord(whole)) throw new DtpError('usage', '--body must be an object with the fields of the form');
  const known = new Map(parts);
  for (const [name, value] of Object.entries(whole)) {
    const field = known.get(name);
    if (!field)
      throw new DtpError('usage', `--body: the form has no field "${name}"`, {
        hint: `Available: ${[...known.keys()].join(', ')}.`,
      });
    input[name] = field.kind === 'file' ? await files.file(String(value), name, field.document) : value;
  }
}

async function toValue(
  field: Field | undefined,
  flag: Flag,
  given: string | boolean | readonly string[],
  files: InputFiles,
): Promise<unknown> {
  if (typeof given === 'boolean') return given;
  if (typeof given !== 'string') {
    const values = given.flatMap((one) => valuesIn(flag, one));
    const all = await Promise.all(values.map((one) => toValue(field, flag, one, files)));
    // One `--method-paths '[…]'` may contain several records.
    return flag.kind === 'json' ? all.flat() : all;
  }
  const { label } = flag;
  if (flag.nullable && given === 'null') return null;
  if (flag.kind === 'json') return files.document(given, label);
  if (flag.kind === 'file') return files[field?.in === 'member' ? 'text' : 'file'](given, label, field?.document);
  if (flag.kind === 'integer') return integerIn(given);
  // Other processes can read the command line, so the token can also come from a file or standard input.
  if (flag.field === 'codehost_oidc_token' && /^(@|-$)/.test(given))
    return tokenIn((await files.text(given.replace(/^@/, ''), label)).trim(), label);
  return given;
}

/** Returns the token without the quotes of JSON. Throws `usage` if it is empty, as if the command in a pipe failed. */
function tokenIn(text: string, label: string): string {
  const bare = text.replace(/^"(.*)"$/, '$1');
  if (bare !== '') return bare;
  throw new DtpError('usage', `${label}: the token is empty`);
}

/** Sets `member` in a record, or in each record of a list. Other values stay unchanged, and checkInput rejects them. */
export function withMember(field: Field | undefined, value: unknown, member: string, one: unknown): unknown {
  const merged = (record: unknown) => (isRecord(record) ? { ...record, [member]: one } : record);
  if (!field?.many) return merged(value ?? {});
  const all = value ?? [{}];
  return Array.isArray(all) ? all.map(merged) : all;
}
