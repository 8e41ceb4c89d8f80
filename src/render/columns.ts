/** Aligns rows of cells in columns. Nothing is cut. */
import Table from 'cli-table3';
import { mapInBlocks, yieldTurn } from './blocks.ts';
import type { View } from './view.ts';
import { widthOf } from './width.ts';

export type Cells = readonly string[];

/** The number of spaces between columns. */
const gap = 2;
/** The number of rows in one cli-table3 table. cli-table3 compares each row with all rows above it. */
const blockRows = 100;

/** Formats rows of one line each. `paint` colors a cell by its row and column. */
export async function layOut(
  rows: readonly Cells[],
  { signal }: Pick<View, 'signal'>,
  paint: (text: string, row: number, column: number) => string = (text) => text,
): Promise<string> {
  const widths = await columnWidths(rows, signal);
  const painted: string[] = [];
  // cli-table3 measures with an old Unicode table that lacks newer emoji, so it gets placeholders of the right width.
  const standIns = await mapInBlocks(
    rows,
    (row, line) =>
      row.map((text, column) => {
        if (text === '') return '';
        painted.push(paint(text, line, column));
        return 'x'.repeat(Math.max(1, widthOf(text)));
      }),
    signal,
  );
  let next = 0;
  const lines = await linesOf(standIns, widths, signal);
  return lines.map((line) => `${line.replace(/x+/g, () => painted[next++] ?? '').trimEnd()}\n`).join('');
}

/** Formats one line per row. Rows with the same cell widths, as in most long lists, are formatted only once. */
async function linesOf(
  rows: readonly Cells[],
  widths: readonly number[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const distinct = new Map(rows.map((row) => [row.join(' '), row]));
  const lines: string[] = [];
  const looks = [...distinct.values()];
  for (let start = 0; start < looks.length; start += blockRows) {
    if (start > 0) await yieldTurn(signal);
    const block = new Table({ ...borderless, colWidths: [...widths] });
    for (const row of looks.slice(start, start + blockRows)) block.push([...row]);
    lines.push(...block.toString().split('\n'));
  }
  const lineOf = new Map([...distinct.keys()].map((look, index) => [look, lines[index] ?? '']));
  return rows.map((row) => lineOf.get(row.join(' ')) ?? '');
}

const borderless = {
  chars: {
    ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
    ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
    ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
    middle: ' '.repeat(gap),
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
};

async function columnWidths(rows: readonly Cells[], signal: AbortSignal | undefined): Promise<readonly number[]> {
  const widths = (rows[0] ?? []).map(() => 1);
  await mapInBlocks(
    rows,
    (row) => {
      for (const column of widths.keys()) widths[column] = Math.max(widths[column] ?? 1, widthOf(row[column] ?? ''));
    },
    signal,
  );
  return widths;
}
