/** The request of the first batch, which `--dry-run` shows; the whole input is read, so that it is checked too. */
import type { Context } from '../../context.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import { buildRequest } from '../../request/build.ts';
import { type ShownRequest, showRequest } from '../../request/show.ts';
import { baseAddress, type Connection } from '../connection.ts';
import { credentialHeaderName } from '../credential.ts';
import type { Settings } from '../settings.ts';
import type { EventInput } from './input.ts';

export async function showFirst(
  context: Context,
  operation: Operation,
  known: Input,
  settings: Settings,
  connection: Connection,
  { events }: EventInput,
): Promise<ShownRequest> {
  let body: readonly unknown[] | undefined;
  for await (const some of events)
    body ??= some.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()));
  const input = { ...known, body: body ?? [] };
  const header = credentialHeaderName(context, settings, baseAddress(settings));
  return showRequest(operation, input, buildRequest(operation, input, connection.target, ''), header);
}
