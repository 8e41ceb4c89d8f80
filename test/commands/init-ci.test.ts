/** `dtp init`: flags that are refused before anything is changed, and the CI of a repository. */
import { existsSync } from 'node:fs';
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
  write(home, { 'repo/.git/HEAD': '' });
  return dtp(['init', ...argv], {
    home,
    cwd: join(home, 'repo'),
    ...world,
    env: { DTP_ERROR_FORMAT: 'text', SHELL: '/bin/bash', ...world.env },
    openSend: async (options) => openSend(options),
  });
};

test.each([
  [['--local', '--folder-file'], '--folder-file needs a service'],
  [['--local', '--ci', 'print'], '--ci needs a service'],
  [['--local', '--ci', 'write'], '--ci needs a service'],
  [['--local', '--completions'], 'no completions for the shell in SHELL'],
  [[...['--base-url', 'https://a.example.test', '--with-token'], '--ci', 'write'], 'already exists'],
  [['--ci', 'print'], '--ci print needs the URL of the service'],
  [['--ci'], '--ci needs a value: print or write'],
  [['--ci', 'gitlab'], '--ci must be print or write, not "gitlab"'],
])('%j is refused before anything is changed', async (argv, words) => {
  const home = temporaryFolder();
  write(home, { 'repo/.gitlab-ci.yml': '', 'repo/.gitlab/dtp.yml': 'mine' });
  const { code, stdout, stderr } = await init(home, argv, { stdin: service.key, env: { SHELL: '/bin/tcsh' } });
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(words)]);
  expect(existsSync(join(home, 'config'))).toBe(false);
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
