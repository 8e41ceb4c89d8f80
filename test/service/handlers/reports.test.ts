/** The embedded service's reports: stored by checksum, and served to everyone with a signed URL. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { reports, serveReport } from '../../../src/service/handlers/reports.ts';
import { followShortUrl, schemaStore } from '../../../src/service/handlers/schema-store.ts';
import { bytesOf, file, refusal, request, serviceScope, serviceSocket } from '../../support/service-scope.ts';

const HOUR = 3_600_000;
const md5 = (content: string | Uint8Array) => createHash('md5').update(content).digest('hex');

function open() {
  const opened = serviceScope();
  const serve = (url: string) => {
    const { pathname, searchParams } = new URL(url);
    return serveReport(pathname, searchParams, opened.scope);
  };
  return { ...opened, serve };
}

test('a report is uploaded, found by its checksum and served', async () => {
  const { scope, serve } = open();
  const { url } = await reports.uploadReport({ data: { type: 'changes' }, file: file('<h1>Ä</h1>') }, scope);
  expect(url).toContain(`http://127.0.0.1:9/reports/changes/${md5('<h1>Ä</h1>')}?`);
  const again = reports.getChangesReportSignedUrl({ documentChecksum: md5('<h1>Ä</h1>') }, scope);
  expect(again).toEqual({ url });
  const reply = serve(url);
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-length': '11' });
  expect((await bytesOf(reply)).toString()).toBe('<h1>Ä</h1>');
});

test('a report of several chunks comes back unchanged, and is stored once if it is uploaded twice', async () => {
  const { scope, serve } = open();
  const bytes = Buffer.alloc(2.5 * 1024 * 1024, 'abcdefg');
  await reports.uploadReport({ data: {}, file: file(bytes) }, scope);
  await reports.uploadReport({ data: {}, file: file(bytes) }, scope);
  expect(scope.store.get('SELECT count(*) AS n FROM chunks')?.n).toBe(3);
  const { url } = reports.getLintingReportSignedUrl({ documentChecksum: md5(bytes) }, scope);
  expect((await bytesOf(serve(url))).equals(bytes)).toBe(true);
});

test('an empty report is valid', async () => {
  const { scope, serve } = open();
  const { url } = await reports.uploadReport({ data: {}, file: file('') }, scope);
  expect((await bytesOf(serve(url))).length).toBe(0);
});

const csp = 'content-security-policy';

test.each([
  ['a page', '<!doctype html><title>x</title>', 'text/html; charset=utf-8', 'sandbox allow-scripts'],
  ['a page after a mark and spaces', '\uFEFF \n<p>x</p>', 'text/html; charset=utf-8', 'sandbox allow-scripts'],
  ['an object', '{"errors":[{"message":"<script>"}]}', 'application/json', 'sandbox'],
  ['a list', ' \n[1, 2]\n', 'application/json', 'sandbox'],
  ['text that begins like a list', '[error] no such file', 'text/plain; charset=utf-8', 'sandbox'],
  ['text', 'all is well', 'text/plain; charset=utf-8', 'sandbox'],
  ['bytes', '%PDF\0\u0001', 'application/octet-stream', 'sandbox'],
  ['an object of several chunks', `{"a":"${'x'.repeat(3 * 1024 * 1024)}"}`, 'application/json', 'sandbox'],
])('%s is served as what it is, in a sandbox', async (_name, content, type, policy) => {
  const { scope, serve } = open();
  const { url } = await reports.uploadReport({ data: {}, file: file(content) }, scope);
  const reply = serve(url);
  expect(reply.headers).toMatchObject({
    'content-type': type,
    [csp]: policy,
    'x-content-type-options': 'nosniff',
  });
  expect((await bytesOf(reply)).toString()).toBe(content);
});

const DAY = 24 * HOUR;

/** Uploads a report and shortens its URL. `follow` returns the location that the short URL leads to now. */
async function shortened() {
  const opened = open();
  const { scope } = opened;
  const { url } = await reports.uploadReport({ data: {}, file: file('<p>x</p>') }, scope);
  const shorten = (long: string, as = scope) => schemaStore.create({ url: long }, as).short_url;
  const follow = (short: string, as = scope) => String(followShortUrl(new URL(short).pathname, as).headers.location);
  return { ...opened, url, shorten, follow };
}

test('a short URL of a report leads to a fresh signature as long as the report exists', async () => {
  const { scope, serve, wait, url, shorten, follow } = await shortened();
  const short = shorten(url);
  wait(30 * DAY);
  expect(await refusal(() => serve(url))).toMatch(/^403 this URL has expired/);
  const fresh = follow(short);
  expect(serve(fresh).status).toBe(200);
  wait(HOUR);
  expect(await refusal(() => serve(fresh))).toMatch(/^403 this URL has expired/);
  // The service may have another port by now.
  const moved = follow(short, { ...scope, base: 'http://127.0.0.1:10' });
  expect(moved).toMatch(/^http:\/\/127\.0\.0\.1:10\/reports\/linting\//);
  expect(serve(moved).status).toBe(200);
  scope.store.run('DELETE FROM reports');
  expect(await refusal(() => serve(follow(short)))).toMatch(/^403 /);
});

test('an expired or changed URL of a report is not brought back to life by a short URL', async () => {
  const { stranger, serve, wait, url, shorten, follow } = await shortened();
  const changed = shorten(url.replace(/expires=\d+/, 'expires=99999999999'));
  expect(await refusal(() => serve(follow(changed)))).toMatch(/^403 the signature/);
  // Another workspace that was sent the URL can shorten it, but only until it expires.
  const theirs = shorten(url, stranger);
  expect(serve(follow(theirs)).status).toBe(200);
  wait(HOUR);
  expect(await refusal(() => serve(follow(theirs)))).toMatch(/^403 this URL has expired/);
  expect(await refusal(() => shorten(url))).toMatch(/^422 url has expired/);
});

test.each([
  [{ type: 'other' }, /^422 data\.type/],
  ['text', /^422 data must be/],
])('the metadata %j is refused', async (data, message) => {
  const { scope } = open();
  expect(await refusal(() => reports.uploadReport({ data, file: file('x') }, scope))).toMatch(message);
});

test('404 for another checksum, type or workspace', async () => {
  const { scope, stranger } = open();
  await reports.uploadReport({ data: { type: 'linting' }, file: file('x') }, scope);
  const documentChecksum = md5('x');
  expect(await refusal(() => reports.getChangesReportSignedUrl({ documentChecksum }, scope))).toMatch(/^404/);
  expect(await refusal(() => reports.getLintingReportSignedUrl({ documentChecksum }, stranger))).toMatch(/^404/);
  expect(await refusal(() => reports.getLintingReportSignedUrl({ documentChecksum: '0' }, scope))).toMatch(/^404/);
});

test('a changed or expired URL is refused', async () => {
  const { scope, serve, wait } = open();
  const { url } = await reports.uploadReport({ data: { type: 'linting' }, file: file('x') }, scope);
  const changed = [
    url.replace('/linting/', '/changes/'),
    url.replace(md5('x'), md5('y')),
    url.replace(/expires=\d+/, 'expires=99999999999'),
    url.replace(/signature=.*/, ''),
    `${url}0`,
  ];
  for (const each of changed) expect(await refusal(() => serve(each))).toMatch(/^403 the signature/);
  wait(HOUR - 1000);
  expect(serve(url).status).toBe(200);
  wait(1000);
  expect(await refusal(() => serve(url))).toMatch(/^403 this URL has expired/);
});

test('the URL of a report does not contain the id of its workspace, and leads to the report of that workspace', async () => {
  const { scope, stranger, serve } = open();
  const urls: string[] = [];
  for (const each of [scope, stranger])
    urls.push((await reports.uploadReport({ data: {}, file: file('same content') }, each)).url);
  expect(urls[0]).not.toBe(urls[1]);
  for (const [at, { caller }] of [scope, stranger].entries()) {
    expect(urls.join()).not.toContain(caller.workspaceId);
    scope.store.run('DELETE FROM reports WHERE workspace_id = ?', caller.workspaceId);
    expect(await refusal(() => serve(urls[at] ?? ''))).toMatch(/^403 the signature/);
    if (at === 0) expect(serve(urls[1] ?? '').status).toBe(200);
  }
});

test('a broken upload leaves nothing behind', async () => {
  const { scope } = open();
  const broken = {
    ...file('x'),
    open: async function* () {
      yield Buffer.alloc(2 * 1024 * 1024);
      throw new Error('gone');
    },
  };
  await expect(reports.uploadReport({ data: {}, file: broken }, scope)).rejects.toThrow('gone');
  expect(scope.store.get('SELECT count(*) AS n FROM chunks')?.n).toBe(0);
});

test('over a socket: a report is uploaded as a form and fetched from the signed URL without a credential', async () => {
  const { ask } = await serviceSocket();
  const form = new FormData();
  form.set('data', JSON.stringify({ type: 'linting' }));
  form.set('file', new Blob(['<p>report</p>'], { type: 'text/html' }), 'report.html');
  const uploaded = await ask('POST', '/v1/reports', form);
  expect(uploaded.status).toBe(200);
  const { url } = await uploaded.json();
  const served = await request(url);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await served.text()).toBe('<p>report</p>');
  const head = await request(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '13', '']);
  const known = await (await ask('GET', `/v1/reports/linting/${md5('<p>report</p>')}`)).json();
  expect((await request(known.url)).status).toBe(200);
  const refused = await request(url.replace('linting', 'changes'));
  expect([refused.status, (await refused.json()).status_code]).toEqual([403, 403]);
  form.delete('file');
  const missing = await ask('POST', '/v1/reports', form);
  expect([missing.status, (await missing.json()).message]).toEqual([400, expect.stringContaining('file')]);
});
