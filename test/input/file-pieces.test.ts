/** Reading a file into two buffers: every byte once and in order, whatever happens to the file and to earlier pieces. */
import { appendFileSync, fstatSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { passingPieces } from '../../src/input/file-pieces.ts';
import { temporaryFolder } from '../support/context.ts';

const KIB = 1024;
const turn = () => new Promise((done) => setImmediate(done));
const never = new AbortController().signal;
const bytesOf = (length: number, from = 0) => Buffer.from(Array.from({ length }, (_, at) => (from + at) % 251));

function fileWith(bytes: Buffer) {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, bytes);
  return { path, fd: openSync(path, 'r') };
}

/** What is read. Each piece is overwritten before the next one is requested. */
async function read(pieces: AsyncIterable<Uint8Array>, onPiece: (number: number) => void = () => undefined) {
  const all: Buffer[] = [];
  for await (const piece of pieces) {
    all.push(Buffer.from(piece));
    onPiece(all.length);
    await turn();
    expect(all.at(-1)?.equals(piece), 'it does not change until the next one is requested').toBe(true);
    piece.fill(0xff);
  }
  return { bytes: Buffer.concat(all), count: all.length };
}

async function untilClosed(fd: number): Promise<void> {
  for (;;) {
    try {
      fstatSync(fd);
    } catch {
      return;
    }
    await turn();
  }
}

test.each([
  ...[0, 1, 16 * KIB - 1, 16 * KIB, 256 * KIB - 1, 256 * KIB, 256 * KIB + 1, 1000 * KIB].map((length) => [
    length,
    length,
  ]),
  // The size of a file in /proc is 0. A file may also grow after it was opened.
  [200 * KIB, 0],
  [200 * KIB, 10],
])('a file of %i bytes, whose size is %i', async (length, size) => {
  const bytes = bytesOf(length);
  const { fd } = fileWith(bytes);
  const found = await read(passingPieces(fd, size, never));
  expect(found.bytes.equals(bytes)).toBe(true);
  expect(found.count).toBeLessThanOrEqual(Math.ceil(length / (16 * KIB)));
  await untilClosed(fd);
});

test('a file that grows while it is read is read to its new end', async () => {
  const { path, fd } = fileWith(bytesOf(600 * KIB));
  const more = bytesOf(300 * KIB, 600 * KIB);
  const found = await read(passingPieces(fd, 600 * KIB, never), (number) => {
    if (number === 1) appendFileSync(path, more);
  });
  expect(found.bytes.equals(bytesOf(900 * KIB))).toBe(true);
});

test('a file that is cut while it is read ends there', async () => {
  const { path, fd } = fileWith(bytesOf(2000 * KIB));
  const found = await read(passingPieces(fd, 2000 * KIB, never), (number) => {
    if (number === 1) truncateSync(path, 1000 * KIB);
  });
  expect(found.bytes.equals(bytesOf(1000 * KIB))).toBe(true);
  await untilClosed(fd);
});

test('after an interrupt, no further piece is yielded, and the file is closed', async () => {
  const { fd } = fileWith(bytesOf(600 * KIB));
  const stop = new AbortController();
  const reason = new Error('interrupted');
  const reading = read(passingPieces(fd, 600 * KIB, stop.signal), () => stop.abort(reason));
  await expect(reading).rejects.toBe(reason);
  await untilClosed(fd);
});

test('a reader that stops early closes the file', async () => {
  const { fd } = fileWith(bytesOf(600 * KIB));
  for await (const piece of passingPieces(fd, 600 * KIB, never)) {
    expect(piece.length).toBe(256 * KIB);
    break;
  }
  await untilClosed(fd);
});
