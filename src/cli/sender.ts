/** The credential that an operation's request goes out with: the configured one, or a token made for a namespace. */
import type { Context } from '../context.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { visible } from '../render/sanitize.ts';
import type { Send } from '../request/http.ts';
import { redactHeaders } from '../request/redact.ts';
import { baseAddress, type Connection } from './connection.ts';
import { credentialHeaderName } from './credential.ts';
import type { Settings } from './settings.ts';
import { write } from './write.ts';

/** Manifests and blobs, which have tokens of their own. */
const isDistribution = ({ path, input }: Operation): boolean =>
  path.startsWith('/v1/oci/v2/') && 'namespace_name' in input;

export async function senderOf(
  context: Context,
  operation: Operation,
  { namespace_name }: Input,
  connection: Connection,
  signal: AbortSignal,
): Promise<Send> {
  if (!isDistribution(operation)) return connection.sendFor(operation);
  const { openBearer } = await import('./artifacts/bearer.ts');
  return openBearer(context, connection, String(namespace_name), signal, true);
}

/** The name of the header that would be added. */
export function credentialHeaderOf(
  context: Context,
  operation: Operation,
  settings: Settings,
): string | undefined {
  if (operation.auth === 'none') return undefined;
  return isDistribution(operation)
    ? 'authorization'
    : credentialHeaderName(context, settings, baseAddress(settings));
}

/** `send`, which writes the status and the headers of a 2XX before its body. */
export const withHead =
  (context: Context, send: Send): Send =>
  async (request, options) => {
    const response = await send(request, options);
    const { status, headers } = response;
    const lines = Object.entries(redactHeaders(headers)).map(([name, value]) => `${name}: ${visible(value)}`);
    if (status < 300) await write(context, `HTTP ${status}\n${lines.join('\n')}\n\n`);
    return response;
  };
