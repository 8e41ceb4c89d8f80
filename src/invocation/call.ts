/** Calls an operation over a connection. */
import { mapErrors } from '../caught.ts';
import { DtpError, withFacts } from '../errors.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { buildRequest } from '../request/build.ts';
import type { HttpRequest, Send } from '../request/http.ts';
import { readResponse, type Value } from '../request/read.ts';
import type { Connection } from './connection.ts';

/** Calls the operation of a command with additional input. */
export type Ask = (more: Input, signal: AbortSignal) => Promise<Value>;

/** Calls an operation that does not send a multipart form. */
export async function call(connection: Connection, operation: Operation, input: Input, signal: AbortSignal) {
  const request = buildRequest(operation, input, connection.target);
  return exchange(await connection.sendFor(operation), operation, request, signal);
}

/** Sends a request and reads its response. Errors name the operation. */
export async function exchange(send: Send, operation: Operation, request: HttpRequest, signal: AbortSignal) {
  const facts = { operation: operation.id, method: request.method, path: new URL(request.url).pathname, attempts: 1 };
  const explained = (error: unknown) => (isOfAnother(error, operation) ? error : withFacts(error, facts));
  try {
    const value = await readResponse(operation, await send(request, { signal }), request);
    return value.kind === 'bytes' ? { ...value, body: mapErrors(value.body, explained) } : value;
  } catch (error) {
    throw explained(error);
  }
}

/** Whether the error is from an earlier request, such as the one that fetches a token. */
const isOfAnother = (error: unknown, { id }: Operation): boolean =>
  error instanceof DtpError && (error.facts.operation ?? id) !== id;
