/** Decodes the bytes of a response to a string, and parses the string as JSON. */
import type { DtpError, Facts } from '../errors.ts';
import { parseJson, UnrepresentableNumberError } from './json.ts';
import { estimateParsedSize } from './weight.ts';

/** Creates the error for an unusable response. `what` completes the sentence, such as `is not JSON`. */
export type MakeResponseError = (what: string, more?: Facts) => DtpError;

/** The maximum memory for a response, in bytes. With the 60 MB of the process itself, the total is below 512 MB. */
const mostMemory = 400 * 1024 * 1024;

/** The size in bytes up to which the value of any JSON document fits in memory. */
const lightBytes = 8 * 1024 * 1024;

/** Estimates the memory for a response: three copies of its bytes (received, decoded and formatted) and its value. */
const memoryOf = (bytes: Uint8Array): number => 3 * bytes.byteLength + estimateParsedSize(bytes);

/** Throws `bad` if the decoded value would not fit in memory. */
export function checkWeight(bytes: Uint8Array, bad: MakeResponseError): void {
  if (bytes.byteLength > lightBytes && memoryOf(bytes) > mostMemory)
    throw bad('has too many values to fit in memory', { isTooLong: true });
}

/**
 * Decodes UTF-8. Throws `bad` for other bytes. With `isPart`, the bytes are a later part of a document, in which a byte
 * order mark is an ordinary character.
 */
export function textIn(bytes: Uint8Array, bad: MakeResponseError, isPart = false): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: isPart }).decode(bytes);
  } catch {
    throw bad('is not valid UTF-8');
  }
}

/** Parses JSON. Throws `bad` for a string that is not JSON, or that contains a number that cannot be represented. */
export function valueIn(text: string, bad: MakeResponseError): unknown {
  if (text.trim() === '') throw bad('is empty');
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof UnrepresentableNumberError) throw bad(error.message);
    throw bad(error instanceof RangeError ? 'is nested too deeply' : 'is not JSON');
  }
}
