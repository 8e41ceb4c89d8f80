/** `dtp events queue`: lists, delivers and deletes queued events, and only those that were requested. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jumpingClock } from '../../support/clocks.ts';
import { temporaryFolder } from '../../support/context.ts';
import { type Answer, events, ndjson, receiver, refusal } from '../../support/event-service.ts';

interface Entry {
  readonly id: string;
  readonly state: string;
  readonly events?: number;
}

const list = async (home: string): Promise<readonly Entry[]> =>
  JSON.parse((await events(['queue', 'list'], { home })).stdout);

const states = async (home: string) => (await list(home)).map(({ state }) => state);

/** A folder with queued batches of ten events. */
async function keeping(count: number, answer: Answer = () => refusal, env = {}): Promise<string> {
  const home = temporaryFolder();
  const argv = ['post', '--body', '-', '--batch-size', '10', '--concurrency', '1'];
  await events(argv, { home, env, stdin: ndjson(count), openSend: receiver(answer).openSend });
  return home;
}

/** Batches that `damage` has changed. */
function rewrite(home: string, damage: (text: string) => string): void {
  const state = join(home, 'state');
  for (const name of readdirSync(state, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('1.batch')) continue;
    writeFileSync(join(state, name), damage(readFileSync(join(state, name), 'utf8')));
  }
}

test('an empty queue: an empty list, and nothing to deliver', async () => {
  const home = temporaryFolder();
  expect(await list(home)).toEqual([]);
  const service = receiver();
  const flushed = await events(['queue', 'flush'], { home, openSend: service.openSend });
  expect([flushed.code, JSON.parse(flushed.stdout).accepted, service.bodies]).toEqual([0, 0, []]);
});

test('flush delivers in the order of the posts, and reports what is queued for other services', async () => {
  const home = await keeping(30);
  const env = { DTP_BASE_URL: 'https://other.example.test' };
  const out = receiver(() => refusal);
  await events(['post', '--body', '{"id":"b"}'], { home, env, openSend: out.openSend });
  const service = receiver((_, call) => (call === 2 ? 503 : 200));
  const format = { DTP_ERROR_FORMAT: 'json' };
  const flushed = await events(['queue', 'flush'], { home, env: format, openSend: service.openSend });
  expect([flushed.code, flushed.stdout]).toEqual([75, '']);
  const { message, next, details } = JSON.parse(flushed.stderr.split('\n').at(-2) ?? '').error;
  expect(message).toMatch(
    /^30 events were delivered; 1 event is still queued for workspace \S+ of https:\/\/other\.example\.test$/,
  );
  expect(next).toEqual([
    { command: expect.stringContaining('dtp events queue flush --base-url https://other.example.test') },
  ]);
  expect(details).toMatchObject({ accepted: 30, delivered: 30, batches: 3, attempts: 4 });
  expect(service.events().map(({ n }) => n)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  expect(await list(home)).toHaveLength(1);
});

test.each([
  ['the embedded service at another port', 'http://127.0.0.1:4002', ['dtp events queue list']],
  ['another service', 'https://api.example.test', ['dtp events queue list']],
  ['the same service', 'http://127.0.0.1:4001', ['dtp events queue flush -w w_1']],
])('a flush for %s suggests nothing that needs an embedded service that has ended', async (_, base, next) => {
  const home = await keeping(10, () => refusal, { DTP_BASE_URL: 'http://127.0.0.1:4001' });
  const env = { DTP_BASE_URL: base, DTP_WORKSPACE_ID: 'w_2', DTP_ERROR_FORMAT: 'json' };
  const suggested = async () => {
    const { code, stderr } = await events(['queue', 'flush'], { home, env, openSend: receiver().openSend });
    const { error } = JSON.parse(stderr.split('\n').at(-2) ?? '');
    return [code, ...error.next.map(({ command }: { command: string }) => command)];
  };
  expect(await suggested()).toEqual([75, ...next]);
  // Batches for a service with a name are still suggested.
  const other = { DTP_BASE_URL: 'https://other.example.test', DTP_WORKSPACE_ID: 'w_2' };
  const { openSend } = receiver(() => refusal);
  await events(['post', '--body', '{"id":"b"}'], { home, env: other, openSend });
  const flush = 'dtp events queue flush --base-url https://other.example.test';
  const both = next[0]?.includes('list') ? [flush] : [...next, flush];
  expect(await suggested()).toEqual([75, ...both]);
});

test.each([
  [() => refusal, 75, '30 events could not be delivered and are still queued', ['pending', 'pending', 'pending'], 1],
  [() => 401, 4, '401', ['pending', 'pending', 'pending'], 1],
  [() => 405, 7, '405', ['rejected', 'rejected', 'rejected'], 3],
  // The ten events are sent alone in the end, after ever smaller parts.
  [() => 422, 7, '422', ['rejected', 'rejected', 'rejected'], 3 * 19],
  [(_: string, call: number) => (call === 1 ? 405 : 200), 14, '10 of 30', ['rejected'], 3],
  [(body: string) => (body.includes('"e_0"') ? 422 : 200), 14, '1 of 30', ['rejected'], 3 + 6],
] as const)('a failing flush says why: %#', async (answer, code, words, left, least) => {
  const home = await keeping(30);
  const service = receiver(answer);
  const flushed = await events(['queue', 'flush'], { home, openSend: service.openSend });
  expect([flushed.code, flushed.stdout, await states(home)]).toEqual([code, '', left]);
  expect(flushed.stderr).toContain(words);
  expect(new Set(service.bodies).size).toBe(least);
});

test('rejected events are sent again only on request', async () => {
  const home = await keeping(20, () => 422);
  const service = receiver();
  expect((await events(['queue', 'flush'], { home, openSend: service.openSend })).code).toBe(0);
  expect((await events(['post', '--body', '[]'], { home, openSend: service.openSend })).code).toBe(0);
  expect([service.bodies, await states(home)]).toEqual([[], ['rejected', 'rejected']]);
  const again = ['queue', 'flush', '--rejected'];
  expect((await events(again, { home, openSend: receiver(() => 400).openSend })).code).toBe(7);
  expect(await list(home)).toMatchObject([{ status: 400 }, { status: 400 }]);
  expect((await events(again, { home, openSend: service.openSend })).code).toBe(0);
  expect([service.events().length, await list(home)]).toEqual([20, []]);
});

test.each([
  ['a changed body', (text: string) => text.replace('"e_0"', '"e_X"')],
  ['an incomplete body', (text: string) => text.slice(0, -9)],
  ['an invalid first line', () => 'garbage'],
  ['an empty file', () => ''],
])('%s is set aside, reported, and does not block others', async (_, damage) => {
  const home = await keeping(30);
  rewrite(home, damage);
  const service = receiver();
  const posted = await events(['post', '--body', '{"id":"b"}'], { home, openSend: service.openSend });
  expect([posted.code, service.events().length]).toEqual([0, 21]);
  expect(await states(home)).toEqual(['corrupt']);
  expect((await events(['queue', 'drop', '--corrupt', '--yes'], { home })).code).toBe(0);
  expect(await list(home)).toEqual([]);
});

test('nothing is deleted without a selection and a confirmation', async () => {
  const home = await keeping(30);
  const [first] = await list(home);
  const refused: readonly (readonly [argv: readonly string[], code: number, words: string])[] = [
    [[], 2, 'specify what to delete'],
    [['--all'], 2, 'this command needs confirmation; pass --yes\n'],
    [[String(first?.id)], 2, 'this command needs confirmation'],
    [['nope', '--yes'], 6, 'batch nope is not in the queue'],
    [[String(first?.id), 'nope', '--yes'], 6, 'batch nope is not in the queue'],
    [['--older-than', 'soon', '--yes'], 2, '--older-than must be a time such as 12h, 30d or 2w'],
  ];
  for (const [argv, code, words] of refused) {
    const ended = await events(['queue', 'drop', ...argv], { home });
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(words);
  }
  expect(await list(home)).toHaveLength(3);
});

test('only the selected batches are deleted', async () => {
  const home = await keeping(40, (body) => (body.includes('"e_0"') ? 405 : refusal));
  expect((await states(home)).toSorted()).toEqual(['pending', 'pending', 'pending', 'rejected']);
  const drop = async (...argv: readonly string[]) =>
    JSON.parse((await events(['queue', 'drop', ...argv, '--yes'], { home })).stdout);
  const day = { ...jumpingClock(), now: () => Date.now() + 10 * 86_400_000 };
  for (const age of ['1', '1d', '12h', '2w']) expect(await drop('--older-than', age)).toEqual({ dropped: 0, busy: 0 });
  expect(await drop('--corrupt')).toEqual({ dropped: 0, busy: 0 });
  expect(await drop('--rejected')).toEqual({ dropped: 1, busy: 0 });
  expect(await drop(String((await list(home))[1]?.id))).toEqual({ dropped: 1, busy: 0 });
  expect(await states(home)).toEqual(['pending', 'pending']);
  const old = await events(['queue', 'drop', '--older-than', '9d', '--yes'], { home, clock: day });
  expect(JSON.parse(old.stdout)).toEqual({ dropped: 2, busy: 0 });
  expect(readdirSync(join(home, 'state'), { recursive: true })).toEqual(['rejected']);
});

test.each<[says: string, argv: readonly string[], answer: Answer, sentence: string, next: boolean]>([
  [
    'everything is delivered',
    ['flush'],
    () => 200,
    'Delivered 30 events. Still in the queue: 1 batch with 10 events',
    true,
  ],
  [
    'nothing is damaged',
    ['drop', '--corrupt'],
    () => 200,
    'No batches to delete. Still in the queue: 4 batches with 40 events',
    true,
  ],
  [
    'rejected events are deleted',
    ['drop', '--rejected'],
    () => 200,
    'Deleted 1 batch with 10 events. Still in the queue: 3 batches with 30 events',
    true,
  ],
  [
    'all events are deleted',
    ['drop', '--all'],
    () => 200,
    'Deleted 4 batches with 40 events. The queue is empty',
    false,
  ],
  [
    'the third batch fails',
    ['flush'],
    (_, call) => (call < 3 ? 200 : refusal),
    '20 events were delivered; 10 events could not be delivered and are still queued',
    true,
  ],
])('at the end, a person reads what was done and what is left: %s', async (_, argv, answer, sentence, hasNext) => {
  const home = await keeping(40, (body) => (body.includes('"e_0"') ? 405 : refusal));
  const { openSend } = receiver(answer);
  const env = { TERM: 'dumb' };
  const yes = argv[0] === 'drop' ? ['--yes'] : [];
  const { stdout, stderr } = await events(['queue', ...argv, ...yes], { home, env, tty: true, columns: 200, openSend });
  expect([stdout, stderr]).toEqual(['', expect.stringContaining(sentence)]);
  expect(stderr.includes('dtp events queue list')).toBe(hasNext);
});

test('each post warns of old events, and neither sends nor deletes them', async () => {
  const home = await keeping(20);
  const clock = { ...jumpingClock(), now: () => Date.now() + 31 * 86_400_000 };
  const service = receiver();
  const posted = await events(['post', '--body', '{"id":"b"}'], { home, clock, openSend: service.openSend });
  expect([posted.code, service.events().length]).toEqual([0, 1]);
  expect(posted.stderr).toContain(
    '20 events have been queued for more than 30 days. Send them with: dtp events queue flush',
  );
  expect(await states(home)).toEqual(['pending', 'pending']);
  const env = { DTP_QUEUE_MAX_DAYS: '90' };
  const within = await events(['post', '--body', '[]'], { home, clock, env, openSend: service.openSend });
  expect([within.code, service.events().length]).toEqual([0, 21]);
});

test('no credential is on the disk', async () => {
  const home = await keeping(10, () => refusal, { DTP_API_KEY: 'canary-7f3a' });
  for (const name of readdirSync(join(home, 'state'), { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.batch')) expect(readFileSync(join(home, 'state', name), 'utf8')).not.toContain('canary');
});

test.each([
  ['the workspace id', { DTP_WORKSPACE_ID: 'w'.repeat(17_000) }, 'the workspace id is too long (17000'],
  ['a workspace id of letters that are two bytes', { DTP_WORKSPACE_ID: 'ü'.repeat(9000) }, 'the workspace id is too'],
  ['the base URL', { DTP_BASE_URL: `https://x.test/${'p'.repeat(16_000)}` }, 'the base URL is too long'],
])('%s is too long to be queued, so nothing is queued', async (_, env, words) => {
  const home = temporaryFolder();
  const service = receiver(() => 503);
  const posted = await events(['post', '--body', '{"id":"a"}'], { home, env, openSend: service.openSend });
  expect([posted.code, posted.stdout, service.bodies], posted.stderr).toEqual([2, '', []]);
  expect(posted.stderr).toContain(words);
  expect(posted.stderr.length).toBeLessThan(1000);
  expect(await list(home)).toEqual([]);
});

test('the longest workspace id that can be queued can be listed and delivered', async () => {
  const home = temporaryFolder();
  const env = { DTP_WORKSPACE_ID: 'w'.repeat(15_250) };
  await events(['post', '--body', '{"id":"a"}'], { home, env, openSend: receiver(() => 504).openSend });
  expect(await states(home)).toEqual(['pending']);
  const flushed = await events(['queue', 'flush'], { home, env, openSend: receiver().openSend });
  expect([flushed.code, await list(home)]).toEqual([0, []]);
});

test.each<[string, readonly string[], object]>([
  ['list', [], {}],
  ['flush', [], {}],
  ['flush', ['--dry-run'], {}],
  ['drop', [], {}],
  ['drop', ['--all', '--yes'], {}],
  ['drop', ['--help'], {}],
  ['', ['--help'], {}],
])('events spool %s %j is still events queue', async (verb, more) => {
  const ended = await Promise.all(
    ['queue', 'spool'].map(async (noun) => {
      const home = await keeping(10);
      const argv = [noun, ...(verb === '' ? [] : [verb]), ...more];
      const { code, stdout, stderr } = await events(argv, { home, openSend: receiver().openSend });
      return {
        code,
        text: `${stdout}${stderr}`.replaceAll(home, '').replace(/"(id|created_at)": ".*"/g, ''),
      };
    }),
  );
  const [queue, spool] = ended.map((one) => ({ ...one, text: one.text.replace(/"elapsed_ms":? ?\d+/, '') }));
  expect(spool).toEqual(queue);
});

test('the earlier names of the flag and of the variables still work', async () => {
  const home = temporaryFolder();
  const post = ['post', '--body', '-', '--no-spool'];
  await events(post, { home, stdin: ndjson(10), openSend: receiver(() => refusal).openSend });
  expect(await list(home)).toEqual([]);
  const env = { DTP_SPOOL_MAX_BYTES: 'many' };
  const world = { home, env, stdin: ndjson(1), openSend: receiver().openSend };
  const ended = await events(['post', '--body', '-'], world);
  expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('not "many"') });
});
