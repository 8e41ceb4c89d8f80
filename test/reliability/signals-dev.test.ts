/**
 * A signal while `dtp dev` runs a command: the command gets it once, exits by itself, and has the service until
 * then.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dtp, home, start } from '../support/process.ts';
import { type Manner, reporting } from '../support/signal-reporter.ts';
import { codes, isThere, signals, spooled, until, writePreload } from '../support/stubborn-processes.ts';
import { hasScript, terminal } from '../support/terminal.ts';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');

/** A home with an empty, separate temporary folder. */
function world() {
  const { folder, remove } = home();
  onTestFinished(remove);
  const TMPDIR = join(folder, 'tmp');
  mkdirSync(TMPDIR);
  return { folder, env: { TMPDIR, DTP_ERROR_FORMAT: 'text' }, temporary: () => readdirSync(TMPDIR) };
}

/** How a process exited, with its output. */
function endOf(child: ChildProcess) {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) =>
    child.on('close', (code) => done({ code, stdout, stderr })),
  );
  return { ended, stdout: () => stdout };
}

/** The tool with a program that reports signals, in a separate process group. */
async function running(manner: Manner) {
  const { folder, env, temporary } = world();
  const report = reporting(folder, manner);
  const child = spawn(process.execPath, [bin, 'dev', '--ephemeral', '--', ...report.argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    detached: true,
  });
  const { ended, stdout } = endOf(child);
  const { pid } = await report.up();
  return { child, group: -(child.pid as number), ended, stdout, report, pid, temporary };
}

const answered = Array.from({ length: 20 }, () => '401');

describe.each(signals)('%s', (signal) => {
  test.each([
    ['this process only', (pid: number) => pid],
    ['the whole process group', (_: number, group: number) => group],
  ])('to %s reaches the command once, which exits before the service', async (_, target) => {
    const { child, group, ended, report, temporary } = await running('ends');
    process.kill(target(child.pid as number, group), signal);
    expect(await ended).toEqual({ code: 42, stdout: 'up\nthe last line\n', stderr: '' });
    expect([report.signals(), report.answers()]).toEqual([[signal], answered]);
    expect(temporary()).toEqual([]);
  });

  test('the tool waits for a command that ignores the signal; a second signal ends both at once', async () => {
    const { child, ended, stdout, report, pid, temporary } = await running('stays');
    child.kill(signal);
    const said = `up\ngot ${signal}\n`;
    await until(() => stdout() === said);
    expect([child.exitCode, isThere(pid)]).toEqual([null, true]);
    child.kill(signal);
    expect(await ended).toEqual({ code: codes[signal], stdout: said, stderr: '' });
    await until(() => !isThere(pid));
    expect([report.signals(), temporary()]).toEqual([[signal], []]);
  });
});

test('a command that is killed', async () => {
  const { ended, pid, temporary } = await running('stays');
  process.kill(pid, 'SIGKILL');
  expect(await ended).toEqual({ code: 128 + 9, stdout: 'up\n', stderr: '' });
  expect(temporary()).toEqual([]);
});

/**
 * A command that posts 30 events, which are one batch, to a service that does not answer. As soon as the batch
 * is queued, it prints where.
 */
function posting(folder: string): readonly string[] {
  const events = Array.from({ length: 30 }, (_, index) => `{"id":"e_${index}"}\n`);
  writeFileSync(join(folder, 'events.ndjson'), events.join(''));
  writeFileSync(
    join(folder, 'post.sh'),
    `batches() { find "$DTP_STATE_DIR" -name '*.batch' 2>/dev/null | wc -l; }
     (until [ "$(batches)" -eq 1 ]; do sleep 0.1; done; echo "queued in $DTP_STATE_DIR.") &
     exec ${process.execPath} ${bin} events post --body @events.ndjson \n`,
  );
  return ['--latency', '5m', '--', 'sh', 'post.sh'];
}

/** The summary is printed however slow the machine is. */
const slowly = ({ folder, env }: { folder: string; env: Record<string, string> }) => ({
  ...env,
  ...writePreload(folder).env,
});

const queued = /queued in (.*)\./;
const summary = 'interrupted: 0 events delivered, 30 queued';
const warning = 'warning: 30 events were not delivered and are lost, because the service is ephemeral\n';

test("events not delivered to an ephemeral service are counted, and do not touch the user's spool", async () => {
  const { folder, env, temporary } = world();
  const child = start(folder, ['dev', '--ephemeral', ...posting(folder)], { env: slowly({ folder, env }) });
  const { ended, stdout } = endOf(child);
  await until(() => queued.test(stdout()));
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(130);
  expect(stderr).toContain(summary);
  expect(stderr).toContain(warning);
  expect([spooled(folder), temporary()]).toEqual([[], []]);
});

test('events not delivered to a permanent service are delivered by the command that the error names', async () => {
  const { folder, env } = world();
  const child = start(folder, ['dev', '--data', 'a store', ...posting(folder)], {
    env: slowly({ folder, env }),
  });
  const { ended, stdout } = endOf(child);
  await until(() => queued.test(stdout()));
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect([code, spooled(folder)], stderr).toEqual([130, []]);
  expect(stderr).toContain(summary);
  const [, state] = queued.exec(stdout()) ?? [];
  const [, port] = /30 events for http:\/\/127\.0\.0\.1:(\d+) are queued/.exec(stderr) ?? [];
  expect(stderr).toContain(`are queued in ${state}; deliver them with: dtp dev --port ${port} --data 'a store' -- `);
  expect(stderr).toContain(' -- dtp events queue flush\n');

  const flush = ['--', process.execPath, bin, 'events', 'queue', 'flush', '-o', 'json'];
  const again = await dtp(folder, ['dev', '--port', String(port), '--data', 'a store', ...flush], { env });
  expect([again.code, again.stderr]).toEqual([0, '']);
  expect(JSON.parse(again.stdout)).toMatchObject({ delivered: 30, pending: 0 });
});

describe.skipIf(!hasScript)('on a terminal', () => {
  /** Bash continues after its command, unless the signal itself killed that. */
  const shell = { SHELL: 'bash' };
  const control = { c: '\u0003' };
  const line = (argv: readonly string[]) => `dev --ephemeral -- ${argv.join(' ')} $PPID; echo "code=$?"`;

  test('Ctrl-C reaches the command once, which exits before the service', async () => {
    const { folder, env, temporary } = world();
    const report = reporting(folder, 'ends');
    const { screen } = await terminal(folder, line(report.argv), {
      env: { ...env, ...shell },
      typed: [['up\r\n', control.c]],
    });
    expect(screen).toBe('up\n^Cthe last line\ncode=42\n');
    expect([report.signals(), report.answers(), temporary()]).toEqual([['SIGINT'], answered, []]);
  });

  test('a second Ctrl-C ends both at once', async () => {
    const { folder, env, temporary } = world();
    const report = reporting(folder, 'stays');
    const ended = terminal(folder, line(report.argv), {
      env: { ...env, ...shell },
      // Two signals at the same moment count as one, so a busy machine may need a third.
      typed: [['up\r\n', control.c], ...Array.from({ length: 50 }, () => ['got SIGINT', control.c] as const)],
    });
    expect((await ended).screen).toContain('code=130\n');
    const { pid } = await report.up();
    await until(() => !isThere(pid));
    expect(temporary()).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s to this process only', async (signal) => {
    const { folder, env, temporary } = world();
    const report = reporting(folder, 'ends');
    const ended = terminal(folder, line(report.argv), { env: { ...env, ...shell } });
    process.kill((await report.up()).parent, signal);
    expect((await ended).screen).toBe('up\nthe last line\ncode=42\n');
    expect([report.signals(), report.answers(), temporary()]).toEqual([[signal], answered, []]);
  });

  test('a terminal that closes', async () => {
    const { folder, env, temporary } = world();
    const report = reporting(folder, 'ends');
    const ended = terminal(folder, line(report.argv), { env: { ...env, ...shell } });
    const { pid, parent, extra } = await report.up();
    process.kill(Number(extra[0]), 'SIGKILL');
    await ended;
    await until(() => !isThere(pid) && !isThere(parent));
    expect([report.signals(), report.answers(), temporary()]).toEqual([['SIGHUP'], answered, []]);
  });

  test('Ctrl-C while events are sent: the outcome is reported', async () => {
    const { folder, env } = world();
    const { code, screen } = await terminal(folder, `dev --ephemeral ${posting(folder).join(' ')}`, {
      env: { ...slowly({ folder, env }), ...shell },
      typed: [['queued in', control.c]],
    });
    expect(code, screen).toBe(130);
    expect(screen).toContain(summary);
    // Wrapped to the width of the terminal.
    expect(screen.replace(/\s+/g, ' ')).toContain(warning.trim());
    expect(spooled(folder)).toEqual([]);
  });
});
