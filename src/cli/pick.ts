/** What a command line lacks and a person can choose: a workspace, and the ids of the path. */
import { Writable } from 'node:stream';
import type { Context } from '../context.ts';
import { DtpError, ExitCode } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { visible } from '../render/sanitize.ts';
import { isRecord, rowsOf } from '../render/view.ts';
import { commandLine } from './advice.ts';
import { call } from './call.ts';
import { ask, mayAsk } from './confirm.ts';
import { connect } from './connection.ts';
import { openDeadline } from './deadline.ts';
import { isUnsent } from './dry-run.ts';
import { advise } from './explain.ts';
import { withSettings } from './filled.ts';
import { argumentsOf, kebab } from './flags.ts';
import type { Globals } from './globals.ts';
import type { Given } from './input.ts';
import { type List, listFor, lists } from './lists.ts';
import type { Log } from './log.ts';
import { resolveSettings } from './settings.ts';
import { withSpinner } from './spinner.ts';

interface Asked {
  readonly given: Given;
  readonly globals: Globals;
}

/** The command line with what was chosen; as it was where nothing is missing or nobody can be asked. */
export async function pickMissing(
  context: Context,
  operation: Operation,
  asked: Asked,
  log: Log,
): Promise<Asked> {
  let { given, globals } = asked;
  const lacking = argumentsOf(operation).slice(given.args.length);
  if (lacking.length === 0 && !('workspace_id' in operation.input)) return asked;
  if (!mayAsk(context, globals) || isUnsent(globals)) return asked;
  const settings = await resolveSettings(context, globals);
  const isLocal = settings.values.base_url?.value.startsWith('local:');
  const before = given.argv;
  if ('workspace_id' in operation.input && !settings.values.workspace && !isLocal) {
    const workspace = await pick(context, operation, 'workspace_id', { given, globals }, log);
    globals = { ...globals, workspace };
    given = { ...given, argv: [...given.argv, '-w', workspace] };
  }
  for (const [name] of lacking) {
    const value = await pick(context, operation, name, { given, globals }, log);
    given = { ...given, args: [...given.args, value], argv: [...given.argv, value] };
  }
  if (given.argv !== before) log.note(`that is: ${commandLine(given.argv)}`);
  return { given, globals };
}

async function pick(
  context: Context,
  operation: Operation,
  name: string,
  asked: Asked,
  log: Log,
): Promise<string> {
  const listName = listFor(operation, name);
  const field = kebab(name).replaceAll('-', ' ');
  const what = field.replace(/ (id|name)$/, '');
  if (!listName) return typedOut(context, `${field}: `);
  const list: List = lists[listName];
  const choices = await choicesOf(context, operation, list, asked, log);
  const noun = list.operation.command.slice(0, -1).join(' ');
  if (choices.length === 0)
    throw new DtpError('usage', `there is no ${what} to choose from`, { next: [`dtp ${noun} --help`] });
  return chosen(context, `Which ${what}?`, choices);
}

async function typedOut(context: Context, question: string): Promise<string> {
  const answer = await ask(context, question);
  if (answer === '') throw new DtpError('cancelled', 'nothing was done');
  return answer;
}

interface Choice {
  readonly value: string;
  readonly hint: string;
}

/** What the service lists, by the arguments that are known already. */
async function choicesOf(
  context: Context,
  asking: Operation,
  { operation, values }: List,
  { given, globals }: Asked,
  log: Log,
): Promise<readonly Choice[]> {
  const settings = await resolveSettings(context, globals);
  const connection = await connect({ context, settings, globals, operation, log });
  const deadline = openDeadline(context, operation, settings);
  const known = argumentsOf(asking).map(([name], index) => [name, given.args[index]] as const);
  const input = Object.fromEntries(known.filter(([, value]) => value !== undefined));
  try {
    const full = await withSettings(operation, input, settings, connection, deadline.signal);
    const answer = await withSpinner(context, operation.summary, () =>
      call(connection, operation, full, deadline.signal),
    );
    const view = { color: false, ...(operation.rows !== undefined && { rows: operation.rows }) };
    const rows = answer.kind === 'json' ? (rowsOf(answer.value, view) ?? []).filter(isRecord) : [];
    return values.flatMap(([value, help]) => rows.flatMap((row) => choiceOf(row[value], row[help])));
  } catch (error) {
    throw advise(error, { context, operation, input, settings, globals, connection });
  } finally {
    deadline.end();
    await connection.close();
  }
}

const choiceOf = (value: unknown, help: unknown): readonly Choice[] =>
  typeof value === 'string' && value !== '' ? [{ value, hint: typeof help === 'string' ? help : '' }] : [];

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
      options: choices.map(({ value, hint }) => ({
        value,
        label: visible(hint === '' ? value : hint),
        ...(hint !== '' && { hint: visible(value) }),
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
