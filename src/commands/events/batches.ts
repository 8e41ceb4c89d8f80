/** One batch → one request: the same bytes in every attempt, each request with a deadline of its own. */
import type { Context } from '../../context.ts';
import { exchange } from '../../invocation/call.ts';
import type { Connection } from '../../invocation/connect.ts';
import { deadlineIn } from '../../invocation/deadline.ts';
import { withoutSecrets } from '../../invocation/explain.ts';
import type { Operation } from '../../operations/operation.ts';
import { buildRequest } from '../../request/build.ts';
import type { Send } from '../../request/http.ts';

/** Sends a body; how often it was sent. Without `again` once, whatever comes of it. */
export type SendBatch = (
  body: Uint8Array,
  workspace: string,
  again: boolean,
  signal: AbortSignal,
) => Promise<number>;

/** The declared retry's 60 s (Limits 1), and the time of the attempt that is begun last. */
const LONGEST = 90_000;

/** Throws `auth` where there is no credential, before there is a batch. */
export async function openBatches(
  context: Context,
  operation: Operation,
  connection: Connection,
): Promise<SendBatch> {
  const { retry: _, ...once } = operation;
  const [declared, single] = [await connection.sendFor(operation), await connection.sendFor(once)];
  return async (body, workspace, again, signal) => {
    const request = buildRequest(operation, { workspace_id: workspace, body: [] }, connection.target);
    let attempts = 1;
    const counting: Send = async (...call) => {
      const response = await (again ? declared : single)(...call);
      attempts = response.attempts ?? 1;
      return response;
    };
    const deadline = deadlineIn(context, LONGEST, signal);
    try {
      await exchange(counting, operation, { ...request, body }, deadline.signal);
      return attempts;
    } catch (failure) {
      // What is said of a batch is kept beside it.
      throw withoutSecrets(failure, connection.secrets);
    } finally {
      deadline.end();
    }
  };
}
