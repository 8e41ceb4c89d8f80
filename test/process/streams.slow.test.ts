/** The whole process and its streams: pipes, full disks, signals, deadlines, files. */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dtp, home, serve, start } from '../support/process.ts';
import { writePreload } from '../support/stubborn-processes.ts';

const { folder, remove } = home();
const sockets = new Set<Socket>();
let address = '';
let arrived: (() => void) | undefined;

/**
 * Answers `/v1/workspaces` with a long list, `/v1/user` with a record, the blob with bytes, and no other
 * request.
 */
const server = http.createServer((request, response) => {
  if (request.url === '/v1/workspaces') {
    const rows = Array.from({ length: 200_000 }, (_, index) => ({
      id: `w_${index}`,
      name: 'a workspace with a name',
    }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify(rows));
  } else if (request.url === '/v1/auth/validate') response.end('{"workspace_id":"w_1"}');
  else if (request.url === '/v1/user') response.end('{"id":"u_1","email":"a@example.test"}');
  else if (request.url?.endsWith('/preflight')) response.end('{"auth_token":"t-1"}');
  else if (request.url?.includes('/blobs/')) response.end(Buffer.from([0, 255, 1, 254]));
  else if (request.url === '/v1/organizations') response.writeHead(500).end('{"message":"broken"}');
  else if (request.url?.endsWith('/tokens')) response.end(`[{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}]`);
  else if (request.url?.endsWith('/settings'))
    response.writeHead(500).end(`{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
  else if (request.url === '/v1/reports') request.resume();
  else arrived?.();
});

beforeAll(async () => {
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  remove();
});

const env = () => ({
  DTP_BASE_URL: address,
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ERROR_FORMAT: 'text',
});
const run = (argv: readonly string[]) => dtp(folder, argv, { env: env() });

test('a long result is complete', async () => {
  const { code, stdout } = await run(['ws', 'list', '-o', 'ndjson']);
  const lines = stdout.split('\n');
  expect([code, lines.length, lines.at(-1)]).toEqual([0, 200_001, '']);
  expect(JSON.parse(lines[199_999] as string)).toMatchObject({ id: 'w_199999' });
});

test('a reader that closes early is not an error', async () => {
  const child = start(folder, ['ws', 'list', '-o', 'ndjson'], { env: env() });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((done) => child.on('close', done));
  expect([code, errors]).toEqual([0, '']);
});

test.skipIf(!existsSync('/dev/full'))('a full disk is an error', async () => {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../../bin/dtp.cjs'), 'auth', 'user'], {
    env: { HOME: folder, ...env() },
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((done) => child.on('close', done));
  expect(code).toBe(1);
  expect(errors).toContain('no space left on the disk');
});

test.skipIf(!existsSync('/dev/full'))('help and serve fail on a full disk, and exit', async () => {
  for (const argv of [['--help'], ['serve', '--ephemeral']]) {
    const child = spawn(process.execPath, [resolve(import.meta.dirname, '../../bin/dtp.cjs'), ...argv], {
      env: { HOME: folder },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'ignore'],
    });
    expect(await new Promise((done) => child.on('close', done))).toBe(1);
  }
});

test('JSON that is nested too deeply is rejected, sent or received', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  writeFileSync(join(folder, 'deep.json'), `{"x":${deep}}`);
  expect(await run(['ws', 'create', '--body', '@deep.json'])).toMatchObject({ code: 2, stdout: '' });
  expect(await run(['ws', 'tokens', 'list', '-o', 'yaml'])).toMatchObject({ code: 12, stdout: '' });
  expect(await run(['ws', 'settings', 'get'])).toMatchObject({ code: 10, stdout: '' });
});

test('a file that grows while it is sent is reported, also with the embedded service', async () => {
  const file = join(folder, 'growing.html');
  writeFileSync(file, Buffer.alloc(64 * 1024 * 1024));
  const upload = ['reports', 'upload', '--type', 'linting', '--file', 'growing.html'];
  const local = ['--profile', 'local', ...upload];
  for (const [argv, workspace] of [
    [upload, 'w_1'],
    [local, ''],
  ] as const) {
    const growing = setInterval(() => appendFileSync(file, 'x'), 5);
    const of = { env: { ...env(), DTP_WORKSPACE_ID: workspace } };
    const { code, stdout, stderr } = await dtp(folder, argv, of);
    clearInterval(growing);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('changed while it was being sent');
  }
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s while it waits exits with %i', async (signal, code) => {
  const child = start(folder, ['ws', 'current'], { env: env() });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk;
    });
  arrived = () => child.kill(signal);
  const ended = await new Promise((done) => child.on('close', (status, by) => done([status, by])));
  expect([ended, out]).toEqual([[code, null], '']);
});

test('a deadline is respected', async () => {
  arrived = undefined;
  const { code, stdout, stderr } = await run(['ws', 'current', '--timeout', '300ms']);
  expect([code, stdout]).toEqual([124, '']);
  expect(stderr).toContain('--timeout');
});

test('a service that does not exist', async () => {
  const { code, stdout, stderr } = await dtp(folder, ['ws', 'current'], {
    env: { ...env(), DTP_BASE_URL: 'http://127.0.0.1:1' },
  });
  expect([code, stdout]).toEqual([11, '']);
  expect(stderr).toContain('127.0.0.1:1 refused the connection');
});

test('lazily loaded code is in the bundle: YAML in, YAML out, a table', async () => {
  const yaml = await run(['ws', 'create', '--body', 'name: Pets\ntags: [a, b]', '--dry-run', '-o', 'yaml']);
  expect(yaml).toMatchObject({ code: 0, stderr: '' });
  expect(yaml.stdout).toContain('body:\n  name: Pets\n  tags:\n    - a\n    - b\n');
  expect((await run(['auth', 'user', '-o', 'table'])).stdout).toContain('email  a@example.test');
});

test('a status other than 2XX', async () => {
  expect(await run(['orgs', 'list'])).toMatchObject({ code: 10, stdout: '' });
});

test('-O writes atomically, and replaces a file only with --force; it does not follow a link', async () => {
  const file = join(folder, 'user.json');
  expect(await run(['auth', 'user', '-O', 'user.json'])).toMatchObject({ code: 0, stdout: '' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ id: 'u_1' });
  writeFileSync(file, 'mine');
  expect(await run(['auth', 'user', '-O', 'user.json'])).toMatchObject({ code: 2, stdout: '' });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(await run(['auth', 'user', '-O', 'user.json', '--force'])).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(file, 'utf8')).toContain('u_1');
  symlinkSync(file, join(folder, 'link.json'));
  expect(await run(['auth', 'user', '-O', 'link.json', '--force'])).toMatchObject({ code: 2, stdout: '' });
});

test('bytes are written unchanged, to a pipe and to a file', async () => {
  const blob = [
    'artifacts',
    'blobs',
    'get',
    'n',
    'sha256:5d8d910591d272938aef5f966e0816e374beaf7b5adf02cca5f8f770596c2ce3',
    '--organization-slug',
    'o',
    '--workspace-slug',
    'w',
  ];
  expect(await run([...blob, '-O', 'blob.bin'])).toMatchObject({ code: 0, stdout: '' });
  expect([...readFileSync(join(folder, 'blob.bin'))]).toEqual([0, 255, 1, 254]);
  expect(JSON.parse((await run([...blob, '-o', 'json'])).stdout)).toEqual({ base64: 'AP8B/g==' });
  const child = start(folder, blob, { env: env() });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((done) => child.on('close', done));
  expect([...Buffer.concat(chunks)]).toEqual([0, 255, 1, 254]);
});

test('help and version need nothing and print nothing on stderr', async () => {
  for (const argv of [[], ['--help'], ['--version'], ['ws', '--help'], ['ws', 'tokens', 'create', '-h']]) {
    const { code, stdout, stderr } = await dtp(folder, argv);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toBe('');
  }
});

/**
 * A request that the server at `base` has started to answer, which it signals by `100 Continue`. Returns its
 * status, or the error.
 */
async function begun(base: string, key = ''): Promise<{ answer: Promise<number | string> }> {
  const request = http.get(`${base}/v1/user`, {
    agent: false,
    headers: { 'x-api-key': key, expect: '100-continue' },
  });
  const answer = new Promise<number | string>((done) => {
    request.on('response', (response) => done(response.resume().statusCode ?? 0));
    request.on('error', () => done('cut'));
  });
  await new Promise((done) => request.once('continue', done));
  return { answer };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('serve finishes requests in progress at %s', async (signal) => {
  // The two seconds that it allows for that are ten minutes here.
  const { env } = writePreload(folder);
  const server = await serve(folder, ['--ephemeral', '--latency', '800ms'], env);
  const { answer } = await begun(server.address, server.key);
  process.kill(server.pid, signal);
  expect(await answer).toBe(200);
  expect(await server.ended).toBe(0);
  await expect(fetch(server.address)).rejects.toThrow();
});

test('serve without a request exits at once, whatever connections there are', async () => {
  const server = await serve(folder, ['--ephemeral']);
  const silent = connect(Number(new URL(server.address).port), '127.0.0.1');
  silent.on('error', () => undefined);
  await fetch(`${server.address}/v1/user`, { headers: { 'x-api-key': server.key } });
  // If it cuts a request, it exits with the signal's code.
  expect(await server.stop()).toBe(0);
  silent.destroy();
});

test('serve cuts requests that take longer than two seconds', async () => {
  const server = await serve(folder, ['--ephemeral', '--latency', '5m']);
  const { answer } = await begun(server.address);
  const start = performance.now();
  process.kill(server.pid, 'SIGTERM');
  expect([await server.ended, await answer]).toEqual([143, 'cut']);
  expect(performance.now() - start).toBeGreaterThan(1800);
});

test("dev finishes requests too, and exits with its command's code", async () => {
  const script = 'echo $DTP_BASE_URL; exec sleep 30';
  const { env } = writePreload(folder);
  const argv = ['dev', '--ephemeral', '--latency', '800ms', '--', 'sh', '-c', script];
  const child = start(folder, argv, { env });
  const ended = new Promise((done) => child.on('close', done));
  const base = await new Promise<string>((done) => child.stdout.once('data', (line) => done(String(line).trim())));
  const { answer } = await begun(base);
  child.kill('SIGTERM');
  expect(await answer).toBe(401);
  expect(await ended).toBe(143);
});
