/** Times as people write them. */
import { DtpError } from '../errors.ts';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `500ms`, `90s`, `5m`, `1h`, or of a bare number of seconds. Throws `usage`, naming `label`. */
export function durationOf(text: string, label: string): number {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  const ms = found ? Number(found[1]) * (units[found[2] ?? 's'] ?? 0) : 0;
  // 2^31 - 1 is the longest that a timer can wait.
  if (ms > 0 && ms < 2 ** 31) return ms;
  throw new DtpError('usage', `${label} must be a time such as 500ms, 90s or 5m; "${text}" is not`);
}
