/** Whatever lies in place of one of the tool's own files, nothing hangs, and other queued events are delivered. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textAt } from '../../src/store/lock.ts';
import { openSpool } from '../../src/store/spool.ts';
import { wallClock } from '../support/clocks.ts';
import { temporaryFolder } from '../support/context.ts';
import { events, receiver, refusal } from '../support/event-service.ts';
import { dtp, start } from '../support/process.ts';
import { queued } from '../support/queued.ts';

const me = process.geteuid?.();
const env = { DTP_ERROR_FORMAT: 'json' };
const pipe = (path: string) => execFileSync('mkfifo', [path]);

/** What may lie in place of a file. */
const others: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': pipe,
  'a folder with a file': (path) => {
    mkdirSync(path);
    writeFileSync(join(path, 'x'), 'x');
  },
  'a link to itself': (path) => symlinkSync(path, path),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a link to a pipe': (path) => {
    pipe(`${path}.pipe`);
    symlinkSync(`${path}.pipe`, path);
  },
  '8 GiB of nothing': (path) => {
    const file = openSync(path, 'w');
    ftruncateSync(file, 8 * 1024 ** 3);
    closeSync(file);
  },
};

const flush = async (home: string) => {
  const service = receiver();
  const ended = await events(['queue', 'flush', '-o', 'json'], { home, env, openSend: service.openSend });
  return { ...ended, ids: service.events().map(({ id }) => id) };
};

describe.skipIf(process.platform === 'win32').each(Object.entries(others))('%s in the queue', (_, lay) => {
  test('as a batch: it is set aside, and the others are delivered', async () => {
    const { home, run } = await queued();
    const path = join(run, '0000002.batch');
    renameSync(path, `${path}.old`);
    lay(path);
    const ended = await flush(home);
    expect([ended.code, ended.ids.length]).toEqual([14, 20]);
    expect(JSON.parse(ended.stderr.split('\n').at(-2) ?? '').error).toMatchObject({
      message: '1 queued batch is damaged and was set aside',
      details: { delivered: 20, corrupt: 1 },
    });
    const { stdout } = await events(['queue', 'list'], { home });
    expect(JSON.parse(stdout)).toMatchObject([{ state: 'corrupt' }]);
    expect(await events(['queue', 'drop', '--corrupt', '--yes'], { home })).toMatchObject({ code: 0 });
    expect(JSON.parse((await events(['queue', 'list'], { home })).stdout)).toEqual([]);
  });

  test('as the folder of a post: it is ignored', async () => {
    const { home, state } = await queued();
    lay(join(state, 'mabc_0123ab'));
    expect(await flush(home)).toMatchObject({ code: 0, ids: { length: 30 } });
  });

  test('as a lock: nothing hangs', async () => {
    const { home, run } = await queued();
    lay(`${run}.lock`);
    const { code, ids } = await flush(home);
    // Only a file may be a lock, of a process that has not written it yet.
    expect([code, ids.length]).toEqual(/GiB/.test(_) ? [75, 0] : [0, 30]);
    rmSync(`${run}.lock`, { force: true, recursive: true });
    expect((await flush(home)).ids.length + ids.length).toBe(30);
  });
});

/** The tool's own files, and a command that reads each of them. */
const files: Readonly<Record<string, readonly string[]>> = {
  'config/config.json': ['ws', 'list'],
  'config/config.json.lock': ['config', 'path'],
  'state/last-link.json': ['open'],
  'data/service.db': ['--profile', 'local', 'ws', 'list'],
  'data/service.db-wal': ['--profile', 'local', 'ws', 'list'],
  'state/compiled': ['config', 'path'],
  'state/completions': ['__complete', '--profile', 'local', 'ws', 'get', ''],
  'state/workspaces': ['ws', 'list'],
};

describe.skipIf(process.platform === 'win32').each(Object.entries(files))('%s', (name, argv) => {
  test.each(Object.entries(others))('%s in its place: the command ends', async (_, lay) => {
    const home = temporaryFolder();
    mkdirSync(dirname(join(home, name)), { recursive: true, mode: 0o700 });
    lay(join(home, name));
    const child = start(home, argv, { env: { DTP_TIMEOUT: '20s' } });
    child.stdin.end();
    const late = setTimeout(() => child.kill('SIGTERM'), 60_000);
    const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((done) => {
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      child.on('close', (code) => done({ code, stderr }));
    });
    clearTimeout(late);
    expect([0, 1, 2, 3, 6], stderr).toContain(code);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

test('a large file is refused by its size, before it is read', async () => {
  const home = temporaryFolder();
  const file = join(home, 'config', 'config.json');
  mkdirSync(dirname(file), { mode: 0o700 });
  for (const size of [17 * 1024 ** 2, 8 * 1024 ** 3]) {
    writeFileSync(file, '{}', { mode: 0o600 });
    truncateSync(file, size);
    for (const argv of [
      ['ws', 'list'],
      ['config', 'set', 'base_url', 'https://api.example.test'],
    ]) {
      const { code, stderr } = await dtp(home, argv);
      expect([code, stderr]).toEqual([3, expect.stringContaining(`${file} is larger than 16 MiB`)]);
    }
    expect(await textAt(file)).toBe('');
  }
  writeFileSync(file, ' '.repeat(1024 ** 2));
  expect(await textAt(file)).toHaveLength(1024 ** 2);
  expect(await dtp(home, ['config', 'set', 'base_url', 'https://api.example.test'])).toMatchObject({
    code: 0,
  });
});

test.skipIf(process.platform === 'win32')('caches that are pipes are replaced', async () => {
  const home = temporaryFolder();
  const complete = () =>
    dtp(home, ['__complete', '--profile', 'local', 'ws', 'get', ''], {
      env: { DTP_STATE_DIR: join(home, 'state') },
    });
  const first = await complete();
  const folder = join(home, 'state/completions');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    rmSync(join(folder, name));
    pipe(join(folder, name));
  }
  expect(await complete()).toEqual(first);
});

describe.skipIf(me === undefined)('the folder of the queue', () => {
  const shared: readonly (readonly [string, (path: string) => void, boolean])[] = [
    ['others can write', (path) => chmodSync(path, 0o777), false],
    ['the group can write', (path) => chmodSync(path, 0o770), false],
    ['another user owns', (path) => chownSync(path, 1234, 1234), true],
  ];

  test.each(shared.filter(([, , needsRoot]) => !needsRoot || me === 0))(
    'if %s: nothing is sent, and the error has the command that corrects it',
    async (_, expose) => {
      const { home, state } = await queued();
      expose(state);
      const { code, ids, stderr } = await flush(home);
      expect([code, ids]).toEqual([3, []]);
      const { error } = JSON.parse(stderr.split('\n').at(-2) ?? '');
      const post = receiver();
      const posted = await events(['post', '--body', '{"id":"new"}'], { home, openSend: post.openSend });
      expect([posted.code, post.bodies]).toEqual([3, []]);
      for (const { command } of error.next) execFileSync('sh', ['-c', command]);
      expect(await flush(home)).toMatchObject({ code: 0, ids: { length: 30 } });
    },
  );

  test('may be a sticky folder such as /tmp', async () => {
    const { home, state } = await queued();
    chmodSync(state, 0o1777);
    expect(await flush(home)).toMatchObject({ code: 0, ids: { length: 30 } });
  });

  test.runIf(me === 0)("another user's batch in it is set aside", async () => {
    const { home, run } = await queued();
    chownSync(join(run, '0000002.batch'), 1234, 1234);
    expect(await flush(home)).toMatchObject({ code: 14, ids: { length: 20 } });
  });
});

test('without a lock, nothing is sent: the disk is full', async () => {
  const { home, state } = await queued();
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const holder = { ...wallClock, pid: process.pid, isAlive: () => true, beganAt: () => undefined };
  const noRoom = { open: () => Promise.reject(full), isOpen: async () => false };
  const spool = openSpool(state, { ...holder, date: () => new Date(), witness: noRoom });
  let sent = 0;
  const taking = spool.take({
    state: 'pending',
    wanted: () => true,
    work: async () => void sent++,
    damaged: () => undefined,
    unreadable: () => null,
    isOver: () => false,
  });
  await expect(taking).rejects.toMatchObject({
    code: 'kept',
    message: expect.stringContaining('no lock can be created: no space left on the disk'),
  });
  expect(sent).toBe(0);
  expect(await spool.drop(new Set((await spool.list()).map(({ id }) => id)))).toBe(3);
  expect((await flush(home)).ids).toEqual([]);
});

test('thousands of queued posts do not delay a command: their locks are not taken', async () => {
  const { home, state, run } = await queued();
  for (let post = 0; post < 3000; post++) {
    const folder = join(state, `zabc_${post.toString(16).padStart(6, '0')}`);
    mkdirSync(folder);
    for (const name of readdirSync(run)) linkSync(join(run, name), join(folder, name));
  }
  const down = receiver(() => refusal);
  const ended = await events(['queue', 'flush', '-o', 'json'], { home, env, openSend: down.openSend });
  expect(ended.code).toBe(75);
  expect(JSON.parse(ended.stderr.split('\n').at(-2) ?? '').error.details.pending).toBe(3001 * 30);
  expect(new Set(down.bodies).size).toBe(1);
  const elsewhere = { DTP_BASE_URL: 'https://other.example.test' };
  const holder = { ...wallClock, pid: process.pid, isAlive: () => true, beganAt: () => undefined };
  let locks = 0;
  const counting = { open: async () => void locks++, isOpen: async () => false };
  const spool = openSpool(state, { ...holder, date: () => new Date(), witness: counting });
  const none = { work: async () => undefined, damaged: () => undefined, unreadable: () => null };
  const options = { state: 'pending', ...none } as const;
  await spool.take({
    ...options,
    wanted: ({ base }) => base === elsewhere.DTP_BASE_URL,
    isOver: () => false,
  });
  expect(locks).toBe(0);
  let looks = 0;
  await spool.take({ ...options, wanted: () => true, isOver: () => ++looks > 10 });
  expect(locks).toBeLessThan(10);
});
