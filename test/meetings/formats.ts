/** Reads the result of each format back, and compares it with the JSON of the same line. */
import { decode } from '@toon-format/toon';
import { parse as parseYaml } from 'yaml';
import { exactly, jsonOf, newest, type Row } from './answers.ts';
import type { Subject } from './subjects.ts';

export const short = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
export const differ = (what: string, a: unknown, b: unknown) =>
  JSON.stringify(a) === JSON.stringify(b)
    ? undefined
    : `${what}: ${short(JSON.stringify(a) ?? 'nothing')} instead of ${short(JSON.stringify(b) ?? 'nothing')}`;

/** The rows that the flags of a list leave. */
export function expectedRows({ answer: { rows }, choice, requests }: Subject): readonly Row[] | undefined {
  if (!rows) return undefined;
  const { flow = '' } = choice;
  const at = (row: Row) => Date.parse(String(row.created_at));
  const isPaged = rows.length === 9 && requests[0]?.url.includes('/revisions');
  if (flow.startsWith('--since')) return rows.filter((row) => at(row) >= newest - 90_000);
  if (flow.startsWith('--until')) return rows.filter((row) => at(row) < newest - 90_000);
  if (/^(--limit|-L) 2$/.test(flow)) return rows.slice(0, 2);
  if (isPaged && flow !== '--all') return rows.slice(0, 3);
  return rows;
}

/** The rows in a JSON result: the list, the list in its field, or one record. */
export function rowsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const list = Object.values(Object(value)).find(Array.isArray);
  return list ?? [value];
}

function csvRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    const row = rows.at(-1);
    const cell = quoted?.replaceAll('""', '"') ?? bare ?? '';
    if (row && !Object.isFrozen(row)) row.push(cell);
    else rows.push([cell]);
    if (end === '\n') Object.freeze(rows.at(-1));
  }
  return rows;
}

const tsvRows = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) =>
      line
        .split('\t')
        .map((cell) =>
          cell.replace(/\\([\\tnr]|u[0-9a-f]{4})/g, (_, one: string) =>
            one.length > 1
              ? String.fromCharCode(Number.parseInt(one.slice(1), 16))
              : ({ t: '\t', n: '\n', r: '\r' }[one] ?? one),
          ),
        ),
    );

/** Whether the cells of a table are the fields of the rows that its header names. */
function cellsDiffer(
  cells: readonly (readonly string[])[],
  rows: readonly unknown[],
  hasHeader: boolean,
): string | undefined {
  // A list of other values has no header.
  const isTable = hasHeader && rows.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row));
  const [header = [], ...lines] = isTable ? cells : [[], ...cells];
  if (lines.length !== rows.length) return `${lines.length} rows instead of ${rows.length}`;
  for (const [at, row] of rows.entries()) {
    const isRecord = typeof row === 'object' && row !== null && !Array.isArray(row);
    for (const [column, name] of header.entries()) {
      const value = isRecord ? (row as Row)[name] : row;
      const cell = lines[at]?.[column] ?? '';
      const text =
        value === null || value === undefined
          ? ''
          : typeof value === 'string'
            ? value.replace(/^big:/, '')
            : jsonOf(value);
      if (
        cell !== text &&
        cell.replace(/\\u00(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))) !== text
      )
        return `row ${at} has ${JSON.stringify(cell)} as ${name} instead of ${JSON.stringify(text)}`;
    }
  }
  return undefined;
}

const inTerms = (value: unknown) => jsonOf(value).replaceAll(/\s/g, '');

/** How the result of each format differs from the JSON of the same line. */
export const readers: Readonly<Record<string, (text: string, value: unknown, subject: Subject) => string | undefined>> =
  {
    ndjson: (text, value) => {
      const lines = text.split('\n').filter(Boolean);
      return differ('the lines', lines.map(exactly), rowsIn(value));
    },
    yaml: (text, value) => {
      const read = parseYaml(text, { intAsBigInt: true });
      const written = JSON.stringify(read, (_, one) => (typeof one === 'bigint' ? `big:${one}` : one)).replace(
        /"big:(-?\d+)"/g,
        '$1',
      );
      return differ('the value', written, jsonOf(value));
    },
    toon: (text, value) =>
      // The reader of the library rounds.
      differ('the value', JSON.stringify(decode(text.trimEnd())), JSON.stringify(JSON.parse(jsonOf(value)))),
    csv: (text, value, { choice }) => cellsDiffer(csvRows(text), rowsIn(value), choice.select !== '--no-headers'),
    tsv: (text, value, { choice }) => cellsDiffer(tsvRows(text), rowsIn(value), choice.select !== '--no-headers'),
    name: (text, value) => {
      const rows = rowsIn(value);
      const lines = text.split('\n').slice(0, -1);
      if (lines.length !== rows.length) return `${lines.length} names for ${rows.length} rows`;
      const wrong = lines.find(
        (line, at) => !inTerms(rows[at]).includes(JSON.stringify(line).slice(1, -1).replaceAll(/\s/g, '')),
      );
      return wrong === undefined ? undefined : `the name ${JSON.stringify(wrong)} is in no row`;
    },
    table: (text, value) => {
      const rows = rowsIn(value) as readonly Row[];
      const ids = rows.flatMap((row) => (typeof row?.id === 'string' && /^id-\d+$/.test(row.id) ? [row.id] : []));
      if (ids.length < 2 || !text.includes('id-0')) return undefined;
      const shown = ids.filter((id) => new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(text));
      return differ('the rows', shown.length, ids.length);
    },
    raw: (text, _, { answer, requests }) => {
      const { body = '' } = requests[0] ? answer.script(requests[0], []) : {};
      return requests.length === 1 ? differ('the bytes', text, String(body)) : undefined;
    },
  };
