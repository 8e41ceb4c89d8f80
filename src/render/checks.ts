/** Formats checks for people: one line each, with a mark on a terminal, followed by how to fix it. */
import { Chalk, type ChalkInstance } from 'chalk';
import { visible } from './sanitize.ts';
import { words } from './width.ts';

interface Shown {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  readonly message: string;
  readonly mend?: string;
}

const marks = { ok: '✔', warn: '!', fail: '✘', skip: '-' } as const;
const colors = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const satisfies Record<
  Shown['status'],
  keyof ChalkInstance
>;

/** The minimum width of a message in columns, even on a narrow terminal. */
const narrowest = 30;

/** `width` is the width of the terminal. Without a terminal, there are no marks, and messages are not wrapped. */
export function checksText(
  checks: readonly Shown[],
  { width, color }: { readonly width: number | undefined; readonly color: boolean },
): string {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const names = Math.max(...checks.map(({ check }) => check.length));
  const indent = (width === undefined ? 0 : 2) + 'fail  '.length + names + 2;
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(narrowest, width - indent);
  const lines = checks.flatMap(({ check, status, message, mend: fix }) => {
    const mark = width === undefined ? '' : `${marks[status]} `;
    const head = `${chalk[colors[status]](`${mark}${status}`)}${' '.repeat(6 - status.length)}${check.padEnd(names)}  `;
    const [first = '', ...more] = words(visible(message), room);
    const advice = fix === undefined ? [] : words(`fix: ${visible(fix)}`, room);
    const below = [...more, ...advice.map((line) => chalk.bold(line))];
    return [head + first, ...below.map((line) => ' '.repeat(indent) + line)];
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
