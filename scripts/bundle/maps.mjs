/** Reduces the source map of a chunk to the lines of src/ that its parts come from. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * One segment for each run of code from one line of src/. Code of packages has a segment without a source, so that it is
 * not attributed to the line before it. Undefined if nothing in the chunk comes from src/. `columnAt` converts a column of
 * a line of the chunk, if the chunk has changed since the map was made.
 */
export function lineMap({ sources, mappings }, columnAt = (_, column) => column) {
  const own = sources.map((source) => /^(?:\.\.\/)*(src\/.*)$/.exec(source)?.[1]);
  const kept = [];
  const from = [0, 0];
  const to = [0, 0];
  const lines = mappings.split(';').map((line, row) => {
    let column = 0;
    let last = 0;
    let before;
    const segments = [];
    for (const [delta, ...origin] of line.split(',').filter(Boolean).map(numbersIn)) {
      column += delta;
      from[0] += origin[0] ?? 0;
      from[1] += origin[1] ?? 0;
      const source = origin.length > 0 ? own[from[0]] : undefined;
      const place = source === undefined ? '' : `${source}:${from[1]}`;
      if (place === before) continue;
      before = place;
      const next = [placeIn(kept, source), from[1]];
      const at = columnAt(row, column);
      segments.push(digitsOf([at - last, ...(source ? [next[0] - to[0], next[1] - to[1], 0] : [])]));
      if (source) to.splice(0, 2, ...next);
      last = at;
    }
    return segments.join(',');
  });
  if (kept.length === 0) return undefined;
  // Node reads a segment without a source only if something follows it.
  return { version: 3, sources: kept, names: [], mappings: `${lines.join(';')};` };
}

function placeIn(kept, source) {
  if (source !== undefined && !kept.includes(source)) kept.push(source);
  return kept.indexOf(source);
}

/** The numbers of a segment: base 64 with five bits per digit; the lowest bit of a number is its sign. */
function numbersIn(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    value = shift = 0;
  }
  return numbers;
}

const digitsOf = (numbers) => numbers.map(digits).join('');

function digits(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = '';
  do {
    text += DIGITS[(rest & 31) | (rest > 31 ? 32 : 0)];
    rest >>>= 5;
  } while (rest > 0);
  return text;
}
