/** Formats numbers as bars. */
import { Chalk } from 'chalk';
import { visible } from './sanitize.ts';
import { cut, widthOf } from './width.ts';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The part of the value that counts failures. It is drawn as `▒` at the end of the bar. */
  readonly marked?: number;
  /** The largest possible value. */
  readonly most?: number;
  /** The numbers as text, shown after the bar. */
  readonly note: string;
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const [full, marked, empty] = ['█', '▒', '░'];
/** The minimum width of a bar in columns. */
const narrowest = 8;
const longestLabel = 24;

/** Draws one line for each bar, all to the same scale, no wider than `width`. */
export function chart(bars: readonly Bar[], width: number, color: boolean): string {
  const { green, red, dim } = new Chalk({ level: color ? 1 : 0 });
  const noteWidth = Math.max(0, ...bars.map(({ note }) => note.length));
  const labelRoom = Math.min(longestLabel, Math.max(narrowest, width - noteWidth - 4 - narrowest));
  const labels = bars.map(({ label }) => cut(visible(label), labelRoom));
  const labelWidth = Math.max(0, ...labels.map(widthOf));
  const room = Math.max(narrowest, width - labelWidth - noteWidth - 4);
  const scale = Math.max(1, ...bars.map(({ value, most }) => Math.max(value, most ?? 0)));
  return bars
    .map((bar, index) => {
      const label = labels[index] ?? '';
      const { good, bad, rest } = drawn(bar, room / scale);
      const line = `${green(good)}${red(bad)}${dim(rest)}`;
      const after = ' '.repeat(Math.max(0, room - good.length - bad.length - rest.length));
      return `${label}${' '.repeat(labelWidth - widthOf(label))}  ${line}${after}  ${bar.note}\n`;
    })
    .join('');
}

/** Draws the parts of a bar. `perUnit` is in columns. A value above 0 takes at least one column. */
function drawn({ value, marked: part = 0, most = 0 }: Bar, perUnit: number) {
  const bad = marked.repeat(part > 0 ? Math.max(1, Math.round(part * perUnit)) : 0);
  const columns = (value - part) * perUnit;
  const whole = Math.floor(columns);
  const eighth = eighths[Math.floor((columns - whole) * 8)] ?? '';
  const good = full.repeat(whole) + (bad === '' ? eighth || (value > 0 && whole === 0 ? '▏' : '') : '');
  const rest = empty.repeat(Math.max(0, Math.floor(most * perUnit) - good.length - bad.length));
  return { good, bad, rest };
}
