/** Every list has the same rows in every format, on a terminal, in a pipe and in a file, with every flag that selects rows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { formats } from '../../src/render/formats.ts';
import { rootCommand, runnableBelow } from '../../src/tree/tree.ts';
import { frozenClock } from '../support/clocks.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';
import { firstRows } from '../support/wire-subjects.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };

/** The operations that read a list. Suggestions are strings, one for each item of the request. */
const lists = firstRows.flatMap((row) => {
  const operation: Operation = operations[row.id as keyof typeof operations];
  const isList = operation.result === 'list' || operation.rows !== undefined;
  return isList && operation.method === 'GET' && !operation.isPerItem ? [[row.id, row, operation] as const] : [];
});

const idOf = (at: number): string => `row-${String(at).padStart(5, '0')}`;
const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => idOf(at));

/** Rows whose fields all have an id of the row, one minute apart. */
function rowsOf({ columns = [], names }: Operation, count: number) {
  const fields = [
    ...columns,
    'id',
    'name',
    ...(names === undefined || names === false ? [] : [names.split('.')[0] ?? '']),
  ];
  return ids(count).map((id, at) => ({
    ...Object.fromEntries(fields.map((field) => [field.replace('[]', ''), id])),
    created_at: new Date(frozenClock.now() - at * 60_000).toISOString(),
  }));
}

const hasLimit = ({ command }: Operation): boolean =>
  runnableBelow(rootCommand).some(
    ({ operation, flags }) => operation?.command === command && flags.some(({ name }) => name === '--limit'),
  );

interface Case {
  readonly count: number;
  readonly more: readonly string[];
  readonly place?: 'pipe' | 'terminal' | 'file';
}

/** Runs a list of `count` rows. Returns the exit code, and the ids of the rows in the order in which they are shown. */
async function shown(argv: readonly string[], operation: Operation, { count, more, place = 'pipe' }: Case) {
  const rows = rowsOf(operation, count);
  const { openSend } = service(({ url }) => {
    const limit = Number(new URL(url).searchParams.get('limit') ?? count);
    const sent = rows.slice(0, limit);
    return [200, operation.rows === undefined ? sent : { [operation.rows]: sent }];
  });
  const home = temporaryFolder();
  const toFile = place === 'file' ? ['-O', 'out'] : [];
  const { code, stdout, stderr } = await dtp([...argv, ...more, ...toFile], {
    ...{ env, own: 'w_1', openSend, clock: frozenClock, home, cwd: home },
    tty: place === 'terminal',
  });
  const text = place === 'file' && code === 0 ? readFileSync(join(home, 'out'), 'utf8') : stdout;
  return { code, stderr, ids: [...new Set(text.match(/row-\d{5}/g))] };
}

describe.each(lists)('%s', (_, { argv }, operation) => {
  test.each(formats)('-o %s', async (format) => {
    for (const place of ['pipe', 'terminal', 'file'] as const)
      for (const count of [0, 1, 3]) {
        const found = await shown(argv, operation, { count, more: ['-o', format, '--wide'], place });
        expect([place, count, found.code, found.ids], found.stderr).toEqual([place, count, 0, ids(count)]);
      }
    for (const more of [
      ['--limit', '2'],
      ['--fields', 'id'],
      ['--query', operation.rows ? `${operation.rows}[:2]` : '[:2]'],
    ]) {
      if (format === 'name' && more[0] === '--query') continue;
      if (more[0] === '--limit' && !hasLimit(operation)) continue;
      const found = await shown(argv, operation, { count: 3, more: [...more, '-o', format] });
      expect([more, found.code, found.ids], found.stderr).toEqual([more, 0, ids(more[0] === '--fields' ? 3 : 2)]);
    }
  });

  test('--jq, and -r', async () => {
    const rows = operation.rows === undefined ? '.[]' : `.${operation.rows}[]`;
    for (const more of [
      ['--jq', `[${rows}]`],
      ['--jq', `${rows}.id`, '-r'],
      ['--jq', `${rows}`, '-o', 'csv'],
    ]) {
      const found = await shown(argv, operation, { count: 3, more });
      expect([more, found.code, found.ids], found.stderr).toEqual([more, 0, ids(3)]);
    }
  });
});

describe('a long list', () => {
  const [, { argv }, operation] = lists.find(([id]) => id === 'searchWorkspaceEvents') ?? expect.unreachable();
  const count = 10_001;

  test.each(formats)('-o %s', async (format) => {
    for (const [more, expected] of [
      [[], ids(count)],
      [['--since', '1500m'], ids(1501)],
      [['--since', '1500m', '--until', '10m', '--limit', '700'], ids(711).slice(11)],
      [['--until', '9000m'], ids(count).slice(9001)],
    ] as const) {
      const found = await shown(argv, operation, { count, more: [...more, '-o', format] });
      expect([more, found.code, found.ids.length, found.ids], found.stderr).toEqual([
        more,
        0,
        expected.length,
        expected,
      ]);
    }
  });

  test.each([
    ['--query', ['--query', 'length(@)'], '1501'],
    ['--jq', ['--jq', 'length'], '1501'],
    ['--query and -r', ['--query', '[0].id', '-r'], 'row-00000'],
  ])('a period with %s', async (_, more, expected) => {
    const rows = rowsOf(operation, count);
    const { openSend } = service(({ url }) => [200, rows.slice(0, Number(new URL(url).searchParams.get('limit')))]);
    const world = { env, own: 'w_1', openSend, clock: frozenClock };
    const { code, stdout } = await dtp([...argv, '--since', '1500m', ...more], world);
    expect([code, stdout.trim()]).toEqual([0, expected]);
  });
});
