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
export const textOf = (shape: string, length: number): string => `${shape.repeat(Math.ceil(length / shape.length))}x`;

/** CPU milliseconds below which a ratio is meaningless. */
const leastMs = 8;

/** Into how many parts a string is cut, and thus the growth of a quadratic function. */
const parts = 64;

/** The number of measurements. Other load on the machine can only add time, so the smallest result counts. */
const tries = 6;

/** A linear function is at 1, or up to 8 with much garbage to collect. A quadratic function reaches 64. */
export const mostGrowth = 16;

/**
 * How many times the CPU time of as many characters in short strings a string of `length` characters takes; 1 if it
 * takes hardly any time.
 */
export async function growthOf(work: (text: string) => unknown, shape: string, length: number): Promise<number> {
  return growthOfTexts(work, (size) => textOf(shape, size), length);
}

/** The same for strings that a function of their length makes. */
export async function growthOfTexts(
  work: (text: string) => unknown,
  make: (length: number) => string,
  length: number,
): Promise<number> {
  const long = make(length);
  const short = make(length / parts);
  if ((await costOf(() => work(long))) < leastMs) return 1;
  const inParts = async () => {
    for (let part = 0; part < parts; part++) await work(short);
  };
  let growth = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && growth > mostGrowth; count++) {
    const less = await costOf(inParts);
    growth = Math.min(growth, (await costOf(() => work(long))) / Math.max(less, leastMs / 8));
  }
  return growth;
}

async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
