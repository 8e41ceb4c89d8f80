/** `dtp events queue list|flush|drop`: lists, sends and deletes the queued events. */
import { millisecondsIn } from '../../declarations/duration.ts';
import { changedError, DtpError, ExitCode } from '../../errors.ts';
import { type FlushResult, flush } from '../../flows/flush.ts';
import { isCredentialRefused } from '../../flows/settle.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { resultWithConnection } from '../../invocation/over.ts';
import type { dropFlags, flushFlags, LocalInput } from '../../local/flags.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Done } from '../../output/done.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { amount } from '../../render/amounts.ts';
import { commandLine, sameService } from '../../settings/command-line.ts';
import type { Globals } from '../../settings/global-flags.ts';
import type { Entry } from '../../store/spool.ts';
import { stateFolder } from '../../system/folders.ts';
import { confirmLocal } from '../confirm.ts';
import { countEvents, queuePortOf } from '../service/queued.ts';
import { openBatches } from './batches.ts';
import { flushingOf } from './progress.ts';

const columns = ['id', 'state', 'events', 'created_at', 'workspace', 'status'];

export async function listSpool({ context }: Invocation): Promise<Result> {
  const spool = await context.openSpool(stateFolder(context));
  return { kind: 'value', value: await spool.list(), shape: { columns } };
}

/** Sends the queued events, with the usual retries of the operation because the user is waiting for the result. */
export async function flushSpool(invocation: Invocation, { flags }: LocalInput<typeof flushFlags>): Promise<Result> {
  const { context, globals, log } = invocation;
  const operation = operationsFor('events').postWorkspaceEvents;
  let delivered = 0;
  return resultWithConnection(invocation, { operation }, async ({ connection, beginWhole }) => {
    const signal = beginWhole();
    const start = context.clock.now();
    const named = await connection.workspaceId(operation, signal);
    const { base } = connection.target;
    const isWanted = (one: { readonly base?: string; readonly workspace?: string }) =>
      one.base === base && (named === undefined || one.workspace === named);
    const state = flags.rejected ? 'rejected' : 'pending';
    const sent = (entries: readonly Entry[]) => entries.filter((one) => one.state === state && isWanted(one));
    const spool = await context.openSpool(stateFolder(context));
    const send = await openBatches(context, operation, connection);
    const total = context.stderr.isTTY === true ? countEvents(await spool.list().then(sent)) : undefined;
    const end = await withSpinner(context, 'sending queued events', (show) => {
      show(flushingOf({ delivered: 0, rejected: 0, pending: 0 }, total));
      return flush(spool, {
        state,
        wanted: isWanted,
        send: (body, workspace) => send(body, workspace, true, signal),
        isOver: () => signal.aborted,
        tell: (flushed) => {
          delivered = flushed.delivered;
          show(flushingOf(flushed, total));
        },
      });
    });
    for (const why of end.unreadable) log.warn(why);
    const elapsed = context.clock.now() - start;
    const late: unknown = signal.aborted ? signal.reason : undefined;
    if (late !== undefined && !(late instanceof DtpError)) throw late;
    const left = await spool.list();
    const pending = countEvents(sent(left));
    const why = end.failure ?? (pending > 0 ? late : undefined);
    // After a failure, the rest was not read.
    const value = resultOf({ ...end, flushed: { ...end.flushed, ...(why && { pending }) } }, elapsed);
    const failure = failureOf({ ...end, failure: why }, value);
    if (failure) throw failure;
    const behind = leftBehind(left.filter(isWanted), state, value);
    if (behind) throw behind;
    const others = left.filter((one) => isQueued(one) && !isWanted(one));
    if (others.length > 0) throw elsewhere(others, value, (one) => nextOf(one, base, named, globals));
    const count =
      value.delivered === 0 ? 'No queued events to deliver' : `Delivered ${amount(value.delivered, 'event')}`;
    return { kind: 'value', value, done: doneOf(count, left) };
  }).catch((error: unknown) => {
    if (error instanceof ExitCode)
      log.note(`interrupted: ${amount(delivered, 'event')} delivered; the others are still queued`);
    throw error;
  });
}

const batchesText = (entries: readonly Entry[]): string =>
  `${amount(entries.length, 'batch', 'batches')} with ${amount(countEvents(entries), 'event')}`;

/** Reports what a command did, and how many batches are still in the queue. */
const doneOf = (text: string, left: readonly Entry[]): Done =>
  left.length === 0
    ? { text: `${text}. The queue is empty`, isWhole: true }
    : { text: `${text}. Still in the queue: ${batchesText(left)}`, next: ['events', 'queue', 'list'], isWhole: true };

const isQueued = ({ state }: Entry): boolean => state === 'pending' || state === 'busy';

/** The error for batches that stay queued because they are for another service or workspace. */
function elsewhere(others: readonly Entry[], details: Outcome, nextFor: (one: Entry) => readonly string[]): DtpError {
  const next = [...new Set(others.flatMap(nextFor))];
  const places = new Set(others.map(({ base, workspace }) => `workspace ${workspace} of ${base}`));
  const more = places.size > 1 ? ` and ${amount(places.size - 1, 'other')}` : '';
  const text = `${deliveredOf(details)}${amount(countEvents(others), 'event is', 'events are')} still queued for ${[...places][0]}${more}`;
  return new DtpError('kept', text, { ...(next.length > 0 ? { hint: 'Send them with:', next } : restart), details });
}

const restart = {
  hint: 'If this service has ended, start it again with the same --port, or delete the events. List them with:',
  next: ['dtp events queue list'],
};

/** The command that sends a batch elsewhere. None for another embedded service, which has probably ended. */
function nextOf({ base = '', workspace = '' }: Entry, ours: string, named: string | undefined, globals: Globals) {
  if (base !== ours && queuePortOf(base) !== undefined) return [];
  const service = base === ours ? sameService(globals, false) : [['--base-url', base] as const];
  const flag = named === undefined || workspace === named ? [] : [['-w', workspace] as const];
  return [commandLine(['events', 'queue', 'flush', ...service, ...flag])];
}

/** Returns the beginning of a failure's message: how many events were delivered before it, if any. */
const deliveredOf = ({ delivered }: Outcome): string =>
  delivered === 0 ? '' : `${amount(delivered, 'event was', 'events were')} delivered; `;

type Outcome = ReturnType<typeof resultOf>;

const resultOf = ({ flushed: { corrupt, ...counts }, unreadable }: FlushResult, elapsed: number) => ({
  accepted: counts.delivered + counts.pending + counts.rejected,
  ...counts,
  elapsed_ms: Math.round(elapsed),
  ...(corrupt > 0 && { corrupt }),
  ...(unreadable.length > 0 && { unreadable: unreadable.length }),
});

function failureOf(end: FlushResult, details: Outcome): DtpError | undefined {
  const { flushed, failure, refusal, unreadable } = end;
  if (failure && isCredentialRefused(failure)) return changedError(failure, { details });
  const list = { next: ['dtp events queue list'], details };
  const refused = {
    hint: 'Fix the events and post them again. List the stored copies and delete them with:',
    next: [...list.next, 'dtp events queue drop --rejected'],
    details,
  };
  if (refusal && flushed.rejected === details.accepted) return changedError(refusal, refused);
  if (refusal) {
    const text = `${flushed.rejected} of ${amount(details.accepted, 'event')} ${flushed.rejected === 1 ? 'was' : 'were'} rejected: ${refusal.message}`;
    return new DtpError('partial', text, refused);
  }
  if (failure) {
    const text = `${deliveredOf(details)}${amount(details.pending, 'event')} could not be delivered and ${details.pending === 1 ? 'is' : 'are'} still queued: ${failure.message}`;
    return new DtpError('kept', text, list);
  }
  if (unreadable.length > 0) {
    const text = `${amount(unreadable.length, 'queued batch or folder', 'queued batches or folders')} could not be read`;
    return new DtpError('kept', text, list);
  }
  if (flushed.corrupt > 0) {
    const text = `${amount(flushed.corrupt, 'queued batch is damaged and was', 'queued batches are damaged and were')} set aside`;
    return new DtpError('partial', text, list);
  }
  return undefined;
}

/** What to do about batches that another process has taken. */
const whenFree = {
  hint: 'Run the command again when that process has finished. If no such process runs, delete the .lock files of the queue.',
  next: ['dtp events queue list'],
  retryable: true,
};

/** The error for batches that another process has taken. Their outcome is not known here. */
function leftBehind(wanted: readonly Entry[], state: Entry['state'], details: Outcome) {
  const count = wanted.filter((one) => one.state === 'busy' || one.state === state).length;
  if (count === 0) return undefined;
  const batches = amount(count, 'batch is', 'batches are');
  const text = `${deliveredOf(details)}${batches} still queued, because another process is sending from the queue`;
  return new DtpError('kept', text, { ...whenFree, details });
}

export async function dropSpool(
  invocation: Invocation,
  { args: ids, flags: options }: LocalInput<typeof dropFlags>,
): Promise<Result> {
  const { context } = invocation;
  if (ids.length === 0 && Object.keys(options).length === 0)
    throw new DtpError('usage', 'specify what to delete: ids, --older-than TIME, --rejected, --corrupt or --all');
  const oldest = options.olderThan === undefined ? undefined : context.date().getTime() - ageOf(options.olderThan);
  const spool = await context.openSpool(stateFolder(context));
  const entries = await spool.list();
  const unknown = ids.find((id) => !entries.some((entry) => entry.id === id));
  if (unknown !== undefined)
    throw new DtpError('not_found', `batch ${unknown} is not in the queue`, { next: ['dtp events queue list'] });
  const chosen = entries.filter((entry) => ids.includes(entry.id) || isChosen(entry, options, oldest));
  if (chosen.length > 0) await confirmLocal(invocation, `Delete ${batchesText(chosen)} permanently`);
  const dropped = await spool.drop(new Set(chosen.map(({ id }) => id)));
  const value = { dropped, busy: chosen.length - dropped };
  if (value.busy > 0) throw new DtpError('kept', notDropped(value), { ...whenFree, details: value });
  const text = dropped === 0 ? 'No batches to delete' : `Deleted ${batchesText(chosen)}`;
  return { kind: 'value', value, done: doneOf(text, await spool.list()) };
}

const notDropped = ({ dropped, busy }: { readonly dropped: number; readonly busy: number }): string =>
  `${dropped > 0 ? `${amount(dropped, 'batch was', 'batches were')} deleted; ` : ''}${amount(busy, 'batch was', 'batches were')} not deleted, because another process is sending from the queue`;

/** Whether a batch matches all given flags. If `oldest` (a time in milliseconds) is set, only older batches match. */
function isChosen({ state, created_at }: Entry, options: LocalInput<typeof dropFlags>['flags'], oldest?: number) {
  if (Object.keys(options).length === 0) return false;
  const states = [options.rejected && 'rejected', options.corrupt && 'corrupt'].filter(Boolean);
  const isOld = oldest === undefined || (created_at !== undefined && Date.parse(created_at) < oldest);
  return isOld && (states.length === 0 || states.includes(state));
}

/** Milliseconds. A bare number is in days. */
function ageOf(text: string): number {
  const ms = millisecondsIn(/^\d+$/.test(text) ? `${text}d` : text);
  if (ms !== undefined) return ms;
  throw new DtpError('usage', `--older-than must be a time such as 12h, 30d or 2w, not "${text}"`);
}
