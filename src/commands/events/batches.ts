/** Sends one batch per request. Every attempt sends the same bytes, and each request has a separate deadline. */
import type { Context } from '../../context.ts';
import { changedError, DtpError } from '../../errors.ts';
import { type Connection, exchange } from '../../invocation/connection.ts';
import { withDeadline } from '../../invocation/deadline.ts';
import { withoutSecrets } from '../../invocation/explain.ts';
import { fieldsOf } from '../../json-object.ts';
import type { Operation } from '../../operations/operation.ts';
import { buildRequest } from '../../request/build.ts';
import { elementsIn } from '../../request/elements.ts';
import type { Send } from '../../request/http.ts';

/** Sends a body and returns the number of attempts. Without `again` it is never retried. */
export type SendBatch = (body: Uint8Array, workspace: string, again: boolean, signal: AbortSignal) => Promise<number>;

/** The deadline of a request, in milliseconds: 60 s of retries (Limits 1), and the time of the last attempt. */
const LONGEST = 90_000;

/** Returns the function that sends batches. If there is no credential, throws `auth` itself, before any batch. */
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
    const post = (until: AbortSignal) => exchange(counting, operation, { ...request, body }, until);
    try {
      await withDeadline(context, LONGEST, signal, post);
      return attempts;
    } catch (failure) {
      // The failure is stored with the batch, so it must not contain secrets.
      throw withoutSecrets(withEvent(failure, body), context.secrets);
    }
  };
}

/** Replaces `body[2]` in a service's message with the id of the event, because the user did not make the batch. */
function withEvent(failure: unknown, body: Uint8Array): unknown {
  if (!(failure instanceof DtpError)) return failure;
  const named = failure.message.replace(/\bbody\[(\d{1,6})\]\.?\s*/, (place, at: string) => {
    const event = elementsIn(body)[Number(at)];
    const { id } = fieldsOf(event && JSON.parse(Buffer.from(event).toString()));
    if (!event) return place;
    return typeof id === 'string' && id !== '' ? `event ${id}: ` : 'an event without a valid id: ';
  });
  return changedError(failure, {}, named);
}
