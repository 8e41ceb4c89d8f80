/** Formats how far work has come, for the line that a terminal shows until it is done. */
import { sizeText, timeText } from './amounts.ts';
import { widthOf } from './width.ts';

export interface Progress {
  /** What is being done. */
  readonly text?: string;
  /** In bytes, unless there are `facts`. */
  readonly done: number;
  readonly total?: number | undefined;
  /** Words for what is done, such as `12,000 delivered`. By default, sizes and the rate. */
  readonly facts?: readonly string[];
}

/**
 * `━━━━━━━━──────── 12.0 MB of 24.0 MB, 3.1 MB/s, 4 s left`, in at most `room` columns. If the total is not known, the
 * time so far takes the place of the bar and of the time left. Rates and times are shown from the first second on.
 */
export function progressText(progress: Progress | undefined, elapsedMs: number, room: number): string {
  const seconds = elapsedMs / 1000;
  const words = progress ? [...(progress.facts ?? sizesOf(progress, seconds))] : [];
  const { done = 0, total = 0 } = progress ?? {};
  if (total <= 0) return [...words, ...(seconds < 1 ? [] : [timeText(Math.floor(seconds))])].join(', ');
  const part = Math.min(1, done / total);
  if (progress?.facts) words.push(`${Math.floor(100 * part)} %`);
  if (seconds >= 1 && done > 0 && part < 1) words.push(`${timeText((seconds * (1 - part)) / part)} left`);
  const text = words.join(', ');
  const cells = Math.min(widest, room - widthOf(text) - 1);
  return cells < narrowest ? text : `${barOf(part, cells)} ${text}`;
}

function sizesOf({ done, total }: Progress, seconds: number): readonly string[] {
  const size = total === undefined ? sizeText(done) : `${sizeText(done)} of ${sizeText(total)}`;
  return seconds < 1 ? [size] : [size, `${sizeText(Math.round(done / seconds))}/s`];
}

/** The width of a bar in columns. A shorter bar would hardly move. */
const [narrowest, widest] = [8, 24];

function barOf(part: number, cells: number): string {
  const filled = Math.floor(part * cells);
  return '━'.repeat(filled) + '─'.repeat(cells - filled);
}
