/** The output formats: a name and a function each. */
import { bare } from './bare.ts';
import { withFields } from './fields.ts';
import { jsonPieces, linePieces } from './sanitize.ts';
import { rowsOf, type View } from './view.ts';

export const formats = ['table', 'json', 'yaml', 'ndjson', 'csv', 'tsv', 'name', 'raw'] as const;
export type Format = (typeof formats)[number];

/** A text, or the pieces of a long one. */
export type Written = string | Iterable<string>;

type Write = (value: unknown, view: View) => Written | Promise<Written>;

/** The slow ones are loaded when they are used: JSON, which scripts read, needs none of them. */
export const writers: Readonly<Record<Format, Write>> = {
  table: async (value, view) => (await import('./table.ts')).table(value, view),
  json: (value, view) => jsonPieces(withFields(value, view), 2, view.signal),
  yaml: async (value, view) => (await import('./yaml.ts')).yaml(withFields(value, view), view.signal),
  ndjson: (value, view) => {
    const shown = withFields(value, view);
    return linePieces(rowsOf(shown, view) ?? [shown], view.signal);
  },
  csv: async (value, view) => (await import('./delimited.ts')).csv(value, view),
  tsv: async (value, view) => (await import('./delimited.ts')).tsv(value, view),
  name: async (value, view) => (await import('./names.ts')).names(value, view),
  raw: (value, view) => {
    const shown = withFields(value, view);
    return bare(shown, view) ?? jsonPieces(shown, undefined, view.signal);
  },
};
