/** Aligns rows of cells in columns, within a maximum width. */
import Table from 'cli-table3';
import { mapped, othersTurn } from './blocks.ts';
import type { View } from './view.ts';
import { cut, widthOf } from './width.ts';

export type Row = readonly string[];

/** The number of spaces between columns. */
export const gap = 2;
/** The minimum width of a column. */
const narrowest = 4;
/** The first column identifies the row. If it is not wider than this, it only shrinks when no other column can. */
const firstWidth = 40;
/** The number of rows in one cli-table3 table. cli-table3 compares each row with all rows above it. */
const blockRows = 100;

/** Formats rows of one line each. `paint` colors a cell by its row and column. Without a width, nothing is cut. */
export async function layOut(
  all: readonly Row[],
  { width, signal }: Pick<View, 'width' | 'signal'>,
  paint: (text: string, row: number, column: number) => string = (text) => text,
): Promise<string> {
  const natural = await columnWidths(all, signal);
  const rows = width === undefined ? all : withinColumns(all, natural, width);
  const widths = shrink(rows === all ? natural : await columnWidths(rows, signal), width);
  const painted: string[] = [];
  // cli-table3 measures with an old Unicode table that lacks newer emoji, so it gets placeholders of the right width.
  const standIns = await mapped(
    rows,
    (row, line) =>
      row.map((whole, column) => {
        const text = cut(whole, widths[column] ?? 0);
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
  rows: readonly Row[],
  widths: readonly number[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const distinct = new Map(rows.map((row) => [row.join(' '), row]));
  const lines: string[] = [];
  const looks = [...distinct.values()];
  for (let start = 0; start < looks.length; start += blockRows) {
    if (start > 0) await othersTurn(signal);
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

/** Keeps the first columns that fit. An ellipsis says that there are more. */
function withinColumns(rows: readonly Row[], widths: readonly number[], width: number): readonly Row[] {
  const least = widths.map((one) => Math.min(one, narrowest));
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one + gap, 0);
  if (sum(least) - gap <= width) return rows;
  const count = least.findIndex((_, column) => sum(least.slice(0, column + 1)) + 1 > width);
  return rows.map((row, line) => [...row.slice(0, Math.max(1, count)), line === 0 ? '…' : '']);
}

async function columnWidths(
  rows: readonly Row[],
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  const widths = (rows[0] ?? []).map(() => 1);
  await mapped(
    rows,
    (row) => {
      for (const column of widths.keys())
        widths[column] = Math.max(widths[column] ?? 1, widthOf(row[column] ?? ''));
    },
    signal,
  );
  return widths;
}

/**
 * Fits the columns in the width. The widest columns shrink first, to the same width. The first column shrinks last.
 */
function shrink(widths: readonly number[], width: number | undefined): readonly number[] {
  if (width === undefined) return widths;
  const room = width - gap * (widths.length - 1);
  const [first = 0, ...others] = widths;
  const least = others.reduce((all, one) => all + Math.min(one, 2 * narrowest), 0);
  if (others.length > 0 && first <= firstWidth && first + least <= room)
    return [first, ...evened(others, room - first)];
  return evened(widths, room);
}

function evened(widths: readonly number[], room: number): readonly number[] {
  let left = room;
  // Start with the narrowest column. The space that it does not need goes to the others.
  const sorted = [...widths].sort((a, b) => a - b);
  for (const [index, one] of sorted.entries()) {
    const share = Math.max(1, Math.floor(left / (sorted.length - index)));
    if (one > share) return widths.map((each) => Math.min(each, share));
    left -= one;
  }
  return widths;
}
