/** GITHUB_STEP_SUMMARY gets a table from the commands whose outcome people look for on the page of a run. */
import { existsSync, linkSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { registry, write } from '../support/artifacts.ts';
import type { Reply } from '../support/function-service.ts';
import { answersOf, env, job, post, trigger, upload } from '../support/summary-job.ts';

test('events, a report and a run: what, how many, a link', async () => {
  const { cwd, run, parsed } = job();
  write(cwd, { 'lint.html': '<p>' });
  expect((await run(post, [200])).code).toBe(0);
  expect((await run(upload, [200, { url: 'https://store.example.test/r?s=1' }])).code).toBe(0);
  const done = { run_url: 'https://ci.example.test/2', run_status: 'completed' };
  expect((await run(trigger, answersOf(done))).code).toBe(0);
  expect(parsed()).toEqual({
    rows: [
      ['✔ dtp events post', '`events`', '`1 delivered`', ''],
      ['✔ dtp reports upload', '`lint report lint.html`', '`3 bytes`', '[open](https://store.example.test/r?s=1)'],
      [
        '✔ dtp codehost actions trigger',
        '`acme/sdk: completed`',
        expect.stringMatching(/^`\d+ m?s`$/),
        '[open](https://ci.example.test/2)',
      ],
    ],
    ...{ others: [], links: ['https://store.example.test/r?s=1', 'https://ci.example.test/2'] },
  });
});

test('a shortened report has the short link, and the long one if that fails', async () => {
  const { cwd, run, parsed } = job();
  write(cwd, { 'lint.html': '<p>' });
  const urls = { url: 'https://store.example.test/r', short_url: 'https://s.example.test/1' };
  await run([...upload, '--shorten'], [200, urls]);
  await run([...upload, '--shorten'], answersIn([200, urls], [500, {}]));
  expect(parsed().rows.map(([sign = '', what, , link]) => [sign[0], what, link])).toEqual([
    ['✔', '`lint report lint.html`', '[open](https://s.example.test/1)'],
    ['✘', expect.stringContaining('500'), '[open](https://store.example.test/r)'],
  ]);
});

const answersIn = (...answers: Reply[]) => {
  return () => answers.shift() ?? ([500, {}] as const);
};

test('jobs of code samples have a row if they are waited for', async () => {
  const { run, parsed } = job();
  const get = ['code-samples', 'jobs', 'get', 'job_1'];
  const snippets = [{ language: 'go' }, { language: 'ruby' }, { language: 'go' }];
  await run([...get, '--wait'], answersIn([202, { status: 'running' }], [200, { snippets }]));
  await run(get, [200, { snippets }]);
  await run(get, [404, { message: 'none' }]);
  await run([...get, '--wait'], [404, { message: 'none' }]);
  expect(parsed().rows).toEqual([
    ['✔ dtp code-samples jobs get', '`go, ruby`', '`3 code samples`', ''],
    ['✘ dtp code-samples jobs get', expect.stringMatching(/^`404 from .*none`$/), '', ''],
  ]);
});

test('a failure is shown with its first line, and a push with its files', async () => {
  const { service: real, home, run } = await registry();
  const { summary, parsed } = job();
  write(home, { 'openapi.json': '{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{}}' });
  const github = { env: { ...env, DTP_BASE_URL: real.address, DTP_API_KEY: real.key, GITHUB_STEP_SUMMARY: summary } };
  await run(['push', 'openapi.json', 'pets:v1'], { env: { ...github.env, DTP_WORKSPACE_ID: real.workspaceId } });
  await run(['push', 'nope.json', 'pets:v1'], github);
  expect(parsed().rows).toEqual([
    ['✔ dtp artifacts push', '`pets:v1`', expect.stringMatching(/^`1 file, \d+ bytes`$/), ''],
    ['✘ dtp artifacts push', '`file not found: nope.json`', '', ''],
  ]);
});

test('a run that failed, an outage that is allowed, and rejected events', async () => {
  const { run, parsed } = job();
  await run(trigger, answersOf({ run_url: 'https://ci.example.test/2', run_status: 'failure' }));
  await run([...post, '--allow-failure'], new DtpError('network', 'no route'));
  await run(post, [422, { message: 'bad event' }]);
  expect(parsed().rows).toEqual([
    [
      ...['✘ dtp codehost actions trigger', '`the run ended with status failure`', expect.any(String)],
      '[open](https://ci.example.test/2)',
    ],
    ['⚠ dtp events post', expect.stringContaining('no route'), expect.stringMatching(/^`0 delivered/), ''],
    ['✘ dtp events post', expect.stringContaining('bad event'), '`0 delivered, 1 rejected`', ''],
  ]);
});

test('no row: other commands, a dry run, help, an empty variable', async () => {
  const { run, text } = job();
  await run(['ws', 'list'], [200, []]);
  await run(['ws', 'list'], [404, {}]);
  await run([...post, '--dry-run'], [500]);
  await run([...post, '--help'], [500]);
  await run(post, [200], { env: { GITHUB_STEP_SUMMARY: '' } });
  expect(text()).toBe('');
});

test('any runner that sets the variable gets the table', async () => {
  const { run, parsed } = job();
  expect(await run(post, [200], { env: { GITHUB_ACTIONS: '' } })).toMatchObject({ code: 0, stderr: '' });
  expect(parsed().rows).toHaveLength(1);
});

test('what is in the file stays, and the table is separate from it', async () => {
  const { summary, run, text, parsed } = job();
  writeFileSync(summary, 'Built **it**');
  await run(post, [200]);
  expect(text()).toMatch(/^Built \*\*it\*\*\n\n\| Command /);
  expect(parsed().rows).toHaveLength(1);
});

test.each([
  ['missing', '../missing', 'ENOENT'],
  ['a link', '../link', 'it is a symbolic link, which is not followed'],
  ['a folder', '../work', 'it is not a file'],
  ['a link in the repository', 'inner', 'it is a symbolic link, which is not followed'],
  ['a hard link', 'hard', 'it is a hard link to another file'],
])("a file that is not the runner's is a warning, and nothing is created or followed: %s", async (_, path, why) => {
  const { cwd, summary, run } = job();
  const other = join(cwd, 'other');
  writeFileSync(other, '');
  symlinkSync(other, join(cwd, '../link'));
  symlinkSync(summary, join(cwd, 'inner'));
  linkSync(other, join(cwd, 'hard'));
  const named = path.startsWith('../') ? join(cwd, path) : path;
  const { code, stderr } = await run(post, [200], { env: { GITHUB_STEP_SUMMARY: named } });
  expect([code, stderr]).toEqual([0, expect.stringContaining(`(${why})`)]);
  expect(stderr).toContain('::warning title=dtp events post::GITHUB_STEP_SUMMARY: cannot write to ');
  expect([readFileSync(other, 'utf8'), readFileSync(summary, 'utf8')]).toEqual(['', '']);
  expect(existsSync(join(cwd, '../missing'))).toBe(false);
});

test('a summary that is full stays as it is, because GitHub would discard a larger one', async () => {
  const { summary, run } = job();
  truncateSync(summary, 1024 * 1024 - 100);
  expect(await run(post, [200])).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(summary).byteLength).toBe(1024 * 1024 - 100);
});

test('in GitLab, a long list of files is a section of the log', async () => {
  const { home, run } = await registry();
  const [first, rest] = ['openapi.json', Array.from({ length: 10 }, (_, at) => `::x section_end:1:x ${at}.json`)];
  const paths = Object.fromEntries(rest.map((name, at) => [`/${at}`, { $ref: `./${encodeURI(name)}` }]));
  const info = { title: 'x', version: '1' };
  write(home, { [first]: JSON.stringify({ openapi: '3.1.0', info, paths }) });
  for (const name of rest) write(home, { [name]: '{"get":{"responses":{"200":{"description":"x"}}}}' });
  const push = ['push', first, 'pets:v1'];
  const { code, stderr } = await run(push, { env: { GITLAB_CI: 'true', CI: 'true' } });
  expect(code, stderr).toBe(0);
  // The marks are the only control characters, although the name of a file looks like a mark.
  const marks = stderr.split('\u001b[0K').map((part) => part.replace(/\d{10}/, 'TIME').replace(/dtp_[\w-]+/, 'NAME'));
  const [, start, list = '', end] = marks;
  expect([start, end]).toEqual(['section_start:TIME:NAME[collapsed=true]\r', 'section_end:TIME:NAME\r']);
  expect(list.split('\n')).toHaveLength(13);
  expect((await run(push, { env: { GITLAB_CI: '' } })).stderr).not.toContain('\u001b');
});
