/** Parses JSON with exact integers: an integer above 2^53-1 in plain digits becomes a bigint. */
import { mostDigits } from '../json-object.ts';

/** The error for a number that cannot be represented: it is too large for a double, or has too many digits. */
export class UnrepresentableNumberError extends Error {}

/** The number of characters of a number that an error shows. */
const shownDigits = 40;

/**
 * Matches the start of a number that a double may not represent exactly: 16 digits, or a three-digit exponent. Most
 * documents have no match, even inside strings, so this search is the only extra cost of parsing them.
 */
const suspect = /[ \t\n\r,:[]-?(?:\d{16}|\d+(?:\.\d+)?[eE]\+?\d{3})/g;

const largest = String(Number.MAX_SAFE_INTEGER);

interface Suspect {
  readonly at: number;
  readonly token: string;
  /** Whether the number is an integer that a double may round. Otherwise it has a fraction or an exponent. */
  readonly isLong: boolean;
}

/** Yields, in order, the long integers of a JSON document and the other numbers that may be too large for a double. */
function* suspectsIn(text: string): Generator<Suspect> {
  const number = /-?(?:0|[1-9]\d*)((?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[ \t\n\r,\]}]|$)/y;
  const isInString = stringsIn(text);
  for (const at of startsIn(text)) {
    number.lastIndex = at;
    const [token, rest] = number.exec(text) ?? [];
    if (token === undefined || isInString(at)) continue;
    if (rest !== '') yield { at, token, isLong: false };
    else if (isLong(token)) yield { at, token, isLong: true };
  }
}

function* startsIn(text: string): Generator<number> {
  // A document that begins with a number has nothing else. Testing this in the expression would double its time.
  if (/^[-\d]/.test(text)) yield 0;
  for (const { index } of text.matchAll(suspect)) yield index + 1;
}

function isLong(integer: string): boolean {
  const digits = integer.replace('-', '');
  return digits.length > largest.length || (digits.length === largest.length && digits > largest);
}

/** Returns a function that checks whether a position is inside a string. Call it with ascending positions. */
function stringsIn(text: string): (at: number) => boolean {
  let isInside = false;
  let next = text.indexOf('"');
  return (at) => {
    while (next !== -1 && next < at) {
      next = isInside ? text.indexOf('"', next + 1) : endOfString(text, next);
      isInside = !isInside;
    }
    return isInside;
  };
}

/** Returns the position of the quote that ends the string from `start`: after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && slashesBefore(text, at) % 2 === 1) at = text.indexOf('"', at + 1);
  return at;
}

function slashesBefore(text: string, end: number): number {
  let at = end;
  while (text[at - 1] === '\\') at--;
  return end - at;
}

const shown = (token: string) => (token.length > shownDigits ? `${token.slice(0, shownDigits)}…` : token);

/** Returns the first number of a JSON document that JavaScript would round or cannot hold, shortened if long. */
export function findInexactNumber(text: string): string | undefined {
  for (const { token, isLong } of suspectsIn(text)) if (isLong || !Number.isFinite(Number(token))) return shown(token);
  return undefined;
}

/** The difference between neighboring doubles near the largest double. */
const step = 2 ** 971;

/** The smallest placeholder. Each replaced number has a different one, and no document has 2^30 such numbers. */
const least = Number.MAX_VALUE - 2 ** 30 * step;

/**
 * Parses JSON with exact integers. Throws SyntaxError for invalid JSON, and UnrepresentableNumberError for a number
 * that cannot be represented. Replaces each long integer with a placeholder, which is one of the largest doubles, calls
 * JSON.parse, and then replaces the placeholders with the exact values. Because placeholders are numbers, valid JSON
 * stays valid, and no string can be mistaken for a placeholder.
 */
export function parseJson(text: string): unknown {
  const exact: (bigint | number)[] = [];
  const pieces: string[] = [];
  let from = 0;
  for (const one of suspectsIn(text)) {
    const { at, token } = one;
    const value = exactOf(one, text);
    // A number that is not a long integer needs a placeholder only if it could be mistaken for a placeholder.
    if (!one.isLong && value < least) continue;
    pieces.push(text.slice(from, at), String(Number.MAX_VALUE - exact.length * step));
    exact.push(value);
    from = at + token.length;
  }
  if (exact.length === 0) return JSON.parse(text);
  pieces.push(text.slice(from));
  const root = [JSON.parse(pieces.join(''))];
  replaceNumbers(root, exact.length, (one) => (one < least ? undefined : exact[(Number.MAX_VALUE - one) / step]));
  return root[0];
}

function exactOf({ token, isLong }: Suspect, text: string): bigint | number {
  const digits = isLong ? token.replace('-', '').length : 0;
  if (isLong && digits <= mostDigits) return BigInt(token);
  if (!isLong && Number.isFinite(Number(token))) return Number(token);
  // If the document is not valid JSON, this throws a SyntaxError instead.
  JSON.parse(text);
  const what = isLong
    ? `a number with ${digits} digits, which is too long`
    : `the number ${shown(token)}, which is out of range`;
  throw new UnrepresentableNumberError(`contains ${what}`);
}

type Holder = Record<string | number, unknown>;

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** Replaces at most `count` numbers with what `exact` returns. No recursion, because the nesting may be very deep. */
function replaceNumbers(root: unknown, count: number, exact: (one: number) => bigint | number | undefined): void {
  const open = isHolder(root) ? [root] : [];
  let left = count;
  for (let holder = open.pop(); holder !== undefined && left > 0; holder = open.pop())
    for (const name of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      const one = holder[name];
      if (isHolder(one)) open.push(one);
      const other = typeof one === 'number' ? exact(one) : undefined;
      if (other === undefined) continue;
      holder[name] = other;
      left--;
    }
}
