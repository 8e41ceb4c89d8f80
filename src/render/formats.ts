/** The output formats: one row each, with its help and the function that writes a value. */
import { rowsOf, type View, withFields } from './fields.ts';
import { jsonPieces, linePieces, visible } from './sanitize.ts';

/** A string, or the pieces of a long one. */
export type Written = string | Iterable<string>;

/** Writes the rows of a list group by group. */
export interface RowWriter {
  /** If it is there, it must get all rows before the first of them is written. */
  readonly look?: (rows: readonly unknown[]) => void;
  readonly write: (rows: readonly unknown[]) => Written | Promise<Written>;
  /** Returns what follows the last row. */
  readonly end: () => string;
}

interface FormatRow {
  readonly help: string;
  readonly write: (value: unknown, view: View) => Written | Promise<Written>;
  /** For a list of any length. Absent if the format needs the whole list. */
  readonly open?: (view: View) => RowWriter | Promise<RowWriter>;
}

function writeLines(value: unknown, view: View): Promise<Written> {
  const shown = withFields(value, view);
  return inColor(linePieces(rowsOf(shown, view) ?? [shown], view.signal), view);
}

/** In the order of the help. Formats that load slowly are loaded on demand, so that scripts get JSON fast. */
const rows = {
  table: {
    help: 'for people: fits the terminal; in a pipe, the API names of the fields and exact values',
    write: async (value, view) => (await import('./table.ts')).table(value, view),
  },
  json: {
    help: 'the unmodified API value',
    write: (value, view) => inColor(jsonPieces(withFields(value, view), 2, view.signal), view),
    open: (view) => openJson(view),
  },
  yaml: {
    help: 'the same value as YAML',
    write: async (value, view) => (await import('./yaml.ts')).yaml(withFields(value, view), view.signal),
  },
  toon: {
    help: 'the same value as TOON, which takes fewer tokens of a model',
    write: async (value, view) => (await import('./toon.ts')).toon(withFields(value, view), view.signal),
    open: async (view) => (await import('./toon.ts')).openToon(view),
  },
  ndjson: {
    help: 'one JSON row per line, written as rows arrive',
    write: writeLines,
    open: (view) => ({ write: (group) => writeLines(group, view), end: () => '' }),
  },
  csv: {
    help: 'a header row, then the rows (RFC 4180, lines end with a line feed)',
    write: async (value, view) => (await import('./delimited.ts')).csv(value, view),
    open: async (view) => (await import('./delimited.ts')).openCsv(view),
  },
  tsv: {
    help: 'one line per row, cells separated by tabs; see below',
    write: async (value, view) => (await import('./delimited.ts')).tsv(value, view),
    open: async (view) => (await import('./delimited.ts')).openTsv(view),
  },
  name: {
    help: 'the id or name of the result or of each row, for use as an argument; exits with 2 if one is missing',
    write: async (value, view) => (await import('./names.ts')).writeNames(value, view),
    open: async (view) => (await import('./names.ts')).openNameRows(view),
  },
  raw: {
    help: 'strings without quotes; the unmodified bytes of a response',
    write: (value, view) => {
      const shown = withFields(value, view);
      return plainScalars(shown, view) ?? jsonPieces(shown, undefined, view.signal);
    },
  },
} as const satisfies Readonly<Record<string, FormatRow>>;

/** The brackets of a list, and the commas between its groups. */
function openJson(view: View): RowWriter {
  let isFirst = true;
  return {
    write: async (group) => {
      if (group.length === 0) return '';
      const text = [...(await jsonPieces(withFields(group, view), 2, view.signal))].join('');
      const start = isFirst ? '[' : ',';
      isFirst = false;
      return start + text.slice(1, -3);
    },
    end: () => (isFirst ? '[]\n' : '\n]\n'),
  };
}

/** Colors JSON on a terminal, and elsewhere with --color always. FORCE_COLOR is not enough: a parser would fail. */
async function inColor(text: Promise<Iterable<string>>, { color, alwaysColor, width }: View): Promise<Written> {
  if (!color || (width === undefined && !alwaysColor)) return text;
  const { coloredJson } = await import('./json-color.ts');
  return coloredJson([...(await text)].join(''));
}

export type Format = keyof typeof rows;
export const formatTable: Readonly<Record<Format, FormatRow>> = rows;
export const formats = Object.keys(rows) as readonly Format[];

/** Formats scalars as lines, without null. Undefined for records and lists. A terminal escapes hidden characters. */
export function plainScalars(value: unknown, { width }: View): string | undefined {
  const all = Array.isArray(value) ? value : [value];
  if (all.some((one) => typeof one === 'object' && one !== null)) return undefined;
  return all
    .filter((one) => one !== null && one !== undefined)
    .map((one) => (width === undefined ? String(one) : visible(String(one), { lines: true })))
    .map((text) => (text.endsWith('\n') && all.length === 1 ? text : `${text}\n`))
    .join('');
}
