/** Strings that make a careless function slow, and how a function's work grows with their length. */

/** Strings to repeat. Each has made some parser, width measure or expression quadratic. */
export const shapes: Readonly<Record<string, string>> = {
  'question marks': '?',
  ampersands: '&',
  'equals signs': '=',
  quotes: `"'`,
  backslashes: '\\',
  'line breaks': '\n',
  spaces: ' ',
  'wide characters': '漢',
  'combining marks': 'e\u0301',
  'joined emoji': '👩\u200d',
  digits: '7',
  brackets: '[',
};

/** The shape repeated, with a different end: a search for the usual end never succeeds. */
export const textOf = (shape: string, length: number): string =>
  `${shape.repeat(Math.ceil(length / shape.length))}x`;

/** CPU milliseconds below which a ratio is meaningless. */
const leastMs = 8;

/**
 * Number of measurements, and of repetitions. Other load on the machine can only add time, so the shortest
 * counts.
 */
const [rounds, tries] = [3, 6];

/** A linear function stays below this limit, even with some garbage collection. A quadratic function reaches 4. */
export const mostGrowth = 2.4;

/**
 * How much the work grows when the string doubles, from `length` to eight times that; 1 if it takes hardly any
 * time.
 */
export async function growthOf(
  work: (text: string) => unknown,
  shape: string,
  length: number,
): Promise<number> {
  const [short, long] = [textOf(shape, length), textOf(shape, 8 * length)];
  if ((await costOf(work, long)) < leastMs) return 1;
  let growth = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && growth > mostGrowth; count++) {
    const [less, more] = [await leastOf(work, short), await leastOf(work, long)];
    growth = Math.min(growth, Math.cbrt(more / Math.max(less, leastMs / 8)));
  }
  return growth;
}

async function leastOf(work: (text: string) => unknown, text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) least = Math.min(least, await costOf(work, text));
  return least;
}

async function costOf(work: (text: string) => unknown, text: string): Promise<number> {
  const before = process.cpuUsage();
  await work(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
