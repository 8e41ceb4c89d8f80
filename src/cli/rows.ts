/** A list as NDJSON, its rows written as they arrive: an answer of any length, in little memory. */
import type { Context } from '../context.ts';
import type { Operation } from '../operations/operation.ts';
import { memberAt } from '../render/fields.ts';
import { render } from '../render/index.ts';
import type { Value } from '../request/read.ts';
import { rowsIn } from '../request/rows.ts';
import { emitTexts, lackingText, rendered } from './emit.ts';
import type { Log } from './log.ts';
import { type Output, viewOf } from './output.ts';

/** Writes the rows, or the whole value as a line if it is no list. Throws what reading throws, after the rows before it. */
export async function emitRows(
  context: Context,
  operation: Operation,
  { body, bad }: Extract<Value, { readonly kind: 'bytes' }>,
  output: Output,
  log: Log,
): Promise<void> {
  const view = viewOf(output, operation);
  const lacking = new Set(output.fields);
  let count = 0;
  const textOf = (value: unknown, rows: readonly unknown[]) => {
    count += rows.length;
    for (const field of lacking)
      if (rows.some((row) => memberAt(row, field) !== undefined)) lacking.delete(field);
    return rendered('ndjson', () => render(value, 'ndjson', view));
  };
  const texts = (async function* () {
    const { hasRows, value } = yield* mapped(rowsIn(body, operation.rows, bad), (rows) => textOf(rows, rows));
    if (!hasRows) yield await textOf(value, [value]);
  })();
  await emitTexts(context, texts, output);
  if (count > 0) for (const field of lacking) log.warn(lackingText(field));
}

/** What `map` makes of each value, and at the end what is returned. */
async function* mapped<From, To, End>(
  source: AsyncGenerator<From, End>,
  map: (value: From) => Promise<To>,
): AsyncGenerator<To, End> {
  for (;;) {
    const next = await source.next();
    if (next.done) return next.value;
    yield await map(next.value);
  }
}
