/** What may be sent again: one row per status, one column per use. */
import { describe, expect, test } from 'vitest';
import {
  defaultRetryPolicy,
  isRetried,
  isRetriedByDownload,
  isRetriedByFollowing,
  isRetriedByWait,
  isRetryable,
  isRetryableConnection,
  isRetryableOfProxy,
  pollBackoff,
  readBackoff,
  waitAfter,
} from '../../src/operations/retry-rules.ts';
import { codeOf } from '../../src/request/read.ts';

/** The columns of the table, in its order. */
const uses = {
  'the declared policy': (status: number) => isRetried(defaultRetryPolicy, { status }),
  'the declared policy, with Retry-After': (status: number) => isRetried(defaultRetryPolicy, { status, waitMs: 0 }),
  '--retry': (status: number) => isRetried(readBackoff, { status }),
  '--wait': (status: number) => isRetriedByWait(codeOf(status), { status }),
  'a command that polls until it is stopped': (status: number) => isRetriedByFollowing(codeOf(status), { status }),
  'retryable of the error': isRetryable,
  'retryable of the error, if the proxy sent it': isRetryableOfProxy,
};

const table = `
  status  declared  asked  --retry  --wait  following  retryable  proxy
  304     no        no     no       no      yes        no         no
  400     no        no     no       no      no         no         no
  401     no        no     no       no      no         no         no
  403     no        no     no       no      no         no         no
  404     no        no     no       no      no         no         no
  407     no        no     no       no      no         no         no
  408     yes       yes    yes      yes     yes        yes        no
  409     no        no     no       no      no         no         no
  410     no        no     no       no      no         no         no
  413     no        no     no       no      no         no         no
  416     no        no     no       no      no         no         no
  422     no        no     no       no      no         no         no
  429     no        yes    yes      yes     yes        yes        no
  500     yes       yes    yes      yes     yes        yes        no
  501     no        no     no       no      yes        no         no
  502     yes       yes    yes      yes     yes        yes        yes
  503     yes       yes    yes      yes     yes        yes        yes
  504     no        no     yes      yes     yes        yes        yes
  505     no        no     no       no      yes        no         no
  599     no        no     no       no      yes        yes        no
  600     no        no     no       no      yes        no         no
`;
const rows = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/ +/));

describe.each(rows)('status %s', (status, ...cells) => {
  test.each(Object.entries(uses).map(([use, isYes], at) => ({ use, isYes, is: cells[at] })))(
    'is retried by $use: $is',
    ({ isYes, is }) => {
      expect(isYes(Number(status)) ? 'yes' : 'no').toBe(is);
    },
  );
});

test.each([
  ['ECONNREFUSED', true],
  ['ECONNRESET', true],
  ['EPIPE', true],
  ['ENOTFOUND', true],
  ['EAI_AGAIN', true],
  ['ETIMEDOUT', true],
  ['EHOSTUNREACH', true],
  ['ENETUNREACH', true],
  ['UND_ERR_SOCKET', true],
  ['UND_ERR_CONNECT_TIMEOUT', true],
  ['UND_ERR_HEADERS_TIMEOUT', true],
  ['UND_ERR_BODY_TIMEOUT', false],
  ['UND_ERR_HEADERS_OVERFLOW', false],
  ['UND_ERR_ABORTED', false],
  ['HPE_INVALID_CONSTANT', false],
  ['CERT_HAS_EXPIRED', false],
  ['EMFILE', false],
])('the connection error %s is retryable: %s', (code, is) => {
  expect(isRetryableConnection(code)).toBe(is);
});

describe.each([true, false])('a failure without a status that is retryable: %s', (retryable) => {
  test('is retried by the policies and by --wait only if it is retryable', () => {
    expect(isRetried(defaultRetryPolicy, { retryable })).toBe(retryable);
    expect(isRetried(readBackoff, { retryable })).toBe(retryable);
    expect(isRetriedByWait('network', { retryable })).toBe(retryable);
  });

  test('is retried by a download only if it was the first attempt', () => {
    expect(isRetriedByDownload({ retryable })).toBe(retryable);
    expect(isRetriedByDownload({ retryable, attempts: 1 })).toBe(retryable);
    expect(isRetriedByDownload({ retryable, attempts: 2 })).toBe(false);
    expect(isRetriedByDownload({ retryable, status: 503 })).toBe(false);
  });

  test('never ends a command that polls until it is stopped', () => {
    expect(isRetriedByFollowing('network', { retryable })).toBe(true);
  });

  test('never ends --wait if it is a timeout', () => {
    expect(isRetriedByWait('timeout', { retryable })).toBe(true);
  });
});

test.each([
  [0, 200],
  [200, 200],
  [201, 201],
  [90_000, 90_000],
])('with Retry-After of %d ms, a wait of 200 ms takes %d ms', (waitMs, ms) => {
  expect(waitAfter({ ...defaultRetryPolicy, initialMs: 200 }, 1, 0, { waitMs })).toBe(ms);
});

test.each([
  [2000, 1, 0, 2000],
  [2000, 2, 0, 4000],
  [2000, 3, 0.5, 10_000],
  [2000, 9, 0, 20_000],
  [2000, 9, 1, 30_000],
  [60_000, 1, 0, 60_000],
  [60_000, 9, 1, 90_000],
])('with an interval of %d ms, after failed poll %d with the random value %d, it waits %d ms', (...row) => {
  const [intervalMs, failures, random, ms] = row;
  expect(waitAfter(pollBackoff(intervalMs), failures, random)).toBe(ms);
});
