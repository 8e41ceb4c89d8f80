/** The embedded service on a database server that others may use at the same time. */
import { availableParallelism } from 'node:os';
import type { Send } from '../../request/http.ts';
import { FIND_TABLES, FIND_VERSION, latestVersion, statementsFrom, versionOf } from '../schema/versions.ts';
import { openThreads } from '../threads.ts';
import { type Gateway, openGateway } from './gateway.ts';
import type { Upstream } from './line.ts';
import type { Started, ThreadInput } from './thread.ts';

export interface DatabaseService {
  readonly send: Send;
  readonly first: Started;
  /** Throws if the database cannot be used. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the service as soon as the database can be reached. Throws if the database refuses it. */
export async function openDatabaseService(
  upstream: Upstream,
  data: Omit<ThreadInput, 'server'>,
): Promise<DatabaseService> {
  const gateway = await openGateway(upstream);
  try {
    await gateway.ask('SELECT 1').catch((error: Error & { readonly status?: number }) => {
      if (error.status !== undefined && error.status < 500) throw error;
    });
    const threads = await openThreads(threadCount(), { ...data, server: gateway.server });
    return {
      first: threads.first,
      send: threads.send,
      check: async () => {
        if ((await versionAt(gateway)) !== latestVersion()) throw new Error('the tables have another version');
      },
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

/** The longest time to commit an import of many gigabytes, in milliseconds. */
const COMMIT_MS = 600_000;

/** Opens the database only to export or import its data (see transfer.ts). Throws if the database cannot be used. */
export async function openDatabaseTransfer(upstream: Upstream): Promise<Omit<DatabaseService, 'first' | 'check'>> {
  const gateway = await openGateway({ ...upstream, limitMs: COMMIT_MS });
  try {
    await gateway.ask('SELECT 1');
    const { send, close } = await openThreads(1, { server: gateway.server, start: undefined, ownerKey: undefined });
    return { send, close: () => close().finally(gateway.close) };
  } catch (error) {
    gateway.close();
    throw error;
  }
}

/** Threads mostly wait, so there are more of them than processors. */
const threadCount = (): number => Math.min(16, 2 * availableParallelism() + 2);

async function versionAt({ ask }: Gateway): Promise<number> {
  const [names = []] = await ask(FIND_TABLES);
  const [values = []] = names.includes('meta') ? await ask(FIND_VERSION) : [];
  return versionOf(names, values[0]);
}

/** Tries a database, changes nothing, and returns what it needs. Throws if it cannot be used. */
export async function tryDatabase(upstream: Upstream): Promise<'new tables' | 'changed tables' | 'nothing'> {
  const gateway = await openGateway(upstream);
  try {
    const version = await versionAt(gateway);
    const { length } = statementsFrom(version);
    await gateway.ask('BEGIN IMMEDIATE', 'CREATE TABLE dtp_check (value)', 'ROLLBACK');
    return version === 0 ? 'new tables' : length > 0 ? 'changed tables' : 'nothing';
  } finally {
    gateway.close();
  }
}
