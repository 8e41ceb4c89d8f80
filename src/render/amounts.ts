/** Formats numbers, sizes and times for people. A time is relative, or local. */

/** `12,000` */
export const counted = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 event`, `2 events`, `12,000 events`; `1 batch is`, `2 batches are`. */
export const amount = (count: number, one: string, many = `${one}s`): string =>
  `${counted(count)} ${count === 1 ? one : many}`;

/** `20 s`, `3 min`, `2 h`. */
export function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** `512 bytes`, `1.5 kB`, `20.0 MB`: a kilobyte has 1000 bytes. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  // Below the next unit even after rounding.
  const unit = bytes < 999_950 ? 1 : bytes < 999_950_000 ? 2 : 3;
  return `${(bytes / 1000 ** unit).toFixed(1)} ${['', 'kB', 'MB', 'GB'][unit]}`;
}

/** `12 ms`, `5.1 s`, `31 s`, `4 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : timeText(Math.round(ms / 1000));
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * Parses an RFC 3339 string to milliseconds since 1970. Undefined for any other value. JavaScript has no leap seconds,
 * so 23:59:60 is read as 23:59:59.
 */
export function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !instant.test(value)) return undefined;
  const at = Date.parse(value.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'));
  return Number.isNaN(at) ? undefined : at;
}

/** Returns the time of a claim of a token, in seconds since 1970, as a string. Any other value is unchanged. */
export const claimTime = (name: string, value: unknown): unknown =>
  /^(iat|exp|nbf|auth_time)$/.test(name) && typeof value === 'number' && value > 1e9 && value < 1e11
    ? new Date(value * 1000).toISOString()
    : value;

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** Formats a time in milliseconds: `just now`, `5 min ago`, `in 90 days`. A date if over 30 days ago or a year away. */
export function ageText(at: number, now: number): string {
  if (Math.abs(now - at) < minute) return 'just now';
  // A token that was made a moment ago for 90 days is valid for 90 days, not for 89.
  const distance = at <= now ? now - at : at - now + minute / 2;
  if (distance >= (at <= now ? 30 : 366) * day) return localText(at).slice(0, 10);
  const words =
    distance < hour
      ? `${Math.floor(distance / minute)} min`
      : distance < 2 * day
        ? `${Math.floor(distance / hour)} h`
        : `${Math.floor(distance / day)} days`;
  return at <= now ? `${words} ago` : `in ${words}`;
}

/** Formats `2026-01-31 13:05:09` in the local time zone. */
export function localText(at: number): string {
  const date = new Date(at);
  const rest = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()];
  const [month, days, hours, minutes, seconds] = rest.map((one) => String(one).padStart(2, '0'));
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${days} ${hours}:${minutes}:${seconds}`;
}

/** Formats `2026-01-31 13:05 UTC` in the local time zone: `UTC`, or the offset, such as `+01:00`. */
export function zonedText(at: number): string {
  const offset = -new Date(at).getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((one) =>
    String(one).padStart(2, '0'),
  );
  const zone = offset === 0 ? 'UTC' : `${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
  return `${localText(at).slice(0, -':00'.length)} ${zone}`;
}
