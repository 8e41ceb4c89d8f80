/** Gives the errors of a database server the codes that SQLite has for them. */
import { messageOf } from '../../caught.ts';

/** The codes of a connection that has ended, and of a server that does not answer. */
export const EXPIRED = 'DATABASE_EXPIRED';
export const UNREACHABLE = 'DATABASE_UNREACHABLE';

/** Returns the error with the code that SQLite has for it. The driver has it only in the message. */
export function remoteFault(error: unknown): Error & { readonly code: string } {
  const text = messageOf(error);
  return Object.assign(new Error(text, { cause: error }), { code: codeIn(text) });
}

function codeIn(text: string): string {
  if (text.includes('string or blob too big')) return 'SQLITE_TOOBIG';
  const [, sqlite] = /code: "(SQLITE_[A-Z]+)/.exec(text) ?? [];
  return sqlite ?? (/STREAM_EXPIRED|stream not found|baton/i.test(text) ? EXPIRED : UNREACHABLE);
}
