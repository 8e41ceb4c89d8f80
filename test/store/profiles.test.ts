/** Profiles on the disk: how they survive manual edits, text editors and full disks. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LockHolder } from '../../src/store/lock.ts';
import { openProfiles } from '../../src/store/profiles.ts';
import { bundle } from '../support/bundled.ts';
import { dtp, home } from '../support/process.ts';

const holder: LockHolder = {
  now: () => performance.now(),
  sleep: (ms) => sleep(ms),
  pid: process.pid,
  // Besides this process, only killed children hold locks here.
  isAlive: (pid) => pid === process.pid,
  beganAt: () => undefined,
};

const place = { folder: '', bundle: '' };
const config = () => join(place.folder, 'config.json');
const open = () => openProfiles(place.folder, holder);
const text = () => readFileSync(config(), 'utf8');
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const put = (content: string) => {
  mkdirSync(place.folder, { recursive: true });
  writeFileSync(config(), content, { mode: 0o600 });
};

/** Runs `work` in another process, with `profiles` and its arguments. */
const program = `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { openProfiles } from './src/store/profiles.ts';
  const [folder, work] = process.argv.slice(2);
  const isAlive = (pid) => { try { return process.kill(pid, 0); } catch { return false; } };
  const profiles = openProfiles(folder, { now: () => performance.now(), sleep: (ms) => sleep(ms), pid: process.pid, isAlive, beganAt: () => undefined });
  // conf's own listener would end the process.
  process.removeAllListeners('SIGXFSZ').on('SIGXFSZ', () => {});
  const add = (name, profile) => profiles.update((now) => ({ ...now, profiles: { ...now.profiles, [name]: profile } }));
  if (work === 'large') await add('large', { workspace: 'w'.repeat(4000) }).catch((error) => console.log(JSON.stringify({ code: error.code, message: error.message })));
`;

async function said(child: ChildProcess): Promise<string> {
  let all = '';
  // A program that does not exist fails the test that reads its output.
  child.on('error', () => undefined);
  for await (const chunk of child.stdout ?? []) all += chunk;
  return all;
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dtp-profiles-bundle-'));
  place.bundle = join(folder, 'child.mjs');
  await bundle(program, place.bundle);
});
afterAll(() => rm(resolve(place.bundle, '..'), { recursive: true, force: true }));

beforeEach(async () => {
  // One level down, so that the folder does not exist yet.
  place.folder = join(await mkdtemp(join(tmpdir(), 'dtp-profiles-')), 'dtp');
});
afterEach(() => rm(resolve(place.folder, '..'), { recursive: true, force: true }));

describe('reading', () => {
  it('is empty without a file, and creates nothing', () => {
    expect(open().file).toBe(config());
    expect(open().read()).toEqual({ profiles: {} });
    expect(existsSync(place.folder)).toBe(false);
  });

  it.each([
    ['an empty file', '', { profiles: {} }],
    ['blanks', ' \n', { profiles: {} }],
    ['an empty record', '{}', { profiles: {} }],
    ['a byte order mark', '\ufeff{"current":"a","profiles":{"a":{}}}', { current: 'a', profiles: { a: {} } }],
  ])('accepts %s', (_, content, expected) => {
    put(content);
    expect(open().read()).toEqual(expected);
    expect(text()).toBe(content);
  });

  it.each([
    '{"profiles":',
    'hunter2',
    '\0\0\0\0',
    '[]',
    'null',
    '{"profiles":[]}',
    '{"profiles":null}',
    '{"profiles":{"a":"hunter2"}}',
  ])('rejects %j, naming the file but not its content', (content) => {
    put(content);
    expect(() => open().read()).toThrowError(
      expect.objectContaining({
        code: 'config',
        message: expect.stringMatching(/config\.json is not (JSON|a valid configuration)$/),
        facts: expect.objectContaining({ next: ['dtp config path'] }),
      }),
    );
    expect(text()).toBe(content);
  });

  it('reports why a file cannot be read', () => {
    mkdirSync(config(), { recursive: true });
    expect(() => open().read()).toThrowError(
      expect.objectContaining({
        code: 'config',
        message: `${config()} cannot be read: it is a folder, not a file`,
      }),
    );
  });
});

describe('updating', () => {
  it('stores the configuration with private permissions, and leaves no other file', async () => {
    const profile = {
      base_url: 'https://a.example',
      'words.codehost': 'forge',
      timeout: 5,
      allow_http: true,
    };
    await open().update((now) => ({ ...now, current: 'a.b', profiles: { ...now.profiles, 'a.b': profile } }));
    expect(open().read()).toEqual({ current: 'a.b', profiles: { 'a.b': profile } });
    expect(modeOf(place.folder)).toBe('700');
    expect(modeOf(config())).toBe('600');
    expect(readdirSync(place.folder)).toEqual(['config.json']);
  });

  it('keeps unknown fields', async () => {
    put('{"other":[1],"profiles":{"a":{"colour":"red","timeout":1}}}');
    await open().update((now) => ({ ...now, current: 'a' }));
    expect(JSON.parse(text())).toEqual({
      other: [1],
      profiles: { a: { colour: 'red', timeout: 1 } },
      current: 'a',
    });
  });

  it('deletes the fields that a change deletes', async () => {
    put('{"current":"a","profiles":{"a":{},"b":{}}}');
    await open().update(({ profiles: { a: _, ...profiles } }) => ({ profiles }));
    expect(open().read()).toEqual({ profiles: { b: {} } });
  });

  it('restricts permissions that are too open', async () => {
    put('{}');
    chmodSync(config(), 0o666);
    chmodSync(place.folder, 0o777);
    await open().update((now) => now);
    expect(modeOf(place.folder)).toBe('700');
    expect(modeOf(config())).toBe('600');
  });

  it.each(['', '\ufeff', '\ufeff{"profiles":{"a":{"timeout":1}}}'])(
    'treats %j as empty and writes over it',
    async (content) => {
      put(content);
      await open().update((now) => ({ ...now, current: 'x' }));
      expect(open().read()).toEqual({
        current: 'x',
        profiles: content.includes('a') ? { a: { timeout: 1 } } : {},
      });
      expect(text().startsWith('{')).toBe(true);
    },
  );

  it('renames a file that is not a valid configuration, and reports its new name', async () => {
    put('{"profiles":{"a":{"credential":"s3cret"');
    const failure = await open()
      .update((now) => now)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'config' });
    const { message } = failure as Error;
    const aside = /renamed to (\S+),/.exec(message)?.[1] ?? '';
    expect(readFileSync(aside, 'utf8')).toBe('{"profiles":{"a":{"credential":"s3cret"');
    expect(message).not.toContain('s3cret');
    expect(existsSync(config())).toBe(false);

    await open().update((now) => ({ ...now, current: 'x' }));
    expect(open().read()).toEqual({ current: 'x', profiles: {} });
    expect(existsSync(aside)).toBe(true);
  });

  it('changes nothing if the change fails', async () => {
    put('{"current":"a"}');
    const failure = new Error('no such profile');
    await expect(
      open().update(() => {
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect(text()).toBe('{"current":"a"}');
    expect(readdirSync(place.folder)).toEqual(['config.json']);
  });

  it('reports why nothing can be stored', async () => {
    mkdirSync(config(), { recursive: true });
    await expect(open().update((now) => now)).rejects.toMatchObject({ code: 'config' });
    expect(readdirSync(place.folder)).toEqual(['config.json']);

    writeFileSync(join(place.folder, 'file'), '');
    await expect(openProfiles(join(place.folder, 'file', 'dtp'), holder).update((now) => now)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining(': a part of its path is not a folder'),
    });
  });
});

describe('a truncated write', () => {
  /** A file size limit acts like a full disk: half of the content is written, and no error is reported. */
  const limited = () =>
    said(
      spawn('bash', ['-c', `ulimit -f 1; exec "$0" "$@"`, process.execPath, place.bundle, place.folder, 'large'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );

  it('fails, and keeps the old file', async () => {
    const old = '{ "current": "a", "profiles": { "a": { "timeout": 1 } } }';
    put(old);
    expect(JSON.parse(await limited())).toMatchObject({
      code: 'config',
      message: expect.stringContaining(': only part of it was written'),
    });
    expect(text()).toBe(old);
    expect(modeOf(config())).toBe('600');
    expect(readdirSync(place.folder)).toEqual(['config.json']);
  });

  it('leaves no file if there was no file', async () => {
    expect(JSON.parse(await limited())).toMatchObject({ code: 'config' });
    expect(readdirSync(place.folder)).toEqual([]);
  });
});

it.each([0, 1])('the built tool with a file size limit of %d KiB', async (limit) => {
  const { folder, remove } = home();
  try {
    const set = (value: string) => ['config', 'set', 'workspace', value, '--error-format', 'json'];
    expect(await dtp(folder, set('w'.repeat(3000)))).toMatchObject({ code: 0 });
    const file = join(folder, 'config/config.json');
    const old = readFileSync(file, 'utf8');
    const tool = resolve(import.meta.dirname, '../../bin/dtp.cjs');
    const argv = ['-c', `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, tool, ...set('v'.repeat(3000))];
    const env = { PATH: process.env.PATH, HOME: folder, DTP_CONFIG_DIR: join(folder, 'config') };
    const ended = spawnSync('bash', argv, { env, encoding: 'utf8' });
    expect([ended.status, ended.signal]).toEqual([3, null]);
    expect(JSON.parse(ended.stderr).error.code).toBe('config');
    expect(readFileSync(file, 'utf8')).toBe(old);
    expect(readdirSync(join(folder, 'config'))).toEqual(['config.json']);
  } finally {
    remove();
  }
});
