/** The output formats: a name and a function each. */
import { bare } from './bare.ts';
import { withFields } from './fields.ts';
import { jsonLines, jsonText } from './sanitize.ts';
import { rowsOf, type View } from './view.ts';

export const formats = ['table', 'json', 'yaml', 'ndjson', 'csv', 'tsv', 'name', 'raw'] as const;
export type Format = (typeof formats)[number];

type Write = (value: unknown, view: View) => string | Promise<string>;

/** The slow ones are loaded when they are used: JSON, which scripts read, needs none of them. */
export const writers: Readonly<Record<Format, Write>> = {
  table: async (value, view) => (await import('./table.ts')).table(value, view),
  json: (value, view) => `${jsonText(withFields(value, view), 2)}\n`,
  yaml: async (value, view) => (await import('./yaml.ts')).yaml(withFields(value, view)),
  ndjson: (value, view) => {
    const shown = withFields(value, view);
    return jsonLines(rowsOf(shown, view) ?? [shown]);
  },
  csv: async (value, view) => (await import('./delimited.ts')).csv(value, view),
  tsv: async (value, view) => (await import('./delimited.ts')).tsv(value, view),
  name: async (value, view) => (await import('./names.ts')).names(value, view),
  raw: (value, view) => {
    const shown = withFields(value, view);
    return bare(shown, view) ?? `${jsonText(shown)}\n`;
  },
};
