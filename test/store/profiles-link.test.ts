/** A configuration that is a link to a file elsewhere, for example in a dotfiles repository. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LockHolder } from '../../src/store/lock.ts';
import { openProfiles } from '../../src/store/profiles.ts';
import { dtp, temporaryFolder } from '../support/context.ts';

const holder: LockHolder = {
  now: () => performance.now(),
  sleep: (ms) => sleep(ms),
  pid: process.pid,
  isAlive: (pid) => pid === process.pid,
  beganAt: () => undefined,
};

const stored = {
  profiles: { default: { base_url: 'https://a.example', workspace: 'w_1', credential: 'key-of-a-test' } },
  current: 'default',
};

/** A home folder where `config.json` is a link to `to`. */
function linked(to: string, home = temporaryFolder()) {
  const folder = join(home, 'config');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mkdirSync(join(home, 'dotfiles'));
  const link = join(folder, 'config.json');
  symlinkSync(to, link);
  return { home, folder, link, dotfiles: join(home, 'dotfiles') };
}
const put = (path: string, text = JSON.stringify(stored)) => writeFileSync(path, text);
const parsed = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Checks that the link is unchanged, with no other file next to it or its target. */
function expectKept({ folder, link, dotfiles }: ReturnType<typeof linked>, to: string, names: readonly string[]) {
  expect([lstatSync(link).isSymbolicLink(), readlinkSync(link)]).toEqual([true, to]);
  expect([readdirSync(folder), readdirSync(dotfiles).sort()]).toEqual([['config.json'], names]);
}

const change: Parameters<ReturnType<typeof openProfiles>['update']>[0] = (now) => ({ ...now, current: 'b' });

describe.skipIf(process.platform === 'win32')('a link stays, and its target is written', () => {
  test.each([
    ['config', 'set', 'workspace', 'w_2'],
    ['config', 'unset', 'workspace'],
    ['config', 'use', 'local'],
    ['config', 'delete', 'other', '--yes'],
    ['auth', 'logout'],
  ])('by dtp %s %s', async (...argv) => {
    const to = '../dotfiles/dtp.json';
    const place = linked(to);
    const file = join(place.dotfiles, 'dtp.json');
    put(file, JSON.stringify({ ...stored, profiles: { ...stored.profiles, other: {} } }));
    const before = readFileSync(file, 'utf8');
    const ended = await dtp(argv, { home: place.home });
    expect(ended.code, ended.stderr).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    expect(parsed(file)).toHaveProperty('profiles');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expectKept(place, to, ['dtp.json']);
  });

  test('if it leads through another link, or to a file in the same folder', async () => {
    const place = linked('../dotfiles/first.json');
    put(join(place.dotfiles, 'dtp.json'));
    symlinkSync('dtp.json', join(place.dotfiles, 'first.json'));
    await openProfiles(place.folder, holder).update(change);
    expect(parsed(join(place.dotfiles, 'dtp.json'))).toEqual({ ...stored, current: 'b' });
    expectKept(place, '../dotfiles/first.json', ['dtp.json', 'first.json']);

    const near = linked('real.json');
    put(join(near.folder, 'real.json'));
    await openProfiles(near.folder, holder).update(change);
    expect(parsed(join(near.folder, 'real.json'))).toEqual({ ...stored, current: 'b' });
    expect([readlinkSync(near.link), readdirSync(near.folder)]).toEqual(['real.json', ['config.json', 'real.json']]);
  });

  test('if its target does not exist yet', async () => {
    const to = '../dotfiles/dtp.json';
    const place = linked(to);
    const profiles = openProfiles(place.folder, holder);
    expect(profiles.read()).toEqual({ profiles: {} });
    await profiles.check();
    expectKept(place, to, []);
    await profiles.update(change);
    expect(profiles.read()).toEqual({ profiles: {}, current: 'b' });
    expectKept(place, to, ['dtp.json']);
  });

  test('if its target is on another disk', async () => {
    const shm = '/dev/shm';
    if (!existsSync(shm) || statSync(shm).dev === statSync(dirname(temporaryFolder())).dev)
      return void process.stdout.write('skipped: there is no second disk in /dev/shm\n');
    const far = mkdtempSync(join(shm, 'dtp-test-'));
    onTestFinished(() => rmSync(far, { recursive: true }));
    const file = join(far, 'dtp.json');
    put(file);
    const place = linked(file);
    await openProfiles(place.folder, holder).update(change);
    expect(parsed(file).current).toBe('b');
    expect(readdirSync(far)).toEqual(['dtp.json']);
    expectKept(place, file, []);
  });

  test('if several folders link to it and change it at the same time', async () => {
    const home = temporaryFolder();
    const file = join(home, 'one.json');
    put(file, '{"profiles":{}}');
    const stores = Array.from({ length: 4 }, (_, n) =>
      openProfiles(linked(file, join(home, `home-${n}`)).folder, { ...holder, now: () => 0 }),
    );
    const add = (name: string) => (now: ReturnType<(typeof stores)[0]['read']>) => ({
      ...now,
      profiles: { ...now.profiles, [name]: {} },
    });
    await Promise.all(stores.flatMap((store, n) => [0, 1, 2, 3, 4].map((m) => store.update(add(`p${n}${m}`)))));
    expect(Object.keys(parsed(file).profiles)).toHaveLength(20);
  });
});

describe.skipIf(process.platform === 'win32')('a link stays, and the error is clear', () => {
  test.each([
    ['the folder of its target does not exist', '../nowhere/dtp.json', 'its folder does not exist'],
    ['it leads to itself', 'config.json', 'ELOOP'],
    ['it leads to a folder', '../dotfiles', 'it is a folder, not a file'],
  ])('if %s', async (_, to, why) => {
    const place = linked(to);
    await expect(openProfiles(place.folder, holder).update(change)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(why),
    });
    expectKept(place, to, []);
  });

  test('if its target is not a configuration: that file is renamed in place', async () => {
    const to = '../dotfiles/dtp.json';
    const place = linked(to);
    put(join(place.dotfiles, 'dtp.json'), 'hunter2');
    const profiles = openProfiles(place.folder, holder);
    await expect(profiles.update(change)).rejects.toMatchObject({ code: 'config' });
    const [aside = ''] = readdirSync(place.dotfiles);
    expect(aside).toMatch(/^dtp\.json\.unreadable-[0-9a-f]{6}$/);
    expectKept(place, to, [aside]);
    await profiles.update(change);
    expect(readFileSync(join(place.dotfiles, aside), 'utf8')).toBe('hunter2');
    expectKept(place, to, ['dtp.json', aside]);
  });
});
