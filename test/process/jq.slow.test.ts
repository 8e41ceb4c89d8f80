/** `--jq` in whole processes, and its results compared with Debian's jq. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compileJq } from '../../src/expressions/jq.ts';
import { exactJson } from '../../src/json-object.ts';
import { parseJson } from '../../src/request/json.ts';
import { pairsOf } from '../support/jq-expressions.ts';
import { dtp, home, start } from '../support/process.ts';
import { seedOf } from '../support/seed.ts';

/** A service with one response, which counts the requests. */
async function served(body: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { folder, remove } = home();
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    remove();
  });
  const { port } = server.address() as AddressInfo;
  return { asked, folder, env: { DTP_BASE_URL: `http://127.0.0.1:${port}`, DTP_API_KEY: 'k', SECRET: 's3cret' } };
}

const list = JSON.stringify([{ id: 'w_1' }, { id: 'w_2' }]);

test('an invalid expression is refused before anything is sent', async () => {
  const { asked, folder, env } = await served(list);
  const { code, stderr } = await dtp(folder, ['ws', 'list', '--jq', '.[', '--json'], { env });
  expect([code, asked]).toEqual([2, []]);
  expect(stderr).toContain('--jq: syntax error');
});

test('values, nothing, and a failure after the request', async () => {
  const { asked, folder, env } = await served(list);
  const run = (...argv: readonly string[]) => dtp(folder, ['ws', 'list', ...argv], { env });
  expect(await run('-r', '--jq', '.[].id')).toMatchObject({ code: 0, stdout: 'w_1\nw_2\n', stderr: '' });
  expect(await run('--jq', 'empty')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(await run('--jq', '.[].id, error("late")')).toMatchObject({ code: 2, stdout: '' });
  expect(await run('--jq', '$ENV, env | length')).toMatchObject({ code: 0, stdout: '0\n0\n' });
  expect(asked.length).toBe(4);
});

test('100,000 rows', async () => {
  const rows = Array.from({ length: 100_000 }, (_, id) => ({ id: `e_${id}`, ok: id % 2 === 0 }));
  const { folder, env } = await served(JSON.stringify(rows));
  const run = async (jq: string) =>
    (await dtp(folder, ['events', 'search', '-w', 'w_1', '-r', '--jq', jq], { env })).stdout;
  expect(await run('.[].id')).toBe(rows.map(({ id }) => `${id}\n`).join(''));
  expect(await run('map(select(.ok)) | length')).toBe('50000\n');
});

test.each(['repeat(1)', 'last(repeat(1))', '[limit(1e9; repeat(empty))]', 'def f: f; f'])(
  '--timeout ends an endless expression: %s',
  async (expression) => {
    const { asked, folder, env } = await served(list);
    const argv = ['ws', 'list', '--jq', expression, '--timeout', '3s'];
    const { code, stdout } = await dtp(folder, argv, { env });
    expect([code, stdout, asked.length]).toEqual([124, '', 1]);
  },
);

test('Ctrl-C ends an endless expression', async () => {
  const { asked, folder, env } = await served(list);
  const child = start(folder, ['ws', 'list', '--jq', 'repeat(1)'], { env });
  while (asked.length === 0) await sleep(50);
  await sleep(1000);
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect(code).toBe(130);
});

test('a result that is too large for jq has a clear error', async () => {
  const { folder, env } = await served(JSON.stringify(Array.from({ length: 3_000_000 }, (_, at) => [at])));
  const { code, stdout, stderr } = await dtp(folder, ['api', '/v1/x', '--jq', 'length'], { env });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('needs more memory than jq has here (256 MiB)');
});

const installed = spawnSync('jq', ['--version'], { encoding: 'utf8' });
if (installed.error) process.stderr.write('not compared with jq, which is not installed: see scripts/tools.sh\n');

describe.skipIf(installed.error !== undefined)('compared with the installed jq', () => {
  const seed = seedOf(process.env.DTP_SEED);
  const pairs = pairsOf(10, seed);
  const total = pairs.length * 10;

  test(`${total} pairs of expression and value, seed ${seed}`, async () => {
    expect(total).toBeGreaterThanOrEqual(2000);
    const different: unknown[] = [];
    let failures = 0;
    // Several expressions at once, because each start of jq takes time.
    for (let at = 0; at < pairs.length; at += 40) {
      const some = pairs.slice(at, at + 40);
      const program = some
        .map(({ expression }, place) => `[.[${place}][] | try [${expression}] catch "failed"]`)
        .join(', ');
      const input = some.map(({ values }) => values);
      const { stdout, stderr } = spawnSync('jq', ['-c', program], { input: exactJson(input), encoding: 'utf8' });
      expect(stderr).toBe('');
      const { signal } = new AbortController();
      const ours = await (await compileJq(program, signal))([input], { signal, note: () => undefined });
      const theirs = stdout.trim().split('\n');
      for (const [place, { expression, values }] of some.entries()) {
        const mine = exactJson(ours[place]);
        failures += mine.split('"failed"').length - 1;
        if (mine !== exactJson(parseJson(theirs[place] ?? '')))
          different.push({ expression, values: exactJson(values), ours: mine, theirs: theirs[place] });
      }
    }
    expect(different).toEqual([]);
    // Most pairs have a result.
    expect(failures).toBeLessThan(total / 10);
  });
});
