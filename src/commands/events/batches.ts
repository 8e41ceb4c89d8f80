/** Sends one batch per request. Every attempt sends the same bytes, and each request has a separate deadline. */
import type { Context } from '../../context.ts';
import { exchange } from '../../invocation/call.ts';
import type { Connection } from '../../invocation/connection.ts';
import { deadlineIn } from '../../invocation/deadline.ts';
import { withoutSecrets } from '../../invocation/explain.ts';
import type { Operation } from '../../operations/operation.ts';
import { buildRequest } from '../../request/build.ts';
import type { Send } from '../../request/http.ts';

/** Sends a body and returns the number of attempts. Without `again` it is never retried. */
export type SendBatch = (body: Uint8Array, workspace: string, again: boolean, signal: AbortSignal) => Promise<number>;

/** In milliseconds: 60 s of declared retries, and the time of the last attempt. */
const LONGEST = 90_000;

/** Throws `auth` if there is no credential, before the first batch. */
export async function openBatches(context: Context, operation: Operation, connection: Connection): Promise<SendBatch> {
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
      // The failure is stored with the batch, so it must not contain secrets.
      throw withoutSecrets(failure, connection.secrets);
    } finally {
      deadline.end();
    }
  };
}
