/** Returns a list whose rows are written as they arrive, so that a response of any length needs little memory. */
import { isRecord } from '../../json-object.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Result } from '../../output/result.ts';
import type { BytesValue } from '../../request/read.ts';
import { rowsIn } from '../../request/rows.ts';

/** The rows, or the whole value as one row if it is not a list. Null is an empty list. */
export function rowsResult(operation: Operation, { body, bad }: BytesValue): Result {
  const rows = (async function* () {
    const blocks = rowsIn(body, operation.rows, bad);
    let block = await blocks.next();
    for (; !block.done; block = await blocks.next()) yield block.value;
    const { hasRows, value } = block.value;
    const rest = operation.rows !== undefined && isRecord(value) ? value[operation.rows] : value;
    if (!hasRows && rest !== null) yield [value];
  })();
  return { kind: 'rows', rows, shape: operation };
}
