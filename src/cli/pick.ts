/** What a command line lacks and a person can choose: a workspace, and the ids of the path. */
import type { Context } from '../context.ts';
import { DtpError, ExitCode } from '../errors.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { visible } from '../render/sanitize.ts';
import { isRecord, rowsOf } from '../render/view.ts';
import { advise, commandLine } from './advice.ts';
import { call } from './call.ts';
import { ask, mayAsk } from './confirm.ts';
import { connect } from './connection.ts';
import { openDeadline } from './deadline.ts';
import { isUnsent } from './dry-run.ts';
import { withSettings } from './filled.ts';
import { argumentsOf, kebab } from './flags.ts';
import type { Globals } from './globals.ts';
import type { Given } from './input.ts';
import type { Log } from './log.ts';
import { resolveSettings } from './settings.ts';
import { withSpinner } from './spinner.ts';

interface Asked {
  readonly given: Given;
  readonly globals: Globals;
}

/** The operation that lists what an argument may be; undefined where none does, and it is typed. */
function listFor(operation: Operation, name: string): Operation | undefined {
  if (name === 'tokenID')
    return operation.command[0] === 'ws' ? operations.getWorkspaceTokens : operations.getPublishingToken;
  return lists[name];
}

const lists: Readonly<Record<string, Operation>> = {
  workspace_id: operations.getWorkspaces,
  organizationID: operations.getOrganizations,
  userId: operations.getWorkspaceTeam,
  target_id: operations.getWorkspaceTargets,
  namespace_name: operations.getNamespaces,
  namespaceName: operations.getNamespaces,
  revision_reference: operations.getTags,
};

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
  const list = listFor(operation, name);
  const what = kebab(name)
    .replace(/-(id|name)$/, '')
    .replaceAll('-', ' ');
  if (!list) return typedOut(context, `${what}: `);
  const choices = await choicesOf(context, operation, list, asked, log);
  const noun = list.command.slice(0, -1).join(' ');
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
  operation: Operation,
  list: Operation,
  { given, globals }: Asked,
  log: Log,
): Promise<readonly Choice[]> {
  const settings = await resolveSettings(context, globals);
  const connection = await connect({ context, settings, globals, operation: list, log });
  const deadline = openDeadline(context, list, settings);
  try {
    const known = argumentsOf(operation).map(([name], index) => [name, given.args[index]] as const);
    const input = Object.fromEntries(known.filter(([, value]) => value !== undefined));
    const full = await withSettings(list, input, settings, connection, deadline.signal);
    const value = await withSpinner(context, list.summary, () =>
      call(connection, list, full, deadline.signal),
    );
    const view = { color: false, ...(list.rows !== undefined && { rows: list.rows }) };
    const rows = value.kind === 'json' ? (rowsOf(value.value, view) ?? []) : [];
    return rows.filter(isRecord).flatMap((row) => choiceOf(row, list));
  } catch (error) {
    throw advise(error, list, settings, connection);
  } finally {
    deadline.end();
    await connection.close();
  }
}

/** Namespaces and tags go by their names, anything else by its id. */
function choiceOf(row: Readonly<Record<string, unknown>>, { columns }: Operation): readonly Choice[] {
  const value = columns?.[0] === 'name' ? row.name : row.id;
  if (typeof value !== 'string' || value === '') return [];
  const texts = [row.name, row.email, row.token_name, row.slug, row.generate_target].filter(
    (one): one is string => typeof one === 'string' && one !== value,
  );
  return [{ value, hint: texts.join(', ') }];
}

/** A list to choose from, narrowed by what is typed. Throws `cancelled`, or the interrupt. */
async function chosen(context: Context, message: string, choices: readonly Choice[]): Promise<string> {
  const { autocomplete, isCancel } = await import('@clack/prompts');
  let isInterrupt = false;
  const watch = (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }) => {
    isInterrupt = key?.ctrl === true && key.name === 'c';
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
      input: context.stdin,
      output: context.stderr,
      signal: context.signal,
    });
    if (!isCancel(answer)) return answer;
    context.signal.throwIfAborted();
    throw isInterrupt ? new ExitCode(130) : new DtpError('cancelled', 'nothing was done');
  } finally {
    context.stdin.off('keypress', watch);
  }
}
