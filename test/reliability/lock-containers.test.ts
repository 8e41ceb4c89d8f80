/** Locks of processes that are stopped, that are zombies, or that run in another container. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/context.ts';
import { dtp, filesInState, home } from '../support/process.ts';
import { until } from '../support/stubborn-processes.ts';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');

/** As in a container: separate process ids, a separate /proc, and a shared folder. */
const container = ['unshare', '--pid', '--fork', '--mount-proc'];
const hasContainers = spawnSync(container[0] as string, [...container.slice(1), 'true']).status === 0;
if (!hasContainers) process.stdout.write('skipped: this user may not create pid namespaces with unshare\n');

describe.runIf(process.platform === 'linux')('a post that is still running', () => {
  let waiting = 0;
  let status = 0;
  const server = http.createServer((request, response) => {
    request.resume();
    if (status > 0) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    else waiting++;
  });
  let env: Readonly<Record<string, string>> = {};
  const place = { folder: '', state: 'state', remove: () => {} };
  const state = () => join(place.folder, place.state);
  const started: { readonly post: ChildProcess; readonly pid: number }[] = [];

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    env = { DTP_BASE_URL: `http://127.0.0.1:${port}`, DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    [waiting, status] = [0, 0];
    Object.assign(place, home(), { state: 'state' });
  });
  afterEach(() => {
    for (const { post, pid } of started.splice(0)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Killed by the test.
      }
      post.kill('SIGKILL');
    }
    place.remove();
  });

  const all = () => ({ PATH: process.env.PATH, HOME: place.folder, DTP_STATE_DIR: state(), ...env });
  const run = (before: readonly string[], argv: readonly string[]) => {
    const [program, ...args] = [...before, process.execPath, bin, 'events', ...argv];
    return spawn(program as string, args, { env: all(), stdio: ['ignore', 'pipe', 'pipe'] });
  };

  /**
   * Starts a post with `before` in front of it. Resolves, with its process id as seen from here, when it waits
   * for its answer.
   */
  async function post(before: readonly string[]): Promise<number> {
    const child = run(before, ['post', '--body', '{"id":"a","execution_id":"x"}', '--timeout', '1h']);
    const ends = once(child, 'close').then(() => {
      throw new Error('the post has exited');
    });
    ends.catch(() => undefined);
    await Promise.race([until(() => waiting > 0), ends]);
    const pid = childOf(child.pid as number) ?? (child.pid as number);
    started.push({ post: child, pid });
    return pid;
  }

  const childOf = (pid: number) => {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return first ? Number(first) : undefined;
  };

  /** The states of the batches, as listed with `before` in front. */
  async function states(before: readonly string[]): Promise<readonly string[]> {
    const list = await text(run(before, ['queue', 'list', '-o', 'json']).stdout);
    return JSON.parse(list).map((one: { state: string }) => one.state);
  }

  async function flush(before: readonly string[]) {
    const child = run(before, ['queue', 'flush']);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return { code, stderr };
  }

  /** While it is stopped, `sees` finds it holding its lock. Once it is killed, they get the batch. */
  async function expectHeldUntilItEnds(pid: number, sees: readonly (readonly string[])[]) {
    for (const by of ['SIGCONT', 'SIGSTOP'] as const) {
      process.kill(pid, by);
      for (const before of sees) {
        expect(await states(before), `after ${by}`).toEqual(['busy']);
        expect(await flush(before), `after ${by}`).toMatchObject({
          code: 75,
          stderr: expect.stringContaining('1 batch is still queued'),
        });
      }
    }
    process.kill(pid, 'SIGKILL');
    await until(() => !existsSync(`/proc/${pid}`));
    status = 200;
    for (const before of sees) expect(await states(before)).toEqual(['pending']);
    expect(await flush(sees[0] as readonly string[])).toMatchObject({ code: 0 });
    expect(filesInState(state())).toEqual([]);
  }

  test('holds its lock while it is stopped', async () => {
    await expectHeldUntilItEnds(await post([]), [[]]);
  });

  test('loses its lock when it is killed, even if its parent does not wait for it', async () => {
    // The shell becomes a program that does not know it has a child.
    const parent = ['sh', '-c', '"$@" & exec sleep 600', 'sh'];
    const pid = await post(parent);
    expect(await states([])).toEqual(['busy']);
    process.kill(pid, 'SIGKILL');
    const stateOf = () => /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    await until(() => stateOf() === 'Z');
    status = 200;
    expect(await states([])).toEqual(['pending']);
    expect(await flush([])).toMatchObject({ code: 0 });
    expect(stateOf()).toBe('Z');
    expect(filesInState(state())).toEqual([]);
  });

  describe.runIf(hasContainers)('in a container', () => {
    test.each([
      ['another container', [container]],
      ['the host', [[]]],
      ['both', [container, []]],
    ])('holds its lock as %s sees it, and loses it when it is killed', async (_, sees) => {
      await expectHeldUntilItEnds(await post(container), sees);
    });

    test('on the host, is seen from a container', async () => {
      await expectHeldUntilItEnds(await post([]), [container]);
    });

    test('is seen even if the path of the folder is too long for a socket', async () => {
      place.state = 'x'.repeat(200);
      await expectHeldUntilItEnds(await post(container), [container]);
    });
  });
});

describe.runIf(process.platform === 'linux')('the configuration', () => {
  test('can be changed although a zombie, or a socket without a listener, holds its lock', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'config'), { mode: 0o700 });
    // The shell becomes a program that does not know it has a child. Killed earlier, the child would be the shell's.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = await once(parent.stdout, 'data');
      const pid = Number(line);
      const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n');
      process.kill(pid, 'SIGKILL');
      await until(() => stat()[0] === 'Z');
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const began = `${pid}.${stat()[19]}-${boot}`;
      const dead =
        'const { createServer } = require("node:net");' +
        'createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))';
      const socket = join(folder, 'config/.dtp-alive-0123456789ab');
      spawnSync(process.execPath, ['-e', dead, socket]);
      for (const mark of [String(pid), began, `${began}.0123456789ab`, `${began}.ba9876543210`]) {
        writeFileSync(join(folder, 'config/config.json.lock'), mark);
        const set = await dtp(folder, ['config', 'set', 'workspace', 'w_2']);
        expect([set.code, stat()[0]], `${mark}: ${set.stderr}`).toEqual([0, 'Z']);
        expect(readdirSync(join(folder, 'config'))).toEqual(['config.json']);
      }
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
