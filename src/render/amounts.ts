/** Formats numbers, sizes and times for people. */

/** `12,000` */
export const counted = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** `20 s`, `3 min`, `2 h`. */
export function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** `512 bytes`, `1.5 KiB`, `20.0 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const unit = bytes < 1024 ** 2 ? 1 : bytes < 1024 ** 3 ? 2 : 3;
  return `${(bytes / 1024 ** unit).toFixed(1)} ${['', 'KiB', 'MiB', 'GiB'][unit]}`;
}

/**
 * Formats progress: `12.0 MiB of 2.0 GiB, 540.1 MiB/s, 4 s left`. The size may be unknown. The rate is shown after one
 * second.
 */
export function bytesText(done: number, size: number | undefined, elapsedMs: number): string {
  const seconds = elapsedMs / 1000;
  const words = [size === undefined ? sizeText(done) : `${sizeText(done)} of ${sizeText(size)}`];
  if (seconds >= 1) words.push(`${sizeText(Math.round(done / seconds))}/s`);
  if (seconds >= 1 && size !== undefined && done > 0)
    words.push(`${timeText((seconds * (size - done)) / done)} left`);
  return words.join(', ');
}
