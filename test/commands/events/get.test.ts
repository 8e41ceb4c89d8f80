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

test('an ambiguous beginning names the ids', async () => {
  expect((await get('aaaaaaaa', events)).stderr).toContain('Use more of the id: aaaaaaaa-1, aaaaaaaa-12');
});

test('without an id, a terminal lists the newest events, and a pipe gets an error', async () => {
  const { openSend } = service(({ url }) => [200, new URL(url).searchParams.get('limit') === '100' ? rows : events]);
  const rows = [
    { id: 'bbbbbbbb-1', interaction_type: 'LINT', error: 'two\nlines', created_at: '2020-03-04T12:00:00.000Z' },
    { id: 'cccccccc-1', interaction_type: 'TEST', created_at: 'never' },
  ];
  const world = { env: { ...env, TERM: 'dumb' }, own: 'w_1', openSend, tty: true };
  const ended = await dtp(['events', 'get', '-o', 'json'], { ...world, typed: [['Which event?', '1']] });
  expect([ended.code, JSON.parse(ended.stdout)], ended.stderr).toEqual([0, events[2]]);
  expect(ended.stderr).toContain('1. LINT, two lines (bbbbbbbb-1, 2020-03-04)');
  expect(ended.stderr).toContain('2. TEST (cccccccc-1)');
  expect(ended.stderr).toContain('Running: dtp events get -o json bbbbbbbb-1');
  const piped = await dtp(['events', 'get'], { ...world, tty: false });
  expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining('missing argument: ID')]);
});
