/** Enforces the time limits of commands and requests. */
import type { Context } from '../context.ts';
import { durationOf } from '../declarations/duration.ts';
import { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { passedOn, type Send } from '../request/http.ts';
import type { Settings } from '../settings/resolve.ts';

export type Deadline = ReturnType<typeof deadlineIn>;

/** In bytes per second. A file transfer that is at least this fast does not time out, unless the user set a limit. */
const slowest = 100_000;

/** A deadline that is extended while the bytes of a file are transferred. */
export type MovingDeadline = ReturnType<typeof openDeadline>;

/** Starts the deadline of a whole command. An idle timeout is not enough: a body that arrives slowly is never idle. */
export function openDeadline(context: Context, operation: Operation, settings: Settings) {
  let moved = 0;
  const count = (bytes: number) => {
    moved += bytes;
  };
  const mayGrow = movesFile(operation) && !settings.values.timeout;
  const deadline = deadlineIn(context, timeoutOf(operation, settings), context.signal, () => timeFor(moved));
  /** Wraps `send` so that transferred bytes extend the deadline. */
  const moving = (send: Send): Send => (mayGrow ? counting(send, count) : send);
  return { ...deadline, moving };
}

const movesFile = ({ input, result, flow }: Operation): boolean =>
  result === 'bytes' ||
  flow === 'link' ||
  Object.values(input).some((field) => field.in === 'part' && field.kind === 'file');

/** Returns the time limit of an operation's request in milliseconds. */
export function timeoutOf(operation: Operation, settings: Settings): number {
  const set = settings.values.timeout;
  return set ? durationOf(set.value, set.source) : (operation.timeout ?? 60) * 1000;
}

/** The longest time for a list or a check in milliseconds. The rest of the command's time is left for its operation. */
export const lookUpTime = (ms: number): number => Math.min(10_000, ms / 3);

/** Returns by how many milliseconds transferred bytes extend a deadline. */
export const timeFor = (bytes: number): number => (bytes / slowest) * 1000;

/**
 * Starts a deadline of `ms` milliseconds plus those that `more` returns by then. Its signal is aborted with a `timeout`
 * error when the time is up, or earlier if `signal` aborts.
 */
export function deadlineIn(
  context: Pick<Context, 'clock'>,
  ms: number,
  signal: AbortSignal,
  more: () => number = () => 0,
) {
  const over = new AbortController();
  const done = new AbortController();
  const wait = async () => {
    let waited = 0;
    for (let left = ms; left > 0; left = ms + more() - waited) {
      await context.clock.sleep(left, done.signal);
      waited += left;
    }
    const time = waited < 100 ? `${Math.ceil(waited)} ms` : `${Math.round(waited / 100) / 10} s`;
    over.abort(new DtpError('timeout', `no result within ${time}`, { hint: 'Allow more time with --timeout.' }));
  };
  wait().catch(() => undefined);
  return { signal: AbortSignal.any([signal, over.signal]), end: () => done.abort(ended) };
}

/** Runs `work` with a deadline of `ms` milliseconds. The deadline ends with the work. */
export function withDeadline<T>(
  context: Pick<Context, 'clock'>,
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = deadlineIn(context, ms, signal);
  return work(deadline.signal).finally(deadline.end);
}

/** The reason for the abort. Without a reason, `abort` would create an error with a stack for each request. */
const ended = 'the work has ended';

/** Wraps `send` to count the bytes of request and response bodies. */
function counting(send: Send, count: (bytes: number) => void): Send {
  const passing = (body: AsyncIterable<Uint8Array>) => passedOn(body, { see: (piece) => count(piece.byteLength) });
  return async (request, options) => {
    const { body } = request;
    const counted =
      body && 'open' in body ? { ...request, body: { ...body, open: () => passing(body.open()) } } : request;
    const response = await send(counted, options);
    return { ...response, body: passing(response.body) };
  };
}
