/** Bodies that are passed on: what is called, how often, and what becomes of the source. */
import { expect, test } from 'vitest';
import { passedOn } from '../../src/request/http.ts';

const failure = new Error('failed');
const fail = () => {
  throw failure;
};

type Passing = Parameters<typeof passedOn>[1];

/** Passes on a body of three pieces, and reads `most` of them. Returns what happened, in order. */
async function read(own: Passing, { most = 5, breaksAt = 5 } = {}): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const source = async function* () {
    try {
      for (const piece of [1, 2, 3]) {
        if (piece === breaksAt) fail();
        yield Uint8Array.of(piece);
      }
    } finally {
      seen.push('closed');
    }
  };
  const passing = { see: ([one]: Uint8Array) => void seen.push(one), end: (is: boolean) => void seen.push(is), ...own };
  try {
    for await (const [piece] of passedOn(source(), passing)) {
      seen.push(`read ${piece}`);
      if (piece === most) break;
    }
  } catch (error) {
    seen.push(error);
  }
  return seen;
}

const first = [1, 'read 1'];
const whole = [...first, 2, 'read 2', 3, 'read 3'];

test.each<[what: string, own: Passing, how: Parameters<typeof read>[1], expected: readonly unknown[]]>([
  ['a body that is read whole', {}, {}, [...whole, 'closed', true]],
  ['a reader that stops', {}, { most: 1 }, [...first, false, 'closed']],
  ['a body that breaks off', {}, { breaksAt: 2 }, [...first, 'closed', false, failure]],
  ['a body that breaks off at once', {}, { breaksAt: 1 }, ['closed', false, failure]],
  ['a check that fails', { see: fail }, {}, [false, 'closed', failure]],
  ['a wait that fails', { before: async () => fail() }, {}, [false, failure]],
])('%s ends once, and its source is closed', async (_, own, how, expected) => {
  expect(await read(own, how)).toEqual(expected);
});

test('each piece is only read after the wait before it', async () => {
  let waits = 0;
  const before = async () => {
    waits++;
  };
  await read({ before }, { most: 2 });
  expect(waits).toBe(2);
});
