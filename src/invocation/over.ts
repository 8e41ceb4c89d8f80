/** Calls within an invocation: the connection, the time that they may take, and the explanation of their failures. */
import type { Input, Operation } from '../operations/operation.ts';
import type { OpenCalls, Result } from '../output/result.ts';
import type { FoundCredential } from '../settings/credential.ts';
import { type Connection, connect } from './connect.ts';
import { type MovingDeadline, openDeadline } from './deadline.ts';
import { advise } from './explain.ts';
import type { Invocation } from './invocation.ts';

/** What the calls are for. */
export interface Purpose {
  readonly operation: Operation;
  /** What is asked with, for the explanation of a failure. */
  readonly input?: Input | undefined;
  /** Instead of the configured credential. */
  readonly credential?: FoundCredential | undefined;
}

export interface Calls {
  readonly connection: Connection;
  /** Starts the time of an operation; it ends with the calls. */
  readonly begin: (operation: Operation) => MovingDeadline;
  /** Starts the time that the user gave for the whole. Without one each request has its own: the user's interrupt alone. */
  readonly beginWhole: () => AbortSignal;
}

/** `work` over a connection that is closed when it ends. Failures are explained. */
export async function over<T>(
  invocation: Invocation,
  purpose: Purpose,
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

/** The same for a result, which keeps the connection until it is written. */
export async function resultOver(
  invocation: Invocation,
  purpose: Purpose,
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

/** For calls that are neither of one piece of work nor of one result. Whoever opens them ends them. */
export async function openCalls(
  { context, settings, globals, log, connect: own }: Invocation,
  { operation, input, credential }: Purpose,
): Promise<{ readonly calls: Calls; readonly open: OpenCalls }> {
  const wanted = { context, settings, globals, operation, log, credential };
  const connection = await (own ?? connect)(wanted);
  const deadlines: MovingDeadline[] = [];
  const begin = (asked: Operation) => {
    const deadline = openDeadline(context, asked, settings);
    deadlines.push(deadline);
    return deadline;
  };
  const attempt = { context, operation, input, settings, globals, connection };
  return {
    calls: {
      connection,
      begin,
      beginWhole: () => (settings.values.timeout ? begin(operation).signal : context.signal),
    },
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
