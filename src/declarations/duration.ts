/** Parses durations as people write them: `500ms`, `90s`, `5m`, `1h30m`, `90d`, `2w`. */
import { DtpError } from '../errors.ts';

/** The milliseconds in a week, day, hour, minute, second and millisecond. A duration lists its units in this order. */
const units = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000, 1];

const form = /^(?:([\d.]+)w)?(?:([\d.]+)d)?(?:([\d.]+)h)?(?:([\d.]+)m)?(?:([\d.]+)s)?(?:([\d.]+)ms)?$/;

const amount = /^\d+(\.\d+)?$/;

/** Parses a duration such as `1h30m` to milliseconds. Undefined if a unit is missing, unknown or out of order. */
export function millisecondsIn(text: string): number | undefined {
  const amounts = text === '' ? undefined : form.exec(text)?.slice(1);
  if (amounts?.some((one) => one !== undefined && !amount.test(one))) return undefined;
  return amounts?.reduce((sum, one, at) => sum + Number(one ?? 0) * (units[at] ?? 0), 0);
}

/** A description of valid durations, which errors put after "must be". A timer of Node ends within 25 days. */
export const durationWords = 'a time above 0 and up to 24 days, such as 90s or 5m';

/** Parses a duration to milliseconds, a bare number as seconds. Undefined if invalid, 0 or too long for a timer. */
function parse(text: string): number | undefined {
  const bare = text.trim();
  const ms = millisecondsIn(/\d$/.test(bare) ? `${bare}s` : bare);
  return ms !== undefined && ms > 0 && ms < 2 ** 31 ? ms : undefined;
}

export const isDuration = (text: string): boolean => parse(text) !== undefined;

/** Parses a duration to milliseconds. Throws `usage` if it is invalid. The error message starts with `label`. */
export function durationOf(text: string, label: string): number {
  const ms = parse(text);
  if (ms !== undefined) return ms;
  throw new DtpError('usage', `${label} must be ${durationWords}, not "${text}"`);
}
