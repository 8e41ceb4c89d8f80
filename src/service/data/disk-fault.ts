/** Turns an SQLite error about a failing disk or file into a Refusal that says what to fix. */
import { messageOf, systemCode } from '../../caught.ts';
import { Refusal } from '../refusal.ts';

/**
 * Returns any other error unchanged. The message asks the user to send the request again, because nothing in it has
 * been acknowledged.
 */
export function diskFault(error: unknown, file: string): unknown {
  const code = systemCode(error);
  const [, kind] = /^SQLITE_(FULL|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN|BUSY)/.exec(String(code)) ?? [];
  if (kind === undefined) return error;
  const message = messageOf(error);
  return new Refusal(
    kind === 'FULL' ? 507 : 500,
    `${file} cannot be used: ${message} (fix the disk and send the request again)`,
  );
}
