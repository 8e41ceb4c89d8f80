/** Locks: one process works at a time, a dead holder's lock is broken, and a living holder's never is. */
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHeld, type LockHolder, sweepLocks, withFreeLock, withLock } from '../../src/store/lock.ts';

const place = { folder: '' };
beforeEach(() => {
  place.folder = mkdtempSync(join(tmpdir(), 'dtp-lock-'));
});
afterEach(() => rm(place.folder, { recursive: true, force: true }));

const at = (name: string) => join(place.folder, name);
/** Waits for a lock as long as necessary. */
const noTime = () => 0;
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('withLock', () => {
  const holder: LockHolder = {
    now: () => performance.now(),
    sleep: (ms) => sleep(ms),
    pid: 100,
    isAlive: (pid) => pid === 100,
    beganAt: () => undefined,
  };

  /** Runs twenty workers that want the same lock: each runs alone, and nothing is left. */
  async function expectOneAtATime(): Promise<void> {
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
          { ...holder, now: noTime },
        ),
      ),
    );
    expect(state).toEqual({ inside: 0, most: 1, done: 20 });
    expect(readdirSync(place.folder)).toEqual([]);
  }

  /** A clock that only advances when someone sleeps. */
  const still = (isAlive: (pid: number) => boolean): LockHolder => {
    const clock = { time: 0 };
    return {
      now: () => clock.time,
      sleep: async (ms) => {
        clock.time += ms;
      },
      pid: 100,
      isAlive,
      beganAt: () => undefined,
    };
  };

  it('creates a file with the pid, and returns the result', async () => {
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

  it('lets one worker run at a time', async () => {
    await expectOneAtATime();
  });

  it('is released if the work fails', async () => {
    const failure = new Error('no');
    await expect(withLock(at('lock'), () => Promise.reject(failure), holder)).rejects.toBe(failure);
    expect(readdirSync(place.folder)).toEqual([]);
  });

  it('gives up after the time limit, and names the lock and its holder', async () => {
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

  it.each(['', '\n', 'garbage', '-1', '\0'])('does not break a lock that names no process: %j', async (text) => {
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
      facts: { hint: 'Wait until it exits. If it is not a dtp process, delete the file.' },
    });
    expect(readdirSync(place.folder)).toEqual(['lock']);
  });

  it("lets one of many waiting workers break a dead holder's lock", async () => {
    writeFileSync(at('lock'), '4711');
    // One that died while it was breaking the lock.
    writeFileSync(at('lock.break'), '4712');
    await expectOneAtATime();
  });

  it('reports why no lock can be created', async () => {
    await expect(withLock(at('none/lock'), async () => 1, holder)).rejects.toMatchObject({
      code: 'config',
      message: `cannot create the lock ${at('none/lock')}: its folder does not exist`,
    });
  });
});

describe('a reused process number', () => {
  /** Process 100 began at t_9 and 4711 at t_5. The start of 4712 is unknown. */
  const began: Readonly<Record<number, string | undefined>> = { 100: 't_9', 4711: 't_5', 4712: undefined };
  const holder: LockHolder = {
    now: () => performance.now(),
    sleep: (ms) => sleep(ms),
    pid: 100,
    isAlive: (pid) => pid in began,
    beganAt: (pid) => began[pid],
  };

  it('is stored in the lock with the start time', async () => {
    const read = () => readFileSync(at('lock'), 'utf8');
    const done = await withFreeLock(at('lock'), async () => [read(), await isHeld(at('lock'), holder)], holder);
    expect(done?.result).toEqual(['100.t_9', true]);
  });

  it.each([
    ['a living holder', '4711.t_5', true],
    ['a number that another process has now', '4711.t_4', false],
    ['a number that no process has now', '4713.t_5', false],
    ['a holder that the system does not report', '4712.t_4', true],
    ['this very process', '100.t_9', true],
    ['an earlier process with our number', '100.t_8', false],
    ['an old lock with a number in use', '4711', true],
    ['an old lock with an unused number', '4713', false],
    ['an old lock with our number', '100', false],
  ])('%s', async (_, mark, isThere) => {
    writeFileSync(at('a.lock'), mark);
    expect(await isHeld(at('a.lock'), holder)).toBe(isThere);
    const got = await withFreeLock(at('a.lock'), async () => 1, holder, 100);
    expect(got).toEqual(isThere ? undefined : { result: 1 });
    expect(readdirSync(place.folder)).toEqual(isThere ? ['a.lock'] : []);
    const before = `a.lock.break.${mark}.0123456789ab`;
    writeFileSync(at(before), '');
    await sweepLocks(place.folder, [before], holder);
    expect(readdirSync(place.folder).includes(before)).toBe(isThere);
  });

  it('names the holder by its number', async () => {
    writeFileSync(at('lock'), '4711.t_5');
    await expect(withLock(at('lock'), async () => 1, holder, 0)).rejects.toMatchObject({
      message: `the lock ${at('lock')} is held by process 4711`,
    });
  });

  it('lets one worker run at a time in one process', async () => {
    const state = { inside: 0, most: 0, done: 0 };
    writeFileSync(at('lock'), '100.t_8');
    const work = async () => {
      state.most = Math.max(state.most, ++state.inside);
      await sleep(1);
      state.inside--;
      state.done++;
    };
    await Promise.all(Array.from({ length: 20 }, () => withLock(at('lock'), work, { ...holder, now: noTime })));
    expect(state).toEqual({ inside: 0, most: 1, done: 20 });
  });
});

describe('a holder in another container, whose number is meaningless here', () => {
  const alive = (id: string) => `.dtp-alive-${id}`;
  const [living, ended, mine] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', /^\.dtp-alive-[0-9a-f]{12}$/] as const;
  /** Process 7 of this container. A witness is open until it is deleted. */
  const open = new Set<string>();
  const holder: LockHolder = {
    now: () => performance.now(),
    sleep: (ms) => sleep(ms),
    pid: 7,
    isAlive: (pid) => pid === 7,
    beganAt: (pid) => (pid === 7 ? '9-boot' : undefined),
    witness: {
      open: async (path) => {
        writeFileSync(path, '');
        open.add(path);
        return async () => {
          open.delete(path);
          await rm(path);
        };
      },
      isOpen: async (path) => open.has(path),
    },
  };
  beforeEach(() => {
    open.clear();
    open.add(at(alive(living)));
    for (const id of [living, ended]) writeFileSync(at(alive(id)), '');
  });

  it.each([
    ['lives', `1.5-boot.${living}`, true],
    ['is alive, with a number that another process has here', `7.5-boot.${living}`, true],
    ['is alive, and the system does not report its start', `1.-.${living}`, true],
    ['has ended', `1.5-boot.${ended}`, false],
    ['has ended, with a number that another process has here', `7.5-boot.${ended}`, false],
    ['has ended, and its file was deleted', '1.5-boot.cccccccccccc', false],
    ['has no such file', '1.5-boot', false],
  ])('%s', async (_, mark, isThere) => {
    writeFileSync(at('a.lock'), mark);
    expect(await isHeld(at('a.lock'), holder)).toBe(isThere);
    const got = await withFreeLock(at('a.lock'), async () => 1, holder, 100);
    expect(got).toEqual(isThere ? undefined : { result: 1 });
    writeFileSync(at(`a.lock.${mark}.0123456789ab`), '');
    await sweepLocks(place.folder, readdirSync(place.folder), holder);
    const held = [alive(living), 'a.lock', `a.lock.${mark}.0123456789ab`];
    expect(readdirSync(place.folder).sort()).toEqual(isThere ? held : [alive(living)]);
  });

  it('can see this one from before the lock is taken until after it is released', async () => {
    const names = () => readdirSync(place.folder).filter((name) => mine.test(name) && open.has(at(name)));
    const seen: number[] = [];
    const beganAt = (pid: number) => {
      seen.push(names().length);
      return holder.beganAt(pid);
    };
    await withLock(
      at('a.lock'),
      async () => {
        const [, , id] = readFileSync(at('a.lock'), 'utf8').split('.');
        expect(open.has(at(alive(id as string)))).toBe(true);
      },
      { ...holder, beganAt },
    );
    expect(seen[0]).toBe(2);
    expect(names()).toEqual([alive(living)]);
  });

  it('works without a witness if the file system does not support one', async () => {
    const without = { ...holder, witness: { open: async () => undefined, isOpen: async () => false } };
    const text = async () => readFileSync(at('a.lock'), 'utf8');
    expect(await withLock(at('a.lock'), text, without)).toBe('7.9-boot');
  });
});
