/** `--limit` on a list: its first rows. */
import { DtpError } from '../../errors.ts';

/** Reads the value of the flag, if it was given. Throws `usage` unless it is a whole number above 0. */
export function limitOf(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(String(given))) return Number(given);
  throw new DtpError('usage', `--limit must be a number above 0, not "${given}"`);
}

export async function* firstOf(groups: AsyncIterable<readonly unknown[]>, most: number) {
  let left = most;
  for await (const rows of groups) {
    if (rows.length > 0) yield rows.slice(0, left);
    left -= rows.length;
    if (left <= 0) return;
  }
}
