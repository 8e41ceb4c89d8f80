/** Sends an operation with the configured credential, or with a token for a namespace. */
import type { Context } from '../context.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Log } from '../output/log.ts';
import { visible } from '../render/sanitize.ts';
import type { Send } from '../request/http.ts';
import { redactHeaders } from '../request/redact.ts';
import { credentialHeaderName } from '../settings/credential.ts';
import { baseUrlOf } from './connect.ts';
import type { Connection } from './connection.ts';
import type { Invocation } from './invocation.ts';

/** Whether an operation reads or writes manifests or blobs, which need a token for their namespace. */
const isDistribution = ({ path, input }: Operation): boolean =>
  path.startsWith('/v1/oci/v2/') && 'namespace_name' in input;

interface Over {
  readonly context: Context;
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

export async function senderOf(operation: Operation, { namespace_name }: Input, { context, connection, signal }: Over) {
  if (!isDistribution(operation)) return connection.sendFor(operation);
  const { openBearer } = await import('./bearer.ts');
  return openBearer(context, connection, { namespace: String(namespace_name), isRead: true }, signal);
}

/** Returns the name of the header that would carry the credential, for requests that are only shown. */
export function credentialHeaderOf({ context, settings, log }: Invocation, operation: Operation): string | undefined {
  if (operation.auth === 'none') return undefined;
  return isDistribution(operation)
    ? 'authorization'
    : credentialHeaderName(context, settings, baseUrlOf(settings), log);
}

/**
 * Wraps `send` to print the status and headers of a successful response. If the body is written unchanged, they are
 * printed in front of it. Otherwise, they go to stderr, so that stdout contains only the result.
 */
export const withPrintedHeaders =
  (send: Send, isAsItComes: boolean, log: Log): Send =>
  async (request, options) => {
    const response = await send(request, options);
    const { status, headers, body } = response;
    if (status < 200 || status > 299) return response;
    const all = Object.entries(redactHeaders(headers)).map(([name, value]) => visible(`${name}: ${value}`));
    const lines = [`HTTP ${status}`, ...all];
    if (isAsItComes) return { ...response, body: after(`${lines.join('\n')}\n\n`, body) };
    for (const line of lines) log.note(line);
    return response;
  };

async function* after(head: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(head);
  yield* body;
}
