/** Parses durations as people write them: `500ms`, `90s`, `5m`, `1h`, or a number of seconds without a unit. */
import { DtpError } from '../errors.ts';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Returns milliseconds, or undefined for an invalid duration. A timer can wait at most 2^31 - 1 milliseconds. */
function parse(text: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  const ms = found ? Number(found[1]) * (units[found[2] ?? 's'] ?? 0) : 0;
  return ms > 0 && ms < 2 ** 31 ? ms : undefined;
}

export const isDuration = (text: string): boolean => parse(text) !== undefined;

/** Returns milliseconds. Throws `usage` for an invalid duration. The error starts with `label`. */
export function durationOf(text: string, label: string): number {
  const ms = parse(text);
  if (ms !== undefined) return ms;
  throw new DtpError('usage', `${label} must be a time such as 500ms, 90s or 5m, not "${text}"`);
}
