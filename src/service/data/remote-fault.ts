/** Gives the errors of a database server a code and a readable message. The driver has both only in a longer string. */
import { messageOf, systemCode } from '../../caught.ts';

/** The codes of a connection that has ended, of a writer that waited too long, and of a server that does not answer. */
export const EXPIRED = 'DATABASE_EXPIRED';
export const BUSY = 'DATABASE_BUSY';
export const UNREACHABLE = 'DATABASE_UNREACHABLE';

/** The code of a value that the server does not take. */
export const TOO_BIG = 'SQLITE_TOOBIG';

/** The code of a server that answers, but whose disk is full or has failed. */
const UNUSABLE = 'DATABASE_UNUSABLE';

/** Returns the error with its code. An error in a statement has the code that SQLite has for it. */
export function remoteFault(error: unknown): Error & { readonly code: string } {
  const text = messageOf(error);
  const [, reason = text] = /message: "(?:SQLite error: )?((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  return Object.assign(new Error(reason, { cause: error }), { code: codeIn(text) });
}

function codeIn(text: string): string {
  if (text.includes('string or blob too big')) return TOO_BIG;
  // The server does not understand the statement.
  if (/code: "(SQL|ARGS)_/.test(text)) return 'SQLITE_ERROR';
  const [, sqlite] = /code: "(SQLITE_[A-Z]+)/.exec(text) ?? [];
  return sqlite ? codeOf(sqlite) : lossOf(text);
}

function codeOf(sql: string): string {
  if (sql === 'SQLITE_BUSY') return BUSY;
  return /^SQLITE_(FULL|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN|NOMEM)/.test(sql) ? UNUSABLE : sql;
}

const lossOf = (text: string) => (/STREAM_EXPIRED|stream not found|baton/i.test(text) ? EXPIRED : UNREACHABLE);

export const busyFault = (): Error => remoteFault('code: "SQLITE_BUSY"');

/** Returns what is wrong with the database. Undefined if the error has another reason. */
export function databaseProblem(error: unknown): string | undefined {
  const code = systemCode(error);
  if (!code?.startsWith('DATABASE_')) return undefined;
  return code === UNUSABLE ? `cannot be used: ${messageOf(error)}` : 'cannot be reached';
}
