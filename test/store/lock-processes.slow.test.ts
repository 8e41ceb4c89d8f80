/** Stale locks, as whole processes meet them when Linux reuses the number of a dead holder. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events, ndjson, receiver, refusal } from '../support/event-service.ts';
import { dtp, filesInState, serve } from '../support/process.ts';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');
const place = { folder: '' };
beforeEach(() => {
  place.folder = mkdtempSync(join(tmpdir(), 'dtp-lock-'));
});
afterEach(() => rm(place.folder, { recursive: true, force: true }));

const at = (name: string) => join(place.folder, name);

describe.runIf(process.platform === 'linux')('a whole process', () => {
  const boot = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const ticksOf = (pid: number | undefined) =>
    Number(/^.*\) \S(?: \S+){18} (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);

  it('changes the configuration although another process has the number of a killed one', async () => {
    mkdirSync(at('config'), { mode: 0o700 });
    for (const mark of [`${process.pid}.${ticksOf(process.pid) - 1}-${boot()}`, `${process.pid}.7-another-boot`]) {
      writeFileSync(at('config/config.json.lock'), mark);
      writeFileSync(at(`config/config.json.lock.${mark}.0123456789ab`), mark);
      const set = await dtp(place.folder, ['config', 'set', 'workspace', 'w_2']);
      expect([set.code, set.stderr]).toEqual([0, expect.not.stringContaining('error')]);
      expect(readdirSync(at('config'))).toEqual(['config.json']);
    }
  });

  it("delivers a killed post's batches although another process has its number, and neither sends nor deletes those that are being sent", async () => {
    const service = await serve(place.folder);
    // A process name may contain the characters that separate fields.
    symlinkSync('/bin/sleep', at('a) 1 (b'));
    const other = spawn(at('a) 1 (b'), ['600'], { argv0: 'sleep' });
    try {
      await once(other, 'spawn');
      const env = {
        DTP_BASE_URL: service.address,
        DTP_API_KEY: service.key,
        DTP_WORKSPACE_ID: service.workspace_id,
      };
      const { openSend } = receiver(() => refusal);
      const post = ['post', '--body', '-', '--batch-size', '10', '--concurrency', '1'];
      await events(post, { home: place.folder, env, stdin: ndjson(30), openSend });
      const [run] = filesInState(at('state'));
      const spool = (...argv: readonly string[]) =>
        dtp(place.folder, ['events', 'queue', ...argv, '-o', 'json'], { env });
      const states = async () => JSON.parse((await spool('list')).stdout).map(({ state }: { state: string }) => state);

      writeFileSync(at(`state/${run}.lock`), `${other.pid}.${ticksOf(other.pid)}-${boot()}`);
      expect(await states()).toEqual(['busy', 'busy', 'busy']);
      const held = await spool('flush');
      expect([held.code, held.stdout]).toEqual([75, '']);
      const { error } = JSON.parse(held.stderr);
      expect(error.message).toBe('3 batches are still queued, because another process is sending from the queue');
      expect([error.next, error.details.accepted]).toEqual([[{ command: 'dtp events queue list' }], 0]);
      const kept = await spool('drop', '--all', '--yes');
      expect([kept.code, kept.stdout]).toEqual([75, '']);
      const refused = JSON.parse(kept.stderr).error;
      expect(refused.message).toBe('3 batches were not deleted, because another process is sending from the queue');
      expect([refused.next, refused.details]).toEqual([error.next, { dropped: 0, busy: 3 }]);

      writeFileSync(at(`state/${run}.lock`), `${other.pid}.${ticksOf(other.pid) - 1}-${boot()}`);
      expect(await states()).toEqual(['pending', 'pending', 'pending']);
      const flushed = await spool('flush');
      expect([flushed.code, JSON.parse(flushed.stdout).delivered], flushed.stderr).toEqual([0, 30]);
      expect(filesInState(at('state'))).toEqual([]);
    } finally {
      other.kill();
      await service.stop();
    }
  });

  // Only privileged users can create a namespace for the test.
  it.runIf(spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0)(
    'is identified by the number that others see, not by its number inside a namespace',
    async () => {
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const env = {
        DTP_BASE_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
        DTP_API_KEY: 'k-1',
        DTP_WORKSPACE_ID: 'w_1',
      };
      const apart = (...argv: readonly string[]) =>
        spawn('unshare', ['--pid', '--fork', process.execPath, bin, 'events', ...argv], {
          env: { PATH: process.env.PATH, HOME: place.folder, DTP_STATE_DIR: at('state'), ...env },
          stdio: ['ignore', 'pipe', 'ignore'],
        });
      const states = async () => {
        const { stdout } = await dtp(place.folder, ['events', 'queue', 'list', '-o', 'json'], { env });
        const inside = await text(apart('queue', 'list', '-o', 'json').stdout);
        return [stdout, inside].map((list) => JSON.parse(list).map((one: { state: string }) => one.state));
      };
      const post = apart('post', '--body', '{"id":"a","execution_id":"x"}', '--timeout', '1h');
      const ended = once(post, 'close');
      await once(silent, 'request');
      // Not unshare itself, which has to see it end.
      const child = Number(readFileSync(`/proc/${post.pid}/task/${post.pid}/children`, 'utf8'));
      expect(child).toBeGreaterThan(1);
      try {
        expect(await states()).toEqual([['busy'], ['busy']]);
      } finally {
        process.kill(child, 'SIGKILL');
        await ended;
        silent.close();
      }
      expect(await states()).toEqual([['pending'], ['pending']]);
    },
  );
});
