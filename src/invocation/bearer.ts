/** Fetches a token for the distribution endpoint before the first request, and a new token after a 401. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { unneededLimit } from '../limits.ts';
import { operationsFor } from '../operations/areas.ts';
import { readUnneeded, type Send } from '../request/http.ts';
import { fieldsIn } from '../request/read.ts';
import { type Connection, call } from './connection.ts';
import { withDeadline } from './deadline.ts';

/** The time limit for fetching a token, in milliseconds. */
const patienceMs = 60_000;

/** Returns a Send with a token for a namespace. If none can be fetched, only reads are sent (see `withoutToken`). */
export function openBearer(
  context: Pick<Context, 'clock'>,
  connection: Connection,
  { namespace, isRead }: { readonly namespace: string; readonly isRead: boolean },
  signal: AbortSignal,
): Send {
  const fetched = async (): Promise<Send> => {
    const ask = (until: AbortSignal) => tokenFor(connection, namespace, until);
    return connection.sendBearer(await withDeadline(context, patienceMs, signal, ask));
  };
  const first = async () => {
    // The check is outside the `catch` below, which would treat a failed check like a failure to fetch a token.
    await connection.checkWorkspace(operationsFor('artifacts').preflight, signal);
    return fetched().catch((error: unknown) => {
      if (isRead) return withoutToken(connection, error);
      throw error;
    });
  };
  let current: Promise<Send> | undefined;
  return async (request, options) => {
    current ??= first();
    const before = current;
    const send = await before.catch((error: unknown) => {
      // The next request tries again.
      if (current === before) current = undefined;
      throw error;
    });
    const response = await send(request, options);
    if (response.status !== 401) return response;
    await readUnneeded(response.body, unneededLimit.bytes);
    // If several requests fail at once, the first one renews the token for all.
    if (current === before) current = fetched();
    return (await current)(request, options);
  };
}

/**
 * Returns the Send for reading if no token could be fetched. If the service rejected the credential with a 401, the
 * credential is sent, because it may itself be a token for the namespace. Otherwise, no credential is sent, because
 * public namespaces can be read without one. Throws any other failure.
 */
async function withoutToken(connection: Connection, error: unknown): Promise<Send> {
  const { code, facts } = error instanceof DtpError ? error : { code: undefined, facts: {} };
  if (code === 'auth' && facts.status !== undefined) return connection.sendFor(operationsFor('artifacts').getManifest);
  if (code === 'auth' || code === 'forbidden' || code === 'not_found') return connection.sendBearer(undefined);
  throw error;
}

async function tokenFor(connection: Connection, namespace: string, signal: AbortSignal): Promise<string> {
  const input = { body: { namespace_name: namespace } };
  const value = await call(connection, operationsFor('artifacts').preflight, input, signal);
  const { auth_token, access_token } = fieldsIn(value);
  // Services use either name for the token (records.md, The distribution endpoint).
  const token = auth_token ?? access_token;
  if (typeof token === 'string' && token !== '') return token;
  const { id, method, path } = operationsFor('artifacts').preflight;
  throw new DtpError('bad_response', 'the preflight response has no token', { ...{ operation: id, method, path } });
}
