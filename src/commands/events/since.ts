/** The value of `--since`. */
import { DtpError } from '../../errors.ts';
import { instantOf } from '../../render/dates.ts';

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Returns milliseconds since 1970. Throws `usage` unless it is a duration such as `1h`, or an RFC 3339 time. */
export function sinceOf(text: string, now: Date): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text) ?? [];
  const at = count === undefined ? instantOf(text) : now.getTime() - Number(count) * (units[unit] ?? 0);
  if (at !== undefined) return at;
  throw new DtpError(
    'usage',
    `--since must be a duration such as 1h, 30m or 2d, or a time such as 2026-01-31T12:00:00Z, not "${text}"`,
  );
}
