/**
 * Long results: pieces equal the whole, a signal or a deadline interrupts them, and results that do not fit in memory
 * are rejected.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { type Format, formats } from '../../src/render/formats.ts';
import { render, renderPieces } from '../../src/render/index.ts';
import { jsonText } from '../../src/render/sanitize.ts';
import { estimateParsedSize } from '../../src/request/decoded.ts';
import { home, start } from '../support/process.ts';

const rowOf = (id: number) => ({ id, name: `row ${id}`, text: 'a\u0007b👩\u200d💻', tags: [id, 2n ** 70n] });
const rows = Array.from({ length: 2500 }, (_, id) => rowOf(id));
const pipe = { color: false };

test.each<readonly [Format, string]>([
  ['json', `${jsonText(rows, 2)}\n`],
  ['raw', `${jsonText(rows)}\n`],
  ['ndjson', rows.map((row) => `${jsonText(row)}\n`).join('')],
])('-o %s in pieces equals the whole', async (format, whole) => {
  const pieces = await renderPieces(rows, format, pipe);
  expect([...pieces].length).toBeGreaterThan(1);
  expect([...pieces].join('') || (await render(rows, format, pipe))).toBe(whole);
});

test.each(['csv', 'tsv', 'yaml'] as const)('-o %s of many rows equals that of a few, repeated', async (format) => {
  const titles = format === 'yaml' ? '' : `${(await render(rows, format, pipe)).split('\n')[0]}\n`;
  const each = await Promise.all(rows.map((row) => render([row], format, { ...pipe, headers: false })));
  expect(await render(rows, format, pipe)).toBe(titles + each.join(''));
});

test('a surrogate pair is never split between two pieces', async () => {
  const text = `${'x'.repeat(128 * 1024 - 2)}👩${'x'.repeat(200_000)}`;
  const pieces = [...(await renderPieces(text, 'json', pipe))];
  expect(pieces.filter((piece) => /[\ud800-\udbff]$/.test(piece))).toEqual([]);
  expect(pieces.join('')).toBe(`"${text}"\n`);
});

const inBlocks = formats.filter((format) => format !== 'name');

test.each(inBlocks)('a signal interrupts -o %s between two blocks', async (format) => {
  const over = new AbortController();
  const rendered = render(rows, format, { ...pipe, signal: over.signal });
  setImmediate(() => over.abort(new Error('over')));
  await expect(rendered).rejects.toThrow('over');
});

test.each<readonly [Format, unknown]>([
  ['table', Array.from({ length: 500_001 }, () => 0)],
  ['table', Object.fromEntries(Array.from({ length: 500_001 }, (_, at) => [`k${at}`, 0]))],
])('-o %s with too many values is an error with advice', async (format, value) => {
  await expect(render(value, format, pipe)).rejects.toMatchObject({
    code: 'bad_response',
    message: expect.stringMatching(/too many for/),
    facts: { hint: expect.stringMatching(/^Use -o csv/) },
  });
});

test('-o yaml has no limit of values', async () => {
  const value = { in: { all: Array.from({ length: 500_001 }, () => 0) } };
  expect(await render(value, 'yaml', pipe)).toBe(`in:\n  all:\n${'    - 0\n'.repeat(500_001)}`);
});

test('the memory that a value needs is known from its JSON', () => {
  const weigh = (text: string) => estimateParsedSize(Buffer.from(text)) / text.length;
  // Just above and below the memory limit, in a 60 MB document.
  for (const heavy of ['[],', '{},', '0,', '12345678901234567890,', '"aa",'])
    expect([heavy, weigh(heavy.repeat(10_000)) > 3.6]).toEqual([heavy, true]);
  const row = JSON.stringify({
    id: '0123456789abcdef',
    name: 'petstore',
    at: '2025-03-01T10:00:00Z',
    on: true,
  });
  for (const light of [`${row},`, `"${'x'.repeat(500)}",`, `"${'\\"'.repeat(500)}",`])
    expect([light, weigh(light.repeat(1000)) < 3.6]).toEqual([light, true]);
  const names = Array.from({ length: 5000 }, (_, at) => `"k${at}":0`).join(',');
  expect(weigh(`{${names}}`)).toBeGreaterThan(3.6);
});

const body = `[${Array.from({ length: 100_000 }, (_, id) => JSON.stringify({ id, name: 'petstore', on: true })).join(',')}]`;
let finished: () => void = () => undefined;
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json');
  response.on('finish', () => finished());
  response.end(body);
});
afterAll(() => server.close());

test('Ctrl-C ends a command that is formatting its result', async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { folder, remove } = home();
  const { port } = server.address() as AddressInfo;
  const env = { DTP_BASE_URL: `http://127.0.0.1:${port}`, DTP_API_KEY: 'key-of-a-test' };
  const sent = new Promise<void>((done) => {
    finished = done;
  });
  const child = start(folder, ['ws', 'list', '-o', 'yaml'], { env });
  let stdout = '';
  child.stdout.on('data', (piece) => {
    stdout += piece;
  });
  await sent;
  child.kill('SIGINT');
  const code = await new Promise((done) => child.on('close', done));
  remove();
  expect([code, stdout]).toEqual([130, '']);
});
