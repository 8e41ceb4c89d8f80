/** Formats events as lines for people, one by one. More events follow, so the columns have fixed widths. */
import { Chalk } from 'chalk';
import { fieldsOf, type JsonObject } from '../json-object.ts';
import type { ScreenColumn } from '../operations/operation.ts';
import { durationText } from './amounts.ts';
import { instantOf, localText } from './dates.ts';
import { fieldOf } from './list.ts';
import { visible } from './sanitize.ts';
import { signOf } from './signs.ts';
import { cut, widthOf, words } from './width.ts';

export interface EventLines {
  /** The columns that a list of events has on a terminal. */
  readonly screen: readonly ScreenColumn[];
  readonly color: boolean;
  /** The width of the terminal. Undefined if nothing is to be cut. */
  readonly width: number | undefined;
  readonly headers: boolean;
  /** Whether the terminal may show only ASCII signs. */
  readonly plainSigns: boolean;
  readonly now: () => Date;
}

/** The widths of the columns. The last one takes the rest of the line. */
const widths: Readonly<Record<string, number>> = { WHEN: 8, TYPE: 15, TARGET: 12, TOOK: 6, 'BRANCH/REPO': 0 };

/** A narrower terminal shows fewer columns. */
const narrow = 60;

/** The number of lines of an error that are shown. */
const mostLines = 10;

/**
 * Returns a function that formats a group of events. It prints the header row once, and a date whenever the day changes,
 * because a row only has the time.
 */
export function openEventLines(view: EventLines): (rows: readonly unknown[]) => string {
  const { bold, dim, red, green } = new Chalk({ level: view.color ? 1 : 0 });
  const columns = columnsOf(view);
  let hasHeader = !view.headers;
  let day = localText(view.now().getTime()).slice(0, 10);
  return (rows) => {
    const titles = columns.map(({ title }) => title);
    const lines = hasHeader ? [] : [bold(lineOf(view, '', titles, titles))];
    hasHeader = true;
    for (const event of rows.map(fieldsOf)) {
      const { success } = event;
      const { date } = momentOf(event);
      if (date !== '' && date !== day) lines.push(dim(date));
      day = date || day;
      const sign = signOf(success === true ? 'good' : success === false ? 'bad' : undefined, view);
      const cells = columns.map((column) => cellOf(event, column));
      const line = lineOf(view, sign, titles, cells);
      const errors = success === false ? errorLines(event.error, view.width) : [];
      if (success === false) lines.push(...[line, ...errors].map((one) => red(one)));
      else lines.push(`${green(line.slice(0, sign.length))}${line.slice(sign.length)}`);
    }
    return lines.map((line) => `${line}\n`).join('');
  };
}

type Column = Exclude<ScreenColumn, string>;

/** Without the errors, which are shown below their event. */
const columnsOf = ({ screen, width }: EventLines): readonly Column[] =>
  screen.filter(
    (column): column is Column =>
      typeof column === 'object' &&
      column.title in widths &&
      !(column.isLesser && width !== undefined && width < narrow),
  );

function cellOf(event: JsonObject, column: Column): string {
  if (column.title === 'WHEN') return momentOf(event).time;
  const value = fieldOf(event, column);
  if (typeof value === 'number') return durationText(value);
  return typeof value === 'string' ? visible(value) : '';
}

/** One line with a string for each column. */
function lineOf(view: EventLines, sign: string, titles: readonly string[], texts: readonly string[]): string {
  const { width, plainSigns } = view;
  const cells = texts.map((text, at) => {
    const room = at === texts.length - 1 ? 0 : (widths[titles[at] ?? ''] ?? 0);
    const shown = width === undefined || room === 0 ? text : cut(text, room);
    return shown + ' '.repeat(Math.max(0, room - widthOf(shown)));
  });
  const line = `${sign.padEnd(plainSigns ? 2 : 1)} ${cells.join('  ')}`.trimEnd();
  return width === undefined ? line : cut(line, width);
}

/** The local date and time at which the event was created. Empty if that is not known. */
function momentOf({ created_at }: JsonObject): { readonly date: string; readonly time: string } {
  const at = instantOf(created_at);
  const [date = '', time = ''] = at === undefined ? [] : localText(at).split(' ');
  return { date, time };
}

/** The first lines of an error, indented. Words are never broken, because they may be paths or URLs. */
function errorLines(error: unknown, width = Number.POSITIVE_INFINITY): readonly string[] {
  const text = typeof error === 'string' ? visible(error, { lines: true }) : '';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, mostLines).flatMap((line) => words(line.trimEnd(), width - indent.length));
  const more = lines.length - mostLines;
  return [...shown, ...(more > 0 ? [`… ${more} more lines`] : [])].map((line) => `${indent}${line}`);
}

const indent = '    ';
