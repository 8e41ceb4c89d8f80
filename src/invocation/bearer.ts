/** The token of the distribution endpoint: fetched before the first request, and once more where one answers 401. */

import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { unneededLimit } from '../limits.ts';
import { operations } from '../operations/index.ts';
import { readUnneeded, type Send } from '../request/http.ts';
import { fieldsIn } from '../request/read.ts';
import { call } from './call.ts';
import type { Connection } from './connect.ts';
import { deadlineIn } from './deadline.ts';

/** Milliseconds that a token may take. */
const patienceMs = 60_000;

/** Where it `isRead`, who gets no token asks otherwise: see `otherwise`. */
export function openBearer(
  context: Pick<Context, 'clock'>,
  connection: Connection,
  { namespace, isRead }: { readonly namespace: string; readonly isRead: boolean },
  signal: AbortSignal,
): Send {
  const fetched = async (): Promise<Send> => {
    const deadline = deadlineIn(context, patienceMs, signal);
    const token = tokenFor(connection, namespace, deadline.signal).finally(deadline.end);
    return connection.sendBearer(await token);
  };
  const first = async () => {
    // First: a failed check is never taken for a token that is refused.
    await connection.checkWorkspace(operations.preflight, signal);
    return fetched().catch((error: unknown) => {
      if (isRead) return otherwise(connection, error);
      throw error;
    });
  };
  let current: Promise<Send> | undefined;
  return async (request, options) => {
    current ??= first();
    const before = current;
    const response = await (await before)(request, options);
    if (response.status !== 401) return response;
    await readUnneeded(response.body, unneededLimit.bytes);
    // Of several requests at once the first one renews it for all.
    if (current === before) current = fetched();
    return (await current)(request, options);
  };
}

/** Without a token: a public namespace is everyone's, and a credential that preflight does not know may be such a token. */
async function otherwise(connection: Connection, error: unknown): Promise<Send> {
  const { code, facts } = error instanceof DtpError ? error : { code: undefined, facts: {} };
  if (code === 'auth' && facts.status !== undefined) return connection.sendFor(operations.getManifest);
  if (code === 'auth' || code === 'forbidden' || code === 'not_found')
    return connection.sendBearer(undefined);
  throw error;
}

async function tokenFor(connection: Connection, namespace: string, signal: AbortSignal): Promise<string> {
  const input = { body: { namespace_name: namespace } };
  const value = await call(connection, operations.preflight, input, signal);
  const { auth_token, access_token } = fieldsIn(value);
  // Some answers have the one name, some the other (records.md, The distribution endpoint).
  const token = auth_token ?? access_token;
  if (typeof token === 'string' && token !== '') return token;
  const { id, method, path } = operations.preflight;
  throw new DtpError('bad_response', 'the answer of preflight holds no token', {
    ...{ operation: id, method, path },
  });
}
