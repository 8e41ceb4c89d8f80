/** The arguments of a tool call → Input. */
import { eventFault } from '../commands/events/known.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { checkInput } from '../input/check.ts';
import { checkMember, expected } from '../input/kinds.ts';
import type { Wording } from '../input/lacking.ts';
import { withDefaults, withMember } from '../input/read.ts';
import { refuseSplitIn } from '../input/whole.ts';
import { withPlaceholders } from '../invocation/fill.ts';
import { isRecord } from '../json-object.ts';
import type { Field, Input, Operation } from '../operations/operation.ts';
import type { Query } from '../render/query.ts';
import { pathOf } from '../request/url.ts';
import type { Globals } from '../settings/global-flags.ts';
import { settingFields } from '../tree/operation-flags.ts';
import { checkConfirmed } from './confirm.ts';
import type { Roots } from './roots.ts';
import { memberInputs, ownInputs, takesMore } from './schema.ts';

export interface Arguments {
  readonly input: Input;
  /** What the call says of settings, which goes before all else that says it. */
  readonly settings: Partial<Globals>;
  readonly query: Query | undefined;
}

/** As a client gives them: by their names, with nothing of a command line. */
const wording: Wording = {
  label: (_, name) => name,
  member: ({ field, member }) => member ?? field,
  kinds: { ...expected, json: 'JSON', file: '{"path": "…"} or {"text": "…"}' },
  whole: (label) => `Or give all fields as ${label}.`,
  next: () => ({}),
};

/** Throws `usage` for whatever will not do, before anything is sent. */
export async function readArguments(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  context: Pick<Context, 'uuid'>,
  roots: Roots,
): Promise<Arguments> {
  const members = memberInputs(operation);
  // Many a model says null for what it does not give.
  const said = Object.entries(given).filter(
    ([name, value]) => value !== undefined && (value !== null || members.get(name)?.nullable),
  );
  const names: readonly string[] = ownInputs(operation);
  const known = [
    ...Object.keys(operation.input),
    ...members.keys(),
    ...(takesMore(operation) ? ['body'] : []),
    ...names,
  ];
  const input: Record<string, unknown> = {};
  const settings: Record<string, string> = {};
  for (const [name, value] of said) {
    if (!known.includes(name))
      throw new DtpError('usage', `there is no input "${name}"`, {
        hint: known.length === 0 ? 'This tool takes none.' : `The inputs: ${known.join(', ')}.`,
      });
    if (names.includes(name) || members.has(name)) continue;
    const setting = settingFields[name];
    if (setting) settings[camel(setting)] = textIn(name, value);
    else input[name] = await readValue(operation.input[name], name, value, roots);
  }
  await refuseSplitIn(operation, input.body, 'body');
  const set = Object.fromEntries(said.filter(([name]) => members.has(name)));
  if (operation.flow === 'spool') checkEvents(input.body, set);
  for (const [name, value] of Object.entries(set)) {
    const flag = members.get(name);
    if (flag === undefined) continue;
    refuseInexact(name, value);
    checkMember(name, flag, value, wording.kinds);
    // As a flag does, it wins over the body.
    input[flag.field] = withMember(operation.input[flag.field], input[flag.field], name, value);
  }
  const { query } = given;
  const full = withDefaults(operation, input, context);
  checkInput(operation, withPlaceholders(operation, full), [], wording);
  // Refuses ids that cannot be sent.
  pathOf(operation.path, withPlaceholders(operation, full));
  checkConfirmed(operation, full, given.confirm ?? undefined);
  return {
    input: full,
    settings,
    query:
      names.includes('query') && query !== undefined && query !== null ? await queryOf(query) : undefined,
  };
}

/** The check of `dtp events post`, in the words of a tool. What is not an object is refused with the rest of the input. */
function checkEvents(body: unknown, members: object): void {
  for (const [at, event] of (Array.isArray(body) ? body : []).entries()) {
    const fault = isRecord(event) ? eventFault(event, members) : undefined;
    if (fault !== undefined)
      throw new DtpError('usage', `body: event ${at + 1} ${fault}`, {
        hint: 'The event fields are the inputs of this tool beside body.',
      });
  }
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function textIn(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new DtpError('usage', `${name} must be a string, and not empty`);
}

async function readValue(
  field: Field | undefined,
  name: string,
  value: unknown,
  roots: Roots,
): Promise<unknown> {
  if (field?.kind === 'file')
    return field.in === 'member'
      ? roots.text(value, name, field.document)
      : roots.file(value, name, field.document);
  refuseInexact(name, value);
  // A batch may be given as its one record.
  return field?.in === 'body' && field.many && !Array.isArray(value) ? [value] : value;
}

/** A whole number that JavaScript has rounded by now is refused: what is sent is what was given. */
function refuseInexact(name: string, value: unknown): void {
  const pending: unknown[] = [value];
  for (let one = pending.pop(); pending.length > 0 || one !== undefined; one = pending.pop()) {
    if (typeof one === 'object' && one !== null) pending.push(...Object.values(one));
    else if (Number.isInteger(one) && !Number.isSafeInteger(one))
      throw new DtpError(
        'usage',
        `${name}: a number with that many digits cannot be kept exactly; give it as a string`,
      );
  }
}

const queryOf = async (given: unknown): Promise<Query> =>
  (await import('../render/query.ts')).compileQuery(textIn('query', given), 'query');
