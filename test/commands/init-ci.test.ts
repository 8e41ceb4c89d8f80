/** `dtp init --ci`: the job for the CI of the repository. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSend } from '../../src/transport/send.ts';
import { write } from '../support/artifacts.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { type Served, served } from '../support/embedded-service.ts';

let service: Served;
beforeAll(async () => {
  service = await served();
});
afterAll(() => service.close());

const eventCount = () => service.store.get('SELECT count(*) AS events FROM events')?.events;

/** Runs without a terminal, in a repository below the home folder. */
const init = (home: string, argv: readonly string[], world: World = {}) => {
  const cwd = join(home, 'repo');
  mkdirSync(join(cwd, '.git'), { recursive: true });
  return dtp(['init', ...argv], {
    home,
    cwd,
    ...world,
    env: { DTP_ERROR_FORMAT: 'text', SHELL: '/bin/bash', ...world.env },
    openSend: async (options) => openSend(options),
  });
};

const gitlab = { 'repo/.gitlab-ci.yml': 'a: 1\n' };

test('a job for GitLab is printed, or written to a new file that is never replaced', async () => {
  const home = temporaryFolder();
  write(home, gitlab);
  const argv = ['--base-url', service.address, '--with-token', '--no-event', '--ci'];
  const printed = await init(home, [...argv, 'print'], { stdin: service.key });
  const { ci } = JSON.parse(printed.stdout);
  expect(ci).toMatchObject({ system: 'GitLab CI', file: null });
  expect(printed.stderr).toContain('A job for GitLab CI');
  expect((await init(home, [...argv, 'write'], { stdin: service.key })).code).toBe(0);
  expect(readFileSync(join(home, 'repo/.gitlab/dtp.yml'), 'utf8')).toBe(ci.job);
  writeFileSync(join(home, 'repo/.gitlab/dtp.yml'), 'mine');
  const again = await init(home, [...argv, 'write'], { stdin: service.key });
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists and was not changed')]);
  expect(readFileSync(join(home, 'repo/.gitlab/dtp.yml'), 'utf8')).toBe('mine');
});

const remote = (url: string) => ({ 'repo/.git/config': `[remote "origin"]\n\turl = ${url}\n` });

test.each([
  ['no sign of any', {}, {}, 'GitHub Actions'],
  ['a remote on gitlab.com', remote('git@gitlab.com:acme/petstore.git'), {}, 'GitLab CI'],
  ['a remote on its own host', remote('https://gitlab.example.com/acme/petstore.git'), {}, 'GitLab CI'],
  ['a remote with gitlab in its name', remote('https://github.com/acme/gitlab.git'), {}, 'GitHub Actions'],
  [
    'the workflows of GitHub',
    { ...remote('git@gitlab.com:a/b'), 'repo/.github/workflows/ci.yml': '' },
    {},
    'GitHub Actions',
  ],
  ['a job of GitLab', remote('git@github.com:a/b'), { GITLAB_CI: 'true' }, 'GitLab CI'],
])(
  '--ci print with %s is for its CI; it needs no login, stores nothing and posts nothing',
  async (_, files, env, name) => {
    const home = temporaryFolder();
    write(home, files);
    const events = eventCount();
    const ended = await init(home, ['--ci', 'print', '--base-url', service.address], { env });
    expect([ended.code, JSON.parse(ended.stdout)], ended.stderr).toMatchObject([
      0,
      { ci: { system: name, file: null } },
    ]);
    expect([existsSync(join(home, 'config')), eventCount()]).toEqual([false, events]);
  },
);
