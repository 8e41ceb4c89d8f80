/** What a command line lacks and a person can choose: a workspace, the ids of the path, what a body cannot do without. */
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { neededFlags } from '../../input/lacking.ts';
import type { Given } from '../../input/read.ts';
import { call } from '../../invocation/call.ts';
import { withSettings } from '../../invocation/fill.ts';
import { openInvocation } from '../../invocation/invocation.ts';
import { over } from '../../invocation/over.ts';
import type { Choice, Prompts } from '../../invocation/prompts.ts';
import { isRecord } from '../../json-object.ts';
import type { Operation } from '../../operations/operation.ts';
import { withSpinner } from '../../output/progress.ts';
import { rowsOf } from '../../render/view.ts';
import { commandLine } from '../../settings/command-line.ts';
import type { Globals } from '../../settings/global-flags.ts';
import { type List, listFor, lists } from '../../tree/lists.ts';
import { argumentsOf, type Flag, flagsOf, kebab } from '../../tree/operation-flags.ts';

interface Asked {
  readonly given: Given;
  readonly globals: Globals;
}

/** Where one is asked, and how. */
interface Asking {
  readonly context: Context;
  readonly prompts: Prompts;
}

/** The command line with what was chosen; as it was where nothing is missing. */
export async function pickMissing(asking: Asking, operation: Operation, asked: Asked): Promise<Asked> {
  let { given, globals } = asked;
  const lacking = argumentsOf(operation).slice(given.args.length);
  const flags = askedFlags(operation, given);
  if (lacking.length === 0 && flags.length === 0 && !('workspace_id' in operation.input)) return asked;
  const { settings, log } = await openInvocation(asking.context, { globals });
  const isLocal = settings.values.base_url?.value.startsWith('local:');
  const before = given.argv;
  if (
    'workspace_id' in operation.input &&
    !settings.values.workspace &&
    !settings.isOwnWorkspace &&
    !isLocal
  ) {
    const workspace = await pick(asking, operation, 'workspace_id', { given, globals });
    globals = { ...globals, workspace };
    given = { ...given, argv: [...given.argv, '-w', workspace] };
  }
  const values = await pickArguments(asking, operation, { given, globals });
  given = { ...given, args: [...given.args, ...values], argv: [...given.argv, ...values] };
  for (const flag of flags) {
    const texts = await pickFlag(asking, operation, flag, { given, globals });
    given = {
      ...given,
      flags: { ...given.flags, [flag.name]: flag.many ? texts : texts[0] },
      argv: [...given.argv, ...texts.flatMap((text) => [`--${flag.name}`, text])],
    };
  }
  if (given.argv.length > before.length) log.note(`that is: ${commandLine(given.argv)}`);
  return { given, globals };
}

/** The arguments that are lacking, chosen one after the other. */
export async function pickArguments(
  asking: Asking,
  operation: Operation,
  { given, globals }: Asked,
): Promise<readonly string[]> {
  const args = [...given.args];
  for (const [name] of argumentsOf(operation).slice(args.length))
    args.push(await pick(asking, operation, name, { given: { ...given, args }, globals }));
  return args.slice(given.args.length);
}

/** The flags of a body without which the command means nothing, if nothing of it is given and a person can type them. */
function askedFlags(operation: Operation, { flags, flow }: Given): readonly Flag[] {
  if (!operation.input.body?.wanted) return [];
  const needed = neededFlags(operation, 'body');
  const ways = [flow.field, flow.rawField, ...flagsOf(operation).map(({ name }) => flags[name])];
  return ways.some((way) => way !== undefined) || needed.some(({ kind }) => kind !== 'string') ? [] : needed;
}

/** The values of a flag: chosen from a list where there is one, else typed. */
async function pickFlag(
  asking: Asking,
  operation: Operation,
  { name, member = name, many }: Flag,
  asked: Asked,
): Promise<readonly string[]> {
  if (listFor(operation, member)) return [await pick(asking, operation, member, asked)];
  const answer = await typedOut(asking, `${spaced(member)}${many ? ', separated by spaces' : ''}:`);
  return many ? answer.split(/[\s,]+/).filter(Boolean) : [answer];
}

/** `revision_digest` → `revision digest`. */
const spaced = (name: string): string => kebab(name).replaceAll('-', ' ');

async function pick(asking: Asking, operation: Operation, name: string, asked: Asked): Promise<string> {
  const listName = listFor(operation, name);
  const field = spaced(name);
  const what = field.replace(/ (id|name|digest)$/, '');
  if (!listName) return typedOut(asking, `${field}:`);
  const list: List = lists[listName];
  const choices = await choicesOf(asking.context, operation, list, asked);
  const noun = list.operation.command.slice(0, -1);
  if (choices.length === 0)
    throw new DtpError('usage', `there is no ${what} to choose from`, {
      next: [commandLine([...noun, '--help'])],
    });
  return asking.prompts.pick(`Which ${what}?`, choices);
}

async function typedOut({ prompts }: Asking, question: string): Promise<string> {
  const answer = await prompts.text(question);
  if (answer === '') throw new DtpError('cancelled', 'nothing was done');
  return answer;
}

/** What the service lists, by the arguments that are known already. */
async function choicesOf(
  context: Context,
  wanting: Operation,
  { operation, values }: List,
  { given, globals }: Asked,
): Promise<readonly Choice[]> {
  const invocation = await openInvocation(context, { globals });
  const known = argumentsOf(wanting).map(([name], index) => [name, given.args[index]] as const);
  const input = Object.fromEntries(known.filter(([, value]) => value !== undefined));
  return over(invocation, { operation, input }, async ({ connection, begin }) => {
    const { signal } = begin(operation);
    const full = await withSettings(operation, input, { settings: invocation.settings, connection, signal });
    const answer = await withSpinner(context, operation.summary, () =>
      call(connection, operation, full, signal),
    );
    const view = { color: false, ...(operation.rows !== undefined && { rows: operation.rows }) };
    const rows = answer.kind === 'json' ? (rowsOf(answer.value, view) ?? []).filter(isRecord) : [];
    return values.flatMap((names) => rows.flatMap((row) => choiceOf(row, names)));
  });
}

/** What a row of a list offers; nothing where it lacks the value. */
export function choiceOf(
  row: Readonly<Record<string, unknown>>,
  [valueName, helpName, labelName]: List['values'][number],
): readonly Choice[] {
  const [value, help, label] = [valueName, helpName, labelName].map((name) => textOf(row[name])) as [
    string,
    string,
    string,
  ];
  if (value === '') return [];
  return [
    { value, label: shortened(label || value), hint: shortened(label === value ? help : label && value) },
  ];
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(', ') : typeof value === 'string' ? value : '';

/** A digest is known by its first letters, and all of it would break the line. */
const shortened = (text: string): string => text.replace(/^(sha\d+:[0-9a-f]{12})[0-9a-f]+$/, '$1…');
