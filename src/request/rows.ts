/** The rows of an answer, read while it arrives: of any length, with no more held than the longest row. */
import { fieldsOf } from '../json-object.ts';
import { answerLimit } from '../limits.ts';
import { type Bad, checkWeight, textIn, valueIn } from './decoded.ts';
import { partsOf } from './elements.ts';

/** What is left of an answer without its rows; the whole of one that has none. */
export interface Rest {
  readonly hasRows: boolean;
  readonly value: unknown;
}

/**
 * The rows some at a time, as parseJson reads them, and what is left at the end. They are the elements of the answer if it
 * is a list, or of its field `list`. Throws `bad` for what cannot be decoded, after the rows before it.
 */
export async function* rowsIn(
  body: AsyncIterable<Uint8Array>,
  list: string | undefined,
  bad: Bad,
): AsyncGenerator<readonly unknown[], Rest> {
  const around: Buffer[] = [];
  let size = 0;
  let hasRows = false;
  const hint = 'Save the answer as it is with -o raw -O FILE.';
  const tooLong = () => bad(`holds a row longer than ${answerLimit.text}`, { hint });
  for await (const part of partsOf(body, { field: list, limit: answerLimit.bytes, tooLong })) {
    if (part.at === 'inside') {
      const rows = valueIn(`[${textIn(part.bytes, bad, true)}]`, bad);
      // After a comma a row must follow, and nothing is none.
      if (!Array.isArray(rows) || rows.length !== part.ends.length) throw bad('is not JSON');
      yield rows;
      continue;
    }
    hasRows ||= part.at === 'after';
    size += part.bytes.byteLength;
    // Of what is around the rows.
    if (size > answerLimit.bytes) throw bad(`is longer than ${answerLimit.text}`);
    around.push(part.bytes);
  }
  const value = valueAround(around, bad);
  const rest = Array.isArray(value) ? value : fieldsOf(value)[list ?? ''];
  // JSON.parse takes the last of two fields with one name. Here the first may be shown already.
  if (hasRows && (!Array.isArray(rest) || rest.length > 0)) throw bad(`has two fields "${list}"`);
  return { hasRows, value };
}

/** Of a long answer no copy is held longer than it is needed. */
function valueAround(parts: Buffer[], bad: Bad): unknown {
  const text = textAround(parts, bad);
  return valueIn(text, bad);
}

function textAround(parts: Buffer[], bad: Bad): string {
  const all = Buffer.concat(parts);
  parts.length = 0;
  checkWeight(all, bad);
  return textIn(all, bad);
}
