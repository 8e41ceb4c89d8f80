/** The embedded service on a database server that others may use at the same time. */
import { availableParallelism } from 'node:os';
import type { HttpResponse, Send } from '../../request/http.ts';
import { replyJson, responseOf } from '../handler.ts';
import { schemaVersion } from '../schema/tables.ts';
import type { FirstKey } from '../tenancy/seed.ts';
import { openThreads } from '../threads.ts';
import { type Gateway, openGateway, type Upstream } from './gateway.ts';

export interface DatabaseService {
  readonly send: Send;
  readonly first: FirstKey;
  readonly close: () => Promise<void>;
}

/**
 * Opens the service. `now` is the time, in milliseconds. Without it, the service only exports and imports (see
 * transfer.ts). Throws if the database cannot be used.
 */
export async function openDatabaseService(upstream: Upstream, now?: number): Promise<DatabaseService> {
  const gateway = await openGateway(upstream);
  try {
    await gateway.ask('SELECT 1');
    const threads = await openThreads(now === undefined ? 1 : threadCount(), gateway.server, now);
    return {
      first: threads.first,
      send: withHealth(threads.send, gateway),
      close: async () => {
        await threads.close();
        gateway.close();
      },
    };
  } catch (error) {
    gateway.close();
    throw error;
  }
}

/** Threads mostly wait, so there are more of them than processors. */
const threadCount = (): number => Math.min(16, 2 * availableParallelism() + 2);

/** Answers `/healthz` (this process works) and `/readyz` (so does the database) in the main thread. */
function withHealth(send: Send, gateway: Gateway): Send {
  return async (request, options) => {
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET') return send(request, options);
    if (pathname === '/healthz') return health(200, 'ok');
    return pathname === '/readyz' ? readiness(gateway) : send(request, options);
  };
}

async function readiness(gateway: Gateway): Promise<HttpResponse> {
  try {
    const rows = await gateway.ask("SELECT value FROM meta WHERE key = 'schema'");
    if (JSON.stringify(rows).includes(schemaVersion())) return health(200, 'ready');
    return health(503, 'the database has the tables of another version');
  } catch {
    return health(503, 'the database cannot be reached');
  }
}

const health = (status: number, text: string): HttpResponse => responseOf(replyJson(status, { status: text }));
