/** Decodes the bytes of a response to a string and to a value. */
import type { DtpError, Facts } from '../errors.ts';
import { BeyondError, parseJson } from './json.ts';
import { weightOf } from './weight.ts';

/** Makes the error for an unusable response. `what` is the predicate, such as `is not JSON`. */
export type Bad = (what: string, more?: Facts) => DtpError;

/** In bytes. Together with the 60 MB that the process needs, no response takes more than 512 MB. */
const mostMemory = 400 * 1024 * 1024;

/** In bytes. The value of a JSON document of this size always fits in memory. */
const lightBytes = 8 * 1024 * 1024;

/** A response needs at least three copies of its bytes (received, decoded and formatted) plus its value. */
const memoryOf = (bytes: Uint8Array): number => 3 * bytes.byteLength + weightOf(bytes);

/** Throws `bad` if the decoded value would not fit in memory. */
export function checkWeight(bytes: Uint8Array, bad: Bad): void {
  if (bytes.byteLength > lightBytes && memoryOf(bytes) > mostMemory)
    throw bad('has too many values to fit in memory', { isTooLong: true });
}

/**
 * Throws `bad` for bytes that are not UTF-8. In a later part of a document, a byte order mark is an ordinary character.
 */
export function textIn(bytes: Uint8Array, bad: Bad, isPart = false): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: isPart }).decode(bytes);
  } catch {
    throw bad('is not valid UTF-8');
  }
}

/** Throws `bad` for a string that is not JSON, or that contains a number that cannot be represented. */
export function valueIn(text: string, bad: Bad): unknown {
  if (text.trim() === '') throw bad('is empty, but should be JSON');
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof BeyondError) throw bad(error.message);
    throw bad(error instanceof RangeError ? 'is nested too deeply' : 'is not JSON');
  }
}
