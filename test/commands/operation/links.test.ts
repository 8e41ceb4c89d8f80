/** Signed report URLs: downloaded to a file without a credential, or opened in a browser. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSend } from '../../../src/transport/send.ts';
import { dtp, temporaryFolder, type World } from '../../support/context.ts';

const report = '<title>report</title>'.repeat(1000);
const md5 = createHash('md5').update(report).digest('hex');

/** The service and the file store, which must not see the credential. */
const serving: { api: string; files: string; url: string; serve: http.RequestListener } = {
  api: '',
  files: '',
  url: '',
  serve: () => undefined,
};
let seen: http.IncomingMessage[] = [];

const servers = [
  http.createServer((request, response) => {
    // Until the whole request was read, a success would not count.
    request.resume().on('end', () => response.end(JSON.stringify({ url: serving.url })));
  }),
  http.createServer((request, response) => {
    seen.push(request);
    serving.serve(request, response);
  }),
];

beforeAll(async () => {
  const addresses = await Promise.all(
    servers.map(
      (server) =>
        new Promise<string>((done) =>
          server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
        ),
    ),
  );
  [serving.api = '', serving.files = ''] = addresses;
});
afterAll(() => {
  for (const server of servers) server.close();
});
beforeEach(() => {
  seen = [];
  serving.url = `${serving.files}/r?signature=s3cr3t-signature`;
  serving.serve = (_, response) => response.end(report);
});

const link = (checksum = md5) => ['reports', 'linting-url', checksum];
const run = (argv: readonly string[], cwd: string, world: World = {}) =>
  dtp(argv, {
    env: { DTP_BASE_URL: serving.api, DTP_API_KEY: 'k-canary-1' },
    cwd,
    openSend: async (options) => openSend(options),
    ...world,
  });

/** On failure, no file is written and no secret is printed. */
async function fails(argv: readonly string[], code: number, words: string) {
  const cwd = temporaryFolder();
  const ended = await run(argv, cwd);
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).not.toMatch(/s3cr3t-signature|k-canary-1/);
  expect(readdirSync(cwd)).toEqual([]);
}

test.each(['linting-url', 'changes-url'])('%s --download', async (command) => {
  const cwd = temporaryFolder();
  const { code, stdout } = await run(['reports', command, md5, '--download', 'r.html'], cwd);
  expect([code, JSON.parse(stdout)]).toEqual([0, { url: serving.url, file: 'r.html', bytes: report.length }]);
  expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toBe(report);
  expect(readdirSync(cwd)).toEqual(['r.html']);
  expect(JSON.stringify(seen.map(({ headers }) => headers))).not.toContain('k-canary-1');
  expect(seen.map(({ url }) => url)).toEqual(['/r?signature=s3cr3t-signature']);
});

test('a checksum in capitals is the same one, and an invalid one is not compared', async () => {
  for (const checksum of [md5.toUpperCase(), 'latest']) {
    const cwd = temporaryFolder();
    expect((await run([...link(checksum), '--download', 'r'], cwd)).code).toBe(0);
    expect(readFileSync(join(cwd, 'r'), 'utf8')).toBe(report);
  }
});

test('a report other than the requested one is not written', async () => {
  serving.serve = (_, response) => response.end(report.replace('report', 'repost'));
  await fails([...link(), '--download', 'r'], 12, `expected ${md5}`);
});

test('an existing file is kept and no request is sent, but --force replaces it', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'r'), 'mine');
  const ended = await run([...link(), '--download', 'r'], cwd);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('--force');
  expect([seen.length, readFileSync(join(cwd, 'r'), 'utf8')]).toEqual([0, 'mine']);
  serving.serve = (_, response) => response.end('wrong');
  expect((await run([...link(), '--download', 'r', '--force'], cwd)).code).toBe(12);
  expect(readFileSync(join(cwd, 'r'), 'utf8')).toBe('mine');
  serving.serve = (_, response) => response.end(report);
  expect((await run([...link(), '--download', 'r', '--force'], cwd)).code).toBe(0);
  expect([readFileSync(join(cwd, 'r'), 'utf8'), readdirSync(cwd)]).toEqual([report, ['r']]);
  expect((await run([...link(), '--download', 'x', '-O', './x'], cwd)).code).toBe(2);
  expect((await run([...link(), '--download', 'no/x'], cwd)).code).toBe(2);
});

test.each([
  [401, 5],
  [403, 5],
  [404, 6],
  [410, 6],
  [400, 7],
])('%i for an expired link is reported', async (status, code) => {
  serving.serve = (request, response) => response.writeHead(status).end(`<E>${request.url}</E>`);
  await fails(
    [...link(), '--download', 'r'],
    code,
    `${status} from the signed URL at ${serving.files}: the URL is invalid`,
  );
});

test.each([
  [500, 10],
  [204, 12],
  [206, 12],
  [304, 12],
])('%i is not a report', async (status, code) => {
  serving.serve = (_, response) => response.writeHead(status).end();
  await fails([...link(), '--download', 'r'], code, 'the response is not a report');
});

test.each([201, 202, 203])('%i is a report', async (status) => {
  const cwd = temporaryFolder();
  serving.serve = (_, response) => response.writeHead(status).end(report);
  expect((await run([...link(), '--download', 'r'], cwd)).code).toBe(0);
  expect(readFileSync(join(cwd, 'r'), 'utf8')).toBe(report);
});

test.each([301, 302, 303, 307, 308])('%i is followed, without the credential', async (status) => {
  serving.serve = (request, response) => {
    if (request.url?.startsWith('/r')) response.writeHead(status, { location: './next?x=1' }).end('moved');
    else response.end(report);
  };
  const cwd = temporaryFolder();
  expect((await run([...link(), '--download', 'r'], cwd)).code).toBe(0);
  expect(readFileSync(join(cwd, 'r'), 'utf8')).toBe(report);
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /r?signature=s3cr3t-signature',
    'GET /next?x=1',
  ]);
  expect(JSON.stringify(seen.map(({ headers }) => headers))).not.toContain('k-canary-1');
});

test('a redirect loop ends after five redirects', async () => {
  serving.serve = (_, response) => response.writeHead(302, { location: '/r' }).end();
  await fails([...link(), '--download', 'r'], 12, 'redirects more than 5 times');
  expect(seen.length).toBe(6);
});

test.each([
  ['http://files.example.test/r', 'http://files.example.test'],
  ['http://127.0.0.1.example.test/', 'http://127.0.0.1.example.test'],
  ['file:///etc/passwd', 'file:'],
  ['local:/reports/linting/x', 'local:'],
  ['data:text/html,x', 'data:'],
  ['//', 'an invalid URL'],
])('a redirect to %s is not followed, and neither is such a URL', async (address, place) => {
  serving.serve = (_, response) => response.writeHead(302, { location: address }).end();
  const words = `points to ${place}, which is neither https nor loopback`;
  await fails([...link(), '--download', 'r'], 12, words);
  expect(seen.length).toBe(1);
  serving.url = address;
  await fails([...link(), '--download', 'r'], 12, words);
  expect(seen.length).toBe(1);
});

test('with the response cut at 64 places, the file is absent or unchanged', async () => {
  const cwd = temporaryFolder();
  for (let place = 0; place < 64; place++) {
    const bytes = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${report.length}\r\n\r\n${report}`);
    const cut = Math.floor((place * bytes.length) / 64);
    serving.serve = ({ socket }) => socket.end(bytes.subarray(0, cut));
    const file = place % 2 ? 'old' : 'absent';
    if (place % 2) writeFileSync(join(cwd, 'old'), 'mine');
    const { code, stdout } = await run([...link(), '--download', file, '--force'], cwd);
    expect([11, 12], String(place)).toContain(code);
    expect(stdout).toBe('');
  }
  expect([readdirSync(cwd), readFileSync(join(cwd, 'old'), 'utf8')]).toEqual([['old'], 'mine']);
  serving.serve = (_, response) => response.end(report);
  expect((await run([...link(), '--download', 'absent'], cwd)).code).toBe(0);
});

test('a body that ends early without a length is detected by its checksum', async () => {
  serving.serve = ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${report.slice(0, -1)}`);
  await fails([...link(), '--download', 'r'], 12, 'does not match its digest');
});

test('--open on a terminal passes the URL to the browser after it is printed', async () => {
  const opened: string[] = [];
  const openBrowser = async (address: string) => void opened.push(address);
  const cwd = temporaryFolder();
  const { code, stdout } = await run([...link(), '--open'], cwd, { tty: true, openBrowser, columns: 200 });
  expect([code, opened]).toEqual([0, [serving.url]]);
  expect(stdout).toContain(serving.url);
  writeFileSync(join(cwd, 'report.html'), report);
  const upload = ['reports', 'upload', '--type', 'linting', '--file', 'report.html', '--open'];
  expect((await run(upload, cwd, { tty: true, openBrowser })).code).toBe(0);
  expect(opened).toEqual([serving.url, serving.url]);
});

test('if no browser can be opened, a note says so', async () => {
  const openBrowser = () => Promise.reject(new Error('spawn xdg-open ENOENT'));
  const { code, stderr } = await run([...link(), '--open'], temporaryFolder(), {
    tty: true,
    openBrowser,
    columns: 200,
  });
  expect([code, stderr]).toEqual([0, `cannot open a browser: spawn xdg-open ENOENT. Open this URL: ${serving.url}\n`]);
});

test('--open is refused without a terminal and for an unsafe URL', async () => {
  const cwd = temporaryFolder();
  const piped = await run([...link(), '--open'], cwd);
  expect(piped).toMatchObject({ code: 2, stdout: '' });
  expect(piped.stderr).toContain('--open needs a terminal');
  for (const address of ['http://files.example.test/r?signature=s3cr3t', 'javascript:alert(1)', '-x']) {
    serving.url = address;
    const { code, stdout, stderr } = await run([...link(), '--open'], cwd, { tty: true });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('neither https nor loopback');
    expect(stderr).not.toContain('s3cr3t');
  }
});
