/** How much of a result is shown: no more than a model can be expected to read, cut where something ends. */
import { DtpError } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import { answerLimit } from '../limits.ts';
import { jsonText } from '../render/sanitize.ts';
import { rowsOf } from '../render/view.ts';

/** Rows of a list that are shown where the call asks for no other number. */
export const usualRows = 50;

/** Bytes of text that a result may have. */
export const shownLimit = 64 * 1024;

/** Characters that are left of a long text where a value would not fit otherwise. */
const shortText = 2000;

export interface Bounded {
  readonly value: unknown;
  /** What is not shown, a sentence; undefined where all is. */
  readonly lack: string | undefined;
  /** Where rows are left out: how many are shown, and the query that shows the next ones. */
  readonly rows?: number;
  readonly next?: string;
}

export const sizeOf = (value: unknown): number => Buffer.byteLength(jsonText(value));

/**
 * The value, or its first rows: at most `most`, and no more than fit; or with its long texts cut. `rows` is the field that
 * holds a list's rows.
 */
export function bounded(value: unknown, rows: string | undefined, most = Number.POSITIVE_INFINITY): Bounded {
  const all = rowsOf(value, { color: false, ...(rows !== undefined && { rows }) });
  if ((all?.length ?? 0) <= most && sizeOf(value) <= shownLimit) return { value, lack: undefined };
  for (const some of all ? [all, all.map(withShortTexts)] : []) {
    const with_ = (few: readonly unknown[]) =>
      isRecord(value) && rows !== undefined ? { ...value, [rows]: few } : few;
    const fitting = firstRows(some.slice(0, most), shownLimit - sizeOf(with_([])));
    if (fitting.length > 0)
      return {
        value: with_(fitting),
        lack: `the first ${fitting.length} of ${some.length} rows are shown`,
        rows: fitting.length,
        next: `${rows ?? ''}[${fitting.length}:${fitting.length + usualRows}]`,
      };
  }
  const short = withShortTexts(value);
  if (sizeOf(short) <= shownLimit) return { value: short, lack: 'long texts are cut' };
  return { value: null, lack: `it has ${sizeOf(value)} bytes, which is too long to be shown` };
}

function firstRows(rows: readonly unknown[], limit: number): readonly unknown[] {
  let left = limit;
  const end = rows.findIndex((row) => {
    left -= sizeOf(row) + 1;
    return left < 0;
  });
  return rows.slice(0, end < 0 ? rows.length : end);
}

function withShortTexts(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= shortText
      ? value
      : `${value.slice(0, shortText)}… (${value.length} characters in all)`;
  if (Array.isArray(value)) return value.map(withShortTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withShortTexts(one)]));
}

/** The first bytes of a body that is read to its end. Throws `bad_response` for one without an end in sight. */
export async function readHead(
  body: AsyncIterable<Uint8Array>,
): Promise<{ readonly head: Uint8Array; readonly size: number }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    // A piece's memory may be used again.
    if (size < shownLimit) pieces.push(Uint8Array.from(piece.subarray(0, shownLimit - size)));
    size += piece.byteLength;
    if (size > answerLimit.bytes)
      throw new DtpError('bad_response', `the answer is longer than ${answerLimit.text}`);
  }
  return { head: Buffer.concat(pieces), size };
}
