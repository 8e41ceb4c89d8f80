/** The embedded service on a database server that others may use at the same time. */
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ignoring, messageOf } from '../../caught.ts';
import type { Send } from '../../request/http.ts';
import { Refusal, type Report } from '../refusal.ts';
import { FIND_TABLES, FIND_VERSION, latestVersion, statementsFrom, versionOf } from '../schema/versions.ts';
import { openThreads, type Threads, unreachable } from '../threads.ts';
import { type Gateway, openGateway, type Upstream } from './gateway.ts';
import type { ThreadInput } from './thread.ts';

/** Returns a service that answers with 503 until `open` has resolved. */
export function openDatabaseService(upstream: Upstream, data: ThreadInput, report: Report) {
  const gateway = openGateway(upstream);
  const end = new AbortController();
  let threads: Threads | undefined;
  return {
    send: async (...sent: Parameters<Send>) => (threads ? threads.send(...sent) : unreachable()),
    /** Waits until the database can be reached, and creates its tables. Throws if the database refuses this service. */
    open: async () => {
      while (!(await isThere(upstream))) await sleep(RETRY_MS, undefined, end);
      threads = openThreads(threadCount(), gateway, data, report);
      return threads.first;
    },
    /** Throws a Refusal if the database cannot be used. */
    check: async () => {
      const version = threads?.isReady() ? await versionAt(gateway).catch(() => undefined) : undefined;
      if (version === undefined) throw new Refusal(503, 'the database cannot be reached');
      if (version !== latestVersion()) throw new Refusal(503, 'the tables of the database have another version');
    },
    close: async () => {
      end.abort();
      gateway.close();
      await threads?.close();
    },
  };
}

/** Shows whether this service may write, and changes nothing. */
const TRIAL = ['BEGIN IMMEDIATE', 'CREATE TABLE dtp_check (value)', 'ROLLBACK'];

async function checkAnswer({ ask }: Gateway): Promise<void> {
  const [[one] = []] = await ask('SELECT 1');
  if (one !== 1) throw new Error('its answer to SELECT 1 is not 1');
}

/** Whether the database can be reached. Throws if it refuses this service, which only a gateway without a past reports. */
async function isThere({ onChange, ...upstream }: Upstream): Promise<boolean> {
  const gateway = openGateway(upstream);
  try {
    await checkAnswer(gateway);
    // A full disk prevents only writing, but a token that does not permit it is refused.
    await gateway.ask(...TRIAL).catch(ignoring((error) => !('status' in Object(error))));
    onChange?.();
    return true;
  } catch (error) {
    const { status = 500 } = Object(error) as { readonly status?: number };
    if (status < 500) throw error;
    onChange?.(messageOf(error));
    return false;
  } finally {
    gateway.close();
  }
}

/** The time between two attempts to reach the database at the start, in milliseconds. */
const RETRY_MS = 500;

/** The longest time to commit an import of many gigabytes, in milliseconds. */
const COMMIT_MS = 600_000;

/** Opens the database only to export or import its data (see transfer.ts). Throws if the database cannot be used. */
export async function openDatabaseTransfer(upstream: Upstream): Promise<Threads> {
  const gateway = openGateway({ ...upstream, limitMs: COMMIT_MS });
  try {
    await checkAnswer(gateway);
    // Its answers say what is wrong.
    const threads = openThreads(1, gateway, { start: undefined, ownerKey: undefined }, () => undefined);
    await threads.first;
    return threads;
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
  const gateway = openGateway(upstream);
  try {
    await checkAnswer(gateway);
    const version = await versionAt(gateway);
    const { length } = statementsFrom(version);
    await gateway.ask(...TRIAL);
    return version === 0 ? 'new tables' : length > 0 ? 'changed tables' : 'nothing';
  } finally {
    gateway.close();
  }
}
