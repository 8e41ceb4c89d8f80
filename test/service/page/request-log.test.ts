/** The memory of the page for requests: whose, how many, how large, and that bodies pass unchanged. */
import { describe, expect, test } from 'vitest';
import { readAll, type Send } from '../../../src/request/http.ts';
import { openStore } from '../../../src/service/data/store.ts';
import { errorResponse } from '../../../src/service/handler.ts';
import { openRequestLog, type RequestLog } from '../../../src/service/page/request-log.ts';
import { viewerWith } from '../../../src/service/page/sessions.ts';
import { firstKey, seed } from '../../../src/service/tenancy/seed.ts';

const scope = { store: openStore(':memory:'), now: () => new Date(0) };
seed(scope.store, new Date(0));
const { key, workspaceId } = firstKey(scope.store);
/** The requests that the owner of the key sees. */
const keptBy = (log: RequestLog) => {
  const viewer = viewerWith(key, scope);
  return viewer ? log.visibleTo(viewer) : [];
};
const options = { signal: new AbortController().signal };

/** A service that sends each body back in pieces of one buffer, which it uses again. */
const echo: Send = async ({ body }) => ({
  status: 200,
  headers: {},
  body: (async function* () {
    const shared = Buffer.alloc(1000);
    if (!body || 'byteLength' in body) return;
    for await (const piece of body.open())
      for (let from = 0; from < piece.byteLength; from += shared.byteLength) {
        const length = shared.write(
          Buffer.from(piece)
            .subarray(from, from + shared.byteLength)
            .toString(),
        );
        yield shared.subarray(0, length);
      }
  })(),
});

async function post(log: RequestLog, text: string) {
  const open = async function* () {
    yield Buffer.from(text);
  };
  const request = {
    method: 'POST',
    url: 'http://127.0.0.1/v1/x',
    headers: { 'x-api-key': key },
    body: { size: text.length, open },
  };
  const { body } = await log.watch(echo, scope)(request, options);
  let read = '';
  for await (const piece of body) read += Buffer.from(piece).toString();
  return read;
}

test('the newest 200 requests are kept', async () => {
  const log = openRequestLog(() => undefined);
  for (let number = 1; number <= 250; number++) expect(await post(log, `body ${number}`)).toBe(`body ${number}`);
  const kept = keptBy(log);
  expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 200 }, (_, at) => 250 - at));
  expect(kept.at(-1)?.body.bytes?.toString()).toBe('body 51');
});

test.each([
  [0, true],
  [16_384, true],
  [16_385, false],
  [1_000_000, false],
])('bodies of %i bytes pass unchanged, and are kept: %s', async (size, isKept) => {
  const log = openRequestLog(() => undefined);
  const text = 'abcdefghij'.repeat(Math.ceil(size / 10)).slice(0, size);
  expect(await post(log, text)).toBe(text);
  const [kept] = keptBy(log);
  for (const body of [kept?.body, kept?.response?.body])
    expect([body?.size, body?.bytes?.toString()]).toEqual([size, isKept ? text : undefined]);
});

describe.each([
  ['with a key', { 'x-api-key': key }, 1, 1],
  ['with a key and the id of the workspace', { 'x-api-key': key, 'x-workspace-identifier': workspaceId }, 1, 1],
  ['with only the id of the workspace', { 'x-workspace-identifier': workspaceId }, 1, 0],
  ['with a wrong key and the id of the workspace', { 'x-api-key': 'x', 'x-workspace-identifier': workspaceId }, 1, 0],
  ['with a wrong key', { 'x-api-key': 'x' }, 0, 0],
  ['without a credential', {}, 0, 0],
])('a request %s', (_, headers, withIds, withKeysOnly) => {
  const answers: Readonly<Record<string, Send>> = {
    'that succeeds': echo,
    'that is refused': async () => errorResponse(401, 'no'),
    'that has no answer': async () => {
      throw new Error('dropped');
    },
  };
  test.each(Object.entries(answers))('%s is kept only if it has a valid credential', async (_, send) => {
    for (const [isForKeys, count] of [[false, withIds] as const, [true, withKeysOnly] as const]) {
      let changes = 0;
      const log = openRequestLog(() => changes++);
      const watched = log.watch(send, scope, isForKeys);
      const answer = watched({ method: 'GET', url: 'http://127.0.0.1/v1/user', headers }, options);
      await answer.then(({ body }) => readAll(body, 1e6)).catch(() => undefined);
      expect([isForKeys, keptBy(log).length]).toEqual([isForKeys, count]);
      if (send === echo) expect(changes).toBe(1);
    }
  });
});
