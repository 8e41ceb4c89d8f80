/** Failed log-ins are limited for each client and each credential, and nobody else waits. */
import { beforeEach, expect, test } from 'vitest';
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
  expect(await status('5.6.7.8', key('old'))).toBe(429);
  expect(await status('1.2.3.4', key('right'))).toBe(200);
  await fail('1.2.3.4', 19);
  expect(await status('1.2.3.4', key('right'))).toBe(429);
});

test('every header with a credential counts, also together with another one', async () => {
  const kinds = [
    (at: number) => ({ authorization: `Bearer ${at}` }),
    (at: number) => ({ authorization: `Basic ${at}` }),
    (at: number) => ({ 'x-workspace-identifier': `${at}` }),
    (at: number) => ({ ...key(at), authorization: 'Bearer dist_x' }),
  ];
  for (const [client, kind] of kinds.entries()) {
    for (let at = 0; at < 20; at++) expect(await status(`${client}`, kind(at))).toBe(401);
    expect(await status(`${client}`, kind(20))).toBe(429);
  }
});

test('tokens of the registry do not count, because clients renew them after a 401', async () => {
  for (let at = 0; at < 100; at++) expect(await status('1.2.3.4', { authorization: `Bearer dist_${at}` })).toBe(401);
});

test('the form of the page counts, without a header', async () => {
  const form = { method: 'POST', url: 'https://a.example/-/login?to=' };
  for (let at = 0; at < 20; at++) expect(await status('1.2.3.4', {}, form)).toBe(401);
  expect(await status('1.2.3.4', {}, form)).toBe(429);
  expect(await status('1.2.3.4', key('right'))).toBe(429);
  expect(await status('1.2.3.5', {}, form)).toBe(401);
});

test('the memory is bounded: after 5,000 others, a wrong key and its client are forgotten', async () => {
  await fail('1.2.3.4', 20);
  for (let at = 0; at < 20; at++) await status('5.6.7.8', key('old'));
  const others = async (from: number, count: number) => {
    for (let at = from; at < from + count; at++) await status(`client ${at}`, key(`other ${at}`));
  };
  await others(0, 4900);
  for (const [client, value] of [
    ['1.2.3.4', 'right'],
    ['9.9.9.9', 'old'],
  ] as const)
    expect(await status(client, key(value))).toBe(429);
  await others(5000, 200);
  for (const [client, value] of [
    ['1.2.3.4', 'right'],
    ['9.9.9.9', 'old'],
  ] as const)
    expect(await status(client, key(value))).toBe(value === 'right' ? 200 : 401);
});
