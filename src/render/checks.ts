/** Formats checks for people: one line each, with a mark on a terminal, followed by how to fix it. */
import { Chalk } from 'chalk';
import { visible } from './sanitize.ts';
import { signOf } from './signs.ts';
import { wrapWords } from './width.ts';

/** The result of a check as it is shown. `fix` is the command or the sentence that fixes the problem. */
export interface CheckResult {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  readonly message: string;
  readonly fix?: string;
}

const states = { ok: 'good', warn: 'open', fail: 'bad' } as const;
const colors = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const;

/** The minimum width of messages in columns. On a narrower terminal, a message is below the name of its check. */
const narrowest = 30;

interface Look {
  /** The width of the terminal. Without one, there are no marks, and messages are not wrapped. */
  readonly width: number | undefined;
  readonly color: boolean;
  /** Whether the terminal may lack the marks. Then there is only the word. */
  readonly plainSigns?: boolean;
}

/** Joins consecutive checks that are skipped for the same reason, if there are more than two. */
function withoutRepeats(checks: readonly CheckResult[]): readonly CheckResult[] {
  const [first] = checks;
  if (!first) return [];
  const end = checks.findIndex(({ status, message }) => status !== 'skip' || message !== first.message);
  const same = checks.slice(0, end < 0 ? checks.length : end);
  if (same.length < 3) return [first, ...withoutRepeats(checks.slice(1))];
  const names = same.map(({ check }) => check).join(', ');
  const joined = { ...first, check: `${same.length} checks`, message: `${first.message}: ${names}` };
  return [joined, ...withoutRepeats(checks.slice(same.length))];
}

export function checksText(checks: readonly CheckResult[], { width, color, plainSigns = false }: Look): string {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const rows = withoutRepeats(checks);
  const names = Math.max(...rows.map(({ check }) => check.length));
  const hasMarks = width !== undefined && !plainSigns;
  const column = (hasMarks ? 2 : 0) + 'fail  '.length + names + 2;
  const isBeside = width === undefined || width - column >= narrowest;
  const indent = isBeside ? column : 4;
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(1, width - indent);
  const lines = rows.flatMap(({ check, status, message, fix }) => {
    const mark = hasMarks ? `${status === 'skip' ? '-' : signOf(states[status], {})} ` : '';
    const head = `${chalk[colors[status]](`${mark}${status}`)}${' '.repeat(6 - status.length)}${check.padEnd(names)}  `;
    const said = wrapWords(visible(message), room);
    const advice = fix === undefined ? [] : wrapWords(`fix: ${visible(fix)}`, room);
    const below = [...(isBeside ? said.slice(1) : said), ...advice.map((line) => chalk.bold(line))];
    return [isBeside ? head + (said[0] ?? '') : head, ...below.map((line) => ' '.repeat(indent) + line)];
  });
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
