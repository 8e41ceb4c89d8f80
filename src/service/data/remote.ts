/** Opens the embedded service's store on a libSQL server. */
import { systemCode } from '../../caught.ts';
import { FIND_TABLES, FIND_VERSION, transactionFrom, type Versions, versionOf, versions } from '../schema/versions.ts';
import { insertJson } from './columns.ts';
import { batchText, type Outcome, requestText, type Statement, succeeded } from './hrana.ts';
import { askOver, endTurn, type Link, sharedNumber, takeTurn } from './link.ts';
import { BUSY, EXPIRED, remoteFault } from './remote-fault.ts';
import { type Mode, type Store, storeOn } from './store.ts';

/** How long a writer waits for another one, and how often it tries again, in milliseconds. */
const PATIENCE = { waitMs: 5000, everyMs: 20 };

/** Opens the store like `openStore`, with its tables if `creates`. */
export function openRemoteStore(link: Link, all = versions, creates = true): Store {
  const { perform, begin, end } = openConnection(link);
  const store = storeOn('the database', {
    get: (sql, ...values) => perform(sql, ...values).rows[0],
    all: (sql, ...values) => perform(sql, ...values).rows,
    run: (sql, ...values) => perform(sql, ...values).changed,
    insertRows: insertJson,
    begin,
    end,
    close: () => link.port.close(),
  });
  createTables(store, link, all, creates);
  return store;
}

/** Opens a connection, and again if the server has ended it. Never repeats a statement that may have been executed. */
function openConnection(link: Link) {
  /** Continues the connection. Undefined without one, and after a request whose answer is lost. */
  let baton: string | undefined;
  /** A transaction that begins with its first statement, in the same exchange. */
  let waiting: { readonly mode: Mode; readonly start: number } | undefined;
  let isInTransaction = false;

  const once = (statements: readonly Statement[]) => {
    // The server has rolled back. A statement on a new connection would not be in the transaction.
    if (isInTransaction && baton === undefined)
      throw remoteFault({ message: 'the connection has ended within the transaction' });
    const request = requestText(statements, baton);
    baton = undefined;
    const answer = askOver(link, request);
    baton = answer.baton;
    return answer.outcomes;
  };
  const execute = (...statements: readonly Statement[]) => {
    try {
      return once(statements);
    } catch (error) {
      if (isInTransaction || systemCode(error) !== EXPIRED) throw error;
      return once(statements);
    }
  };
  const beginWith = (statement: Statement, mode: Mode): Outcome => {
    const [begun, outcome] = execute([`BEGIN ${mode}`], statement);
    succeeded(begun);
    isInTransaction = true;
    waiting = undefined;
    return succeeded(outcome);
  };
  const perform = (...statement: Statement): Outcome => {
    const { mode, start } = waiting ?? { start: performance.now() };
    const work = () => (mode ? beginWith(statement, mode) : succeeded(execute(statement)[0]));
    return patiently(start, work, () => !isInTransaction);
  };
  const begin = (mode: Mode) => {
    const start = performance.now();
    if (!takeTurn(link, PATIENCE.waitMs))
      throw remoteFault({ message: 'another thread is writing', code: 'SQLITE_BUSY' });
    waiting = { mode, start };
  };
  const end = (how: 'COMMIT' | 'ROLLBACK') => {
    try {
      if (isInTransaction) perform(how);
      isInTransaction = false;
    } catch (error) {
      // A ROLLBACK follows a COMMIT that has failed.
      if (how === 'COMMIT') throw error;
      [isInTransaction, baton] = [false, undefined];
    }
    waiting = undefined;
    endTurn(link);
  };
  return { perform, begin, end };
}

/** Repeats `work` while another connection is writing, because the server has then executed nothing. */
function patiently<T>(start: number, work: () => T, mayRepeat: () => boolean): T {
  for (; ; sleepSync(PATIENCE.everyMs))
    try {
      return work();
    } catch (error) {
      if (!mayRepeat() || systemCode(error) !== BUSY || performance.now() - start > PATIENCE.waitMs) throw error;
    }
}

const sleepSync = (ms: number) => Atomics.wait(sharedNumber(), 0, 0, ms);

/**
 * Creates the tables, or changes those of an older version, once, even if several processes start at the same time. One
 * request has the whole transaction, because a server ends a transaction that takes longer than some seconds.
 */
function createTables(store: Store, link: Link, all: Versions, creates: boolean): void {
  for (const start = performance.now(); ; sleepSync(PATIENCE.everyMs)) {
    const version = remoteVersion(store);
    const statements = version === 0 && !creates ? undefined : transactionFrom(version, all);
    if (!statements) return;
    const fault = askOver(link, batchText(...statements)).outcomes.at(-1);
    if (!(fault instanceof Error)) return;
    // Another process has created the tables first, or is doing so.
    const isLost = [BUSY, 'SQLITE_CONSTRAINT'].includes(systemCode(fault) ?? '');
    if (!isLost || performance.now() - start > PATIENCE.waitMs) throw fault;
  }
}

function remoteVersion(store: Store): number {
  const tables = store.all(FIND_TABLES).map(({ name }) => name);
  return versionOf(tables, tables.includes('meta') && store.get(FIND_VERSION)?.value);
}
