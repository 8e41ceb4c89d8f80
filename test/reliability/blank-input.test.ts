/** Blank input of any size is read in linear time, compressed or not, and `--timeout` ends it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groupsOf } from '../../src/commands/events/texts.ts';
import { parseDocument } from '../../src/input/files.ts';
import { growthOf, mostGrowth } from '../support/growth.ts';
import { dtp, home, start } from '../support/process.ts';

const MIB = 1024 * 1024;
const shapes = {
  spaces: ' ',
  'line breaks': '\n',
  tabs: '\t',
  'byte order marks': '\ufeff',
  mixed: '  \t\n\r\n \ufeff',
};

/** What precedes the blank part: nothing, one event, an unfinished document or an unfinished array. */
const beginnings = {
  nothing: '',
  'an event': '{"a":1}\n',
  'a document': '{\n',
  'a word': 'word\n',
  'an array': '[',
};

const CHUNK = 64 * 1024;
const compressed = new Map<string, Buffer>();

async function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/** Reads all events. The error of an unfinished array or an invalid document does not matter here. */
async function readAll(bytes: Buffer): Promise<void> {
  try {
    for await (const _ of groupsOf(chunksOf(bytes), '--body', async () => []));
  } catch {}
}

const zipped = (text: string): Buffer => {
  const key = `${text.length} ${text.slice(0, 20)}`;
  const bytes = compressed.get(key) ?? gzipSync(text, { level: 1 });
  compressed.set(key, bytes);
  return bytes;
};

describe.each(Object.entries(shapes))('%s', (_, shape) => {
  test.each(Object.entries(beginnings))('events, after %s', async (_, begin) => {
    const works = {
      plain: (text: string) => readAll(Buffer.from(begin + text.slice(0, -1))),
      'before text': (text: string) => readAll(Buffer.from(begin + text)),
      gzip: (text: string) => readAll(zipped(begin + text.slice(0, -1))),
    };
    for (const [name, work] of Object.entries(works))
      expect(await growthOf(work, shape, 4 * MIB), name).toBeLessThan(mostGrowth);
  });

  test('the document of another operation', async () => {
    const work = (text: string) => parseDocument(text.slice(0, -1), '--body').catch(() => undefined);
    expect(await growthOf(work, shape, 4 * MIB)).toBeLessThan(mostGrowth);
  });
});

describe('whole commands', () => {
  let place: ReturnType<typeof home>;
  beforeAll(() => {
    place = home();
  });
  afterAll(() => place.remove());

  test.each(Object.entries(shapes))('32 MiB of %s', async (_, shape) => {
    const whole = Buffer.from(shape.repeat((32 * MIB) / Buffer.byteLength(shape)));
    writeFileSync(join(place.folder, 'plain'), whole);
    writeFileSync(join(place.folder, 'gzip'), gzipSync(whole, { level: 1 }));
    const post = ['--profile', 'local', 'events', 'post', '--body'];
    for (const name of ['plain', 'gzip'])
      expect(await dtp(place.folder, [...post, `@${name}`]), name).toMatchObject({
        code: 0,
        stderr: 'warning: the input has no events; nothing was sent\n',
      });
    for (const words of [
      ['suggest', 'items'],
      ['ws', 'create'],
    ])
      expect(await dtp(place.folder, ['--profile', 'local', ...words, '--body', '@plain'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--body: plain is empty'),
      });
  });

  test('endless spaces on standard input', async () => {
    const argv = ['--profile', 'local', 'events', 'post', '--body', '-', '--timeout', '1s'];
    const child = start(place.folder, argv);
    const spaces = Buffer.alloc(CHUNK, ' ');
    // At most a few MiB per second, so that the limit of the input is not reached first.
    const timer = setInterval(() => child.stdin.write(spaces), 20);
    child.stdin.on('error', () => undefined);
    const code = await new Promise((done) => child.on('close', done));
    clearInterval(timer);
    expect(code).toBe(124);
  });
});
