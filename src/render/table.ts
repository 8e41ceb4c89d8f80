/** Value → a table for people: a list as columns, a record as lines of key and value. */
import { Chalk } from 'chalk';
import Table from 'cli-table3';
import { memberAt } from './fields.ts';
import { jsonText, visible } from './sanitize.ts';
import { isRecord, rowsOf, type View } from './view.ts';
import { cut, widthOf } from './width.ts';

type Row = readonly string[];

/** Spaces between columns. */
const gap = 2;
/** What a column is not made narrower than. */
const narrowest = 4;
/** Rows that cli-table3 is given at once: it hands them on as arguments, whose number is limited. */
const blockRows = 1000;

/** Ends with a line break; nothing for an empty list. With a width it fits it, and is cut where it must be. */
export function table(value: unknown, view: View): string {
  const { bold } = new Chalk({ level: view.color ? 1 : 0 });
  const rows = rowsOf(value, view);
  if (rows) {
    const head = headOf(rows, view);
    if (head.length === 0)
      return layOut(
        rows.map((row) => [listCell(row, view)]),
        view,
      );
    const lines = rows.map((row) => head.map((path) => listCell(memberAt(row, path), view)));
    if (view.headers === false) return layOut(lines, view);
    return layOut([head.map(title), ...lines], view, (text, line) => (line === 0 ? bold(text) : text));
  }
  if (isRecord(value)) {
    const members =
      view.fields?.map((path) => [path, memberAt(value, path)] as const) ?? Object.entries(value);
    const lines = members.flatMap(([key, one]) => recordLines(key, one));
    return layOut(lines, view, (text, _, column) => (column === 0 ? bold(text) : text));
  }
  const text = typeof value === 'string' ? visible(value, { lines: true }) : cell(value);
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** The members that are columns; none for a list of what is no record. */
function headOf(rows: readonly unknown[], view: View): readonly string[] {
  if (rows.length === 0 || !rows.every(isRecord)) return [];
  return view.fields ?? view.columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** `interaction_type` → `INTERACTION TYPE`, `genLockId` → `GEN LOCK ID`. */
const title = (name: string) =>
  visible(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/[_-]+/g, ' ')
      .toUpperCase(),
  );

/** One line each, so that a row is a line: on a terminal the first, which an ellipsis says is not all. */
function listCell(value: unknown, view: View): string {
  if (typeof value !== 'string' || view.width === undefined) return cell(value);
  const [first = '', ...rest] = linesOf(value);
  return rest.length > 0 ? `${visible(first)}…` : visible(first);
}

/** A text of several lines keeps them, under one another: a record has room for them. */
function recordLines(key: string, value: unknown): readonly Row[] {
  const lines = typeof value === 'string' ? linesOf(value).map((line) => visible(line)) : [cell(value)];
  return lines.map((line, index) => [index === 0 ? visible(key) : '', line]);
}

const linesOf = (text: string) => text.replace(/[\r\n]+$/, '').split(/\r?\n/);

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && !value.some((one) => typeof one === 'object' && one !== null))
    return value.map(cell).join(', ');
  return typeof value === 'object' ? jsonText(value) : visible(String(value));
}

/** Rows of one line each → text. `paint` colours a cell by its row and column. */
function layOut(
  all: readonly Row[],
  view: View,
  paint: (text: string, row: number, column: number) => string = (text) => text,
): string {
  const rows = view.width === undefined ? all : withinColumns(all, view.width);
  const widths = shrink(columnWidths(rows), view.width);
  const cells = rows.map((row) => row.map((text, column) => cut(text, widths[column] ?? 0)));
  const painted = cells.flatMap((row, line) =>
    row.flatMap((text, column) => (text === '' ? [] : [paint(text, line, column)])),
  );

  // cli-table3 measures by an old Unicode table and knows no emoji since: it is given stand-ins of the right width.
  const standIns = cells.map((row) =>
    row.map((text) => 'x'.repeat(text === '' ? 0 : Math.max(1, widthOf(text)))),
  );
  let next = 0;
  return blocksOf(standIns, widths)
    .map((line) => `${line.replace(/x+/g, () => painted[next++] ?? '').trimEnd()}\n`)
    .join('');
}

/** Lines of text. */
function blocksOf(rows: readonly Row[], widths: readonly number[]): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < rows.length; start += blockRows) {
    const block = new Table({ ...borderless, colWidths: [...widths] });
    block.push(...rows.slice(start, start + blockRows).map((row) => [...row]));
    lines.push(...block.toString().split('\n'));
  }
  return lines;
}

const borderless = {
  chars: {
    ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
    ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
    ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
    middle: ' '.repeat(gap),
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
};

/** Leading columns that have room; an ellipsis says that there are more. */
function withinColumns(rows: readonly Row[], width: number): readonly Row[] {
  const least = columnWidths(rows).map((one) => Math.min(one, narrowest));
  const sum = (widths: readonly number[]) => widths.reduce((all, one) => all + one + gap, 0);
  if (sum(least) - gap <= width) return rows;
  const count = least.findIndex((_, column) => sum(least.slice(0, column + 1)) + 1 > width);
  return rows.map((row, line) => [...row.slice(0, Math.max(1, count)), line === 0 ? '…' : '']);
}

const columnWidths = (rows: readonly Row[]): readonly number[] =>
  (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 1),
  );

/** Widths that fit: the widest columns give way first, to one another's width. */
function shrink(widths: readonly number[], width: number | undefined): readonly number[] {
  if (width === undefined) return widths;
  let room = width - gap * (widths.length - 1);
  // From the narrowest: what one leaves of its even share is for the others.
  const sorted = [...widths].sort((a, b) => a - b);
  for (const [index, one] of sorted.entries()) {
    const share = Math.max(1, Math.floor(room / (sorted.length - index)));
    if (one > share) return widths.map((each) => Math.min(each, share));
    room -= one;
  }
  return widths;
}
