/** Reports up and down with whole processes and the embedded service, on a terminal, and on a disk that is full. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openSend } from '../src/transport/send.ts';
import { dtp as inProcess, temporaryFolder } from './support/context.ts';
import { startProcess } from './support/disk.ts';
import { dtp, home, type Served, serve } from './support/process.ts';
import { served } from './support/served.ts';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return { ...real, ...(await import('./support/disk.ts')).overDisk(real) };
});

const { folder, remove } = home();
const report = `<title>report</title>${'x'.repeat(3_000_000)}`;
const md5 = createHash('md5').update(report).digest('hex');
const upload = ['reports', 'upload', '--type', 'linting', '--file', 'report.html'];
let service: Served;

beforeAll(async () => {
  writeFileSync(join(folder, 'report.html'), report);
  service = await serve(folder, ['--ephemeral']);
});
afterAll(async () => {
  await service.stop();
  remove();
});

const remote = () => ({ DTP_BASE_URL: service.address, DTP_API_KEY: service.key });

test('up, shortened, and down again, over loopback and in process', async () => {
  for (const [name, env] of [
    ['over', remote()],
    ['in', { DTP_PROFILE: 'local' }],
  ] as const) {
    const up = await dtp(folder, [...upload, '--shorten'], { env });
    expect(up.code, up.stderr).toBe(0);
    expect(up.stderr).toContain(`report.html: 3,000,021 bytes, md5 ${md5}, sha256 `);
    expect(JSON.parse(up.stdout)).toMatchObject({ url: expect.any(String), short_url: expect.any(String) });
    const down = await dtp(folder, ['reports', 'linting-url', md5, '--download', `${name}.html`], { env });
    expect([down.code, down.stderr]).toEqual([0, '']);
    expect(readFileSync(join(folder, `${name}.html`), 'utf8')).toBe(report);
  }
});

test('an interrupt leaves nothing behind', async () => {
  const cwd = temporaryFolder();
  const slow = spawn(
    process.execPath,
    [
      '-e',
      `require('node:http').createServer((q, r) => {
        if (q.url.startsWith('/v1')) return r.end(JSON.stringify({ url: 'http://' + q.headers.host + '/r' }));
        r.writeHead(200, { 'content-length': 100 }); r.write('half'); console.log('half');
      }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const said = () => new Promise<string>((done) => slow.stdout.once('data', (data) => done(String(data))));
  const env = {
    ...remote(),
    DTP_BASE_URL: `http://127.0.0.1:${(await said()).trim()}`,
    PATH: process.env.PATH ?? '',
    HOME: cwd,
  };
  const bin = resolve(import.meta.dirname, '../bin/dtp.cjs');
  const child = spawn(process.execPath, [bin, 'reports', 'linting-url', md5, '--download', 'r'], {
    cwd,
    env,
    stdio: 'ignore',
  });
  await said();
  child.kill('SIGINT');
  expect(await new Promise((done) => child.on('close', done))).toBe(130);
  slow.kill();
  expect(readdirSync(cwd)).toEqual([]);
});

test('a link that has expired meanwhile is told', async () => {
  const own = await served();
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'report.html'), 'x');
  const world = {
    cwd,
    env: { DTP_BASE_URL: own.address, DTP_API_KEY: own.key },
    openSend: async (options: Parameters<typeof openSend>[0]) => {
      const sender = openSend(options);
      return {
        ...sender,
        send: async (...request: Parameters<typeof sender.send>) => {
          const answer = await sender.send(...request);
          own.wait(2 * 3600 * 1000);
          return answer;
        },
      };
    },
  };
  expect((await inProcess(upload, world)).code).toBe(0);
  const checksum = createHash('md5').update('x').digest('hex');
  const ended = await inProcess(['reports', 'linting-url', checksum, '--download', 'r'], world);
  expect(ended).toMatchObject({ code: 5, stdout: '' });
  expect(ended.stderr).toMatch(/403 from the signed address at http:\/\/127.0.0.1:\d+: it has expired/);
  expect(readdirSync(cwd)).toEqual(['report.html']);
  await own.close();
});

test('a disk that is full at any moment leaves the old file or the new one', async () => {
  const cwd = temporaryFolder();
  const target = join(cwd, 'r');
  const env = remote();
  expect((await dtp(folder, upload, { env })).code).toBe(0);
  const down = ['reports', 'linting-url', md5, '--download', 'r', '--force'];
  let failed = 0;
  for (let after = 0; ; after++) {
    writeFileSync(target, 'old');
    const { run } = startProcess(cwd, { what: 'full', after });
    const ended = await run(() =>
      inProcess(down, { cwd, env, openSend: async (options) => openSend(options) }),
    );
    expect(readdirSync(cwd)).toEqual(['r']);
    const is = readFileSync(target, 'utf8') === report ? 'new' : readFileSync(target, 'utf8');
    if (ended?.result.code === 0) {
      expect(is).toBe('new');
      break;
    }
    failed++;
    expect(ended?.result.code).toBe(1);
    expect(ended?.result.stderr).toContain('no space is left on the disk');
    expect(['old', 'new']).toContain(is);
  }
  expect(failed).toBeGreaterThan(5);
});

const hasScript = (() => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
})();

/** Runs a command line on a terminal, with an `xdg-open` that writes down what it is given. */
function onTerminal(line: string, more: Record<string, string> = {}): Promise<string> {
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${join(folder, 'opened')}'\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const bin = resolve(import.meta.dirname, '../bin/dtp.cjs');
  const child = spawn('script', ['-qec', `stty cols 120; ${process.execPath} ${bin} ${line}`, '/dev/null'], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      TERM: 'xterm-256color',
      ...remote(),
      ...more,
    },
  });
  let screen = '';
  child.stdout.on('data', (chunk) => {
    screen += chunk;
  });
  return new Promise((done) => child.on('close', () => done(screen.replaceAll('\r', ''))));
}

test.skipIf(!hasScript)('a terminal sees how far a large file is, but not with --no-progress', async () => {
  writeFileSync(join(folder, 'large.html'), Buffer.alloc(96 * 1024 * 1024, 'x'));
  const line = 'reports upload --type linting --file large.html';
  expect(await onTerminal(line)).toMatch(/large\.html: [\d.]+ MiB of 96\.0 MiB/);
  for (const screen of [
    await onTerminal(`${line} --no-progress`),
    await onTerminal(line, { DTP_NO_PROGRESS: '1' }),
  ]) {
    expect(screen).not.toMatch(/MiB of/);
    expect(screen).toContain('large.html: 100,663,296 bytes, md5 ');
  }
  rmSync(join(folder, 'large.html'));
});

test.skipIf(!hasScript)('--open starts the browser with the address alone', async () => {
  const screen = await onTerminal(`${upload.join(' ')} --open -o json`);
  const opened = readFileSync(join(folder, 'opened'), 'utf8');
  expect(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/reports\/linting\//);
  expect(screen).toContain(opened);
});
