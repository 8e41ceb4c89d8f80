/** Reads times as people write them: `1h`, `2026-01-31`, `yesterday`, or RFC 3339. */
import { millisecondsIn } from '../declarations/duration.ts';
import { DtpError } from '../errors.ts';
import type { Direction } from '../operations/operation.ts';
import { guessTime, isDateTime } from './kinds.ts';

/**
 * Converts a time to RFC 3339. Accepts a duration such as `1h30m` before or after `now`, a day (`2026-01-31`, `today`,
 * `yesterday`, `tomorrow`), which means its local start, and the word `now`. RFC 3339 itself is returned unchanged.
 * Returns undefined for anything else.
 */
export function instantFrom(text: string, now: Date, direction: Direction = 'past'): string | undefined {
  if (isDateTime(text)) return text;
  const time = text === 'now' ? now : (dayIn(text, now) ?? distantTime(text, now, direction));
  // RFC 3339 does not allow years above 9999, and JavaScript cannot represent times in the far future at all.
  if (time === undefined || Number.isNaN(time.getTime())) return undefined;
  const instant = time.toISOString().replace('.000Z', 'Z');
  return isDateTime(instant) ? instant : undefined;
}

/** Like `instantFrom`, but throws `usage` with the accepted forms if `text` is not a time. `label` is the flag. */
export function timeOf(label: string, text: string, now: Date, direction: Direction = 'past'): string {
  const instant = instantFrom(text, now, direction);
  if (instant !== undefined) return instant;
  const [duration, day] = direction === 'past' ? ['1h', 'yesterday'] : ['90d', 'tomorrow'];
  const guess = guessTime(text.trim());
  const message = `${label} must be a time such as ${duration}, ${day}, 2026-01-31 or 2026-01-31T12:00:00Z, not ${JSON.stringify(text.slice(0, 60))}`;
  throw new DtpError('usage', message, {
    hint: `A duration such as ${duration} counts ${direction === 'past' ? 'back ' : ''}from now. Its unit is s, m, h, d or w.`,
    ...(guess !== undefined && { meant: { flag: label, value: guess } }),
  });
}

/** Like `timeOf`, but in milliseconds since 1970. JavaScript has no leap seconds, so 23:59:60 is read as 23:59:59. */
export const instantMs = (label: string, text: string, now: Date): number =>
  Date.parse(timeOf(label, text, now).replace(/:60(?=[.Zz+-])/, ':59'));

/** Returns the local start of a day. Undefined if `text` is not a day, or if the day does not exist. */
function dayIn(text: string, now: Date): Date | undefined {
  const fromYesterday = ['yesterday', 'today', 'tomorrow'].indexOf(text);
  // Adding 24 hours would be wrong, because a day may have 23 or 25 hours.
  if (fromYesterday >= 0) return startOf(now.getFullYear(), now.getMonth(), now.getDate() - 1 + fromYesterday);
  if (!isDateTime(`${text}T00:00:00Z`)) return undefined;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return startOf(year, month - 1, day);
}

function startOf(year: number, month: number, day: number): Date {
  const start = new Date(0);
  // The Date constructor reads the years 0 to 99 as 1900 to 1999.
  start.setFullYear(year, month, day);
  start.setHours(0, 0, 0, 0);
  return start;
}

function distantTime(text: string, now: Date, direction: Direction): Date | undefined {
  const ms = millisecondsIn(text);
  if (ms === undefined) return undefined;
  return new Date(now.getTime() + (direction === 'past' ? -ms : ms));
}
