/** Report uploads and downloads with whole processes and the embedded service, on a terminal, and on a full disk. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openSend } from '../../../src/transport/send.ts';
import { dtp as inProcess, temporaryFolder } from '../../support/context.ts';
import { startProcess } from '../../support/disk.ts';
import { served } from '../../support/embedded-service.ts';
import { dtp, home, type Served, serve } from '../../support/process.ts';
import { hasScript, terminal } from '../../support/terminal.ts';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return { ...real, ...(await import('../../support/disk.ts')).overDisk(real) };
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

test('uploaded, shortened and downloaded again, on loopback and in process', async () => {
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
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  const bin = resolve(import.meta.dirname, '../../../bin/dtp.cjs');
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

test('a link that has expired meanwhile is reported', async () => {
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
  expect(ended.stderr).toMatch(/403 from the signed URL at http:\/\/127.0.0.1:\d+: the URL is invalid or has expired/);
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
    const ended = await run(() => inProcess(down, { cwd, env, openSend: async (options) => openSend(options) }));
    expect(readdirSync(cwd)).toEqual(['r']);
    const is = readFileSync(target, 'utf8') === report ? 'new' : readFileSync(target, 'utf8');
    if (ended?.result.code === 0) {
      expect(is).toBe('new');
      break;
    }
    failed++;
    expect(ended?.result.code).toBe(1);
    expect(ended?.result.stderr).toContain('no space left on the disk');
    expect(['old', 'new']).toContain(is);
  }
  expect(failed).toBeGreaterThan(5);
});

/** A service that responds to an upload when `until` is done. Returns its base URL. */
async function answering(until: Promise<unknown>): Promise<string> {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    await until;
    response.setHeader('content-type', 'application/json').end('{"url":"https://reports.example/r"}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const large = () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'large.html'), Buffer.alloc(5 * 1024 * 1024, 'x'));
  return cwd;
};
const line = 'reports upload --type linting --file large.html';

test.skipIf(!hasScript)('a terminal shows the progress of a large file while it is sent', async () => {
  let seen: () => void = () => undefined;
  const base = await answering(new Promise<void>((done) => (seen = done)));
  const env = { DTP_BASE_URL: base, DTP_API_KEY: 'key-of-the-test' };
  // The response comes only after this has been seen.
  const typed = [['waiting for the service 5.2 MB sent', '']] as const;
  const { code, screen } = await terminal(large(), line, { env, columns: 120, typed, onTyped: seen });
  expect(code, screen).toBe(0);
});

test.skipIf(!hasScript).each([
  [`${line} --no-progress`, {}],
  [line, { DTP_NO_PROGRESS: '1' }],
])('a terminal shows only the final line: %s %j', async (argv, quiet) => {
  const base = await answering(new Promise((done) => setTimeout(done, 1000)));
  const env = { DTP_BASE_URL: base, DTP_API_KEY: 'key-of-the-test', ...quiet };
  const { code, screen } = await terminal(large(), argv, { env, columns: 120 });
  expect(code, screen).toBe(0);
  expect(screen).not.toContain('MiB of');
  expect(screen).toContain('Uploaded the lint report large.html (5.2 MB)');
});

test.skipIf(!hasScript)('--open starts the browser with only the URL', async () => {
  const opened = join(folder, 'opened');
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o755 });
  const env = { ...remote(), PATH: `${folder}:${process.env.PATH}` };
  const { screen } = await terminal(folder, `${upload.join(' ')} --open -o json`, { env, columns: 120 });
  const address = readFileSync(opened, 'utf8');
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/reports\/linting\//);
  expect(screen).toContain(address);
});
