/** Texts that make a careless function slow, and how the work of a function grows with them. */

/** What is repeated: each has made some parser, measure or expression quadratic. */
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

/** The shape again and again, with something else at the end: what looks for an end finds none before. */
export const textOf = (shape: string, length: number): string =>
  `${shape.repeat(Math.ceil(length / shape.length))}x`;

/** Milliseconds of the processor below which a ratio says nothing. */
const leastMs = 8;

/** Measurements, and how often they are made again: whatever else the machine does only adds to them. */
const [rounds, tries] = [3, 6];

/** More than a linear function has, with room for the memory that is cleared now and then; a quadratic one has 4. */
export const mostGrowth = 2.4;

/** How much more work a text of twice the length is, from `length` to eight times that; 1 where that takes hardly any time. */
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
