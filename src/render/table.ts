/**
 * Formats a value as a table: a list as columns, a record as lines of key and value, followed by tables for its lists.
 */
import { Chalk } from 'chalk';
import { DtpError } from '../errors.ts';
import { isRecord, type JsonObject } from '../json-object.ts';
import { mapped } from './blocks.ts';
import { cell, listCell, painter, recordCell } from './cells.ts';
import { gap, layOut, type Row } from './columns.ts';
import { memberAt, membersOf } from './fields.ts';
import { visible } from './sanitize.ts';
import { rowsOf, type View } from './view.ts';
import { widthOf, wrapped } from './width.ts';

/** The result ends with a line break, but is empty for an empty list. With a width, lines are cut to fit. */
export async function table(value: unknown, view: View): Promise<string> {
  const rows = rowsOf(value, view);
  if (rows) return listText(rows, view);
  if (isRecord(value)) return recordText(value, view);
  checkLength([['', value]]);
  const text = typeof value === 'string' ? visible(value, { lines: true }) : cell(value);
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

async function listText(rows: readonly unknown[], view: View): Promise<string> {
  const { bold } = new Chalk({ level: view.color ? 1 : 0 });
  const paint = painter(view);
  const head = headOf(rows, view);
  checkCells(rows.length * Math.max(1, head.length));
  if (head.length === 0)
    return layOut(await mapped(rows, (row) => [listCell(row, view)], view.signal), view, paint);
  // At most `width` columns can fit. One more column makes the ellipsis appear.
  const shown = view.width === undefined ? head : head.slice(0, view.width + 1);
  const lines = await mapped(
    rows,
    (row) => shown.map((path) => listCell(memberAt(row, path), view)),
    view.signal,
  );
  if (view.headers === false) return layOut(lines, view, paint);
  return layOut([shown.map(title), ...lines], view, (text, line) => (line === 0 ? bold(text) : paint(text)));
}

/** Each cell takes at least 400 bytes while a table is formatted. */
const mostCells = 500_000;

function checkCells(count: number): void {
  if (count <= mostCells) return;
  throw new DtpError('bad_response', `the result has ${count} cells, too many for a table`, {
    hint: 'Use -o csv or -o ndjson, or ask for less with --fields, --query or --limit.',
  });
}

/** The characters of a record are in memory several times while a table is formatted. */
const mostCharacters = 16 * 1024 * 1024;

function checkLength(members: readonly (readonly [path: string, value: unknown])[]): void {
  const length = members.reduce((sum, [, one]) => sum + (typeof one === 'string' ? one.length : 0), 0);
  if (length <= mostCharacters) return;
  throw new DtpError('bad_response', `the result has ${length} characters, too many for a table`, {
    hint: 'Use -o json, or ask for less with --fields or --query.',
  });
}

/** Returns the fields to show as columns, or an empty list if the rows are not records. */
function headOf(rows: readonly unknown[], view: View): readonly string[] {
  if (rows.length === 0 || !rows.every(isRecord)) return [];
  // A terminal needs no limit, because only the columns that fit are shown.
  const most = view.width === undefined ? 100 : Number.POSITIVE_INFINITY;
  return view.fields ?? view.columns ?? membersOf(rows, most);
}

/** `interaction_type` → `INTERACTION TYPE`, `genLockId` → `GEN LOCK ID`. */
const title = (name: string) =>
  visible(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/[_-]+/g, ' ')
      .toUpperCase(),
  );

const isList = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord);

async function recordText(value: Readonly<Record<string, unknown>>, view: View): Promise<string> {
  const { bold } = new Chalk({ level: view.color ? 1 : 0 });
  const paint = painter(view);
  const members = view.fields?.map((path) => [path, memberAt(value, path)] as const) ?? [
    ...leavesOf(value, ''),
  ];
  checkCells(members.length);
  checkLength(members);
  const single = members.filter(([, one]) => !isList(one));
  const keys = single.reduce((most, [key]) => Math.max(most, widthOf(visible(key))), 0);
  const room = view.width === undefined ? undefined : Math.max(leastRoom, view.width - keys - gap);
  const lines = single.flatMap(([key, one]) => lineOf(key, one, view, room));
  const text = await layOut(lines, view, (cellText, _, column) =>
    column === 0 ? bold(cellText) : paint(cellText),
  );
  const { rows: _, columns: __, fields: ___, ...plain } = view;
  const lists: string[] = [];
  for (const [key, one] of members)
    if (isList(one)) lists.push(`${bold(visible(key))}\n${await listText(one, plain)}`);
  return [...(text === '' ? [] : [text]), ...lists].join('\n');
}

/** Yields the values in nested records with their paths, so that each line has one value. */
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

/** The maximum number of parts in a path. Deeper values are shown as JSON. */
const deepest = 4;

/** The minimum width of a value in columns, however long the names are. */
const leastRoom = 8;

/** The rows for one field. A string keeps its line breaks, and lines that are too wide are wrapped. */
const lineOf = (key: string, value: unknown, view: View, room: number | undefined): readonly Row[] =>
  recordCell(value, view)
    .flatMap((line) => (room === undefined ? [line] : wrapped(line, room)))
    .map((line, index) => [index === 0 ? visible(key) : '', line]);
