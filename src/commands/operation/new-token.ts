/** Creates a workspace token and looks up its record, because the service answers without the id and the key. */
import { messageOf } from '../../caught.ts';
import { DtpError } from '../../errors.ts';
import { call } from '../../invocation/connection.ts';
import { type Deadline, lookUpTime, timeoutOf, withDeadline } from '../../invocation/deadline.ts';
import { fieldsOf, isRecord, type JsonObject } from '../../json-object.ts';
import { operationsFor } from '../../operations/areas.ts';
import { doneOf } from '../../output/done.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { jsonBody } from '../../request/build.ts';
import { fieldsIn, type Value } from '../../request/read.ts';
import { commandLine, sameService } from '../../settings/command-line.ts';
import { answer, type Sending } from './work.ts';

const list = operationsFor('ws').getWorkspaceTokens;

type Listed = { readonly tokens: readonly JsonObject[] } | { readonly why: string };

/**
 * Lists the tokens, creates the token, and lists them again to find the new record. If a list fails, the token is
 * created nevertheless, and a warning says how to get the key. Prompts before it creates a second token with the same
 * name; if that is not possible, warns. Throws `partial` without any key if another process has created a token with
 * the same name at the same time, and `cancelled` if the user declines.
 */
export async function createToken(sending: Sending): Promise<Result> {
  const { invocation, operation, input, ask, calls } = sending;
  const { context, log } = invocation;
  const { name } = fieldsOf(jsonBody(operation, input));
  const before = await listed(sending, sending.deadline);
  const isNamed = (token: JsonObject) => token.name === name;
  const same = 'tokens' in before ? before.tokens.filter(isNamed) : [];
  const deadline = same.length > 0 ? await confirmSecond(sending, same) : sending.deadline;
  const { value, after } = await withSpinner(context, operation.summary, async () => {
    const value = await ask({}, deadline.signal);
    const isWhole = isKeyed(fieldsIn(value)) || 'why' in before;
    return { value, after: isWhole ? before : await listedAfter(sending, deadline) };
  });
  const made = fieldsIn(value);
  if (isKeyed(made)) return withRecord(sending, value, made);
  const failed = 'why' in before ? before : 'why' in after ? after : undefined;
  const known = new Set('tokens' in before ? before.tokens.map(({ id }) => id) : []);
  const found = ('tokens' in after ? after.tokens : []).filter((token) =>
    made.id === undefined ? !known.has(token.id) && (name === undefined || isNamed(token)) : token.id === made.id,
  );
  if (found.length > 1) throw ambiguous(sending, found);
  const [created] = found;
  if (!failed && created && isKeyed(created)) {
    calls.connection.hide(created.key);
    return withRecord(sending, { kind: 'json', status: value.status, value: created }, created);
  }
  const why = failed?.why ?? (created ? 'the list has no key for it' : 'it is not in the list');
  log.warn(`the token was created, but its key could not be fetched: ${why}. To see it: ${showCommand(sending)}`);
  // `-o name` prints nothing rather than a name that cannot be the id.
  const hasNone = invocation.output.format === 'name' && made.id === undefined;
  const shown: Value = hasNone ? { kind: 'none', status: value.status } : value;
  return { ...answer(operation, shown), done: doneOf(operation, input, made) };
}

const showCommand = ({ invocation }: Sending): string =>
  commandLine([...list.command, '-o', 'json', ...sameService(invocation.globals)]);

const isKeyed = (token: JsonObject): token is JsonObject & { readonly id: string; readonly key: string } =>
  [token.id, token.key].every((one) => typeof one === 'string' && one !== '');

const withRecord = (
  { operation, input }: Sending,
  value: Value,
  token: JsonObject & { readonly key: string },
): Result => ({ ...answer(operation, value), alone: token.key, done: doneOf(operation, input, token) });

/** Throws only if the deadline has passed or the user has interrupted the command. */
async function listed(
  { invocation: { context, settings }, calls, input: { workspace_id } }: Sending,
  { signal }: Pick<Deadline, 'signal'>,
): Promise<Listed> {
  try {
    const ms = lookUpTime(timeoutOf(list, settings));
    const ask = (until: AbortSignal) => call(calls.connection, list, { workspace_id }, until);
    const value = await withDeadline(context, ms, signal, ask);
    // Services may send null for an empty list.
    const rows = value.kind === 'json' ? (value.value ?? []) : undefined;
    return Array.isArray(rows) ? { tokens: rows.filter(isRecord) } : { why: 'the response is not a list' };
  } catch (error) {
    signal.throwIfAborted();
    return { why: messageOf(error) };
  }
}

/** Throws only if the user has interrupted the command. The token exists, so the deadline must not hide it. */
async function listedAfter(sending: Sending, { signal }: Pick<Deadline, 'signal'>): Promise<Listed> {
  const { invocation, operation, calls } = sending;
  try {
    return await listed(sending, { signal });
  } catch (error) {
    if (invocation.context.signal.aborted) {
      invocation.log.note(`the token was created; show it with: ${showCommand(sending)}`);
      throw error;
    }
    // Writing the result needs time too.
    calls.begin(operation);
    return { why: messageOf(error) };
  }
}

/** Returns the deadline to create the token with. The time that the user takes to answer does not count. */
async function confirmSecond({ invocation, operation, calls, deadline }: Sending, same: readonly JsonObject[]) {
  const { globals, openPrompts, log } = invocation;
  const [first] = same;
  const text = `the workspace already has a token named "${first?.name}" (${same.map(({ id }) => id).join(', ')})`;
  const prompts = globals.yes ? undefined : openPrompts();
  if (!prompts) {
    log.warn(text);
    return deadline;
  }
  deadline.end();
  if (!(await prompts.agrees(`${text.replace(/^t/, 'T')}. Create another one?`)))
    throw new DtpError('cancelled', 'cancelled. Nothing was changed');
  return calls.begin(operation);
}

function ambiguous(sending: Sending, tokens: readonly JsonObject[]): DtpError {
  const ids = tokens.map(({ id }) => String(id));
  const text = `the token was created, but several tokens named "${tokens[0]?.name}" appeared at the same time: ${ids.join(', ')}`;
  return new DtpError('partial', text, {
    hint: 'Another process may have created the others, so no key is printed. Show the tokens with:',
    next: [showCommand(sending)],
    details: { ids },
  });
}
