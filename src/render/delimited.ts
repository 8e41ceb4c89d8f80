/** Formats a value as CSV (RFC 4180, but with LF line breaks) or TSV, without cutting or changing a value. */
import { isRecord } from '../json-object.ts';
import { textsOf } from './blocks.ts';
import { fieldNamesOf, memberAt, rowsOf, type View } from './fields.ts';
import { jsonText, visible } from './sanitize.ts';

export const csv = (value: unknown, view: View): Promise<readonly string[]> => lines(value, view, csvLine(view));

/** Formats TSV. Four characters of a cell are escaped, so that each row is one line and each value can be read back. */
export const tsv = (value: unknown, view: View): Promise<readonly string[]> => lines(value, view, tsvLine(view));

type LineOf = (cells: readonly string[]) => string;

async function lines(value: unknown, view: View, line: LineOf): Promise<readonly string[]> {
  const rows = rowsOf(value, view) ?? [value];
  const head = headOf(rows, view);
  // The result of a query such as `[].[a, b]`.
  const isOfLists = rows.every((row) => Array.isArray(row) && row.length > 0);
  const cellsOf = (row: unknown): readonly unknown[] => (isOfLists && Array.isArray(row) ? row : [row]);
  const lineOf = (row: unknown) =>
    `${line((head ? head.map((path) => memberAt(row, path)) : cellsOf(row)).map(textOf))}\n`;
  const blocks = await textsOf(rows, (block) => block.map(lineOf).join(''), view.signal);
  return head && view.headers !== false ? [`${line(head)}\n`, ...blocks] : blocks;
}

/** Returns every field of any row, or undefined if the rows are not records. */
function headOf(rows: readonly unknown[], view: View): readonly string[] | undefined {
  if (view.fields) return view.fields;
  return rows.length > 0 && rows.every(isRecord) ? fieldNamesOf(rows, 1000) : undefined;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : jsonText(value);
}

function csvLine({ width }: View): LineOf {
  const isScreen = width !== undefined;
  // If only few rows have a field, most cells are empty: they are skipped to save time.
  const cell = (text: string) => {
    if (text === '') return '';
    const shown = isScreen ? visible(text, { lines: true }) : encodable(text);
    return /[",\n\r]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
  };
  // Many readers skip an empty line, so a row with one empty cell has quotes.
  return (cells) => (cells.length === 1 && cells[0] === '' ? '""' : cells.map(cell).join(','));
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function tsvLine({ width }: View): LineOf {
  const safe = width === undefined ? encodable : visible;
  const cell = (text: string) =>
    text === '' ? '' : safe(text.replace(/[\\\t\n\r]/g, (char) => escapes[char] ?? char));
  return (cells) => cells.map((text) => cell(text)).join('\t');
}

/** Escapes lone surrogates: they are the only characters that UTF-8 cannot store. */
const encodable = (text: string): string => text.replace(/\p{Cs}/gu, (half) => visible(half));
