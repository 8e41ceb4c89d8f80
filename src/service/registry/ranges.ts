/** Parses the Range header (RFC 9110 §14.2) of a request for a blob. */

export interface Range {
  /** The first and the last byte, counted from 0. */
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the requested range. Undefined if the header has another unit or several ranges, and is therefore ignored
 * (RFC 9110 §14.2).
 */
export function rangeIn(header: string, size: number): Range | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const count = Math.min(Number(to), size);
    return count === 0 ? 'unsatisfiable' : { first: size - count, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? 'unsatisfiable' : { first, last };
}
