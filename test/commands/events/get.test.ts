/** `dtp events get`: one event, by its id or the beginning of the id. */
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
] as const)('%s', async (_, id, list, code, message) => {
  const ended = await get(id, list);
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringContaining(message)]);
});

/** Searches for an event among many, the newest of which has the highest number. The service returns at most `cap` of them. */
async function getAmong(id: string, stored: number, cap = Number.POSITIVE_INFINITY) {
  const limits: number[] = [];
  const { openSend } = service(({ url }) => {
    const limit = Number(new URL(url).searchParams.get('limit'));
    limits.push(limit);
    return [200, Array.from({ length: Math.min(stored, cap, limit) }, (_, at) => ({ id: `event-${stored - at}.` }))];
  });
  return { ...(await dtp(['events', 'get', id], { env, own: 'w_1', openSend })), limits };
}

test.each([
  ['the newest', 'event-50000.', 50_000, undefined, 0, [10_000]],
  ['one of the first search', 'event-40001.', 50_000, undefined, 0, [10_000]],
  ['an older one', 'event-40000.', 50_000, undefined, 0, [10_000, 40_000]],
  ['the oldest', 'event-1.', 50_000, undefined, 0, [10_000, 40_000, 160_000]],
  ['the beginning of the oldest', 'event-1.', 9000, undefined, 0, [10_000]],
  ['an older one than the service returns', 'event-1.', 50_000, 40_000, 14, [10_000, 40_000, 160_000]],
  ['none', 'event-0.', 50_000, undefined, 6, [10_000, 40_000, 160_000]],
] as const)('%s is looked for as far back as necessary', async (_, id, stored, cap, code, limits) => {
  const ended = await getAmong(id, stored, cap);
  expect([ended.code, ended.limits]).toEqual([code, limits]);
  expect(ended.stdout).toBe(code === 0 ? `{\n  "id": "${id}"\n}\n` : '');
  if (code === 14)
    expect(ended.stderr).toContain('not among the newest 40,000 events, and the service returns no more');
});

test('an event without an id is not the one with an empty id', async () => {
  expect((await get('', [{ error: 'no id' }, { id: 7 }])).code).toBe(6);
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
