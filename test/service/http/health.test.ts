/** Health needs no credential, answers while the store hangs, and a server at its end accepts no requests. */
import { expect, test } from 'vitest';
import { type HttpResponse, readAll, type Send } from '../../../src/request/http.ts';
import { Refusal, replyJson, responseOf } from '../../../src/service/handler.ts';
import { withHealth } from '../../../src/service/http/health.ts';

const never = new AbortController().signal;
const text = async ({ body }: HttpResponse) => String(await readAll(body, 1000));
const answered: Send = async ({ url }) => responseOf(replyJson(200, { url }));

function open(check: () => Promise<unknown>, drain = never, send = answered) {
  const whole = withHealth(send, check, drain);
  return async (path: string, method = 'GET') => {
    const request = { method, url: `http://127.0.0.1${path}`, headers: {} };
    const response = await whole(request, { signal: never });
    return { ...response, text: await text(response) };
  };
}

test.each([
  ['GET', '/healthz', 200, '{"status":"ok"}'],
  ['HEAD', '/healthz?a=b', 200, '{"status":"ok"}'],
  ['GET', '/readyz', 200, '{"status":"ready"}'],
  ['POST', '/readyz', 200, '{"url":"http://127.0.0.1/readyz"}'],
  ['GET', '/healthz/', 200, '{"url":"http://127.0.0.1/healthz/"}'],
])('%s %s', async (method, path, status, body) => {
  expect(await open(async () => undefined)(path, method)).toMatchObject({ status, text: body });
});

test('a store that fails makes the service not ready, without the reason, and it stays healthy', async () => {
  const ask = open(async () => Promise.reject(new Error('secret')));
  expect(await ask('/readyz')).toMatchObject({ status: 503, text: '{"status":"unavailable"}' });
  expect(await ask('/healthz')).toMatchObject({ status: 200 });
  expect(await ask('/v1/x')).toMatchObject({ status: 200 });
});

test('the reason of a refusal is shown', async () => {
  const ask = open(async () => Promise.reject(new Refusal(503, 'the database cannot be reached')));
  const body = '{"status":"unavailable","message":"the database cannot be reached"}';
  expect(await ask('/readyz')).toMatchObject({ status: 503, text: body });
});

test('a store that hangs is checked once for all who ask at once', async () => {
  let checks = 0;
  const ask = open(() => new Promise(() => checks++));
  const all = await Promise.all([ask('/readyz'), ask('/readyz'), ask('/readyz')]);
  expect(all.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(checks).toBe(1);
});

test('at its end, running requests are answered and new ones are refused', async () => {
  const drain = new AbortController();
  let answer = () => {};
  const slow: Send = async (request, options) => {
    await new Promise<void>((done) => {
      answer = done;
    });
    return answered(request, options);
  };
  const ask = open(async () => undefined, drain.signal, slow);
  const running = ask('/v1/x');
  drain.abort();
  expect(await ask('/v1/x')).toMatchObject({ status: 503, headers: { 'retry-after': '1', connection: 'close' } });
  expect(await ask('/readyz')).toMatchObject({ status: 503, text: '{"status":"draining"}' });
  expect(await ask('/healthz')).toMatchObject({ status: 200 });
  answer();
  expect(await running).toMatchObject({ status: 200, headers: { connection: 'close' } });
});
