/** Converts the arguments of a tool call to the input of an operation. */
import { createHash } from 'node:crypto';
import { harmReasons } from '../commands/confirm.ts';
import { eventFault } from '../commands/events/known.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Selection } from '../expressions/query.ts';
import { checkInput } from '../input/check.ts';
import { checkMember, expectedValues } from '../input/kinds.ts';
import type { Wording } from '../input/missing-fields.ts';
import { withDefaults, withMember } from '../input/read.ts';
import { refuseSplitIn } from '../input/whole.ts';
import { withPlaceholders } from '../invocation/fill.ts';
import { isRecord } from '../json-object.ts';
import { type Field, harmOf, type Input, isHarmless, type Operation } from '../operations/operation.ts';
import { jsonBody } from '../request/build.ts';
import { pathOf } from '../request/url.ts';
import type { Globals } from '../settings/global-flags.ts';
import { flagKeyOf, settingFields } from '../settings/keys.ts';
import { argumentsOf } from '../tree/operation-flags.ts';
import type { Roots } from './roots.ts';
import { memberInputs, ownInputs, takesMore, withoutFlags } from './schema.ts';

export interface Arguments {
  readonly input: Input;
  /** The inputs that set one field of the body. */
  readonly members: Input;
  /** Settings from the arguments of the call. They override all other sources. */
  readonly settings: Partial<Globals>;
  readonly query: Selection | undefined;
  /** The inputs that make a call send more than one request. */
  readonly flow: { readonly [Name in (typeof flowInputs)[number]]?: boolean };
}

const flowInputs = ['all', 'wait', 'shorten'] as const;

/** The words for error messages, which use the input names of the tool instead of flags. */
const wording: Wording = {
  label: (_, name) => name,
  noun: () => 'input',
  member: ({ field, member }) => member ?? field,
  kinds: { ...expectedValues, json: 'JSON', file: '{"path": "…"} or {"text": "…"}' },
  whole: (label) => `Or give all fields as ${label}.`,
  next: () => ({}),
};

/** Reads and checks the arguments of a tool call before anything is sent. Throws `usage` for invalid arguments. */
export async function readArguments(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  context: Pick<Context, 'uuid'>,
  roots: Roots,
): Promise<Arguments> {
  const fieldInputs = memberInputs(operation);
  // Ignore null unless it is a valid value, because many models send null for inputs that they do not set.
  const entries = Object.entries(given).filter(
    ([name, value]) => value !== undefined && (value !== null || fieldInputs.get(name)?.nullable),
  );
  const names: readonly string[] = ownInputs(operation);
  const more = takesMore(operation) ? ['body'] : [];
  const known = [...Object.keys(operation.input), ...fieldInputs.keys(), ...more, ...names];
  const input: Record<string, unknown> = {};
  const settings: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (!known.includes(name))
      throw new DtpError('usage', `unknown input "${name}"`, {
        hint: known.length === 0 ? 'This tool takes no inputs.' : `Available: ${known.join(', ')}`,
      });
    if (names.includes(name) || fieldInputs.has(name)) continue;
    const setting = settingFields[name];
    if (setting) settings[flagKeyOf(setting)] = textIn(name, value);
    else input[name] = await readValue(operation.input[name], name, value, roots);
  }
  await refuseSplitIn(operation, input.body, 'body');
  const fieldValues = Object.fromEntries(entries.filter(([name]) => fieldInputs.has(name)));
  if (operation.flow === 'spool') checkEvents(input.body, fieldValues);
  for (const [name, value] of Object.entries(fieldValues)) {
    const flag = fieldInputs.get(name);
    if (flag === undefined) continue;
    refuseInexact(name, value);
    checkMember(name, flag, value, wording.kinds);
    // An input overrides the field in the body, as a flag does.
    input[flag.field] = withMember(operation.input[flag.field], input[flag.field], name, value);
  }
  const { query } = given;
  const full = withDefaults(operation, input, context);
  checkInput(operation, withPlaceholders(operation, full), [], wording);
  // This throws `usage` for ids that cannot be part of a path.
  pathOf(operation.path, withPlaceholders(operation, full));
  checkConfirmed(operation, full, given.confirm ?? undefined);
  return {
    input: full,
    members: fieldValues,
    settings,
    flow: Object.fromEntries(flowInputs.map((name) => [name, names.includes(name) && isSet(name, given[name])])),
    query: names.includes('query') && query !== undefined && query !== null ? await queryOf(query) : undefined,
  };
}

/** Checks events like `dtp events post`. Skips values that are not objects, because `checkInput` rejects them later. */
function checkEvents(body: unknown, fieldValues: object): void {
  for (const [at, event] of (Array.isArray(body) ? body : []).entries()) {
    const fault = isRecord(event) ? eventFault(event, fieldValues) : undefined;
    if (fault !== undefined)
      throw new DtpError('usage', `body: event ${at + 1} ${fault}`, {
        hint: "This tool's inputs other than body are the event fields.",
      });
  }
}

function textIn(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new DtpError('usage', `${name} must be a string that is not empty`);
}

function isSet(name: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return value === true;
  throw new DtpError('usage', `${name} must be true or false`);
}

async function readValue(field: Field | undefined, name: string, value: unknown, roots: Roots): Promise<unknown> {
  if (field?.kind === 'file')
    return field.in === 'member' ? roots.text(value, name, field.document) : roots.file(value, name, field.document);
  refuseInexact(name, value);
  // The caller may pass a batch of one record as a single record.
  return field?.in === 'body' && field.many && !Array.isArray(value) ? [value] : value;
}

/** Throws `usage` for integers that JavaScript may have rounded, because the service would receive other values. */
function refuseInexact(name: string, value: unknown): void {
  const pending: unknown[] = [value];
  for (let one = pending.pop(); pending.length > 0 || one !== undefined; one = pending.pop()) {
    // A spread would overflow the stack with a long list.
    if (typeof one === 'object' && one !== null) for (const member of Object.values(one)) pending.push(member);
    else if (Number.isInteger(one) && !Number.isSafeInteger(one))
      throw new DtpError('usage', `${name}: the number has too many digits to be exact; pass it as a string`);
  }
}

const queryOf = async (given: unknown): Promise<Selection> =>
  (await import('../expressions/jmespath.ts')).compileSelection(textIn('query', given), 'query');

/** The maximum number of characters of a value that is shown as it is. */
const LONGEST = 100;

/**
 * Returns what a call acts on: the ids in its path. If there are no ids, returns the values in its body, or else the
 * noun of the command. A `confirm` for one object is therefore not valid for another. A long text, such as an API
 * document, is shown as its digest.
 */
function subjectOf(operation: Operation, input: Input): string {
  const ids = argumentsOf(operation).map(([name]) => String(input[name]));
  if (ids.length > 0) return ids.join(' ');
  const said = leavesOf(jsonBody(operation, input));
  return said.length > 0 ? said.join(', ') : operation.command.slice(0, -1).join(' ');
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  if (value === undefined || value === null) return [];
  const text = String(value);
  return [text.length > LONGEST ? `sha256:${createHash('sha256').update(text).digest('hex')}` : text];
}

/** Throws `usage` unless `given` matches what the call acts on. The error says what the call would do. */
export function checkConfirmed(operation: Operation, input: Input, given: unknown): void {
  const harm = harmOf(operation);
  if (harm === undefined || isHarmless(operation, jsonBody(operation, input))) return;
  const subject = subjectOf(operation, input);
  if (given === subject) return;
  const what = given === undefined ? 'confirm is missing' : 'confirm does not match';
  throw new DtpError(
    'usage',
    `${what}, so nothing was sent: "${withoutFlags(operation.summary)}" (${subject}) with ${operation.method} ${operation.path} ${harmReasons[harm]}`,
    { hint: `If the user asked for exactly this, call again with confirm set to ${JSON.stringify(subject)}.` },
  );
}
