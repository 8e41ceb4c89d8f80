/** Bytes of an answer → text → value. */
import type { DtpError, Facts } from '../errors.ts';
import { BeyondError, parseJson } from './json.ts';
import { weightOf } from './weight.ts';

/** The error for an answer that is not what it should be: `is not JSON`, and what else is known. */
export type Bad = (what: string, more?: Facts) => DtpError;

/** Bytes. With the 60 MB that the process itself takes, no answer takes more than 512 MB. */
const mostMemory = 400 * 1024 * 1024;

/** Bytes of a JSON text whose value fits in memory whatever it is. */
const lightBytes = 8 * 1024 * 1024;

/** The text as it came, decoded, and written again: what an answer takes at least, beside its value. */
const memoryOf = (bytes: Uint8Array): number => 3 * bytes.byteLength + weightOf(bytes);

/** Throws `bad` for a JSON text whose value would take more memory than an answer may. */
export function checkWeight(bytes: Uint8Array, bad: Bad): void {
  if (bytes.byteLength > lightBytes && memoryOf(bytes) > mostMemory)
    throw bad('has too many values to be held in memory', { isTooLong: true });
}

/** Throws `bad` for what is not UTF-8. In a part of a text, a byte order mark is a character like any other. */
export function textIn(bytes: Uint8Array, bad: Bad, isPart = false): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: isPart }).decode(bytes);
  } catch {
    throw bad('is not valid UTF-8');
  }
}

/** Throws `bad` for what is not JSON, and for a number that cannot be kept. */
export function valueIn(text: string, bad: Bad): unknown {
  if (text.trim() === '') throw bad('is empty where JSON is declared');
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof BeyondError) throw bad(error.message);
    throw bad(error instanceof RangeError ? 'is nested too deeply' : 'is not JSON');
  }
}
