/** JSON → values whose integers are exact: one that a number would round is a bigint. */

/** A number that cannot be kept: no double holds it, or it has too many digits. */
export class BeyondError extends Error {}

/** The time that BigInt takes grows with the square of the digits: 46 s for 60 million. */
const mostDigits = 1000;

/** Characters of a number that an error shows. */
const shownDigits = 40;

/**
 * The start of a number that a double may not hold as it is written: 16 digits, or an exponent of three. Few texts have
 * something like it, not even in strings, so this one search is all that most texts cost.
 */
const suspect = /[ \t\n\r,:[]-?(?:\d{16}|\d+(?:\.\d+)?[eE]\+?\d{3})/g;

/** The largest integer that a double holds together with all below it. */
const largest = String(Number.MAX_SAFE_INTEGER);

interface Suspect {
  readonly at: number;
  readonly token: string;
  /** Whether it is an integer that a double may round. Any other has a fraction or an exponent. */
  readonly isLong: boolean;
}

/** The long integers of a JSON text, and those of its other numbers that may be beyond all doubles, in their order. */
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
  // A text that begins with a number is nothing else. In the expression it would cost twice the time.
  if (/^[-\d]/.test(text)) yield 0;
  for (const { index } of text.matchAll(suspect)) yield index + 1;
}

function isLong(integer: string): boolean {
  const digits = integer.replace('-', '');
  return digits.length > largest.length || (digits.length === largest.length && digits > largest);
}

/** Tells whether a place of a JSON text is inside a string. Places must ascend, so that each quote is looked at once. */
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

/** The quote that ends the string that begins at `start`: the first after an even number of backslashes. */
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

/** The first number of a JSON text that JavaScript would round or cannot hold, cut if it is long; undefined if there is none. */
export function inexactIn(text: string): string | undefined {
  for (const { token, isLong } of suspectsIn(text))
    if (isLong || !Number.isFinite(Number(token))) return shown(token);
  return undefined;
}

/** Between two of the largest doubles. */
const step = 2 ** 971;

/** More than there is room for: no text has that many numbers. */
const least = Number.MAX_VALUE - 2 ** 30 * step;

/**
 * Throws SyntaxError for what is not JSON, and BeyondError for a number that cannot be kept. A long integer is parsed as
 * one of the largest doubles, each as another, and put back where that is. A number stands for a number, so a text is JSON
 * if it was, and no string is mistaken for one.
 */
export function parseJson(text: string): unknown {
  const exact: (bigint | number)[] = [];
  const pieces: string[] = [];
  let from = 0;
  for (const one of suspectsIn(text)) {
    const { at, token } = one;
    const value = exactOf(one, text);
    // Of the others, only one that could be taken for a long integer has to stand aside.
    if (!one.isLong && value < least) continue;
    pieces.push(text.slice(from, at), String(Number.MAX_VALUE - exact.length * step));
    exact.push(value);
    from = at + token.length;
  }
  if (exact.length === 0) return JSON.parse(text);
  pieces.push(text.slice(from));
  const root = [JSON.parse(pieces.join(''))];
  replaceNumbers(root, exact.length, (one) =>
    one < least ? undefined : exact[(Number.MAX_VALUE - one) / step],
  );
  return root[0];
}

function exactOf({ token, isLong }: Suspect, text: string): bigint | number {
  const digits = isLong ? token.replace('-', '').length : 0;
  if (isLong && digits <= mostDigits) return BigInt(token);
  if (!isLong && Number.isFinite(Number(token))) return Number(token);
  // If it is not JSON, that is what is wrong with it.
  JSON.parse(text);
  const what = isLong ? `a number of ${digits} digits` : `the number ${shown(token)}`;
  throw new BeyondError(`holds ${what}, which cannot be kept`);
}

type Holder = Record<string | number, unknown>;

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/**
 * Replaces the numbers in a value for which `exact` has another, at most `count` of them. No recursion: what JSON.parse
 * takes may be nested deeper than the stack.
 */
function replaceNumbers(
  root: unknown,
  count: number,
  exact: (one: number) => bigint | number | undefined,
): void {
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
