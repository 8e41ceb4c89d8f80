/** Answers of 60 MB in memory-hungry shapes, in each format: below 512 MB, or an error that says what to do. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formats } from '../../src/render/formats.ts';
import { runMeasured } from '../support/peak-memory.ts';
import { sampled } from '../support/random.ts';

const size = 60 * 1024 * 1024;
const limitMb = 512;

const list = (one: string) => `[${`${one},`.repeat(Math.floor(size / (one.length + 1)))}${one}]`;

const row = JSON.stringify({
  id: '0123456789abcdef',
  name: 'petstore',
  slug: 'petstore',
  success: true,
  duration_ms: 1234,
  created_at: '2025-03-01T10:00:00Z',
  error: null,
});

const fieldNames = () => {
  const all: string[] = [];
  for (let length = 0; length < size; length += (all.at(-1)?.length ?? 0) + 1) all.push(`"name${all.length}":0`);
  return `{${all.join(',')}}`;
};

const shapes: Readonly<Record<string, () => string>> = {
  'empty lists': () => list('[]'),
  'empty records': () => list('{}'),
  zeros: () => list('0'),
  'empty strings': () => list('""'),
  rows: () => list(row),
  'long integers': () => list('12345678901234567890'),
  'a string of control characters': () => JSON.stringify('\u007f'.repeat(size)),
  'a string of wide characters': () => JSON.stringify('漢'.repeat(size / 3)),
  'a record of many fields': fieldNames,
  'a record with a long string': () => JSON.stringify({ text: 'x'.repeat(size) }),
};

let answer: Buffer;
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(answer);
});
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => new Promise((done) => server.close(done)));

/** The exit code of a command, its message, and its peak memory in MB. */
function run(argv: readonly string[]) {
  const { port } = server.address() as AddressInfo;
  return runMeasured(argv, {
    DTP_BASE_URL: `http://127.0.0.1:${port}`,
    DTP_API_KEY: 'key-of-a-test',
    DTP_ERROR_FORMAT: 'text',
  });
}

/** An answer of an operation, and one of a path that has no declared result. */
const commands = ['ws list', 'api /v1/anything'];

const cases = Object.keys(shapes).flatMap((shape) =>
  commands.flatMap((command) => formats.map((format) => ({ shape, command, format }))),
);

test.skipIf(process.platform !== 'linux').each(sampled(cases, 12))(
  '$shape of $command with -o $format',
  async ({ shape, command, format }) => {
    answer = Buffer.from((shapes[shape] as () => string)());
    const { code, stderr, most } = await run([...command.split(' '), '-o', format, '--timeout', '3000']);
    const hasEnded = code === 0 || (format === 'name' && code === 2);
    if (!hasEnded) {
      // A list that can be written row by row, but not in this format, is not written whole.
      expect([12, ...(command === 'ws list' ? [14] : [])]).toContain(code);
      expect(stderr).toMatch(/^error: .*\n {2}.*(-O FILE|-o (raw|csv|json))/);
    }
    expect(most).toBeGreaterThan(40);
    expect(most).toBeLessThan(limitMb);
  },
);
