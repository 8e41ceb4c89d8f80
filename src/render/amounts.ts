/** Formats numbers, sizes and times for people. */

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
