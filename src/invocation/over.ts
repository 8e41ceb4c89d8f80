/** Runs the requests of a command: connects, sets time limits, explains failures, and closes the connection. */
import type { Operation } from '../operations/operation.ts';
import type { OpenCalls, Result } from '../output/result.ts';
import { connect } from './connect.ts';
import type { Attempt, Calls, ConnectOptions } from './connection.ts';
import { type MovingDeadline, openDeadline } from './deadline.ts';
import { advise } from './explain.ts';
import type { Invocation } from './invocation.ts';

export type CallOptions = Pick<ConnectOptions, 'operation' | 'credential'> & Pick<Attempt, 'input'>;

/** Runs `work` with a connection and closes the connection. Adds hints to failures. */
export async function withConnection<T>(
  invocation: Invocation,
  purpose: CallOptions,
  work: (calls: Calls) => Promise<T>,
): Promise<T> {
  const { calls, open } = await openCalls(invocation, purpose);
  try {
    return await work(calls);
  } catch (error) {
    throw open.explain(error);
  } finally {
    await open.end();
  }
}

/** Does the same for work that returns a result. The connection stays open until the result is written. */
export async function resultWithConnection(
  invocation: Invocation,
  purpose: CallOptions,
  work: (calls: Calls) => Promise<Result>,
): Promise<Result> {
  const { calls, open } = await openCalls(invocation, purpose);
  try {
    return { ...(await work(calls)), calls: open };
  } catch (error) {
    await open.end();
    throw open.explain(error);
  }
}

/** Opens a connection for calls. The caller must close it with `open.end`. */
export async function openCalls(
  { context, argv, settings, globals, log, connect: own }: Invocation,
  { operation, input, credential }: CallOptions,
): Promise<{ readonly calls: Calls; readonly open: OpenCalls }> {
  const wanted = { context, settings, globals, operation, log, argv, credential };
  const connection = await (own ?? connect)(wanted);
  const deadlines: MovingDeadline[] = [];
  const begin = (asked: Operation) => {
    const deadline = openDeadline(context, asked, settings);
    deadlines.push(deadline);
    return deadline;
  };
  const attempt = { context, operation, input, settings, globals, connection };
  const beginWhole = () => (settings.values.timeout ? begin(operation).signal : context.signal);
  return {
    calls: { connection, begin, beginWhole },
    open: {
      get signal() {
        return deadlines.at(-1)?.signal ?? context.signal;
      },
      explain: (error) => advise(error, attempt),
      end: async () => {
        for (const deadline of deadlines) deadline.end();
        await connection.close();
      },
    },
  };
}
