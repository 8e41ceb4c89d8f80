/** Formats a value as CSV (RFC 4180, but with LF line breaks) or TSV, without cutting anything. */

import { isRecord } from '../json-object.ts';
import { textsOf } from './blocks.ts';
import { memberAt, membersOf } from './fields.ts';
import { jsonText, visible } from './sanitize.ts';
import { rowsOf, type View } from './view.ts';

export const csv = (value: unknown, view: View): Promise<readonly string[]> =>
  lines(value, view, ',', csvCell);

/** Tabs and line breaks in a cell become `\t` and `\n`. */
export const tsv = (value: unknown, view: View): Promise<readonly string[]> =>
  lines(value, view, '\t', visible);

async function lines(
  value: unknown,
  view: View,
  separator: string,
  cell: (text: string) => string,
): Promise<readonly string[]> {
  const rows = rowsOf(value, view) ?? [value];
  const head = headOf(rows, view);
  // Empty cells are handled first to save time: if only few rows have a field, most cells are empty.
  const textIn = (one: unknown) => (one === undefined ? '' : cell(textOf(one)));
  const lineOf = (row: unknown) => {
    const cells = head ? head.map((path) => memberAt(row, path)) : [row];
    return `${cells.map(textIn).join(separator)}\n`;
  };
  const blocks = await textsOf(rows, (block) => block.map(lineOf).join(''), view.signal);
  return head && view.headers !== false ? [`${head.map(cell).join(separator)}\n`, ...blocks] : blocks;
}

/** Returns every field of any row, or undefined if the rows are not records. */
function headOf(rows: readonly unknown[], view: View): readonly string[] | undefined {
  if (view.fields) return view.fields;
  return rows.length > 0 && rows.every(isRecord) ? membersOf(rows, 1000) : undefined;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : jsonText(value);
}

function csvCell(text: string): string {
  const shown = visible(text, { lines: true });
  return /[",\n]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
