/** Formats events as lines for people, one by one. More events follow, so the columns have fixed widths. */
import { Chalk } from 'chalk';
import { fieldsOf, type JsonObject } from '../json-object.ts';
import { amount, timeText } from './amounts.ts';
import { instantOf, localText } from './dates.ts';
import { visible } from './sanitize.ts';
import { cut, widthOf } from './width.ts';

export interface EventLines {
  readonly color: boolean;
  /** The width of the terminal. Undefined if nothing is to be cut. */
  readonly width: number | undefined;
  readonly headers: boolean;
  /** Whether the signs of success and failure are ASCII. */
  readonly isPlain: boolean;
  readonly now: () => Date;
}

interface Column {
  readonly title: string;
  readonly width: number;
  /** Whether a narrow terminal has no room for it. */
  readonly isLesser?: true;
  readonly of: (event: JsonObject) => string;
}

/** In front of the last column, which takes the rest of the line. */
const columns: readonly Column[] = [
  { title: 'WHEN', width: 8, of: (event) => momentOf(event).time },
  { title: 'TYPE', width: 15, of: (event) => textOf(event.interaction_type) },
  {
    title: 'TARGET',
    width: 12,
    isLesser: true,
    of: (event) => textOf(event.generate_target_name ?? event.generate_target),
  },
  { title: 'TOOK', width: 6, isLesser: true, of: (event) => tookText(event.duration_ms) },
];

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
  let hasHeader = !view.headers;
  let day = localText(view.now().getTime()).slice(0, 10);
  return (rows) => {
    const lines = hasHeader ? [] : [bold(lineOf(view, '', titles))];
    hasHeader = true;
    for (const event of rows.map(fieldsOf)) {
      const { date } = momentOf(event);
      if (date !== '' && date !== day) lines.push(dim(date));
      day = date || day;
      const sign = signOf(event, view);
      const line = lineOf(view, sign, [...columns.map(({ of }) => of(event)), placeOf(event)]);
      const errors = event.success === false ? errorLines(event.error, view.width) : [];
      if (event.success === false) lines.push(...[line, ...errors].map((one) => red(one)));
      else lines.push(`${green(line.slice(0, sign.length))}${line.slice(sign.length)}`);
    }
    return lines.map((line) => `${line}\n`).join('');
  };
}

const titles = [...columns.map(({ title }) => title), 'BRANCH/REPO'];

/** One line with a string for each column and the last one. */
function lineOf({ width, isPlain }: EventLines, sign: string, texts: readonly string[]): string {
  const cells = columns.flatMap((column, index) => {
    if (column.isLesser && width !== undefined && width < narrow) return [];
    const text = texts[index] ?? '';
    const shown = width === undefined ? text : cut(text, column.width);
    return [shown + ' '.repeat(Math.max(0, column.width - widthOf(shown)))];
  });
  const line = `${sign.padEnd(isPlain ? 2 : 1)} ${[...cells, texts.at(-1)].join('  ')}`.trimEnd();
  return width === undefined ? line : cut(line, width);
}

function signOf({ success }: JsonObject, { isPlain }: EventLines): string {
  if (success === true) return isPlain ? 'ok' : '✔';
  if (success === false) return isPlain ? 'x' : '✘';
  return '';
}

/** The local date and time at which the event was created. Empty if that is not known. */
function momentOf({ created_at }: JsonObject): { readonly date: string; readonly time: string } {
  const at = instantOf(created_at);
  const [date = '', time = ''] = at === undefined ? [] : localText(at).split(' ');
  return { date, time };
}

/** `12 ms`, `5.1 s`, `31 s`, `4 min`. */
function tookText(ms: unknown): string {
  if (typeof ms !== 'number') return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : timeText(Math.round(ms / 1000));
}

/** The repository, or else the git ref. */
function placeOf(event: JsonObject): string {
  const { git_remote_default_owner: owner, git_remote_default_repo: name } = event;
  const remote = owner && name ? `${textOf(owner)}/${textOf(name)}` : undefined;
  return textOf(event.gh_action_repository ?? remote ?? event.repo_label ?? event.gh_action_ref);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? visible(value) : '');

/** The first lines of an error, indented. Words are never broken, because they may be paths or URLs. */
function errorLines(error: unknown, width = Number.POSITIVE_INFINITY): readonly string[] {
  const text = typeof error === 'string' ? visible(error, { lines: true }) : '';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, mostLines).flatMap((line) => filled(line, width - indent.length));
  const more = lines.length - mostLines;
  return [...shown, ...(more > 0 ? [`… ${amount(more, 'more line')}`] : [])].map(
    (line) => `${indent}${line}`,
  );
}

const indent = '    ';

function filled(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.trimEnd().split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length === 0 || widthOf(longer) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
