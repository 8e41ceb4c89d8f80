/** `--since` and `--until` on lists of events, and `--limit` on any list. */
import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { argumentsOf } from '../../../src/tree/operation-flags.ts';
import { rootCommand, runnableBelow } from '../../../src/tree/tree.ts';
import { frozenClock } from '../../support/clocks.ts';
import { dtp, type World } from '../../support/context.ts';
import { service } from '../../support/function-service.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
/** The clock shows 2026-01-31T12:00:00Z. */
const now = frozenClock.now();
const minute = 60_000;

/** Runs a command with `count` stored events, one for each minute before now. */
async function search(
  line: string,
  count: number,
  { isOldestFirst = false, most = count, ...world }: World & { isOldestFirst?: boolean; most?: number } = {},
) {
  const limits: (string | null)[] = [];
  const { openSend } = service(({ url }) => {
    const limit = new URL(url).searchParams.get('limit');
    limits.push(limit);
    const stored = Array.from({ length: count }, (_, at) => ({
      id: String(at),
      created_at: new Date(now - at * minute).toISOString(),
      success: true,
    }));
    return [200, (isOldestFirst ? stored.reverse() : stored).slice(0, Math.min(most, Number(limit ?? count)))];
  });
  const ended = await dtp(line.split(' '), { env, own: 'w_1', openSend, clock: frozenClock, ...world });
  const ids = () => JSON.parse(ended.stdout).map(({ id }: { readonly id: string }) => Number(id));
  return { ...ended, limits, ids };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe('a period of the search', () => {
  test.each([
    ['--since 2m', [0, 1, 2]],
    ['--until 57m', [58, 59]],
    ['--since 5m --until 2m', [3, 4, 5]],
    ['--since 2026-01-31T11:58:00Z', [0, 1, 2]],
    ['--since 5m --until 2m --limit 2', [3, 4]],
    ['--since tomorrow', []],
  ])('%s', async (flags, ids) => {
    const ended = await search(`events search ${flags}`, 60);
    expect([ended.code, ended.ids(), ended.limits, ended.stderr]).toEqual([0, ids, ['10000'], '']);
  });

  test('more and more events are requested, until they go back far enough', async () => {
    const ended = await search('events search --since 12000m --until 11997m', 50_000);
    expect([ended.ids(), ended.limits]).toEqual([
      [11_998, 11_999, 12_000],
      ['10000', '40000'],
    ]);
  });

  test('a service that sends the oldest events first is asked for all of them', async () => {
    const ended = await search('events search --since 1m', 12_000, { isOldestFirst: true });
    expect([ended.ids(), ended.limits]).toEqual([
      [0, 1],
      ['10000', '40000'],
    ]);
  });

  test('a period is searched to its end, however long it is', async () => {
    const ended = await search('events search --until 159998m', 200_000);
    expect(ended.limits).toEqual(['10000', '40000', '160000', '640000']);
    expect([ended.code, ended.stderr, ended.ids()]).toEqual([0, '', range(159_999, 200_000)]);
  });

  test('if the service returns no more, the result is partial', async () => {
    const ended = await search('events search --since 15000m', 20_000, { most: 10_000 });
    expect([ended.code, ended.limits, ended.ids()]).toEqual([14, ['10000', '40000'], range(0, 10_000)]);
    expect(ended.stderr).toContain('only the newest 10,000 events were searched, back to 2026-01-24T13:21:00.000Z');
  });

  test('events whose time cannot be read are counted', async () => {
    const times = ['2026-01-31T11:59:60Z', '2026-01-31t11:58:00z', '2026-01-31T11:57:00+0200', 'yesterday'];
    const { openSend } = service(() => [200, times.map((created_at, at) => ({ id: String(at), created_at }))]);
    const argv = ['events', 'search', '--since', '1h'];
    const { code, stdout, stderr } = await dtp(argv, { env, own: 'w_1', openSend, clock: frozenClock });
    expect([code, JSON.parse(stdout).map(({ id }: { readonly id: string }) => id)]).toEqual([0, ['0', '1']]);
    expect(stderr).toBe('2 events without a readable created_at, which may be in the period, left out\n');
  });

  test('a terminal shows the newest 50', async () => {
    const ended = await search('events search --since 2h', 60, { tty: true });
    expect(ended.stdout.trimEnd().split('\n')).toHaveLength(51);
    expect(ended.stderr).toContain('50 of 60; more with a higher --limit');
    const all = await search('events search --since 2h --all', 60, { tty: true });
    expect(all.stdout.trimEnd().split('\n')).toHaveLength(61);
  });

  test('a dry run shows the first request, and says that the period is selected from its response', async () => {
    const ended = await search('events search --since 1h --dry-run -o json', 60);
    expect(JSON.parse(ended.stdout).url).toMatch(/[?&]limit=10000$/);
    expect([ended.limits, ended.stderr]).toEqual([[], expect.stringContaining('from the response')]);
  });

  test('a chart is of the period only', async () => {
    const { stdout } = await search('events search --since 2m --chart', 60);
    expect(stdout).toMatch(/^2026-01-31 .* 3\n$/);
  });

  test.each([
    ['--since 1x', '--since must be a time'],
    ['--until never', '--until must be a time'],
    ['--since 1h --until 2h', '--since must be earlier than --until'],
    ['--limit -1', '--limit must be a number above 0'],
    ['--limit 0', '--limit must be a number above 0'],
    ['--limit 0 --dry-run', '--limit must be a number above 0'],
    ['--since 1h --limit -1', '--limit must be a number above 0'],
    ['--since 1h --limit 0', '--limit must be a number above 0'],
  ])('%s is refused', async (flags, message) => {
    const ended = await search(`events search ${flags}`, 60);
    expect([ended.code, ended.limits, ended.stderr]).toEqual([2, [], expect.stringContaining(message)]);
  });
});

test('events list: the service selects the start of the period, and the end is filtered here', async () => {
  const urls: string[] = [];
  const { openSend } = service(({ url }) => {
    urls.push(new URL(url).search);
    return [
      200,
      [
        { id: '1', created_at: '2026-01-31T11:59:00Z' },
        { id: '2', created_at: '2026-01-31T11:00:00Z' },
      ],
    ];
  });
  const argv = ['events', 'list', 'l', '--since', '2026-01-01T00:00:00Z', '--until', '30m'];
  const { stdout } = await dtp(argv, { env, own: 'w_1', openSend, clock: frozenClock });
  expect(JSON.parse(stdout)).toMatchObject([{ id: '2' }]);
  expect(urls).toEqual(['?after_created_at=2026-01-01T00%3A00%3A00Z']);
});

describe('--limit', () => {
  /** Every list but those of pages, and the search, which sends its limit. */
  const lists = runnableBelow(rootCommand).flatMap(({ operation, flags }) =>
    operation &&
    operation.flow !== 'pages' &&
    !('limit' in operation.input) &&
    flags.some(({ name }) => name === '--limit')
      ? [[operation.id, operation] as const]
      : [],
  );

  test('every list has it, except one with a row for each item of the request', () => {
    const without = (Object.values(operations) as readonly Operation[]).filter(
      ({ id, result, flow, input }) =>
        result === 'list' && flow === undefined && !('limit' in input) && !lists.some(([one]) => one === id),
    );
    expect(without.map(({ id }) => id)).toEqual(['suggestItems']);
    expect(lists.length).toBeGreaterThan(10);
  });

  test.each(lists)('%s keeps the first rows, in every format', async (_, operation) => {
    const rows = [
      { id: '1', name: 'a' },
      { id: '2', name: 'b' },
      { id: '3', name: 'c' },
    ];
    const { openSend } = service(() => [
      200,
      operation.rows === undefined ? rows : { [operation.rows]: rows, more: 1 },
    ]);
    const needed = Object.entries(operation.input).filter(
      ([, { in: place, required, wanted }]) => place !== 'path' && (required || wanted),
    );
    const argv = [
      ...operation.command,
      ...argumentsOf(operation).map(() => 'x'),
      ...needed.flatMap(([name]) =>
        name === 'schema_file'
          ? ['--body', '{"language":"go"}']
          : name === 'language'
            ? []
            : [`--${name.replaceAll('_', '-')}`, 'x'],
      ),
    ];
    const run = (...more: readonly string[]) => dtp([...argv, ...more], { env, own: 'w_1', openSend });
    const cut = rows.slice(0, 2);
    const json = await run('-L', '2');
    expect(JSON.parse(json.stdout), json.stderr).toEqual(
      operation.rows === undefined ? cut : { [operation.rows]: cut, more: 1 },
    );
    expect((await run('--limit', '2', '-o', 'ndjson')).stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(JSON.parse((await run('--limit', '2', '-o', 'raw')).stdout)).toEqual(JSON.parse(json.stdout));
    expect((await run('--limit', '5')).stdout).toBe((await run()).stdout);
    expect(await run('--limit', '0')).toMatchObject({ code: 2, stdout: '' });
  });
});
