/** How far a transfer of bytes is, as a line for a person. */
import type { Clock } from '../../clock.ts';

/** `3.2 of 10.4 MiB, 1.6 MiB/s, 5 s left`. The rate is that of what was moved since the first call. */
export function openProgress(clock: Clock): (done: number, size: number) => string {
  let first: { readonly at: number; readonly done: number } | undefined;
  return (done, size) => {
    first ??= { at: clock.now(), done };
    const seconds = (clock.now() - first.at) / 1000;
    const rate = seconds < 0.5 ? 0 : (done - first.done) / seconds;
    const words = [size > 0 ? `${mib(done)} of ${mib(size)} MiB` : `${mib(done)} MiB`];
    if (rate > 0) words.push(`${mib(rate)} MiB/s`);
    if (rate > 0 && size > done) words.push(`${Math.ceil((size - done) / rate)} s left`);
    return words.join(', ');
  };
}

const mib = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
