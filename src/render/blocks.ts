/** Formats long lists in blocks of rows, so that a signal or a deadline can interrupt the work. */

export const blockSize = 1000;

/** Formats all blocks of rows before any is written, because a row may fail. Throws the reason of an aborted signal. */
export async function textsOf<Row>(
  rows: readonly Row[],
  textOf: (block: readonly Row[]) => string,
  signal?: AbortSignal,
): Promise<string[]> {
  const texts: string[] = [];
  for (let from = 0; from < rows.length; from += blockSize) {
    if (from > 0) await yieldTurn(signal);
    texts.push(textOf(rows.slice(from, from + blockSize)));
  }
  return texts;
}

/** Maps each row, and lets timers and signals run after each block. */
export async function mapInBlocks<Row, To>(
  rows: readonly Row[],
  map: (row: Row, index: number) => To,
  signal?: AbortSignal,
): Promise<To[]> {
  const all: To[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % blockSize === 0) await yieldTurn(signal);
    all.push(map(row, index));
  }
  return all;
}

/** Lets signals (in one turn of the event loop) and timers (in up to two) run. Throws the reason of an abort. */
export async function yieldTurn(signal: AbortSignal | undefined): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((done) => setImmediate(done));
  signal?.throwIfAborted();
}
