/** Long lists, made into texts some rows at a time, so that a signal or a deadline can end the work between two blocks. */

/** Rows of a block. */
export const blockSize = 1000;

/**
 * The text of each block of rows. All are there before the first is written: nothing is written of a list that holds a
 * row without a text. Throws what the signal was aborted with.
 */
export async function textsOf<Row>(
  rows: readonly Row[],
  textOf: (block: readonly Row[]) => string,
  signal?: AbortSignal,
): Promise<string[]> {
  const texts: string[] = [];
  for (let from = 0; from < rows.length; from += blockSize) {
    if (from > 0) await othersTurn(signal);
    texts.push(textOf(rows.slice(from, from + blockSize)));
  }
  return texts;
}

/** What `map` makes of each row, with the same pauses. */
export async function mapped<Row, To>(
  rows: readonly Row[],
  map: (row: Row, index: number) => To,
  signal?: AbortSignal,
): Promise<To[]> {
  const all: To[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % blockSize === 0) await othersTurn(signal);
    all.push(map(row, index));
  }
  return all;
}

/**
 * Timers and signals are looked at only while no work goes on, and timers between two such turns. Throws what the signal was
 * aborted with.
 */
export async function othersTurn(signal: AbortSignal | undefined): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((done) => setImmediate(done));
  signal?.throwIfAborted();
}
