/** The longest that a command may take. */
import type { Context } from '../context.ts';
import { durationOf } from '../declarations/duration.ts';
import { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import type { Send } from '../request/http.ts';
import type { Settings } from '../settings/resolve.ts';

export interface Deadline {
  /** Aborted by the user's interrupt, or with a `timeout` error when the time is over. */
  readonly signal: AbortSignal;
  readonly end: () => void;
}

/** Bytes a second: what moves a file at least so fast is not cut, unless the user has said how long it may take. */
const slowest = 100_000;

/** The deadline of a command, in which a file that moves gains time. */
export interface MovingDeadline extends Deadline {
  /** `send`, whose bytes are time gained. */
  readonly moving: (send: Send) => Send;
}

/** A body that drips never trips a time-out between two pieces, so the whole has a deadline of its own. */
export function openDeadline(context: Context, operation: Operation, settings: Settings): MovingDeadline {
  let moved = 0;
  const mayGrow = movesFile(operation) && !settings.values.timeout;
  const deadline = deadlineIn(context, timeoutOf(operation, settings), context.signal, () => timeFor(moved));
  return {
    ...deadline,
    moving: (send) =>
      mayGrow
        ? counting(send, (bytes) => {
            moved += bytes;
          })
        : send,
  };
}

const movesFile = ({ input, result, flow }: Operation): boolean =>
  result === 'bytes' ||
  flow === 'link' ||
  Object.values(input).some((field) => field.in === 'part' && field.kind === 'file');

/** Milliseconds that a request of an operation may take. */
export function timeoutOf(operation: Operation, settings: Settings): number {
  const set = settings.values.timeout;
  return set ? durationOf(set.value, set.source) : (operation.timeout ?? 60) * 1000;
}

/** Milliseconds more that a file of so many bytes may take. */
export const timeFor = (bytes: number): number => (bytes / slowest) * 1000;

/** One of `ms` milliseconds, and of what `more` says when they are over, within what `signal` ends already. */
export function deadlineIn(
  context: Pick<Context, 'clock'>,
  ms: number,
  signal: AbortSignal,
  more: () => number = () => 0,
): Deadline {
  const over = new AbortController();
  const done = new AbortController();
  const wait = async () => {
    let waited = 0;
    for (let left = ms; left > 0; left = ms + more() - waited) {
      await context.clock.sleep(left, done.signal);
      waited += left;
    }
    over.abort(
      new DtpError('timeout', `no result within ${Math.round(waited / 100) / 10} s`, {
        hint: 'Give more time with --timeout.',
      }),
    );
  };
  wait().catch(() => undefined);
  return { signal: AbortSignal.any([signal, over.signal]), end: () => done.abort() };
}

/** `send`, which tells how many bytes of bodies pass, there and back. */
function counting(send: Send, tell: (bytes: number) => void): Send {
  const told = async function* (body: AsyncIterable<Uint8Array>) {
    for await (const piece of body) {
      tell(piece.byteLength);
      yield piece;
    }
  };
  return async (request, options) => {
    const { body } = request;
    const counted =
      body && 'open' in body ? { ...request, body: { ...body, open: () => told(body.open()) } } : request;
    const response = await send(counted, options);
    return { ...response, body: told(response.body) };
  };
}
