/** `dtp open`, and reports and runs of the embedded service on its page, or as files. */
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { write } from '../support/artifacts.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { answer, guardWire, wire } from '../support/wire.ts';

guardWire();

const signed = 'https://files.example.test/r?signature=s3cr3t';
const md5 = 'a'.repeat(32);
const text = { DTP_ERROR_FORMAT: 'text' };

/** A home whose commands run on a terminal with a browser. */
function person() {
  const home = temporaryFolder();
  const opened: string[] = [];
  const world: World = {
    home,
    tty: true,
    columns: 200,
    env: text,
    openBrowser: async (url) => void opened.push(url),
  };
  const file = join(home, 'state', 'last-link.json');
  return { home, opened, world, file, link: () => JSON.parse(readFileSync(file, 'utf8')) };
}

test('nothing is remembered at first: the error names commands that remember a URL', async () => {
  const { code, stdout, stderr } = await dtp(['open'], person().world);
  expect([code, stdout]).toEqual([6, '']);
  expect(stderr).toContain('no report or run to open');
  expect(stderr).toContain('dtp reports upload --type linting --file FILE');
});

test('the URL of the last report is opened, and then that of the last run', async () => {
  const { opened, world, file, link } = person();
  answer('GET', `/v1/reports/linting/${md5}`, [200, JSON.stringify({ url: signed })]);
  expect((await wire(['reports', 'linting-url', md5], world)).code).toBe(0);
  expect(link()).toEqual({
    kind: 'report',
    url: signed,
    base_url: 'https://api.example.test',
    profile: 'default',
  });
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  const report = await dtp(['open'], world);
  expect(report).toMatchObject({ code: 0, stdout: '' });
  expect(report.stderr).toContain('the last report is from https://api.example.test (profile default)');
  expect(report.stderr).not.toContain('s3cr3t');
  const run = 'https://ci.example.test/1';
  answer('GET', '/v1/codehost/action?org=a&repo=b', [200, JSON.stringify({ run_url: run })]);
  expect((await wire(['codehost', 'actions', 'get', '--org', 'a', '--repo', 'b'], world)).code).toBe(0);
  expect((await dtp(['open'], world)).code).toBe(0);
  expect(opened).toEqual([signed, run]);
});

test('a run that is waited for is remembered', async () => {
  const { world, link } = person();
  const run = { run_url: 'https://ci.example.test/2', run_status: 'completed' };
  answer('GET', '/v1/codehost/action?org=a&repo=b', [200, '{}'], [200, JSON.stringify(run)]);
  answer('POST', '/v1/codehost/trigger_action', [204]);
  const trigger = ['codehost', 'actions', 'trigger', '--org', 'a', '--repo-name', 'b', '--wait'];
  expect((await wire([...trigger, '--gen-lock-id', 'l'], world)).code).toBe(0);
  expect(link()).toMatchObject({ kind: 'run', url: run.run_url });
});

test.each([
  ['without a terminal', { tty: false }],
  ['in CI', { env: { CI: 'true' } }],
])('nothing is remembered %s', async (_, more: World) => {
  const { world, file } = person();
  answer('GET', `/v1/reports/changes/${md5}`, [200, JSON.stringify({ url: signed })]);
  expect((await wire(['reports', 'changes-url', md5], { ...world, ...more })).code).toBe(0);
  expect(existsSync(file)).toBe(false);
});

const remembered = (home: string, url: string) =>
  write(home, {
    'state/last-link.json': JSON.stringify({ kind: 'report', url, base_url: 'https://a.test', profile: 'p' }),
  });

test('the URL is printed with --print, in a pipe, in CI, and if no browser can be opened', async () => {
  const { home, opened, world } = person();
  remembered(home, signed);
  const noBrowser = () => Promise.reject(new Error('no browser'));
  const ways: readonly (readonly [readonly string[], World])[] = [
    [['--print'], {}],
    [[], { piped: true }],
    [[], { env: { CI: 'true' } }],
    [[], { openBrowser: noBrowser }],
  ];
  for (const [argv, more] of ways) {
    const { code, stdout } = await dtp(['open', ...argv, '-r'], { ...world, ...more });
    expect([code, stdout]).toEqual([0, `${signed}\n`]);
  }
  expect(opened).toEqual([]);
});

test.each([
  ['http://files.example.test/r', 2, 'which is neither https nor loopback'],
  ['javascript:alert(1)', 2, 'which is neither https nor loopback'],
  ['file:///etc/passwd', 2, 'which is neither https nor loopback'],
  ['file://host/state/reports/report-1.html', 2, 'which is neither https nor loopback'],
  ['not a URL', 2, 'which is neither https nor loopback'],
  ['local:/reports/linting/x', 5, 'the URL is invalid or has expired'],
  ['local:/nothing', 6, 'the URL is invalid or has expired'],
])('%s is not opened', async (url, code, words) => {
  const { home, opened, world } = person();
  remembered(home, url);
  const ended = await dtp(['open'], world);
  expect([ended.code, ended.stderr, opened]).toEqual([code, expect.stringContaining(words), []]);
});

test.skipIf(process.platform === 'win32')('a file that others can write to is not read', async () => {
  const { home, world, file } = person();
  remembered(home, signed);
  const { chmodSync } = await import('node:fs');
  chmodSync(file, 0o666);
  expect((await dtp(['open', '--print'], world)).code).toBe(6);
});

test('dtp open saves a local report for a pipe, and only reports of more than a day ago are deleted', async () => {
  const { home, opened, world } = person();
  write(home, { 'lint.html': '<p>', 'state/reports/report-old.html': 'x', 'state/reports/mine.html': 'x' });
  const folder = join(home, 'state/reports');
  writeFileSync(join(folder, 'report-new.html'), 'x');
  const before = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const name of ['report-old.html', 'mine.html']) utimesSync(join(folder, name), before, before);
  const local = ['--profile', 'local', 'reports'];
  expect((await dtp([...local, 'upload', '--type', 'linting', '--file', 'lint.html'], world)).code).toBe(0);
  const ended = await dtp(['open', '--print', '-r'], world);
  expect([ended.code, ended.stdout.startsWith(pathToFileURL(folder).href), opened]).toEqual([0, true, []]);
  expect(
    readdirSync(folder)
      .filter((name) => !name.includes('00000000'))
      .sort(),
  ).toEqual(['mine.html', 'report-new.html']);
});
