/** Failed log-ins are limited for each client and each credential, and nobody else waits. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpRequest } from '../../../src/request/http.ts';
import { errorResponse } from '../../../src/service/handler.ts';
import { withLoginLimit } from '../../../src/service/http/login-limit.ts';

let now = 0;
let asked = 0;
let limited: ReturnType<typeof withLoginLimit>;
beforeEach(() => {
  [now, asked] = [1000, 0];
  limited = withLoginLimit(
    async ({ headers }) => {
      asked++;
      return errorResponse(Object.values(headers).includes('right') ? 200 : 401, '');
    },
    () => now,
  );
});

async function status(client: string, headers: HttpRequest['headers'], request: Partial<HttpRequest> = {}) {
  const sent = { method: 'GET', url: 'https://a.example/v1/user', headers, ...request };
  return (await limited(client)(sent, { signal: new AbortController().signal })).status;
}

const key = (value: string | number) => ({ 'x-api-key': String(value) });
const fail = async (client: string, count: number, from = 0) => {
  for (let at = from; at < from + count; at++) expect(await status(client, key(at))).toBe(401);
};

test('after 20 wrong keys, a client gets nothing for a minute, not even with the right key', async () => {
  await fail('1.2.3.4', 20);
  const before = asked;
  for (const value of ['another', 'right']) expect(await status('1.2.3.4', key(value))).toBe(429);
  expect(asked).toBe(before);
  now += 59_000;
  const response = await limited('1.2.3.4')(
    { method: 'GET', url: 'https://a.example/', headers: key('x') },
    { signal: new AbortController().signal },
  );
  expect([response.status, response.headers['retry-after']]).toEqual([429, '1']);
  now += 1000;
  expect(await status('1.2.3.4', key('right'))).toBe(200);
});

test.each([
  ['10.0.0.1:4001', '10.0.0.1:4002', '10.0.0.2:4001'],
  ['::ffff:10.0.0.1', '10.0.0.1', '::ffff:10.0.0.2'],
  ['[2001:db8:1:2::3]:4001', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:3::3'],
  ['2001:db8::1', '2001:db8:0:0:1::', '2001:db8:0:1::1'],
])('%s and %s are one client, and %s is another', async (one, same, other) => {
  await fail(one, 20);
  expect(await status(same, key('right'))).toBe(429);
  expect(await status(other, key('right'))).toBe(200);
});

test('a right key from another client works, and so does everything without a credential', async () => {
  await fail('1.2.3.4', 20);
  expect(await status('1.2.3.5', key('right'))).toBe(200);
  expect(await status('1.2.3.4', {})).toBe(401);
});

test('who repeats one wrong key waits with that key, and does not lock out others on its network', async () => {
  for (let at = 0; at < 20; at++) expect(await status('1.2.3.4', key('old'))).toBe(401);
  expect(await status('1.2.3.4', key('old'))).toBe(429);
  expect(await status('5.6.7.8', key('old'))).toBe(401);
  expect(await status('1.2.3.4', key('right'))).toBe(200);
  await fail('1.2.3.4', 19);
  expect(await status('1.2.3.4', key('right'))).toBe(429);
});

test('the limit holds for every minute, whenever it begins', async () => {
  await fail('1.2.3.4', 1);
  now += 59_000;
  await fail('1.2.3.4', 19, 1);
  now += 1000;
  await fail('1.2.3.4', 1, 20);
  expect(await status('1.2.3.4', key('right'))).toBe(429);
});

test('every header with a credential counts, also together with another one', async () => {
  const kinds = [
    (at: number) => ({ authorization: `Bearer ${at}` }),
    (at: number) => ({ authorization: `Bearer dist_${at}` }),
    (at: number) => ({ authorization: `Basic ${at}` }),
    (at: number) => ({ 'x-workspace-identifier': `${at}` }),
    (at: number) => ({ ...key(at), authorization: 'Bearer dist_x' }),
  ];
  for (const [client, kind] of kinds.entries()) {
    for (let at = 0; at < 20; at++) expect(await status(`${client}`, kind(at))).toBe(401);
    expect(await status(`${client}`, kind(20))).toBe(429);
  }
});

test('the form of the page counts, without a header', async () => {
  const form = { method: 'POST', url: 'https://a.example/-/login?to=' };
  for (let at = 0; at < 20; at++) expect(await status('1.2.3.4', {}, form)).toBe(401);
  expect(await status('1.2.3.4', {}, form)).toBe(429);
  expect(await status('1.2.3.4', key('right'))).toBe(429);
  expect(await status('1.2.3.5', {}, form)).toBe(401);
});

test('the memory is bounded: after 5,000 others, a client is forgotten', async () => {
  await fail('1.2.3.4', 20);
  const others = async (from: number, count: number) => {
    for (let at = from; at < from + count; at++) await status(`client ${at}`, key(`other ${at}`));
  };
  await others(0, 4900);
  expect(await status('1.2.3.4', key('right'))).toBe(429);
  await others(5000, 200);
  expect(await status('1.2.3.4', key('right'))).toBe(200);
});

describe('at the same time', () => {
  /** Ends each of the requests that were passed on. */
  const open: (() => void)[] = [];
  let most = 0;
  beforeEach(() => {
    most = 0;
    limited = withLoginLimit(
      async ({ headers }) => {
        asked++;
        await new Promise<void>((done) => {
          open.push(done);
          most = Math.max(most, open.length);
        });
        return errorResponse(Object.values(headers).some((value) => value.startsWith('right')) ? 200 : 401, '');
      },
      () => now,
    );
  });
  /** The number of answers by status. Requests are answered one by one, after all that may be passed on were. */
  async function answersTo(requests: readonly Promise<number>[]): Promise<Readonly<Record<number, number>>> {
    let left = requests.length;
    for (const one of requests) one.catch(() => undefined).finally(() => left--);
    while (left > 0) {
      await new Promise(setImmediate);
      open.shift()?.();
    }
    const counts: Record<number, number> = {};
    for (const one of await Promise.all(requests)) counts[one] = (counts[one] ?? 0) + 1;
    return counts;
  }
  const many = (count: number, one: (at: number) => Promise<number>) =>
    Array.from({ length: count }, (_, at) => one(at));
  const form = { method: 'POST', url: 'https://a.example/-/login?to=' };

  test.each<readonly [string, number, (at: number) => Promise<number>]>([
    ['400 wrong keys from one IP address', 20, (at) => status('1.2.3.4', key(at))],
    ['400 wrong keys from 10 IP addresses', 200, (at) => status(`1.2.3.${at % 10}`, key(at))],
    ['400 wrong keys from one IPv6 network', 20, (at) => status(`2001:db8:1:2::${at.toString(16)}`, key(at))],
    ['400 wrong keys from 10 IPv6 networks', 200, (at) => status(`2001:db8:1:${at % 10}::1`, key(at))],
    ['400 wrong bearers', 20, (at) => status('1.2.3.4', { authorization: `Bearer ${at}` })],
    ['400 wrong passwords', 20, (at) => status('1.2.3.4', { authorization: `Basic ${at}` })],
    ['400 wrong ids', 20, (at) => status('1.2.3.4', { 'x-workspace-identifier': `${at}` })],
    ['400 wrong pairs', 20, (at) => status('1.2.3.4', { ...key('old'), authorization: `Bearer ${at}` })],
    ['400 forms of the page', 20, () => status('1.2.3.4', {}, form)],
  ])('of %s, %i are checked', async (_, checked, one) => {
    expect(await answersTo(many(400, one))).toEqual({ 401: checked, 429: 400 - checked });
    expect(asked).toBe(checked);
  });

  test.each<readonly [string, number, (at: number) => Promise<number>, number]>([
    ['100 requests with a right key', 100, () => status('1.2.3.4', key('right')), 100],
    ['100 requests with 40 right keys', 100, (at) => status('1.2.3.4', key(`right ${at % 40}`)), 60],
    ['100 requests without a credential', 100, () => status('1.2.3.4', {}), 100],
  ])('none of %s is refused', async (_, count, one, together) => {
    const { 429: refused = 0 } = await answersTo(many(count, one));
    expect([refused, asked, most]).toEqual([0, count, together]);
    expect(await answersTo([status('1.2.3.4', key('right'))])).toEqual({ 200: 1 });
  });

  test('a wrong key that is sent 100 times counts once', async () => {
    expect(await answersTo(many(100, () => status('1.2.3.4', key('old'))))).toEqual({ 401: 100 });
    expect(await answersTo(many(19, (at) => status('1.2.3.4', key(at))))).toEqual({ 401: 19 });
    expect(await answersTo([status('1.2.3.4', key('right'))])).toEqual({ 429: 1 });
  });

  test('a key is a guess until all of its requests have answers, although the first needs no credential', async () => {
    const first = many(20, (at) => status('1.2.3.4', { ...key(at), from: 'right' }));
    const second = many(20, (at) => status('1.2.3.4', key(at)));
    const third = many(20, (at) => status('1.2.3.4', key(at + 20)));
    expect(await answersTo([...first, ...second, ...third])).toEqual({ 200: 20, 401: 20, 429: 20 });
  });

  test('a valid key does not count once the service knows it, however long its request takes', async () => {
    limited = withLoginLimit(
      async (_, { known }) => {
        asked++;
        known?.();
        return new Promise(() => {});
      },
      () => now,
    );
    for (const at of Array(100).keys()) void status('1.2.3.4', key(at));
    await new Promise(setImmediate);
    expect(asked).toBe(100);
  });

  test('who waits for others longer than a second is asked to come again', async () => {
    const others = many(20, (at) => status('1.2.3.4', key(`right ${at}`)));
    const sent = { method: 'GET', url: 'https://a.example/', headers: key('right') };
    const late = await limited('1.2.3.4')(sent, { signal: new AbortController().signal });
    expect([late.status, late.headers['retry-after'], asked]).toEqual([429, '1', 20]);
    expect(await answersTo(others)).toEqual({ 200: 20 });
    expect(await answersTo([status('1.2.3.4', key('right'))])).toEqual({ 200: 1 });
  });

  test('a client that leaves before the answers has sent guesses too', async () => {
    limited = withLoginLimit(
      async () => {
        asked++;
        throw new Error('the client has left');
      },
      () => now,
    );
    const guesses = await Promise.allSettled(many(400, (at) => status('1.2.3.4', key(at))));
    expect([asked, guesses.filter(({ status }) => status === 'rejected').length]).toEqual([20, 20]);
    await Promise.allSettled(many(100, () => status('1.2.3.5', key('right'))));
    expect(asked).toBe(120);
  });

  test('a client that leaves while it waits has sent nothing', async () => {
    const others = many(20, (at) => status('1.2.3.4', key(`right ${at}`)));
    const gone = new AbortController();
    const sent = { method: 'GET', url: 'https://a.example/', headers: key('right') };
    const waiting = limited('1.2.3.4')(sent, { signal: gone.signal }).then(() => 0);
    gone.abort();
    await answersTo([...others, waiting]).catch(() => undefined);
    await expect(waiting).rejects.toThrow('aborted');
    expect(asked).toBe(20);
  });
});
