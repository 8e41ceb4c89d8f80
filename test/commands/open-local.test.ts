/** `dtp open` and `--open` with reports and runs of the embedded service: on its page until Ctrl-C, or as files. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ExitCode } from '../../src/errors.ts';
import { write } from '../support/artifacts.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';

/** A home whose commands run on a terminal. */
function person() {
  const home = temporaryFolder();
  const world: World = { home, tty: true, columns: 200, env: { DTP_ERROR_FORMAT: 'text' } };
  const link = () => JSON.parse(readFileSync(join(home, 'state', 'last-link.json'), 'utf8'));
  return { home, world, link };
}

/**
 * A browser that follows one link as soon as it is opened: it keeps the cookie, remembers what it saw, and then somebody
 * presses Ctrl-C.
 */
function visitor() {
  const pages: { readonly place: string; readonly text: string }[] = [];
  const visit = (end: AbortController) => async (url: string) => {
    const entry = await fetch(url, { redirect: 'manual' });
    const place = entry.headers.get('location') ?? '';
    const cookie = entry.headers.get('set-cookie')?.split(';')[0] ?? '';
    pages.push({ place, text: await (await fetch(new URL(place, url), { headers: { cookie } })).text() });
    const again = await fetch(url, { redirect: 'manual' });
    expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null]);
    end.abort(new ExitCode(130));
  };
  /** What a command needs to open the page and to be ended. */
  const world = (): World => {
    const end = new AbortController();
    return { openBrowser: visit(end), signal: end.signal };
  };
  return { pages, world };
}

const upload = ['--profile', 'local', 'reports', 'upload', '--type', 'linting', '--open', '--file'];

test.each([
  ['lint.html', '<title>lint</title>', '<iframe sandbox'],
  ['lint.json', ' {"errors":[]}', '&#34;errors&#34;: []'],
  ['lint.exe', 'MZ', '>MZ</pre>'],
])('--open of a local report %s shows it on a page until Ctrl-C', async (name, content, words) => {
  const { home, world, link } = person();
  const { pages, world: visited } = visitor();
  write(home, { [name]: content });
  const ended = await dtp([...upload, name], { ...world, ...visited() });
  expect(ended.stderr).toMatch(/the page is at http:\/\/127\.0\.0\.1:\d+ until you press Ctrl-C/);
  const sum = createHash('md5').update(content).digest('hex');
  expect(pages).toEqual([{ place: `/-/reports/linting/${sum}`, text: expect.stringContaining(words) }]);
  expect(link()).toMatchObject({ kind: 'report', base_url: 'local:', profile: 'local' });
  await dtp(['open'], { ...world, ...visited() });
  expect(pages[1]).toEqual(pages[0]);
});

test('every URL of the embedded service opens with dtp open', async () => {
  const { home, world } = person();
  write(home, { 'lint.html': '<title>lint</title>', 'note.txt': 'key \u001b[2J' });
  const local = async (...argv: readonly string[]) => {
    const ended = await dtp(['--profile', 'local', ...argv, '-o', 'json'], { ...world, piped: true });
    expect(ended.code, ended.stderr).toBe(0);
    return JSON.parse(ended.stdout);
  };
  const report = ['reports', 'upload', '--type', 'linting', '--file'];
  const shortened = await local(...report, 'lint.html', '--shorten');
  const text = await local(...report, 'note.txt');
  await local('codehost', 'access', 'link');
  const repository = ['--org', 'acme', '--repo-name', 'sdk'];
  await local('codehost', 'configure', 'target', ...repository);
  await local('codehost', 'actions', 'trigger', ...repository, '--gen-lock-id', 'l');
  const { run_url } = await local('codehost', 'actions', 'get', '--org', 'acme', '--repo', 'sdk');
  const { pages, world: visited } = visitor();
  for (const [url, content, extension, words] of [
    [shortened.url, '<title>lint</title>', 'html', '<iframe sandbox'],
    [shortened.short_url, '<title>lint</title>', 'html', '<iframe sandbox'],
    [text.url, 'key \u001b[2J', 'txt', 'key \\u{1b}[2J'],
    [run_url, '"gen_lock_id":"l"', 'json', '<h1>Run '],
  ]) {
    expect(url).toMatch(/^local:\//);
    await dtp(['open', url], { ...world, ...visited() });
    expect(pages.at(-1)?.text).toContain(words);
    const piped = await dtp(['open', url, '-r'], { ...world, piped: true });
    expect(piped.stdout).toMatch(/^file:\/\/.*\n$/);
    const file = fileURLToPath(piped.stdout.trim());
    expect([file.endsWith(`.${extension}`), readFileSync(file, 'utf8')]).toEqual([
      true,
      expect.stringContaining(content),
    ]);
  }
  expect(pages).toHaveLength(4);
  const opened: string[] = [];
  const browser: World = { ...world, openBrowser: async (url) => void opened.push(url) };
  const elsewhere = await local('short-urls', 'create', '--url', 'https://a.example/page');
  expect((await dtp(['open', elsewhere.short_url], browser)).code).toBe(0);
  expect(opened.at(-1)).toBe('https://a.example/page');
  const plain = await local('short-urls', 'create', '--url', 'http://a.example/page');
  expect((await dtp(['open', plain.short_url], browser)).code).toBe(2);
  const { invite_link } = await local('ws', 'team', 'grant', 'ann@a.example');
  const accepted = await dtp(['open', invite_link], world);
  expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringMatching(/^Invitation accepted.*\ndtp_\w+\n$/s)]);
  expect(
    readdirSync(join(home, 'state/reports')).some((name) =>
      /dtp_/.test(readFileSync(join(home, 'state/reports', name), 'utf8')),
    ),
  ).toBe(false);
  expect((await dtp(['open', invite_link], world)).code).toBe(6);
});

test('what an upload suggests next can be done', async () => {
  const { home, world } = person();
  write(home, { 'lint.html': '<title>lint</title>' });
  const upload = await dtp(
    ['--profile', 'local', 'reports', 'upload', '--type', 'linting', '--file', 'lint.html'],
    world,
  );
  const [, next = ''] = /dtp (open[^\n]*)/.exec(upload.stderr) ?? [];
  const { pages, world: visited } = visitor();
  await dtp(next.trim().split(' '), { ...world, ...visited() });
  expect([next.startsWith('open'), pages[0]?.text]).toEqual([true, expect.stringContaining('<iframe sandbox')]);
});
