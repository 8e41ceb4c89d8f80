/** While a request waits to be sent again, the progress display says why and for how long. */
import { expect, test } from 'vitest';
import type { Waiting } from '../../src/context.ts';
import { DtpError } from '../../src/errors.ts';
import { jumpingClock } from '../support/clocks.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { ndjson } from '../support/event-service.ts';

const down = new DtpError('network', 'api.example.test refused the connection', { retryable: true });
const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };

/** Runs a command against a service that fails three times, and records what the display shows. */
async function shownFor(argv: readonly string[], failure: DtpError | number, home?: string) {
  const shown: (Waiting | undefined)[] = [];
  const clock = jumpingClock();
  let calls = 0;
  const ended = await dtp(argv, {
    ...(home !== undefined && { home }),
    clock,
    env,
    ...(argv.includes('-') && { stdin: ndjson(1) }),
    displays: new Set([
      (waiting) => shown.push(waiting && { ...waiting, until: waiting.until && waiting.until - clock.now() }),
    ]),
    openSend: async () => ({
      send: async ({ url }) => {
        if (calls++ >= 3) return { status: 200, headers: {}, body: responseOf(url) };
        if (failure instanceof DtpError) throw failure;
        return { status: failure, headers: {}, body: responseOf(url) };
      },
      close: async () => undefined,
    }),
  });
  return { ...ended, shown };
}

async function* responseOf(url: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(
    /validate|access/.test(url) ? '{"workspace_id":"w_1","generation_allowed":true,"message":""}' : '[]',
  );
}

const post = ['events', 'post', '--body', '-'];

test.each<[string, readonly string[], DtpError | number, string, boolean]>([
  ['a post', post, down, 'api.example.test refused the connection', true],
  ['a post and a 503', post, 503, 'the service responded with status 503', true],
  ['auth access', ['auth', 'access'], down, 'api.example.test refused the connection', true],
  ['a read with --retry', ['ws', 'list', '--retry', '5'], 502, 'the service responded with status 502', false],
])('%s', async (_, argv, failure, reason, isTimed) => {
  const { code, stderr, shown } = await shownFor(argv, failure);
  expect(code, stderr).toBe(0);
  // Elsewhere than on a terminal, nothing is added.
  expect(stderr).toBe('');
  const waits = shown.filter((one) => one !== undefined);
  expect(waits.map((one) => one.reason)).toEqual([reason, reason, reason]);
  const left = waits.map(({ until }) => until);
  if (isTimed) {
    expect(left[0]).toBe(60_000);
    expect(left).toEqual(left.toSorted((one, other) => Number(other) - Number(one)));
    expect(new Set(left).size).toBe(3);
  } else expect(left).toEqual([undefined, undefined, undefined]);
  // The reason disappears with the response.
  expect(shown.at(-1)).toBeUndefined();
});

test('--timeout shortens the time that is left', async () => {
  const { shown } = await shownFor([...post, '--timeout', '20s'], down);
  expect(shown[0]?.until).toBe(20_000);
});

test('a flush of queued events', async () => {
  const home = temporaryFolder();
  await dtp(post, {
    home,
    env,
    clock: jumpingClock(),
    stdin: ndjson(1),
    openSend: async () => ({ send: () => Promise.reject(down), close: async () => undefined }),
  });
  const { shown, code } = await shownFor(['events', 'queue', 'flush'], down, home);
  expect([code, shown[0]]).toEqual([0, { reason: down.message, until: 60_000 }]);
});

test('with -v, each attempt is a line', async () => {
  const { stderr } = await shownFor([...post, '-v'], down);
  expect(stderr.match(/attempt \d failed \(api\.example\.test refused the connection\)/g)).toHaveLength(3);
  expect(stderr).not.toContain('trying again');
});
