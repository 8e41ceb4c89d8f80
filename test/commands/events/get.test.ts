/** `dtp events get`: one event among the newest 10,000, by its id or the beginning of the id. */
import { expect, test } from 'vitest';
import { dtp } from '../../support/context.ts';
import { service } from '../../support/function-service.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };

async function get(id: string, events: readonly unknown[] | null, more: readonly string[] = []) {
  const queries: string[] = [];
  const { openSend } = service(({ url }) => {
    queries.push(new URL(url).search);
    return [200, events];
  });
  return { ...(await dtp(['events', 'get', id, ...more], { env, own: 'w_1', openSend })), queries };
}

const events = [
  { id: 'aaaaaaaa-1', error: 'one', nested: { a: [1] } },
  { id: 'aaaaaaaa-12', error: 'two' },
  { id: 'bbbbbbbb-1' },
];

test.each([
  ['its id', 'bbbbbbbb-1', 2],
  ['its id, which is also the beginning of another', 'aaaaaaaa-1', 0],
  ['the beginning of its id', 'bbbbbbbb', 2],
])('an event is found by %s', async (_, id, at) => {
  const { code, stdout, queries } = await get(id, events);
  expect([code, JSON.parse(stdout), queries]).toEqual([0, events[at], ['?limit=10000']]);
});

test('it can be queried like any record', async () => {
  expect(await get('aaaaaaaa-12', events, ['-r', '--query', 'error'])).toMatchObject({ code: 0, stdout: 'two\n' });
});

test.each([
  ['no event', 'cccccccc', events, 6, 'no event has the id'],
  ['a short beginning', 'bbbbbbb', events, 6, 'no event has the id'],
  ['no events', 'cccccccc', null, 6, 'no event has the id'],
  ['several events', 'aaaaaaaa', events, 2, 'the ids of 2 events begin with'],
  [
    'an older event',
    'x',
    Array.from({ length: 10_000 }, (_, at) => ({ id: `e-${at}` })),
    6,
    'is not among the newest 10,000 events',
  ],
] as const)('%s', async (_, id, list, code, message) => {
  const ended = await get(id, list);
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringContaining(message)]);
});
