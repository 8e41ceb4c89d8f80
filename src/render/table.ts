/** Formats a value as a table: a list as columns, a record as lines of key and value, then tables for its lists. */
import { Chalk } from 'chalk';
import Table from 'cli-table3';
import { isRecord } from '../json-object.ts';
import { mapInBlocks, yieldTurn } from './blocks.ts';
import { cell, painter, recordCell } from './cells.ts';
import { fieldNamesOf, isTable, memberAt, rowsOf, type View } from './fields.ts';
import { checkCells, checkLength, visible } from './sanitize.ts';
import { widthOf } from './width.ts';
import { exactHeader } from './words.ts';

/** Formats a table, or '' for an empty list. A terminal shows what fits its width, and a pipe every value exactly. */
export async function table(value: unknown, view: View): Promise<string> {
  const rows = rowsOf(value, view);
  const isOnTerminal = view.width !== undefined;
  if (rows) return isOnTerminal ? listOnTerminal(rows, view) : listText(rows, view);
  if (isRecord(value)) return isOnTerminal ? (await import('./card.ts')).card(value, view) : recordText(value, view);
  checkLength([value]);
  const text = typeof value === 'string' ? visible(value, { lines: true }) : cell(value);
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

async function listOnTerminal(rows: readonly unknown[], view: View): Promise<string> {
  const { areSnippets, list, snippets } = await import('./list.ts');
  return !view.fields && !view.wide && areSnippets(rows) ? snippets(rows, view) : list(rows, view);
}

async function listText(rows: readonly unknown[], view: View): Promise<string> {
  const { bold } = new Chalk({ level: view.color ? 1 : 0 });
  const paint = painter(view);
  const head = headOf(rows, view);
  checkCells(rows.length * Math.max(1, head.length));
  if (head.length === 0) return layOut(await mapInBlocks(rows, (row) => [cell(row)], view.signal), view, paint);
  const lines = await mapInBlocks(rows, (row) => head.map((path) => cell(memberAt(row, path))), view.signal);
  if (view.headers === false) return layOut(lines, view, paint);
  return layOut([head.map(exactHeader), ...lines], view, (text, line) => (line === 0 ? bold(text) : paint(text)));
}

/** Returns the fields to show as columns, or an empty list if the rows are not records. */
function headOf(rows: readonly unknown[], view: View): readonly string[] {
  if (rows.length === 0 || !rows.every(isRecord)) return [];
  return view.fields ?? view.columns ?? fieldNamesOf(rows, 100);
}

async function recordText(value: Readonly<Record<string, unknown>>, view: View): Promise<string> {
  const { bold } = new Chalk({ level: view.color ? 1 : 0 });
  const paint = painter(view);
  const members = view.fields?.map((path) => [path, memberAt(value, path)] as const) ?? [...leavesOf(value, '')];
  checkCells(members.length);
  checkLength(members.map(([, one]) => one));
  const single = members.filter(([, one]) => !isTable(one));
  const lines = single.flatMap(([key, one]) => lineOf(key, one));
  const text = await layOut(lines, view, (cellText, _, column) => (column === 0 ? bold(cellText) : paint(cellText)));
  const { rows: _, columns: __, fields: ___, ...plain } = view;
  const lists: string[] = [];
  for (const [key, one] of members)
    if (isTable(one)) lists.push(`${bold(visible(key))}\n${await listText(one, plain)}`);
  return [...(text === '' ? [] : [text]), ...lists].join('\n');
}

/** Yields each value of a record with its path, also from nested records: one line per value. */
function* leavesOf(
  value: Readonly<Record<string, unknown>>,
  above: string,
): Generator<readonly [path: string, value: unknown]> {
  for (const [key, one] of Object.entries(value)) {
    const path = above === '' ? key : `${above}.${key}`;
    const isDeep = isRecord(one) && Object.keys(one).length > 0 && path.split('.').length < deepest;
    if (isDeep) yield* leavesOf(one, path);
    else yield [path, one];
  }
}

const deepest = 4;

/** The rows of one field: one for each line of its value. */
const lineOf = (key: string, value: unknown): readonly Cells[] =>
  recordCell(value).map((line, index) => [index === 0 ? visible(key) : '', line]);

type Cells = readonly string[];

const gap = 2;
/** The number of rows in one cli-table3 table. cli-table3 compares each row with all rows above it. */
const blockRows = 100;

/** Formats rows of one line each. `paint` colors a cell by its row and column. */
export async function layOut(
  rows: readonly Cells[],
  { signal }: Pick<View, 'signal'>,
  paint: (text: string, row: number, column: number) => string = (text) => text,
): Promise<string> {
  const widths = await columnWidths(rows, signal);
  const painted: string[] = [];
  // cli-table3 measures with an old Unicode table that lacks newer emoji, so it gets placeholders of the right width.
  const standIns = await mapInBlocks(
    rows,
    (row, line) =>
      row.map((text, column) => {
        if (text === '') return '';
        painted.push(paint(text, line, column));
        return 'x'.repeat(Math.max(1, widthOf(text)));
      }),
    signal,
  );
  let next = 0;
  const lines = await linesOf(standIns, widths, signal);
  return lines.map((line) => `${line.replace(/x+/g, () => painted[next++] ?? '').trimEnd()}\n`).join('');
}

/** Formats one line per row. Rows with the same cell widths, as in most long lists, are formatted only once. */
async function linesOf(rows: readonly Cells[], widths: readonly number[], signal: AbortSignal | undefined) {
  const distinct = new Map(rows.map((row) => [row.join(' '), row]));
  const lines: string[] = [];
  const looks = [...distinct.values()];
  for (let start = 0; start < looks.length; start += blockRows) {
    if (start > 0) await yieldTurn(signal);
    const block = new Table({ ...borderless, colWidths: [...widths] });
    for (const row of looks.slice(start, start + blockRows)) block.push([...row]);
    lines.push(...block.toString().split('\n'));
  }
  const lineOf = new Map([...distinct.keys()].map((look, index) => [look, lines[index] ?? '']));
  return rows.map((row) => lineOf.get(row.join(' ')) ?? '');
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

async function columnWidths(rows: readonly Cells[], signal: AbortSignal | undefined): Promise<readonly number[]> {
  const widths = (rows[0] ?? []).map(() => 1);
  await mapInBlocks(
    rows,
    (row) => {
      for (const column of widths.keys()) widths[column] = Math.max(widths[column] ?? 1, widthOf(row[column] ?? ''));
    },
    signal,
  );
  return widths;
}
