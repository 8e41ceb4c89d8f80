/** The arguments of a tool call → Input. */
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import type { Field, Input, Operation } from '../../operations/operation.ts';
import type { Query } from '../../render/query.ts';
import { pathOf } from '../../request/url.ts';
import { checkInput, expected, type Wording } from '../check.ts';
import { withPlaceholders } from '../filled.ts';
import { settingFields } from '../flags.ts';
import type { Globals } from '../globals.ts';
import { withDefaults } from '../input.ts';
import { refuseSplitIn } from '../whole.ts';
import { checkConfirmed } from './confirm.ts';
import type { Roots } from './roots.ts';
import { ownInputs, takesMore } from './schema.ts';

export interface Arguments {
  readonly input: Input;
  /** What the call says of settings, which goes before all else that says it. */
  readonly settings: Partial<Globals>;
  readonly query: Query | undefined;
}

/** As a client gives them: by their names, with nothing of a command line. */
const wording: Wording = {
  label: (_, name) => name,
  kinds: { ...expected, json: 'JSON', file: '{"path": "…"} or {"text": "…"}' },
  others: () => '',
  next: () => [],
};

/** Throws `usage` for whatever will not do, before anything is sent. */
export async function readArguments(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  context: Pick<Context, 'uuid'>,
  roots: Roots,
): Promise<Arguments> {
  // Many a model says null for what it does not give.
  const said = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const names = ownInputs(operation) as readonly string[];
  const known = [...Object.keys(operation.input), ...(takesMore(operation) ? ['body'] : []), ...names];
  const input: Record<string, unknown> = {};
  const settings: Record<string, string> = {};
  for (const [name, value] of said) {
    if (!known.includes(name))
      throw new DtpError('usage', `there is no input "${name}"`, {
        hint: known.length === 0 ? 'This tool takes none.' : `The inputs: ${known.join(', ')}.`,
      });
    if (names.includes(name)) continue;
    const setting = settingFields[name];
    if (setting) settings[camel(setting)] = textIn(name, value);
    else input[name] = await readValue(operation.input[name], name, value, roots);
  }
  await refuseSplitIn(operation, input.body, 'body');
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

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function textIn(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new DtpError('usage', `${name} must be a text`);
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
        `${name}: a number of so many digits cannot be kept exactly; give it as a text`,
      );
  }
}

const queryOf = async (given: unknown): Promise<Query> =>
  (await import('../../render/query.ts')).compileQuery(textIn('query', given), 'query');
