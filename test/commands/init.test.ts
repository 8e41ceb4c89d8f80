/** `dtp init`: with flags only, and on a terminal. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSend } from '../../src/transport/send.ts';
import { write } from '../support/artifacts.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { type Served, served } from '../support/embedded-service.ts';
import { hasScript, terminal } from '../support/terminal.ts';

let service: Served;
let other: Served;
beforeAll(async () => {
  [service, other] = await Promise.all([served(), served()]);
});
afterAll(async () => {
  await Promise.all([service.close(), other.close()]);
});

const stored = (home: string) => JSON.parse(readFileSync(join(home, 'config', 'config.json'), 'utf8'));
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

const credential = () => ['--base-url', service.address, '--with-token'];

test('a service with flags only: profile, .dtp.json, completions, a CI job and a real event', async () => {
  const home = temporaryFolder();
  const before = Number(eventCount());
  write(home, { 'repo/.github/workflows/ci.yml': 'on: push\n' });
  const argv = [...credential(), '--folder-file', '--completions', '--ci', 'write'];
  const { code, stdout, stderr } = await init(home, argv, { stdin: service.key });
  expect(code, stderr).toBe(0);
  const file = join(home, 'repo/.github/workflows/dtp.yml');
  expect(JSON.parse(stdout)).toEqual({
    profile: 'default',
    base_url: service.address,
    workspace: service.workspaceId,
    folder_file: join(home, 'repo/.dtp.json'),
    completions: 'bash',
    ci: { system: 'GitHub Actions', job: readFileSync(file, 'utf8'), file },
    event: true,
  });
  expect(stored(home)).toMatchObject({ profiles: { default: { credential: service.key } } });
  expect(JSON.parse(readFileSync(join(home, 'repo/.dtp.json'), 'utf8'))).toEqual({
    workspace: service.workspaceId,
  });
  expect(existsSync(join(home, '.local/share/bash-completion/completions/dtp'))).toBe(true);
  expect(readFileSync(join(home, 'repo/.github/workflows/ci.yml'), 'utf8')).toBe('on: push\n');
  expect(readFileSync(file, 'utf8')).toContain(`DTP_BASE_URL: "${service.address}"`);
  expect(eventCount()).toBe(before + 1);
  expect(stdout + stderr + readFileSync(file, 'utf8')).not.toContain(service.key);
});

test('the embedded service: its profile becomes current, and the event is in it', async () => {
  const home = temporaryFolder();
  const { code, stdout, stderr } = await init(home, ['--local']);
  expect(stderr).not.toContain('current profile');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { profile: 'local', base_url: 'local:', event: true }]);
  const found = await dtp(['events', 'search', '-r', '--query', '[].raw_command'], { home });
  expect(found.stdout).toContain('dtp init');
});

test('run again: the stored credential is checked and stays, and nothing else changes', async () => {
  const home = temporaryFolder();
  await init(home, [...credential(), '--folder-file', '--no-event'], { stdin: service.key });
  const before = [stored(home), readFileSync(join(home, 'repo/.dtp.json'), 'utf8')];
  const events = eventCount();
  const again = await init(home, ['--base-url', service.address, '--folder-file', '--no-event']);
  expect(again.code, again.stderr).toBe(0);
  expect([JSON.parse(again.stdout).event, eventCount()]).toEqual([false, events]);
  expect(again.stderr).toContain('.dtp.json already exists and was not changed');
  expect([stored(home), readFileSync(join(home, 'repo/.dtp.json'), 'utf8')]).toEqual(before);
  expect((await init(home, ['--no-event'])).code).toBe(0);
  expect((await init(home, ['--local', '--no-event'])).stderr).toContain('dtp config use default');
  expect(stored(home)).toEqual({ ...before[0], current: 'local' });
  const back = await init(home, ['--base-url', service.address, '--no-event']);
  expect([back.code, stored(home).current]).toEqual([0, 'default']);
});

test('a second service gets a separate profile, and never replaces the first one', async () => {
  const home = temporaryFolder();
  await init(home, [...credential(), '--no-event'], { stdin: service.key });
  const second = ['--base-url', other.address, '--with-token', '--no-event'];
  for (const profile of [[], ['--profile', 'default']]) {
    const refused = await init(home, [...second, ...profile], { stdin: other.key });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('belongs to http://127.0.0.1')]);
  }
  const added = await init(home, [...second, '--profile', 'second'], { stdin: other.key });
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).not.toContain('current profile');
  expect(stored(home)).toMatchObject({
    current: 'second',
    profiles: { default: { credential: service.key }, second: { credential: other.key } },
  });
});

const gitlab = { 'repo/.gitlab-ci.yml': 'a: 1\n' };

test('a job for GitLab is printed, or written to a new file that is never replaced', async () => {
  const home = temporaryFolder();
  write(home, gitlab);
  const argv = [...credential(), '--no-event', '--ci'];
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

test.each([
  [[], 'missing flag: --local or --base-url'],
  [['--profile', 'new'], 'missing flag: --base-url'],
  [['--base-url', 'https://a.example.test'], 'missing flag: --with-token'],
  [['--local', '--base-url', 'https://a.example.test'], '--local cannot be combined'],
  [['--local', '--with-token'], '--local cannot be combined'],
  [['--local', '--profile', 'work'], '--local cannot be combined'],
  [['--base-url', 'not a URL', '--with-token'], '--base-url'],
  [['--ci', 'maybe'], '--ci'],
])('%j is a usage error, and nothing is stored', async (argv, words) => {
  const home = temporaryFolder();
  const { code, stdout, stderr } = await init(home, argv);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(words);
  expect(existsSync(join(home, 'config'))).toBe(false);
});

test('a wrong credential stores nothing', async () => {
  const home = temporaryFolder();
  const { code } = await init(home, credential(), { stdin: 'wrong' });
  expect([code, existsSync(join(home, 'config', 'config.json'))]).toEqual([4, false]);
});

test('with CI or --no-input, a terminal does not prompt', async () => {
  for (const world of [{ env: { CI: 'true' } }, { env: { DTP_NO_INPUT: '1' } }]) {
    const ended = await init(temporaryFolder(), [], { tty: true, ...world });
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('missing flag')]);
  }
});

const [enter, down, ctrlC] = ['\r', '\u001b[B', '\u0003'];

/** A repository with GitHub Actions, whose folder is the home folder's `repo`. */
function repository() {
  const home = temporaryFolder();
  const folder = join(home, 'repo');
  mkdirSync(join(folder, '.github/workflows'), { recursive: true });
  mkdirSync(join(folder, '.git'));
  chmodSync(home, 0o700);
  const env = { HOME: home, SHELL: '/bin/bash', DTP_CONFIG_DIR: join(home, 'config') };
  return { home, folder, env };
}

test.skipIf(!hasScript)('on a terminal: every step is prompted for, and the defaults are enough', async () => {
  const { home, folder, env } = repository();
  const before = Number(eventCount());
  const { code, screen } = await terminal(folder, 'init', {
    env,
    typed: [
      ['What should dtp use?', enter],
      ['Base URL:', `nonsense${enter}`],
      ['the base URL ', ''],
      ['Base URL:', `${service.address}${enter}`],
      ['(hidden):', `wrong${enter}`],
      ['enter it again', ''],
      ['(hidden):', `${service.key}${enter}`],
      ['Write .dtp.json', `y${enter}`],
      ['Install completions for bash?', enter],
      ['Add a job to GitHub Actions?', down],
      ['Print it', enter],
      ['Post a first event?', enter],
    ],
  });
  expect(code, screen).toBe(0);
  expect(screen).toContain('the service refused the credential; enter it again');
  expect(screen).toContain('Posted an event');
  expect(screen).toContain(`✔ Ready: commands use ${service.address}`);
  expect(screen).toContain('dtp events search --limit 1');
  expect(screen).toContain(`workspace  ${service.workspaceSlug} (${service.workspaceId})`);
  expect(screen).not.toContain(service.key);
  expect(existsSync(join(folder, '.github/workflows/dtp.yml'))).toBe(false);
  expect(existsSync(join(folder, '.dtp.json'))).toBe(true);
  expect(stored(home).profiles.default.credential).toBe(service.key);
  expect(eventCount()).toBe(before + 1);
});

test.skipIf(!hasScript)('on a terminal again: the present values are the defaults', async () => {
  const { home, folder, env } = repository();
  const first = ['--base-url', service.address, '--with-token', '--no-event'];
  await init(home, first, { stdin: service.key });
  const before = stored(home);
  const { code, screen } = await terminal(folder, 'init --no-event', {
    env,
    typed: [
      ['What should dtp use?', enter],
      [`Base URL [${service.address}]:`, enter],
      ['Keep the stored credential of profile default?', enter],
      ['Write .dtp.json', enter],
      ['Install completions for bash?', `n${enter}`],
      ['Add a job to GitHub Actions?', `skip${enter}`],
    ],
  });
  expect(code, screen).toBe(0);
  expect(stored(home)).toEqual(before);
  expect(existsSync(join(folder, '.dtp.json'))).toBe(false);
  expect(screen).not.toContain('Post a first event');
});

test.skipIf(!hasScript)('Ctrl-C says what was done, and what was done is complete', async () => {
  const { home, folder, env } = repository();
  const typed = [
    ['What should dtp use?', enter],
    ['Base URL:', `${service.address}${enter}`],
    ['(hidden):', `${service.key}${enter}`],
    ['Write .dtp.json', ctrlC],
  ] as const;
  const { code, screen } = await terminal(folder, 'init', { env, typed });
  expect(code, screen).toBe(130);
  expect(screen.replaceAll(/\s+/g, ' ')).toContain(
    `stopped; this was done: profile default has a valid credential for ${service.address} continue with: dtp init`,
  );
  expect(stored(home).profiles.default.credential).toBe(service.key);
  expect(existsSync(join(folder, '.dtp.json'))).toBe(false);
  const atOnce = { env, typed: [['What should dtp use?', ctrlC]] as const };
  const early = await terminal(repository().folder, 'init', atOnce);
  expect([early.code, early.screen.includes('stopped; nothing was changed')]).toEqual([130, true]);
});

test.skipIf(!hasScript)('a second service on a terminal: another profile is prompted for', async () => {
  const { home, folder, env } = repository();
  const first = ['--base-url', service.address, '--with-token', '--no-event'];
  await init(home, first, { stdin: service.key });
  const { code, screen } = await terminal(folder, 'init --no-event', {
    env: { ...env, SHELL: '/bin/sh' },
    typed: [
      ['What should dtp use?', enter],
      ['Base URL [', `${other.address}${enter}`],
      ['Name of the new profile', `default${enter}`],
      ['is taken', ''],
      ['Name of the new profile', `second${enter}`],
      ['(hidden):', `${other.key}${enter}`],
      ['Write .dtp.json', enter],
      ['Add a job to GitHub Actions?', `skip${enter}`],
    ],
  });
  expect(code, screen).toBe(0);
  expect(stored(home)).toMatchObject({
    current: 'second',
    profiles: { default: { credential: service.key }, second: { credential: other.key } },
  });
});

test.skipIf(!hasScript)('a terminal that cannot move the cursor gets numbered lists', async () => {
  const { folder, env } = repository();
  const { code, screen } = await terminal(folder, 'init', {
    env: { ...env, TERM: 'dumb', SHELL: '/bin/sh' },
    typed: [
      ['Enter a number or a name:', `2${enter}`],
      ['Post a first event?', enter],
    ],
  });
  expect(code, screen).toBe(0);
  expect(screen).toContain('ok: Ready: commands use the embedded service on this machine');
  expect(screen.includes('\u001b[')).toBe(false);
});
