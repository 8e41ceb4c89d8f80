/** Formats a value as a table: a list as columns, a record as lines of key and value, then tables for its lists. */
import { Chalk } from 'chalk';
import { isRecord, type JsonObject } from '../json-object.ts';
import { mapInBlocks } from './blocks.ts';
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
  const { areSnippets, snippets } = await import('./snippets.ts');
  if (!view.fields && !view.wide && areSnippets(rows)) return snippets(rows, view);
  return (await import('./list.ts')).list(rows, view);
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

async function recordText(value: JsonObject, view: View): Promise<string> {
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
function* leavesOf(value: JsonObject, above: string): Generator<readonly [path: string, value: unknown]> {
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

const gap = '  ';

/** Formats rows of one line each. `paint` colors a cell by its row and column. */
async function layOut(
  rows: readonly Cells[],
  { signal }: Pick<View, 'signal'>,
  paint: (text: string, row: number, column: number) => string,
): Promise<string> {
  const widths = (rows[0] ?? []).map(() => 1);
  const measure = (row: Cells) => {
    for (const column of widths.keys()) widths[column] = Math.max(widths[column] ?? 1, widthOf(row[column] ?? ''));
  };
  await mapInBlocks(rows, measure, signal);
  const padded = (text: string, line: number, column: number) =>
    paint(text, line, column) + ' '.repeat((widths[column] ?? 1) - widthOf(text));
  const lineOf = (row: Cells, line: number) =>
    `${row
      .map((text, column) => padded(text, line, column))
      .join(gap)
      .trimEnd()}\n`;
  return (await mapInBlocks(rows, lineOf, signal)).join('');
}
