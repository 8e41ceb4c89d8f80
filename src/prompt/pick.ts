/** What a command line lacks and a person can choose: a workspace, the ids of the path, what a body cannot do without. */
import { Writable } from 'node:stream';
import type { Context } from '../context.ts';
import { DtpError, ExitCode } from '../errors.ts';
import { neededFlags } from '../input/lacking.ts';
import type { Given } from '../input/read.ts';
import { call } from '../invocation/call.ts';
import { withSettings } from '../invocation/fill.ts';
import { openInvocation } from '../invocation/invocation.ts';
import { over } from '../invocation/over.ts';
import type { Operation } from '../operations/operation.ts';
import { withSpinner } from '../output/progress.ts';
import { visible } from '../render/sanitize.ts';
import { isRecord, rowsOf } from '../render/view.ts';
import { commandLine } from '../settings/command-line.ts';
import type { Globals } from '../settings/global-flags.ts';
import { type List, listFor, lists } from '../tree/lists.ts';
import { argumentsOf, type Flag, flagsOf, kebab } from '../tree/operation-flags.ts';
import { ask } from './confirm.ts';

interface Asked {
  readonly given: Given;
  readonly globals: Globals;
}

/** The command line with what was chosen; as it was where nothing is missing. */
export async function pickMissing(context: Context, operation: Operation, asked: Asked): Promise<Asked> {
  let { given, globals } = asked;
  const lacking = argumentsOf(operation).slice(given.args.length);
  const flags = askedFlags(operation, given);
  if (lacking.length === 0 && flags.length === 0 && !('workspace_id' in operation.input)) return asked;
  const { settings, log } = await openInvocation(context, { globals });
  const isLocal = settings.values.base_url?.value.startsWith('local:');
  const before = given.argv;
  if (
    'workspace_id' in operation.input &&
    !settings.values.workspace &&
    !settings.isOwnWorkspace &&
    !isLocal
  ) {
    const workspace = await pick(context, operation, 'workspace_id', { given, globals });
    globals = { ...globals, workspace };
    given = { ...given, argv: [...given.argv, '-w', workspace] };
  }
  const values = await pickArguments(context, operation, { given, globals });
  given = { ...given, args: [...given.args, ...values], argv: [...given.argv, ...values] };
  for (const flag of flags) {
    const texts = await pickFlag(context, operation, flag, { given, globals });
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
  context: Context,
  operation: Operation,
  { given, globals }: Asked,
): Promise<readonly string[]> {
  const args = [...given.args];
  for (const [name] of argumentsOf(operation).slice(args.length))
    args.push(await pick(context, operation, name, { given: { ...given, args }, globals }));
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
  context: Context,
  operation: Operation,
  { name, member = name, many }: Flag,
  asked: Asked,
): Promise<readonly string[]> {
  if (listFor(operation, member)) return [await pick(context, operation, member, asked)];
  const answer = await typedOut(context, `${spaced(member)}${many ? ', separated by spaces' : ''}: `);
  return many ? answer.split(/[\s,]+/).filter(Boolean) : [answer];
}

/** `revision_digest` → `revision digest`. */
const spaced = (name: string): string => kebab(name).replaceAll('-', ' ');

async function pick(context: Context, operation: Operation, name: string, asked: Asked): Promise<string> {
  const listName = listFor(operation, name);
  const field = spaced(name);
  const what = field.replace(/ (id|name|digest)$/, '');
  if (!listName) return typedOut(context, `${field}: `);
  const list: List = lists[listName];
  const choices = await choicesOf(context, operation, list, asked);
  const noun = list.operation.command.slice(0, -1);
  if (choices.length === 0)
    throw new DtpError('usage', `there is no ${what} to choose from`, {
      next: [commandLine([...noun, '--help'])],
    });
  return chosen(context, `Which ${what}?`, choices);
}

async function typedOut(context: Context, question: string): Promise<string> {
  const answer = await ask(context, question);
  if (answer === '') throw new DtpError('cancelled', 'nothing was done');
  return answer;
}

interface Choice {
  readonly value: string;
  /** What a person knows it by. */
  readonly label: string;
  /** What else there is to say, dimmed. */
  readonly hint: string;
}

/** What the service lists, by the arguments that are known already. */
async function choicesOf(
  context: Context,
  asking: Operation,
  { operation, values }: List,
  { given, globals }: Asked,
): Promise<readonly Choice[]> {
  const invocation = await openInvocation(context, { globals });
  const known = argumentsOf(asking).map(([name], index) => [name, given.args[index]] as const);
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

/** A terminal that knows no width is one of 80 columns: the library would give each letter a line. */
const asWide = (stderr: Context['stderr']): Writable =>
  stderr.columns
    ? stderr
    : Object.assign(new Writable({ write: (chunk, _, done) => void stderr.write(chunk, done) }), {
        columns: 80,
      });

/** A list to choose from, narrowed by what is typed. Throws `cancelled`, or the interrupt. */
async function chosen(context: Context, message: string, choices: readonly Choice[]): Promise<string> {
  const { autocomplete, isCancel } = await import('@clack/prompts');
  let isInterrupt = false;
  const ended = new AbortController();
  const watch = (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }) => {
    isInterrupt = key?.ctrl === true && key.name === 'c';
    // Of Ctrl-D, the end of the input, the library knows nothing.
    if (key?.ctrl && key.name === 'd') ended.abort();
  };
  context.stdin.on('keypress', watch);
  try {
    const answer = await autocomplete({
      message,
      options: choices.map(({ value, label, hint }) => ({
        value,
        label: visible(label),
        ...(hint !== '' && { hint: visible(hint) }),
      })),
      maxItems: 10,
      validate: (value) => (value === undefined ? 'Nothing is chosen' : undefined),
      input: context.stdin,
      output: asWide(context.stderr),
      signal: AbortSignal.any([context.signal, ended.signal]),
    });
    if (!isCancel(answer)) return answer;
    context.signal.throwIfAborted();
    throw isInterrupt ? new ExitCode(130) : new DtpError('cancelled', 'nothing was done');
  } finally {
    context.stdin.off('keypress', watch);
  }
}
