/** Uploads: what is reported about them, and shortening the URL of a report. */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openFiles } from '../../../src/input/files.ts';
import { durationText, sizeText } from '../../../src/render/amounts.ts';
import type { HttpRequest, HttpResponse, Send } from '../../../src/request/http.ts';
import { openSend } from '../../../src/transport/send.ts';
import { dtp, temporaryFolder, type World } from '../../support/context.ts';
import { raw } from '../../support/sockets.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-secret' };
const upload = ['reports', 'upload', '--type', 'linting', '--file', 'report.html'];
const sums = (text: string) =>
  `md5 ${createHash('md5').update(text).digest('hex')}, sha256 ${createHash('sha256').update(text).digest('hex')}`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const says = (value: unknown, status = 200): HttpResponse => ({
  status,
  headers: {},
  body: (async function* () {
    yield Buffer.from(JSON.stringify(value));
  })(),
});

/** Reads each body to its end, as a service does. */
const answering =
  (answer: (request: HttpRequest, body: string) => HttpResponse): Send =>
  async (request) => {
    const chunks: Buffer[] = [];
    if (request.body && 'open' in request.body)
      for await (const chunk of request.body.open()) chunks.push(Buffer.from(chunk));
    else if (request.body) chunks.push(Buffer.from(request.body));
    return answer(request, Buffer.concat(chunks).toString());
  };

const run = (argv: readonly string[], cwd: string, send: Send, world: World = {}) =>
  dtp(argv, { env, cwd, openSend: async () => ({ send, close: async () => undefined }), ...world });

test('the size and checksums are printed on stderr, in every format', async () => {
  const cwd = folderWith({ 'report.html': '<p>é</p>' });
  for (const format of ['json', 'table', 'yaml']) {
    const ended = await run(
      [...upload, '-o', format],
      cwd,
      answering(() => says({ url: 'u' })),
    );
    expect(ended).toMatchObject({ code: 0, stderr: `report.html: 9 bytes, ${sums('<p>é</p>')}\n` });
    expect(ended.stdout).toContain('u');
  }
});

test('for an empty file, standard input, and a name that would move the cursor', async () => {
  const cwd = folderWith({ empty: '', 'a\u001b[2J.html': 'x' });
  const told = async (file: string, world?: World) => {
    const send = answering(() => says({ url: 'u' }));
    const { code, stderr } = await run([...upload.slice(0, 5), file], cwd, send, world);
    expect(code).toBe(0);
    return stderr;
  };
  expect(await told('empty')).toBe(`empty: 0 bytes, ${sums('')}\n`);
  expect(await told('-', { stdin: 'piped' })).toBe(`stdin: 5 bytes, ${sums('piped')}\n`);
  expect(await told('a\u001b[2J.html')).toBe(`a\\u001b[2J.html: 1 bytes, ${sums('x')}\n`);
});

test.each([
  ['code-samples preview', ['code-samples', 'preview', '--language', 'go', '--schema-file'], []],
  ['code-samples jobs create', ['code-samples', 'jobs', 'create', '--schema-file'], { job_id: 'j' }],
  ['suggest openapi', ['suggest', 'openapi', '--schema'], { overlay: '1.0.0' }],
] as const)('%s prints it too', async (_, argv, answer) => {
  const cwd = folderWith({ 'api.yaml': 'openapi: 3.1.0' });
  const { code, stderr } = await run(
    [...argv, 'api.yaml'],
    cwd,
    answering(() => says(answer)),
  );
  expect(code).toBe(0);
  expect(stderr).toContain(`api.yaml: 14 bytes, ${sums('openapi: 3.1.0')}\n`);
});

test('a form without a file prints nothing, and a failed upload does not claim that it was sent', async () => {
  const cwd = folderWith({ 'report.html': 'x' });
  const plain = ['code-samples', 'preview', '--language', 'go'];
  expect(
    await run(
      plain,
      cwd,
      answering(() => says([])),
    ),
  ).toMatchObject({ code: 0, stderr: '' });
  const { code, stderr } = await run(
    upload,
    cwd,
    answering(() => says({ message: 'no' }, 422)),
  );
  expect([code, stderr.includes('md5')]).toEqual([7, false]);
});

test.each([
  ['written to', (path: string) => writeFileSync(path, 'other')],
  ['touched', (path: string) => utimesSync(path, 1, 1)],
  ['cut', (path: string) => truncateSync(path, 2)],
  ['appended to', (path: string) => writeFileSync(path, 'x', { flag: 'a' })],
])('a file that is %s meanwhile is an error', async (_, change) => {
  const cwd = folderWith({ 'report.html': 'report' });
  const send: Send = async (request) => {
    change(join(cwd, 'report.html'));
    return answering(() => says({ url: 'u' }))(request, { signal: new AbortController().signal });
  };
  const { code, stdout, stderr } = await run(upload, cwd, send);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('report.html changed while it was being sent');
  expect(stderr).not.toContain('md5');
});

test('a file that was replaced or deleted is an error', async () => {
  const cwd = folderWith({ a: 'report', b: 'report' });
  const time = new Date(1_700_000_000_000);
  for (const name of ['a', 'b']) utimesSync(join(cwd, name), time, time);
  const context = { cwd, home: cwd, env: {}, stdin: process.stdin, signal: new AbortController().signal };
  const file = await openFiles(context).file('a', '--file');
  const read = async () => {
    for await (const _ of file.open());
  };
  await read();
  renameSync(join(cwd, 'b'), join(cwd, 'a'));
  await expect(read()).rejects.toMatchObject({ message: 'a changed while it was being sent' });
  renameSync(join(cwd, 'a'), join(cwd, 'c'));
  await expect(read()).rejects.toMatchObject({ code: 'usage', message: '--file: file not found: a' });
});

test('the pieces of a large file add up to the file, and each opening starts over', async () => {
  const cwd = temporaryFolder();
  const bytes = Buffer.alloc(5 * 1024 * 1024 + 17, 'The report. ').fill('other', 3_000_000);
  writeFileSync(join(cwd, 'large'), bytes);
  const context = { cwd, home: cwd, env: {}, stdin: process.stdin, signal: new AbortController().signal };
  const file = await openFiles(context).file('large', '--file');
  const open = file.open()[Symbol.asyncIterator]();
  await open.next();
  await open.return?.();
  for (let time = 0; time < 2; time++) {
    const chunks: Buffer[] = [];
    for await (const chunk of file.open()) chunks.push(Buffer.from(chunk));
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  }
});

test('cut at 64 places, an upload is an error that names the command to send it again', async () => {
  const cwd = folderWith({ 'report.html': 'report '.repeat(40_000) });
  const openReal: World['openSend'] = async (options) => openSend(options);
  for (let place = 0; place < 64; place++) {
    let left = Math.floor((place * 280_000) / 64);
    const address = await raw((socket) =>
      socket.on('data', (data) => {
        left -= data.byteLength;
        if (left <= 0) socket.resetAndDestroy();
      }),
    );
    const world = { env: { ...env, DTP_BASE_URL: `http://${address}` }, openSend: openReal };
    const argv = [...upload, '--error-format', 'json'];
    const { code, stdout, stderr } = await dtp(argv, { cwd, ...world });
    expect([code, stdout], String(place)).toEqual([11, '']);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'network',
      operation: 'uploadReport',
      next: [{ command: `dtp ${argv.join(' ')}` }],
    });
  }
});

test('--shorten requests a short URL for the report and adds it', async () => {
  const cwd = folderWith({ 'report.html': 'x' });
  const asked: string[] = [];
  const send = answering(({ url }, body) => {
    asked.push(`${url} ${url.endsWith('short_urls') ? body : ''}`);
    return url.endsWith('/v1/reports')
      ? says({ url: 'https://r.example/1?signature=s', more: 1 })
      : says({ short_url: 'https://s.example/a', full_url: 'f' });
  });
  const { code, stdout } = await run([...upload, '--shorten', '-o', 'json'], cwd, send);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { url: 'https://r.example/1?signature=s', more: 1, short_url: 'https://s.example/a' },
  ]);
  expect(asked).toEqual([
    'https://api.example.test/v1/reports ',
    'https://api.example.test/v1/short_urls {"url":"https://r.example/1?signature=s"}',
  ]);
});

test.each([
  ['a refusal', () => says({ message: 'no' }, 422), 7],
  ['a response without it', () => says({}), 12],
])('%s of the short URL says that the report was uploaded', async (_, answer, code) => {
  const cwd = folderWith({ 'report.html': 'x' });
  const send = answering(({ url }) => (url.endsWith('/v1/reports') ? says({ url: 'https://r.example' }) : answer()));
  const ended = await run([...upload, '--shorten'], cwd, send);
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toContain('the report was uploaded, but its URL was not shortened');
});

test('without a URL there is nothing to shorten', async () => {
  const cwd = folderWith({ 'report.html': 'x' });
  for (const answer of [{}, null, [], { url: 1 }])
    expect(
      await run(
        [...upload, '--shorten'],
        cwd,
        answering(() => says(answer)),
      ),
    ).toMatchObject({ code: 12, stdout: '' });
});

test('sizes, rates and the remaining time as words', () => {
  expect([0, 1, 999, 1000, 1500, 999_949, 999_950, 20 * 1000 ** 2, 3 * 1000 ** 3].map(sizeText)).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1.0 kB',
    '1.5 kB',
    '999.9 kB',
    '1.0 MB',
    '20.0 MB',
    '3.0 GB',
  ]);
  expect([0, 12.4, 999, 5100, 9949, 9950, 31_000, 240_000].map(durationText)).toEqual([
    '0 ms',
    '12 ms',
    '999 ms',
    '5.1 s',
    '9.9 s',
    '10 s',
    '31 s',
    '4 min',
  ]);
});
