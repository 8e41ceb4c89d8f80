/** Formats a value as CSV (RFC 4180, but with LF line breaks) or TSV, without cutting or changing a value. */
import { isRecord } from '../json-object.ts';
import { textsOf } from './blocks.ts';
import { checkFieldCount, memberAt, rowsOf, type View } from './fields.ts';
import { jsonText, visible } from './sanitize.ts';

export const csv = (value: unknown, view: View): Promise<readonly string[]> => lines(value, view, openCsv(view));

/** Formats TSV. Four characters of a cell are escaped, so that each row is one line and each value can be read back. */
export const tsv = (value: unknown, view: View): Promise<readonly string[]> => lines(value, view, openTsv(view));

export const openCsv = (view: View) => openLines(view, csvLine(view));
export const openTsv = (view: View) => openLines(view, tsvLine(view));

type LineOf = (cells: readonly string[]) => string;

async function lines(value: unknown, view: View, writer: ReturnType<typeof openLines>): Promise<readonly string[]> {
  const rows = rowsOf(value, view) ?? [value];
  writer.look?.(rows);
  const blocks = await textsOf(rows, writer.write, view.signal);
  return [...blocks, writer.end()];
}

/** The header has every field of any row, so all rows are looked at before the first is written. */
function openLines(view: View, line: LineOf) {
  const { fields } = view;
  const names = new Set<string>(fields);
  let [isFirst, areRecords, areLists] = [true, true, true];
  const look = (rows: readonly unknown[]) => {
    areRecords &&= rows.every(isRecord);
    // The result of a query such as `[].[a, b]`.
    areLists &&= rows.every((row) => Array.isArray(row) && row.length > 0);
    for (const row of rows) if (isRecord(row)) for (const name of Object.keys(row)) names.add(name);
    if (areRecords) checkFieldCount(names.size, 1000);
  };
  const header = (head: readonly string[]) => {
    const text = isFirst && view.headers !== false ? `${line(head)}\n` : '';
    isFirst = false;
    return text;
  };
  const cellsOf = (row: unknown): readonly unknown[] => (areLists && Array.isArray(row) ? row : [row]);
  return {
    ...(!fields && { look }),
    write: (rows: readonly unknown[]): string => {
      const head = fields ?? (areRecords && names.size > 0 ? [...names] : undefined);
      const lineOf = (row: unknown) =>
        `${line((head ? head.map((path) => memberAt(row, path)) : cellsOf(row)).map(textOf))}\n`;
      return (head ? header(head) : '') + rows.map(lineOf).join('');
    },
    end: () => (fields ? header(fields) : ''),
  };
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
