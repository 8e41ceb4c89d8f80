/** Suggests the nearest valid word for a mistyped one. */

/** Returns the candidate most similar to a word, if any is similar. Of equals, the longer common prefix wins. */
export function nearest<T extends string>(word: string, candidates: Iterable<T>): T | undefined {
  let best: { readonly candidate: T; readonly score: number; readonly start: number } | undefined;
  for (const candidate of candidates) {
    const score = likeness(word, candidate);
    if (score === 0) continue;
    const start = commonStart(word.toLowerCase(), candidate.toLowerCase());
    if (!best || score > best.score || (score === best.score && start > best.start)) best = { candidate, score, start };
  }
  return best?.candidate;
}

/** Prefixes such as `un` reverse the meaning of a word. */
const negation = /^(un|in|dis|de|non?-?|not-)(?=..)/;

/** Whether one word is roughly the negation of the other. A command that does the opposite is never suggested. */
function isOpposite(given: string, other: string, alike: number): boolean {
  const bare = given.replace(negation, '');
  if (bare !== given && !negation.test(other)) return likeness(bare, other) > alike;
  return other !== given && !negation.test(given) && other.replace(negation, '') === given;
}

/**
 * Returns how similar two words are, from 0 (different or opposite) to 1 (equal except for case). A word may be
 * incomplete, or a third of its letters may be wrong. In a word of two letters, one may be wrong. A word of one
 * letter must match.
 */
export function likeness(word: string, candidate: string): number {
  const [given, other] = [word.toLowerCase(), candidate.toLowerCase()];
  if (given === other) return 1;
  if (given.length > 2 && other.startsWith(given)) return 0.9;
  const [length, least] = [Math.max(given.length, other.length), Math.min(given.length, other.length)];
  const most = Math.max(1, Math.floor(length / 3));
  // `length - least` letters are missing in any case. Counting all errors in a very long word would take seconds.
  if (least < 2 || length - least > most) return 0;
  const far = distance(given, other);
  const alike = far > most ? 0 : 1 - far / length;
  return isOpposite(given, other, alike) ? 0 : alike;
}

function commonStart(word: string, other: string): number {
  let length = 0;
  while (length < word.length && word[length] === other[length]) length++;
  return length;
}

/** Returns a cell of the table of distances. Cells outside the table are infinite, so they are never the minimum. */
const at = (line: readonly number[], column: number): number => line[column] ?? Infinity;

/** Counts missing, extra, wrong and swapped letters. */
function distance(word: string, other: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= word.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = word[row - 1] === other[column - 1];
      const ways = [at(last, column) + 1, at(line, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1)];
      if (row > 1 && column > 1 && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1])
        ways.push(at(before, column - 2) + 1);
      line.push(Math.min(...ways));
    }
    [before, last] = [last, line];
  }
  return at(last, other.length);
}
