/** Limits of tables, so that formatting one does not run out of memory. */
import { DtpError } from '../errors.ts';

/** Each cell takes at least 400 bytes while a table is formatted. */
const mostCells = 500_000;

/** Throws `bad_response` for more cells than fit. */
export function checkCells(count: number): void {
  if (count <= mostCells) return;
  throw new DtpError('bad_response', `the result has ${count} cells, too many for a table`, {
    hint: 'Use -o csv or -o ndjson, or ask for less with --fields or --query.',
  });
}

/** The maximum number of characters in a table. Formatting a table keeps several copies of its text in memory. */
const mostCharacters = 16 * 1024 * 1024;

/** Throws `bad_response` if the strings among these values are too long together. */
export function checkLength(values: Iterable<unknown>): void {
  let length = 0;
  for (const one of values) if (typeof one === 'string') length += one.length;
  if (length <= mostCharacters) return;
  throw new DtpError('bad_response', `the result has ${length} characters, too many for a table`, {
    hint: 'Use -o json, or ask for less with --fields or --query.',
  });
}
