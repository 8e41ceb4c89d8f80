/** Aligns rows of cells in columns. Nothing is cut. */
import { mapInBlocks } from './blocks.ts';
import type { View } from './view.ts';
import { widthOf } from './width.ts';

export type Cells = readonly string[];

/** The space between columns. */
const gap = '  ';

/** Formats rows of one line each. `paint` colors a cell by its row and column. */
export async function layOut(
  rows: readonly Cells[],
  { signal }: Pick<View, 'signal'>,
  paint: (text: string, row: number, column: number) => string = (text) => text,
): Promise<string> {
  const widths = (rows[0] ?? []).map(() => 1);
  const measure = (row: Cells) => {
    for (const column of widths.keys()) widths[column] = Math.max(widths[column] ?? 1, widthOf(row[column] ?? ''));
  };
  await mapInBlocks(rows, measure, signal);
  const lineOf = (row: Cells, line: number) => {
    const cells = row.map((text, column) => {
      const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)));
      return (text === '' ? '' : paint(text, line, column)) + space;
    });
    return `${cells.join(gap).trimEnd()}\n`;
  };
  return (await mapInBlocks(rows, lineOf, signal)).join('');
}
