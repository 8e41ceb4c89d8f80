/** A list as NDJSON, its rows written as they arrive: an answer of any length, in little memory. */
import type { Context } from '../context.ts';
import type { Operation } from '../operations/operation.ts';
import { memberAt } from '../render/fields.ts';
import { renderPieces } from '../render/index.ts';
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
  const textOf = async (value: unknown, rows: readonly unknown[]) => {
    count += rows.length;
    for (const field of lacking)
      if (rows.some((row) => memberAt(row, field) !== undefined)) lacking.delete(field);
    const written = await rendered('ndjson', () => renderPieces(value, 'ndjson', view));
    return typeof written === 'string' ? [written] : written;
  };
  const texts = (async function* () {
    const blocks = rowsIn(body, operation.rows, bad);
    let block = await blocks.next();
    for (; !block.done; block = await blocks.next()) yield* await textOf(block.value, block.value);
    const { hasRows, value } = block.value;
    if (!hasRows) yield* await textOf(value, [value]);
  })();
  await emitTexts(context, texts, output);
  if (count > 0) for (const field of lacking) log.warn(lackingText(field));
}
