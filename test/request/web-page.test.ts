/** Web pages in place of a response are rejected, however much white space they begin with. */
import { expect, test } from 'vitest';
import { withoutPage } from '../../src/request/decoded.ts';

/** Yields chunks and counts how many were consumed. */
function flood(piece: string, count: number) {
  const taken = { bytes: 0 };
  const body = (async function* () {
    for (let at = 0; at < count; at++) {
      taken.bytes += piece.length;
      yield Buffer.from(piece);
    }
  })();
  return { body, taken };
}

const refusal = () => new Error('a page');

test.each([' ', '\n', '\ufeff', ' '.repeat(4096)])('white space (%j) is buffered only up to a limit', async (piece) => {
  const { body, taken } = flood(piece, 1_000_000);
  const first = await withoutPage(body, false, refusal).next();
  expect(first.done).toBe(false);
  expect(taken.bytes).toBeLessThan(128 * 1024);
});

test('a body with an HTML content type is rejected, however much white space it begins with', async () => {
  const { body, taken } = flood(' '.repeat(4096), 1_000_000);
  await expect(withoutPage(body, true, refusal).next()).rejects.toThrow('a page');
  expect(taken.bytes).toBeLessThan(128 * 1024);
});
