/** The output formats: a name and a function each. */
import { jsonText } from './sanitize.ts';
import { rowsOf, type View } from './view.ts';

export const formats = ['table', 'json', 'yaml', 'ndjson'] as const;
export type Format = (typeof formats)[number];

type Write = (value: unknown, view: View) => string | Promise<string>;

/** The slow ones are loaded when they are used: JSON, which scripts read, needs none of them. */
export const writers: Readonly<Record<Format, Write>> = {
  table: async (value, view) => (await import('./table.ts')).table(value, view),
  json: (value) => `${jsonText(value, 2)}\n`,
  yaml: async (value) => (await import('./yaml.ts')).yaml(value),
  ndjson: (value, view) => (rowsOf(value, view) ?? [value]).map((row) => `${jsonText(row)}\n`).join(''),
};
