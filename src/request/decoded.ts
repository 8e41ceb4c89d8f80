/** Decodes the bytes of a response to a string, parses it as JSON, and refuses web pages in place of responses. */
import { orThrow } from '../caught.ts';
import type { DtpError, Facts } from '../errors.ts';
import { parseJson, UnrepresentableNumberError } from './json.ts';

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

/** Decodes UTF-8. Throws `bad` for other bytes. A byte order mark is left out, except inside a document (`isPart`). */
export function textIn(bytes: Uint8Array, bad: MakeResponseError, isPart = false): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: isPart });
  const wrong = () => bad('is not valid UTF-8');
  return orThrow(() => decoder.decode(bytes), wrong);
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

const [QUOTE, BACKSLASH, COMMA, COLON, DELETE] = [0x22, 0x5c, 0x2c, 0x3a, 0x7f];
const [BRACKET, BRACE, BRACE_END] = [0x5b, 0x7b, 0x7d];

/** The measured sizes of the parts of a value in V8, in bytes. */
const weights = { holder: 56, slot: 12, text: 24, number: 16, longNumber: 200, rareName: 160, hidden: 12 };

/** The number of fields above which V8 stores an object as a hash table, so that each name takes memory. */
const commonFields = 1000;

/** The minimum number of digits of a number that is stored separately to stay exact. */
const longDigits = 16;
/** The maximum number of digits of a number that V8 stores without additional memory. */
const shortDigits = 9;

/** Estimates the memory of a parsed JSON document in bytes, rather too high than too low. The JSON may be invalid. */
export function estimateParsedSize(bytes: Uint8Array): number {
  // V8 reads a Uint8Array three times as fast as a Buffer.
  const json = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let weight = 0;
  let digits = 0;
  // The weight of the last string. If a colon follows, the string is a name. V8 shares names, so they weigh nothing.
  let last = 0;
  // The number of fields of each open object.
  const fields: number[] = [];
  const { length } = json;
  for (let at = 0; at < length; at++) {
    const byte = json[at] as number;
    if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d) {
      digits++;
      continue;
    }
    if (digits > shortDigits) weight += digits >= longDigits ? weights.longNumber : weights.number;
    digits = 0;
    if (byte === QUOTE) {
      let end = at + 1;
      for (let each = json[end]; end < length && each !== QUOTE; each = json[++end])
        if (each === BACKSLASH) end++;
        // Output escapes this byte as \u007f. The other control characters are already escaped in JSON.
        else if (each === DELETE) weight += weights.hidden;
      // V8 shares one-character strings.
      last = end - at > 2 ? weights.text + (end - at) : 0;
      weight += last;
      at = end;
    } else if (byte === COMMA) weight += weights.slot;
    else if (byte === COLON) {
      weight -= last;
      last = 0;
      const count = (fields.at(-1) ?? 0) + 1;
      if (fields.length > 0) fields[fields.length - 1] = count;
      if (count > commonFields) weight += weights.rareName;
    } else if (byte === BRACKET) weight += weights.holder;
    else if (byte === BRACE) {
      weight += weights.holder;
      fields.push(0);
    } else if (byte === BRACE_END) fields.pop();
  }
  return weight;
}

/** The number of characters that are enough to recognize a page. */
const enough = 96;

/** The maximum number of bytes to buffer while searching for the start, because the white space may be endless. */
const mostHeld = 64 * 1024;

/** Matches the start of a page after its white space: a tag of WHATWG MIME Sniffing §7.1 or of portals, or XHTML. */
const opening =
  /^(<!--|<\?xml\b[^<]*<(!doctype html|html)\b|<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|center)[\s/>])/i;

export const isPageType = (type = ''): boolean => /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type);

/** Passes on a body. Throws `refusal` before the first byte of a web page. `isNamed`: its type says that it is one. */
export async function* withoutPage(body: AsyncIterable<Uint8Array>, isNamed: boolean, refusal: () => Error) {
  let held: Uint8Array[] | undefined = [];
  let head = '';
  let size = 0;
  for await (const piece of body) {
    if (!held) {
      yield piece;
      continue;
    }
    held.push(piece);
    size += piece.byteLength;
    head = startOf(head, piece);
    // A page always begins with a tag. Pass on other content at once, so that rows appear as they arrive.
    const mayBe = head === '' || (head.startsWith('<') && !isNamed);
    if (mayBe && head.length < enough && size < mostHeld) continue;
    if (isNamed || opening.test(head)) throw refusal();
    yield* held;
    held = undefined;
  }
  if (!held) return;
  if (opening.test(`${head} `)) throw refusal();
  yield* held;
}

/** Appends a chunk to the head, without leading white space. */
function startOf(head: string, piece: Uint8Array): string {
  if (head !== '') return head + latin1(piece.subarray(0, enough));
  let from = 0;
  while (isBlank(piece[from])) from++;
  return latin1(piece.subarray(from, from + 4 * enough));
}

/** Whether a byte is white space, a control character, or part of a UTF-8 byte order mark. */
export const isBlank = (byte: number | undefined): boolean =>
  byte !== undefined && (byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf);

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
