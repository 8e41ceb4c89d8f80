/** Reads the rows of a response of any length while it arrives. Buffers at most one incomplete row. */
import { attempt } from '../caught.ts';
import { fieldsOf } from '../json-object.ts';
import { answerLimit } from '../limits.ts';
import { checkWeight, type MakeResponseError, textIn, valueIn } from './decoded.ts';
import { partsOf } from './elements.ts';
import type { BytesValue } from './read.ts';

/** Rows, and their JSON with commas between them. */
export interface RowGroup {
  readonly rows: readonly unknown[];
  readonly bytes: Uint8Array;
}

/**
 * Yields rows in groups, parsed by parseJson, and returns the response without its rows at the end. The rows are the
 * elements of the response if it is a list, or of its field `list`. Throws `bad` for rows that cannot be decoded, after
 * yielding the earlier rows.
 */
export async function* rowsIn(
  body: AsyncIterable<Uint8Array>,
  list: string | undefined,
  bad: MakeResponseError,
): AsyncGenerator<RowGroup, { readonly hasRows: boolean; readonly value: unknown }> {
  const around: Buffer[] = [];
  let size = 0;
  let hasRows = false;
  const hint = 'Save the unmodified response with -o raw -O FILE.';
  const tooLong = () => bad(`contains a row longer than ${answerLimit.text}`, { hint });
  const parsed = (bytes: Buffer) => valueIn(`[${textIn(bytes, bad, true)}]`, bad);
  let rows: unknown;
  const isWhole = (bytes: Buffer) =>
    attempt(() => {
      rows = parsed(bytes);
      return true;
    }, false);
  for await (const part of partsOf(body, { field: list, limit: answerLimit.bytes, tooLong, isWhole })) {
    if (part.at === 'inside') {
      if (part.ends) rows = parsed(part.bytes);
      // Reject a comma that is not followed by a row.
      if (!Array.isArray(rows) || (part.ends && rows.length !== part.ends.length)) throw bad('is not JSON');
      yield { rows, bytes: part.bytes };
      continue;
    }
    hasRows ||= part.at === 'after';
    size += part.bytes.byteLength;
    // The limit applies to the response without its rows.
    if (size > answerLimit.bytes) throw bad(`is longer than ${answerLimit.text}`, { hint });
    around.push(part.bytes);
  }
  const value = valueAround(around, bad);
  const rest = Array.isArray(value) ? value : fieldsOf(value)[list ?? ''];
  // JSON.parse would use the last of two fields with the same name, but the rows of the first may already be shown.
  if (hasRows && (!Array.isArray(rest) || rest.length > 0)) throw bad(`has two fields "${list}"`);
  return { hasRows, value };
}

/** Yields the rows of a list in groups. Throws `bad_response` unless the response is a list, or null. */
export async function* rowGroupsIn(
  { body, bad }: BytesValue,
  field: string | undefined,
): AsyncGenerator<RowGroup, void> {
  const { hasRows, value } = yield* rowsIn(body, field, bad);
  if (!hasRows && value !== null) throw bad('is not a list');
}

/** Parses the response without its rows. Separate functions free each copy of a long response as soon as possible. */
function valueAround(parts: Buffer[], bad: MakeResponseError): unknown {
  const text = textAround(parts, bad);
  return valueIn(text, bad);
}

function textAround(parts: Buffer[], bad: MakeResponseError): string {
  const all = Buffer.concat(parts);
  parts.length = 0;
  checkWeight(all, bad);
  return textIn(all, bad);
}
