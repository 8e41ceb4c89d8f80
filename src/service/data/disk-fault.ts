/** What SQLite says of a disk or a file that fails, as a refusal that its owner can mend. */
import { messageOf, systemCode } from '../../caught.ts';
import { Refusal } from '../refusal.ts';

/** The refusal; any other error as it is. Nothing of what was sent was acknowledged. */
export function diskFault(error: unknown, file: string): unknown {
  const code = systemCode(error);
  const [, kind] = /^SQLITE_(FULL|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN|BUSY)/.exec(String(code)) ?? [];
  if (kind === undefined) return error;
  const message = messageOf(error);
  return new Refusal(
    kind === 'FULL' ? 507 : 500,
    `${file} cannot be used: ${message}; mend the disk and send it again`,
  );
}
