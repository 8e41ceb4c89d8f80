/** A world without a network, a browser, a shell or programs, in which the service may answer anything. */
import fc from 'fast-check';
import type { Clock } from '../../src/clock.ts';
import type { Context } from '../../src/context.ts';
import { DtpError } from '../../src/errors.ts';
import type { World } from './context.ts';

/** Answers of a service, plausible and not. */
export interface Said {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lost: boolean;
}

const bodies = [
  ...[
    '{}',
    '[]',
    '[{"id":"w_1","name":"Pets"}]',
    '{"id":"w_1","name":"Pets"}',
    '{"items":[{"name":"pets"}]}',
    '{"items":[{}],"next_page_token":"t"}',
  ],
  ...[
    '{"auth_token":"t-1"}',
    '{"url":"https://127.0.0.1:1/x"}',
    '{"status":"pending"}',
    '{"message":"no","status_code":400}',
    '{"access_token":"x"}',
  ],
  ...[
    '',
    '<html>no</html>',
    'null',
    '5',
    '"text"',
    '{"a":',
    '\ufffd\u0000\u001b[2J',
    'true',
    '{"__proto__":{"x":1},"constructor":2}',
    '[[[]]]',
    '{"items":5}',
  ],
];

export const said: fc.Arbitrary<Said> = fc.record({
  status: fc.oneof(
    fc.constant(200),
    fc.constantFrom(200, 201, 202, 204, 301, 302, 400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504),
  ),
  body: fc.constantFrom(...bodies),
  headers: fc.constantFrom(
    {},
    { location: '/x' },
    { 'content-type': 'text/html' },
    { 'retry-after': '1', 'x-request-id': 'r-1' },
    { 'docker-content-digest': 'sha256:x' },
  ),
  lost: fc.nat({ max: 9 }).map((one) => one === 0),
});

/** Sleeps of up to a few seconds pass at once. Deadlines are longer, and are never reached. */
function quickClock(): Clock {
  let time = Date.UTC(2026, 0, 31, 12);
  return {
    now: () => time,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      if (ms > 5000)
        return new Promise((_, failed) => {
          signal?.addEventListener('abort', () => failed(signal.reason), { once: true });
        });
      time += ms;
    },
  };
}

/** `openProbe` finds nothing. Programs that are started exit with 0. */
export function closedWorld({ status, body, headers, lost }: Said): World {
  const gone = () => new DtpError('network', 'a.test refused the connection', { retryable: true });
  const openSend: Context['openSend'] = async () => ({
    send: async () => {
      if (lost) throw gone();
      const bytes = (async function* () {
        yield Buffer.from(body);
      })();
      return { status, headers, body: bytes };
    },
    close: async () => undefined,
  });
  return {
    openSend,
    clock: quickClock(),
    openProbe: async () => ({
      lookUp: () => Promise.reject(gone()),
      reachProxy: () => Promise.reject(gone()),
      reach: () => Promise.reject(gone()),
    }),
    spawn: async () => 0,
    openBrowser: async () => undefined,
    exec: async () => 'k-1',
    runAside: async () => undefined,
  };
}
