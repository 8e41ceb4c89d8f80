/** A misbehaving credential_command: a clear error in time, and no process keeps running. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dtp, home, type Served, serve } from '../support/process.ts';
import { isThere, until } from '../support/stubborn-processes.ts';

/** Longer than the time limit of the commands, and shorter than they would run by themselves. */
const FAR = 20_000;

describe.skipIf(process.platform === 'win32')('a credential command', () => {
  let service: Served;
  const { folder, remove } = home();
  beforeAll(async () => {
    service = await serve(folder, ['--ephemeral']);
  });
  afterAll(async () => {
    await service.stop();
    remove();
  });

  /** Runs a command that needs the credential. `pids` are the process ids that `command` wrote to the file. */
  async function run(command: string) {
    const own = home();
    const file = join(own.folder, 'pids');
    try {
      mkdirSync(join(own.folder, 'config'), { mode: 0o700 });
      const profile = {
        base_url: service.address,
        credential_command: command.replaceAll('PIDS', file).replaceAll('KEY', service.key),
      };
      writeFileSync(join(own.folder, 'config/config.json'), JSON.stringify({ profiles: { default: profile } }), {
        mode: 0o600,
      });
      const start = performance.now();
      const ended = await dtp(own.folder, ['ws', 'current', '--error-format', 'text']);
      const pids = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
      return { ...ended, pids, elapsedMs: performance.now() - start };
    } finally {
      own.remove();
    }
  }

  const fails: readonly (readonly [what: string, command: string, message: string])[] = [
    [
      'leaves a child that holds its output',
      'sleep 60 & echo $! > PIDS; echo KEY',
      'left a background process that keeps its output open',
    ],
    ['prints without end', 'echo $$ > PIDS; yes KEY', 'printed more than 64 KiB'],
    ['prints too much and exits', 'head -c 70000 /dev/zero', 'printed more than 64 KiB'],
    ['hears no SIGTERM', "trap '' TERM; echo $$ > PIDS; while :; do sleep 1; done", 'took longer than 3 s'],
    [
      'closes its output and goes on',
      "trap '' TERM HUP; echo $$ > PIDS; exec 1>&-; while :; do sleep 1; done",
      'took longer than 3 s',
    ],
    ['has children that ignore SIGTERM', 'sh -c \'trap "" TERM; echo $$ > PIDS; sleep 60; :\'', 'took longer than 3 s'],
    ['stops itself', 'echo $$ > PIDS; kill -STOP $$; echo KEY', 'took longer than 3 s'],
    ['fails with a child that continues', 'sleep 60 & echo $! > PIDS; exit 7', 'exited with 7'],
    ['is killed', 'kill -9 $$', 'was killed by SIGKILL'],
    ['does not exist', 'exec no-such-command-here 2>/dev/null', 'exited with 127'],
    ['cannot be started', 'echo \0', 'cannot be started: '],
    ['prints nothing', ':', 'printed nothing'],
  ];

  test.each(fails)('that %s', async (_, command, message) => {
    const { code, stdout, stderr, pids, elapsedMs } = await run(command);
    expect([code, stdout], stderr).toEqual([3, '']);
    // A killed program may have written part of a line.
    expect(stderr).toMatch(/error: the credential[ _]command /);
    expect(stderr).toContain(message);
    expect(stderr).toContain('try: dtp config get credential_command --profile default');
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr).not.toContain(service.key);
    expect(elapsedMs).toBeLessThan(FAR);
    for (const pid of pids) await until(() => !isThere(pid));
  });

  test('that leaves a process outside of its group, which holds its output', async () => {
    const far = "setsid sh -c 'echo $$ > PIDS; exec sleep 60' 2>/dev/null &";
    const { code, stderr, pids, elapsedMs } = await run(`${far} echo KEY`);
    for (const pid of pids) process.kill(pid);
    expect([code, pids.length], stderr).toEqual([3, 1]);
    expect(stderr).toContain('left a background process that keeps its output open');
    expect(elapsedMs).toBeLessThan(FAR);
  });

  test.each([
    ['prints the credential', 'echo KEY'],
    ['leaves a child that holds nothing of it', 'sleep 1 >/dev/null 2>&1 & echo KEY'],
    ['prints in pieces', 'for one in KEY; do printf %s "$one"; sleep 0.1; echo; done'],
  ])('that %s', async (_, command) => {
    const { code, stderr } = await run(command);
    expect(code, stderr).toBe(0);
  });
});
