/** Gives the errors of a database server a code that the rest of the service knows. */
import { messageOf, systemCode } from '../../caught.ts';

/** The codes of a connection that has ended, of a writer that waited too long, and of a server that does not answer. */
export const EXPIRED = 'DATABASE_EXPIRED';
export const BUSY = 'DATABASE_BUSY';
const UNREACHABLE = 'DATABASE_UNREACHABLE';

/** The code for a value that is too large for the server. */
export const TOO_BIG = 'SQLITE_TOOBIG';

/** The code of a server that answers, but refuses the request, or whose disk is full or has failed. */
export const UNUSABLE = 'DATABASE_UNUSABLE';

export interface HranaError {
  readonly message: string;
  readonly code?: string;
}

export type RemoteFault = Error & { readonly code: string };

/** Returns the error with a code. An error in a statement has the code that SQLite has for it. */
export const remoteFault = ({ message, code = '' }: HranaError): RemoteFault =>
  Object.assign(new Error(message.replace(/^SQLite error: /, '')), { code: codeFor(message, code) });

/** Returns the error for an HTTP status and the code in the answer. */
export function statusFault(status: number, text = ''): RemoteFault & { readonly status: number } {
  const fault = remoteFault({ message: `it answers with status ${status}`, code: text });
  return Object.assign(fault, { status }, status < 500 && fault.code === UNREACHABLE && { code: UNUSABLE });
}

function codeFor(message: string, code: string): string {
  if (message.includes('string or blob too big')) return TOO_BIG;
  // The server does not understand the statement.
  if (/^(SQL|ARGS)_/.test(code)) return 'SQLITE_ERROR';
  const [sqlite] = /^SQLITE_[A-Z]+/.exec(code) ?? [];
  if (sqlite === undefined) return /STREAM_EXPIRED|baton/.test(code) ? EXPIRED : UNREACHABLE;
  if (sqlite === 'SQLITE_BUSY') return BUSY;
  return isDiskFault({ code: sqlite }) ? UNUSABLE : sqlite;
}

/** Whether the disk of a database is full, or it has failed. */
export const isDiskFault = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN|NOMEM)/.test(systemCode(error) ?? '');

/** Returns what is wrong with the database. Undefined if the error has another reason. */
export function databaseProblem(error: unknown): string | undefined {
  const code = systemCode(error);
  if (!code?.startsWith('DATABASE_')) return undefined;
  return code === UNUSABLE ? `cannot be used: ${messageOf(error)}` : 'cannot be reached';
}
