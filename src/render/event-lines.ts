/** Formats events as lines for people, one by one. More events follow, so the columns have fixed widths. */
import { Chalk } from 'chalk';
import { fieldsOf, type JsonObject } from '../json-object.ts';
import { operationsFor } from '../operations/areas.ts';
import { amount, instantOf, localText } from './amounts.ts';
import { amountText } from './cells.ts';
import type { View } from './fields.ts';
import { fieldOf, stateIn } from './list.ts';
import { visible } from './sanitize.ts';
import { signOf } from './signs.ts';
import { cut, widthOf, wrapWords } from './width.ts';

export interface EventLines extends Pick<View, 'color' | 'plainSigns'> {
  /** The width of the terminal. Undefined if nothing is to be cut. */
  readonly width: number | undefined;
  readonly headers: boolean;
  readonly now: () => Date;
}

const [, when, type, target, took, place] = operationsFor('events').searchWorkspaceEvents.screen;

/** The columns in front of the last one, which takes the rest of the line. A narrow terminal omits lesser ones. */
const columns = [
  { ...when, width: 8, isLesser: false },
  { ...type, width: 15, isLesser: false },
  { ...target, width: 12, isLesser: true },
  { ...took, width: 6, isLesser: true },
];

const all = [...columns, place];
const titles = all.map(({ title }) => title);

/** The width in columns below which a terminal shows no lesser columns. */
const narrow = 60;

const mostLines = 10;

/** Returns a function that formats events: the header row once, and a date whenever the day changes. */
export function openEventLines(view: EventLines): (rows: readonly unknown[]) => string {
  const { bold, dim, red, green } = new Chalk({ level: view.color ? 1 : 0 });
  let hasHeader = !view.headers;
  let day = localText(view.now().getTime()).slice(0, 10);
  return (rows) => {
    const lines = hasHeader ? [] : [bold(lineOf(view, '', titles))];
    hasHeader = true;
    for (const event of rows.map(fieldsOf)) {
      const { date } = momentOf(event);
      if (date !== '' && date !== day) lines.push(dim(date));
      day = date || day;
      const state = stateIn(event.success);
      const sign = signOf(state, view);
      const texts = all.map((column) => textOf(event, column));
      const line = lineOf(view, sign, texts);
      const errors = state === 'bad' ? errorLines(event.error, view.width) : [];
      if (state === 'bad') lines.push(...[line, ...errors].map((one) => red(one)));
      else if (state === undefined) lines.push(line);
      else lines.push(`${green(line.slice(0, sign.length))}${line.slice(sign.length)}`);
    }
    return lines.map((line) => `${line}\n`).join('');
  };
}

/** One line: a cell for each column, then the last string. */
function lineOf({ width, plainSigns }: EventLines, sign: string, texts: readonly string[]): string {
  const cells = columns.flatMap((column, index) => {
    if (column.isLesser && width !== undefined && width < narrow) return [];
    const text = texts[index] ?? '';
    const shown = width === undefined ? text : cut(text, column.width);
    return [shown + ' '.repeat(Math.max(0, column.width - widthOf(shown)))];
  });
  const line = `${sign.padEnd(plainSigns ? 2 : 1)} ${[...cells, texts.at(-1)].join('  ')}`.trimEnd();
  return width === undefined ? line : cut(line, width);
}

/** The local date and time at which the event was created. Empty if that is not known. */
function momentOf({ created_at }: JsonObject): { readonly date: string; readonly time: string } {
  const at = instantOf(created_at);
  const [date = '', time = ''] = at === undefined ? [] : localText(at).split(' ');
  return { date, time };
}

/** What a column shows of an event. */
function textOf(event: JsonObject, column: { readonly from: readonly string[] }): string {
  if (column.from === when.from) return momentOf(event).time;
  const value = fieldOf(event, column);
  return amountText(column.from[0] ?? '', value) ?? (typeof value === 'string' ? visible(value) : '');
}

/** The first lines of an error, indented. Words are never broken, because they may be paths or URLs. */
function errorLines(error: unknown, width = Number.POSITIVE_INFINITY): readonly string[] {
  const text = typeof error === 'string' ? visible(error, { lines: true }) : '';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, mostLines).flatMap((line) => wrapWords(line.trimEnd(), width - indent.length));
  const more = lines.length - mostLines;
  return [...shown, ...(more > 0 ? [`… ${amount(more, 'more line')}`] : [])].map((line) => `${indent}${line}`);
}

const indent = '    ';
