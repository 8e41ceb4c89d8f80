/** `--limit` on a list: cuts the result to its first rows. */
import { DtpError } from '../../errors.ts';
import { fieldsOf } from '../../json-object.ts';
import type { Operation } from '../../operations/operation.ts';
import { isOnScreen, type Output } from '../../output/choice.ts';
import type { Result } from '../../output/result.ts';
import { counted } from '../../render/amounts.ts';

/** Reads the value of the flag, if it was given. Throws `usage` unless it is a whole number above 0. */
export function limitOf(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(String(given))) return Number(given);
  throw new DtpError('usage', `--limit must be a number above 0, not "${given}"`);
}

/** Keeps the first rows of a result. A terminal also shows how many there are. */
export function firstRows({ rows: list }: Pick<Operation, 'rows'>, result: Result, most: number, output: Output) {
  if (result.kind === 'rows') return { ...result, rows: firstOf(result.rows, most) };
  if (result.kind !== 'answer' || result.value.kind !== 'json') return result;
  const { value } = result.value;
  const rows = list === undefined ? value : fieldsOf(value)[list];
  if (!Array.isArray(rows) || rows.length <= most) return result;
  const first = rows.slice(0, most);
  const cut = list === undefined ? first : { ...fieldsOf(value), [list]: first };
  const more = [`${counted(most)} of ${counted(rows.length)}; more with a higher --limit`];
  const notes = isOnScreen(output) ? more : [];
  return { ...result, value: { ...result.value, value: cut }, notes };
}

export async function* firstOf(groups: AsyncIterable<readonly unknown[]>, most: number) {
  let left = most;
  for await (const rows of groups) {
    if (rows.length > 0) yield rows.slice(0, left);
    left -= rows.length;
    if (left <= 0) return;
  }
}
