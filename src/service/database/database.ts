/** The embedded service on a database server that others may use at the same time. */
import { availableParallelism } from 'node:os';
import type { HttpResponse, Send } from '../../request/http.ts';
import { replyJson, responseOf } from '../handler.ts';
import { schemaVersion } from '../schema/tables.ts';
import type { FirstKey } from '../tenancy/seed.ts';
import { openThreads } from '../threads.ts';
import { type Gateway, openGateway } from './gateway.ts';
import type { Upstream } from './line.ts';

export interface DatabaseService {
  readonly send: Send;
  readonly first: FirstKey;
  readonly close: () => Promise<void>;
}

interface Start {
  /** In milliseconds. */
  readonly now: number;
  /** Called if the database cannot be reached yet. */
  readonly onWait: (reason: string) => void;
}

/** Opens the service as soon as the database can be reached. Throws if the database refuses it. */
export async function openDatabaseService(upstream: Upstream, { now, onWait }: Start): Promise<DatabaseService> {
  const gateway = await openGateway(upstream);
  try {
    await gateway.ask('SELECT 1').catch((error: Error & { readonly status?: number }) => {
      if (error.status !== undefined && error.status < 500) throw error;
      onWait(error.message);
    });
    const threads = await openThreads(threadCount(), gateway.server, now);
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
