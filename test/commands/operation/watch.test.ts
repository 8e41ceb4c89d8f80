/** `--watch`: what is shown of results that change, on a terminal and elsewhere, and how it ends. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { operations } from '../../../src/operations/index.ts';
import { effectOf } from '../../../src/operations/operation.ts';
import { flowFlags } from '../../../src/tree/flow-flags.ts';
import { hastyClock } from '../../support/clocks.ts';
import type { World } from '../../support/context.ts';
import { served } from '../../support/embedded-service.ts';
import { home, start } from '../../support/process.ts';
import { openEcho } from '../../support/recording-service.ts';
import { type Reply, runUntilCtrlC } from '../../support/run-until-ctrl-c.ts';
import { hasScript, terminal as terminalOf } from '../../support/terminal.ts';

/** Records how long the command waits between its requests. Longer waits are deadlines. */
async function watching(argv: readonly string[], replies: readonly Reply[], world: World = {}) {
  const waits: number[] = [];
  const clock: Clock = {
    now: hastyClock.now,
    sleep: (ms, signal) => {
      if (ms < 10_000) waits.push(ms);
      return hastyClock.sleep(ms, signal);
    },
  };
  const env = { NO_COLOR: '1', ...world.env };
  const { asked, ...ended } = await runUntilCtrlC(argv, replies, { clock, ...world, env });
  return { ...ended, asked: asked.length, waits };
}

const list = (...names: string[]): Reply => [200, names.map((name) => ({ id: `id-${name}`, name }))];
const down: Reply = [503, { message: 'restarting' }];
const terminal: World = { tty: true, columns: 60 };

/** Escape sequences as text. */
const escaped = (written: string) => written.replaceAll('\u001b[', '␛');

/** The lines on a terminal after everything that was written, as a terminal would show them. */
function screenOf(written: string): readonly string[] {
  const lines: string[] = [];
  let row = 0;
  for (const [part] of escaped(written).matchAll(/␛\d*[A-Z]|\n|[^␛\n]+/g)) {
    if (part.endsWith('A') && part.startsWith('␛')) row -= Number(part.slice(1, -1));
    else if (part === '␛J') lines.length = row;
    else if (part === '\n') row++;
    else if (part !== '␛K') lines[row] = part;
  }
  return lines;
}

describe('on a terminal', () => {
  test('each result replaces the one before', async () => {
    const replies = [list('a', 'b', 'c'), list('a', 'b', 'c', 'd'), list('a')];
    const { code, stdout, stderr, waits } = await watching(['ws', 'list', '--watch', '5s'], replies, terminal);
    const lines = screenOf(stdout);
    expect(lines[0]).toBe('dtp ws list, every 5 s, at 14:03:22; press Ctrl-C to stop');
    expect(lines.slice(2).join('\n')).toContain('id-a');
    expect(lines.join('\n')).not.toContain('id-b');
    // Each frame is one write that begins with a move to the first line of the one before.
    expect(escaped(stdout).match(/␛\d+A/g)).toHaveLength(2);
    // Neither the whole screen nor another one.
    expect(escaped(stdout)).not.toMatch(/␛H|␛2J|␛\?/);
    expect([code, stderr, waits]).toEqual([0, '', [5000, 5000, 5000]]);
  });

  test('a result that is higher than the terminal is cut', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    const { stdout } = await watching(['ws', 'list', '--watch'], [list(...names), list(...names)], terminal);
    const lines = screenOf(stdout);
    expect(lines).toHaveLength(23);
    expect(lines.at(-1)).toMatch(/^… \d+ more lines$/);
  });

  test('on a terminal without a known height, the result is shown', async () => {
    const world = { ...terminal, rows: 0 };
    const { stdout } = await watching(['ws', 'list', '--watch'], [list('a')], world);
    expect(screenOf(stdout).join('\n')).toContain('id-a');
  });

  test('during an outage the last result stays, with a warning below it', async () => {
    const { stdout, asked } = await watching(['ws', 'list', '--watch'], [list('a'), down, down], terminal);
    const text = screenOf(stdout).join('\n');
    expect(text).toContain('id-a');
    expect(text).toMatch(/\nwarning: no new result: 503 .*\s+restarting; trying again$/);
    expect(asked).toBe(4);
  });

  test.each([{ TERM: 'dumb' }, { CI: '1' }])('%j: the cursor does not move', async (env) => {
    const replies = [list('a'), list('a'), list('b')];
    const { stdout } = await watching(['ws', 'list', '--watch'], replies, { ...terminal, env });
    expect(stdout).not.toContain('\u001b');
    expect(stdout.match(/id-/g)).toHaveLength(2);
  });
});

describe('elsewhere', () => {
  test('each result that differs is printed, with an empty line in front of it', async () => {
    const replies = [list('a'), list('a'), list('b'), list('a')];
    const { code, stdout, stderr } = await watching(['ws', 'list', '--watch'], replies);
    const text = (name: string) => `${JSON.stringify([{ id: `id-${name}`, name }], null, 2)}\n`;
    expect(stdout).toBe([text('a'), text('b'), text('a')].join('\n'));
    expect([code, stderr]).toEqual([0, '']);
  });

  test('NDJSON has no empty lines', async () => {
    const replies = [list('a'), list('a', 'b')];
    const { stdout } = await watching(['ws', 'list', '--watch', '-o', 'ndjson'], replies);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(['a', 'a', 'b']);
  });

  test('an outage is reported once, and waits grow', async () => {
    const replies = [list('a'), down, down, down, list('b')];
    const { stdout, stderr, waits } = await watching(['ws', 'list', '--watch'], replies, { random: () => 0 });
    expect(stderr.match(/no new result/g)).toHaveLength(1);
    expect(waits).toEqual([2000, 2000, 4000, 8000, 2000]);
    expect(stdout).toContain('id-b');
  });

  test('a failure of the first run ends it', async () => {
    expect(await watching(['ws', 'list', '--watch'], [down])).toMatchObject({
      code: 10,
      stdout: '',
      asked: 1,
    });
  });

  test('a failure that does not pass ends it', async () => {
    expect(await watching(['ws', 'list', '--watch'], [list('a'), [401, {}]])).toMatchObject({ code: 4 });
  });
});

describe('the end of a run', () => {
  const argv = ['codehost', 'actions', 'get', '--org', 'acme', '--repo', 'petstore', '--watch', '-o', 'ndjson'];
  const run = (status?: string): Reply => [200, status === undefined ? {} : { run_url: 'u', run_status: status }];

  test.each([
    ['completed', 0],
    ['success', 0],
    ['failure', 14],
    ['cancelled', 14],
  ])('a run that ends with %s exits with %i', async (status, code) => {
    const replies = [run(), run('queued'), run('in_progress'), run('in_progress'), run(status), run('queued')];
    const ended = await watching(argv, replies);
    expect([ended.code, ended.asked]).toEqual([code, 5]);
    expect(
      ended.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).run_status),
    ).toEqual([undefined, 'queued', 'in_progress', status]);
    if (code === 0) expect(ended.stderr).toBe('');
    else expect(ended.stderr).toMatch(new RegExp(`^error: the run ended with status ${status}\n  See its events`));
  });

  test('a job is watched until its result is there', async () => {
    const replies: readonly Reply[] = [
      [202, {}],
      [202, {}],
      [200, { snippets: [] }],
      [202, {}],
    ];
    const ended = await watching(['code-samples', 'jobs', 'get', 'job_1', '--watch'], replies);
    expect([ended.code, ended.asked]).toEqual([0, 3]);
    expect(JSON.parse(ended.stdout)).toEqual({ snippets: [] });
    expect(ended.stderr).toBe('the job is still running\n');
  });
});

test.each([
  [['doctor', '--watch', 'often'], '--watch must be a time'],
  [['config', 'list', '--watch', '-O', 'x.json'], 'cannot be used together'],
  [['config', 'path', '--watch'], 'has no flag --watch'],
  [['ws', 'list', '--watch', 'often'], '--watch must be a time'],
  [['ws', 'list', '--watch', '0'], '--watch must be a time'],
  [['ws', 'list', '--watch', '--dry-run'], 'cannot be used together'],
  [['ws', 'list', '--watch', '-O', 'x.json'], 'cannot be used together'],
  [['code-samples', 'jobs', 'get', 'job_1', '--watch', '--wait'], 'cannot be used together'],
  [['ws', 'tokens', 'delete', 't_1', '--watch'], 'has no flag --watch'],
])('%j is refused before anything is sent', async (argv, message) => {
  const { code, stderr, asked } = await watching(argv, []);
  expect([code, asked]).toEqual([2, 0]);
  expect(stderr).toContain(message);
});

test.skipIf(process.platform === 'win32')('a process that watches for long prints no warning of Node', async () => {
  const place = home();
  onTestFinished(() => place.remove());
  const service = await openEcho(({ path }) => {
    if (service.asked.length > 15) child.kill('SIGINT');
    return [200, path.endsWith('workspaces') ? '[]' : '{}'];
  });
  onTestFinished(service.close);
  const env = { DTP_BASE_URL: service.address, DTP_API_KEY: 'k' };
  // The package that opens the configuration has signal listeners.
  mkdirSync(join(place.folder, 'config'), { mode: 0o700 });
  writeFileSync(join(place.folder, 'config/config.json'), '{"profiles":{}}', { mode: 0o600 });
  const child = start(place.folder, ['ws', 'list', '--watch', '10ms'], { env });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([0, '']);
});

test('only commands that read have it', () => {
  const withWatch = Object.values(operations).filter((one) => 'watch' in flowFlags(one));
  expect(withWatch.length).toBeGreaterThan(20);
  expect(withWatch.filter((one) => effectOf(one) !== 'read' || one.result === 'bytes')).toEqual([]);
});

test.skipIf(!hasScript)('on a real terminal, Ctrl-C ends it with 0', async () => {
  const service = await served();
  const place = home();
  onTestFinished(async () => {
    await service.close();
    place.remove();
  });
  const { code, screen } = await terminalOf(place.folder, 'ws list --watch 100ms', {
    env: { DTP_BASE_URL: service.address, DTP_API_KEY: service.key },
    survives: true,
    typed: [
      ['Ctrl-C to stop', ''],
      ['\u001b[J\u001b[', '\u0003'],
    ],
  });
  expect(code).toBe(0);
  expect(screen.match(/dtp ws list, every/g)?.length).toBeGreaterThan(1);
});
