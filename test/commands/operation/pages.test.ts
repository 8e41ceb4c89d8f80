/** Pages of a list: the next one is requested while the rows of this one are used, but never without need. */
import { expect, test } from 'vitest';
import { pagesOf, type RowPage } from '../../../src/commands/operation/pages.ts';

/**
 * A service with pages `p1` to `p{last}` of two rows each. `log` gets each request. As in the tool, some promises are
 * resolved before a request is sent.
 */
function serviceOf(last: number, log: string[], fails?: number) {
  return async (token: string | undefined): Promise<RowPage> => {
    const page = Number(token?.slice(1) ?? 1);
    for (let step = 0; step < 10; step++) await undefined;
    log.push(`ask ${page}`);
    await new Promise((done) => setImmediate(done));
    if (page === fails) throw new Error(`page ${page} failed`);
    return { rows: [`${page}a`, `${page}b`], next: page < last ? `p${page + 1}` : undefined };
  };
}

const endless = Number.POSITIVE_INFINITY;

test('the next page is requested before the rows of this one are used', async () => {
  const log: string[] = [];
  for await (const { rows } of pagesOf(serviceOf(3, log), undefined, endless)) log.push(`use ${rows}`);
  expect(log).toEqual(['ask 1', 'ask 2', 'use 1a,1b', 'ask 3', 'use 2a,2b', 'use 3a,3b']);
});

test.each([
  [1, ['ask 1', 'use 1a']],
  [2, ['ask 1', 'use 1a,1b']],
  [3, ['ask 1', 'ask 2', 'use 1a,1b', 'use 2a']],
])('after a limit of %i rows, no page is requested', async (limit, expected) => {
  const log: string[] = [];
  for await (const { rows } of pagesOf(serviceOf(9, log), undefined, limit)) log.push(`use ${rows}`);
  expect(log).toEqual(expected);
});

test('a page that fails does so after the rows of the page before it', async () => {
  const log: string[] = [];
  const read = async () => {
    for await (const { rows } of pagesOf(serviceOf(3, log, 2), undefined, endless)) {
      // The request has failed by the time these rows have been used.
      for (let turn = 0; turn < 5; turn++) await new Promise((done) => setImmediate(done));
      log.push(`use ${rows}`);
    }
  };
  await expect(read()).rejects.toThrow('page 2 failed');
  expect(log).toEqual(['ask 1', 'ask 2', 'use 1a,1b']);
});
