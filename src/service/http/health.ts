/** Answers `/healthz` (this process works) and `/readyz` (it can serve requests). Refuses requests during shutdown. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Send } from '../../request/http.ts';
import { Refusal, replyJson, responseOf, unavailable } from '../handler.ts';
import { splitUrl } from './router.ts';

/** The longest time for a check, in milliseconds. */
const CHECK_MS = 4000;

/**
 * Returns a `send` that also answers health checks, without a credential. `check` throws if requests cannot be served.
 * It throws a Refusal if everyone may read the reason. Simultaneous requests share one check. `drain` aborts when the
 * shutdown begins.
 */
export function withHealth(send: Send, check: () => Promise<unknown>, drain: AbortSignal): Send {
  let checking: Promise<readonly string[]> | undefined;
  const readiness = () => {
    checking ??= Promise.race([check().then(() => ['ready']), sleep(CHECK_MS, ['unavailable'], { ref: false })])
      .catch((error) => ['unavailable', ...(error instanceof Refusal ? [error.message] : [])])
      .finally(() => {
        checking = undefined;
      });
    return checking;
  };
  return async (request, options) => {
    const { path } = splitUrl(request.url);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && path === '/healthz') return responseOf(replyJson(200, { status: 'ok' }));
    if (isRead && path === '/readyz') {
      const [status, message] = drain.aborted ? ['draining'] : await readiness();
      return responseOf(replyJson(status === 'ready' ? 200 : 503, { status, message }));
    }
    const response = drain.aborted ? unavailable('the service is shutting down') : await send(request, options);
    // The client must not send another request on this connection.
    return drain.aborted ? { ...response, headers: { ...response.headers, connection: 'close' } } : response;
  };
}
