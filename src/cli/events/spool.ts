/** The commands on the spool: list, flush, drop. */
import type { Context } from '../../context.ts';
import { DtpError, ExitCode } from '../../errors.ts';
import { type FlushEnd, flush } from '../../flows/flush.ts';
import { isShut } from '../../flows/settle.ts';
import { operations } from '../../operations/index.ts';
import type { Entry } from '../../store/spool.ts';
import { commandLine, sameService } from '../advice.ts';
import { agree } from '../confirm.ts';
import { connect } from '../connection.ts';
import { openDeadline } from '../deadline.ts';
import { emitResult } from '../emit.ts';
import { advise } from '../explain.ts';
import { stateFolder } from '../folders.ts';
import type { Globals } from '../globals.ts';
import { openLog } from '../log.ts';
import { outputOf, refuseNames } from '../output.ts';
import { resolveSettings } from '../settings.ts';
import { withProgress, withSpinner } from '../spinner.ts';
import { openBatches } from './batches.ts';

export interface FlushFlags {
  readonly rejected?: boolean;
}

export interface DropOptions {
  readonly olderThan?: string;
  readonly rejected?: boolean;
  readonly corrupt?: boolean;
  readonly all?: boolean;
}

const columns = ['id', 'state', 'events', 'created_at', 'workspace', 'status'];

const DAY = 86_400_000;

export async function listSpool(context: Context, globals: Globals): Promise<void> {
  const output = await outputOf(context, globals, await resolveSettings(context, globals));
  const spool = await context.openSpool(stateFolder(context));
  await emitResult(context, await spool.list(), output, { columns }, openLog(context, globals));
}

/** With the declared retry: a person, or a script, is waiting for it. */
export async function flushSpool(context: Context, globals: Globals, flags: FlushFlags): Promise<void> {
  const operation = operations.postWorkspaceEvents;
  const log = openLog(context, globals);
  const settings = await resolveSettings(context, globals);
  for (const fault of settings.faults) log.warn(fault.message);
  const output = await outputOf(context, globals, settings);
  refuseNames(output, 'events spool flush');
  const connection = await connect({ context, settings, globals, operation, log });
  const deadline = settings.values.timeout && openDeadline(context, operation, settings);
  const signal = deadline?.signal ?? context.signal;
  const start = context.clock.now();
  let delivered = 0;
  const named = settings.values.workspace?.value;
  try {
    const { base } = connection.target;
    const isWanted = (one: { readonly base?: string; readonly workspace?: string }) =>
      one.base === base && (named === undefined || one.workspace === named);
    const spool = await context.openSpool(stateFolder(context));
    const send = await openBatches(context, operation, connection);
    const state = flags.rejected ? 'rejected' : 'pending';
    const end = await withSpinner(withProgress(context, globals), 'Deliver what is kept', (show) =>
      flush(spool, {
        state,
        wanted: isWanted,
        send: (body, workspace) => send(body, workspace, true, signal),
        isOver: () => signal.aborted,
        tell: (flushed) => {
          delivered = flushed.delivered;
          show(`${delivered} events delivered`);
        },
      }),
    );
    const result = resultOf(end, context.clock.now() - start);
    if (signal.aborted) throw broken(signal.reason, result);
    const failure = failureOf(end, result);
    if (failure) throw failure;
    const left = await spool.list();
    const others = left.filter((one) => one.state === 'pending' && !isWanted(one));
    for (const note of new Set(others.map((one) => noteOf(one, base, named, globals)))) log.note(note);
    const behind = leftBehind(left.filter(isWanted), state, result);
    if (behind) throw behind;
    await emitResult(context, result, output, {}, log);
  } catch (error) {
    if (error instanceof ExitCode) log.note(`interrupted: ${delivered} events delivered; ${STILL}`);
    throw advise(error, { context, operation, settings, globals, connection });
  } finally {
    deadline?.end();
    await connection.close();
  }
}

/** How to deliver what this flush has left, because it is for another service or another workspace. */
function noteOf(
  { base = '', workspace = '' }: Entry,
  ours: string,
  named: string | undefined,
  globals: Globals,
): string {
  const service = base === ours ? sameService(globals, false) : ['--base-url', base];
  const flag = named === undefined || workspace === named ? [] : ['-w', workspace];
  const where = base === ours ? `workspace ${workspace}` : base;
  return `more is kept for ${where}: ${commandLine(['events', 'spool', 'flush', ...service, ...flag])}`;
}

const STILL = 'the others are still kept';

/** The end of the user's time, with what was done until then. */
const broken = (reason: unknown, details: ReturnType<typeof resultOf>): unknown =>
  reason instanceof DtpError
    ? new DtpError(reason.code, `${reason.message}: ${details.delivered} events delivered; ${STILL}`, {
        ...reason.facts,
        details,
      })
    : reason;

const resultOf = ({ flushed: { corrupt, ...counts } }: FlushEnd, elapsed: number) => ({
  accepted: counts.delivered + counts.pending + counts.rejected,
  ...counts,
  elapsed_ms: Math.round(elapsed),
  ...(corrupt > 0 && { corrupt }),
});

function failureOf(end: FlushEnd, details: ReturnType<typeof resultOf>): DtpError | undefined {
  const { flushed, failure, refusal } = end;
  if (failure && isShut(failure))
    return new DtpError(failure.code, failure.message, { ...failure.facts, details });
  const list = { next: ['dtp events spool list'], details };
  const refused = {
    hint: 'Fix them and post them again. List what is stored of them, and delete it:',
    next: [...list.next, 'dtp events spool drop --rejected'],
    details,
  };
  if (refusal && flushed.rejected === details.accepted)
    return new DtpError(refusal.code, refusal.message, { ...refusal.facts, ...refused });
  if (refusal)
    return new DtpError(
      'partial',
      `${flushed.rejected} of ${details.accepted} events were rejected: ${refusal.message}`,
      refused,
    );
  if (failure)
    return new DtpError(
      'kept',
      `${flushed.pending} events could not be delivered and are still kept: ${failure.message}`,
      list,
    );
  if (flushed.corrupt > 0)
    return new DtpError('partial', `${flushed.corrupt} kept batches were damaged, and are set aside`, list);
  return undefined;
}

/** Batches that another process has, or had until a moment ago. What it does with them, nobody has seen. */
function leftBehind(
  wanted: readonly Entry[],
  state: Entry['state'],
  details: ReturnType<typeof resultOf>,
): DtpError | undefined {
  const count = wanted.filter((one) => one.state === 'busy' || one.state === state).length;
  if (count === 0) return undefined;
  const batches = count === 1 ? '1 batch is' : `${count} batches are`;
  return new DtpError('kept', `${batches} still queued, because another process is sending from the spool`, {
    hint: 'Run the command again when that has ended.',
    next: ['dtp events spool list'],
    retryable: true,
    details,
  });
}

export async function dropSpool(
  context: Context,
  globals: Globals,
  ids: readonly string[],
  options: DropOptions,
  argv: readonly string[],
): Promise<void> {
  const output = await outputOf(context, globals, await resolveSettings(context, globals));
  refuseNames(output, 'events spool drop');
  if (ids.length === 0 && Object.keys(options).length === 0)
    throw new DtpError('usage', 'say which: ids, --older-than DAYS, --rejected, --corrupt or --all');
  const oldest =
    options.olderThan === undefined ? undefined : context.date().getTime() - daysOf(options.olderThan) * DAY;
  const spool = await context.openSpool(stateFolder(context));
  const entries = await spool.list();
  const unknown = ids.find((id) => !entries.some((entry) => entry.id === id));
  if (unknown !== undefined)
    throw new DtpError('not_found', `nothing is kept under ${unknown}`, { next: ['dtp events spool list'] });
  const chosen = entries.filter((entry) => ids.includes(entry.id) || isChosen(entry, options, oldest));
  const events = chosen.reduce((sum, entry) => sum + (entry.events ?? 0), 0);
  if (chosen.length > 0)
    await agree(context, globals, argv, `Remove ${chosen.length} batches with ${events} events for good`);
  const dropped = await spool.drop(new Set(chosen.map(({ id }) => id)));
  const result = { dropped, busy: chosen.length - dropped };
  await emitResult(context, result, output, {}, openLog(context, globals));
}

/** What all of the flags say; `oldest` in milliseconds, what is older is meant. */
function isChosen({ state, created_at }: Entry, options: DropOptions, oldest: number | undefined): boolean {
  if (Object.keys(options).length === 0) return false;
  const states = [options.rejected && 'rejected', options.corrupt && 'corrupt'].filter(Boolean);
  const isOld = oldest === undefined || (created_at !== undefined && Date.parse(created_at) < oldest);
  return isOld && (states.length === 0 || states.includes(state));
}

function daysOf(text: string): number {
  const [, days] = /^(\d+)d?$/.exec(text) ?? [];
  if (days !== undefined) return Number(days);
  throw new DtpError('usage', `--older-than must be a number of days, such as 30; "${text}" is not`);
}
