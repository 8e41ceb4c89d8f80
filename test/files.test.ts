/** Files that are whole or not there, and locks. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileWhole } from '../src/store/files.ts';
import { type LockHolder, withLock } from '../src/store/lock.ts';

const place = { folder: '' };
beforeEach(() => {
  place.folder = mkdtempSync(join(tmpdir(), 'dtp-files-'));
});
afterEach(() => rm(place.folder, { recursive: true, force: true }));

const at = (name: string) => join(place.folder, name);
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

async function* chunks(...all: string[]) {
  for (const one of all) yield Buffer.from(one);
}

describe('writeFileWhole', () => {
  it.each([
    ['text', () => 'é one'],
    ['bytes', () => Buffer.from('é one')],
    ['chunks', () => chunks('é ', 'o', 'ne')],
  ])('writes %s, privately, with nothing beside it', async (_, content) => {
    await writeFileWhole(at('a'), content(), { replace: false });
    expect(readFileSync(at('a'), 'utf8')).toBe('é one');
    expect(modeOf(at('a'))).toBe('600');
    expect(readdirSync(place.folder)).toEqual(['a']);
  });

  it('gives the mode that is asked for', async () => {
    await writeFileWhole(at('a'), 'x', { replace: false, mode: 0o640 });
    expect(modeOf(at('a'))).toBe('640');
  });

  it('writes more than a pipe or a page holds', async () => {
    const large = Buffer.alloc(3_000_001, 'x');
    await writeFileWhole(at('a'), large, { replace: false });
    expect(readFileSync(at('a')).equals(large)).toBe(true);
  });

  it('replaces a file only where it may', async () => {
    writeFileSync(at('a'), 'old', { mode: 0o644 });
    await expect(writeFileWhole(at('a'), 'new', { replace: false })).rejects.toMatchObject({
      code: 'usage',
      message: `cannot write ${at('a')}: it is already there`,
      facts: { hint: 'Replace it with --force.' },
    });
    expect(readFileSync(at('a'), 'utf8')).toBe('old');
    await writeFileWhole(at('a'), 'new', { replace: true });
    expect(readFileSync(at('a'), 'utf8')).toBe('new');
    expect(modeOf(at('a'))).toBe('600');
    expect(readdirSync(place.folder)).toEqual(['a']);
  });

  it('asks for no content where it may not write', async () => {
    writeFileSync(at('a'), 'old');
    let asked = false;
    const content = (async function* () {
      asked = true;
      yield Buffer.from('x');
    })();
    await expect(writeFileWhole(at('a'), content, { replace: false })).rejects.toThrow('already there');
    expect(asked).toBe(false);
  });

  it('does not overwrite a file that came up in the meantime', async () => {
    const content = (async function* () {
      yield Buffer.from('mine');
      writeFileSync(at('a'), 'theirs');
    })();
    await expect(writeFileWhole(at('a'), content, { replace: false })).rejects.toMatchObject({
      code: 'usage',
    });
    expect(readFileSync(at('a'), 'utf8')).toBe('theirs');
    expect(readdirSync(place.folder)).toEqual(['a']);
  });

  it('leaves what was there, and nothing beside it, where the content fails', async () => {
    writeFileSync(at('a'), 'old');
    const failure = new Error('reset');
    const content = (async function* () {
      yield Buffer.from('half');
      throw failure;
    })();
    await expect(writeFileWhole(at('a'), content, { replace: true })).rejects.toBe(failure);
    expect(readFileSync(at('a'), 'utf8')).toBe('old');
    expect(readdirSync(place.folder)).toEqual(['a']);
  });

  it('refuses links, folders, devices and pipes', async () => {
    writeFileSync(at('target'), 'old');
    symlinkSync(at('target'), at('link'));
    symlinkSync(at('nowhere'), at('dangling'));
    await mkdir(at('folder'));
    execFileSync('mkfifo', [at('pipe')]);
    for (const [name, kind] of [
      ['link', 'a symbolic link'],
      ['dangling', 'a symbolic link'],
      ['folder', 'a folder'],
      ['pipe', 'a device'],
      ['/dev/null', 'a device'],
    ] as const) {
      const path = name.startsWith('/') ? name : at(name);
      await expect(writeFileWhole(path, 'x', { replace: true })).rejects.toMatchObject({
        code: 'usage',
        message: `cannot write ${path}: it is ${kind}, not a file`,
      });
    }
    expect(readFileSync(at('target'), 'utf8')).toBe('old');
    expect(readdirSync(place.folder).sort()).toEqual(['dangling', 'folder', 'link', 'pipe', 'target']);
  });

  it.each([
    ['none/a', 'its folder is not there'],
    ['file/a', 'a part of its path is not a folder'],
    ['n'.repeat(300), 'its name is too long'],
  ])('says what is wrong with %s', async (name, reason) => {
    writeFileSync(at('file'), '');
    await expect(writeFileWhole(at(name), 'x', { replace: true })).rejects.toMatchObject({
      code: 'usage',
      message: `cannot write ${at(name)}: ${reason}`,
    });
  });
});

describe('withLock', () => {
  const holder: LockHolder = {
    now: () => performance.now(),
    sleep: (ms) => sleep(ms),
    pid: 100,
    isAlive: (pid) => pid === 100,
  };

  /** A clock that goes on only when someone sleeps. */
  const still = (isAlive: (pid: number) => boolean): LockHolder => {
    const clock = { time: 0 };
    return {
      now: () => clock.time,
      sleep: async (ms) => {
        clock.time += ms;
      },
      pid: 100,
      isAlive,
    };
  };

  it('holds a file with the pid, and gives the result', async () => {
    const result = await withLock(
      at('lock'),
      async () => {
        expect(readFileSync(at('lock'), 'utf8')).toBe('100');
        expect(modeOf(at('lock'))).toBe('600');
        expect(readdirSync(place.folder)).toEqual(['lock']);
        return 7;
      },
      holder,
    );
    expect(result).toBe(7);
    expect(readdirSync(place.folder)).toEqual([]);
  });

  it('lets one work at a time', async () => {
    const state = { inside: 0, most: 0, done: 0 };
    await Promise.all(
      Array.from({ length: 20 }, () =>
        withLock(
          at('lock'),
          async () => {
            state.most = Math.max(state.most, ++state.inside);
            await sleep(1);
            state.inside--;
            state.done++;
          },
          holder,
        ),
      ),
    );
    expect(state).toEqual({ inside: 0, most: 1, done: 20 });
    expect(readdirSync(place.folder)).toEqual([]);
  });

  it('is released where the work fails', async () => {
    const failure = new Error('no');
    await expect(withLock(at('lock'), () => Promise.reject(failure), holder)).rejects.toBe(failure);
    expect(readdirSync(place.folder)).toEqual([]);
  });

  it('gives up after its time, and names the lock and its holder', async () => {
    writeFileSync(at('lock'), '4711');
    const clock = still(() => true);
    await expect(withLock(at('lock'), async () => 1, clock)).rejects.toMatchObject({
      code: 'config',
      message: `the lock ${at('lock')} is held by process 4711`,
    });
    expect(clock.now()).toBe(10_000);
    expect(readdirSync(place.folder)).toEqual(['lock']);
    expect(readFileSync(at('lock'), 'utf8')).toBe('4711');
  });

  it.each(['', '\n', 'garbage', '-1', '\0'])(
    'leaves alone a lock that names no process: %j',
    async (text) => {
      writeFileSync(at('lock'), text);
      await expect(
        withLock(
          at('lock'),
          async () => 1,
          still(() => false),
          50,
        ),
      ).rejects.toMatchObject({
        message: `the lock ${at('lock')} is held by another process`,
        facts: { hint: 'Wait until it has ended; if it is no dtp, remove the file.' },
      });
      expect(readdirSync(place.folder)).toEqual(['lock']);
    },
  );

  it("breaks a dead holder's lock, by one of many that wait", async () => {
    writeFileSync(at('lock'), '4711');
    // One that died while it was breaking it.
    writeFileSync(at('lock.break'), '4712');
    const state = { inside: 0, most: 0, done: 0 };
    await Promise.all(
      Array.from({ length: 20 }, () =>
        withLock(
          at('lock'),
          async () => {
            state.most = Math.max(state.most, ++state.inside);
            await sleep(1);
            state.inside--;
            state.done++;
          },
          holder,
        ),
      ),
    );
    expect(state).toEqual({ inside: 0, most: 1, done: 20 });
    expect(readdirSync(place.folder)).toEqual([]);
  });

  it('says why no lock can be made', async () => {
    await expect(withLock(at('none/lock'), async () => 1, holder)).rejects.toMatchObject({
      code: 'config',
      message: `cannot make the lock ${at('none/lock')}: its folder is not there`,
    });
  });
});
