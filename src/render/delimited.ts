/** Value → lines of cells, exact and uncut: CSV (RFC 4180, with bare line breaks) and TSV. */
import { memberAt } from './fields.ts';
import { jsonText, visible } from './sanitize.ts';
import { isRecord, rowsOf, type View } from './view.ts';

export const csv = (value: unknown, view: View): string => lines(value, view, ',', csvCell);

/** Tabs and line breaks in a cell are written as `\t` and `\n`. */
export const tsv = (value: unknown, view: View): string => lines(value, view, '\t', visible);

function lines(value: unknown, view: View, separator: string, cell: (text: string) => string): string {
  const rows = rowsOf(value, view) ?? [value];
  const head = headOf(rows, view);
  const cells = rows.map((row) => (head ? head.map((path) => memberAt(row, path)) : [row]));
  const texts = cells.map((row) => row.map((one) => cell(textOf(one))));
  const all = head && view.headers !== false ? [head.map(cell), ...texts] : texts;
  return all.map((row) => `${row.join(separator)}\n`).join('');
}

/** Every member of any row; undefined for rows that are no records. */
function headOf(rows: readonly unknown[], view: View): readonly string[] | undefined {
  if (view.fields) return view.fields;
  if (rows.length === 0 || !rows.every(isRecord)) return undefined;
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : jsonText(value);
}

function csvCell(text: string): string {
  const shown = visible(text, { lines: true });
  return /[",\n]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
