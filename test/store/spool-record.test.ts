/** The first line of a queued batch: it is only accepted if it is complete, unchanged and well-typed. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBody, readHead, writeRecord } from '../../src/store/spool-record.ts';
import { temporaryFolder } from '../support/context.ts';

const head = {
  base: 'https://api.example.com',
  workspace: 'w1',
  events: 3,
  created_at: '2026-01-31T12:00:00Z',
};
const body = Buffer.from('[1,2,3]');

test('a batch round-trips', async () => {
  const path = join(temporaryFolder(), 'a.batch');
  await writeRecord(path, head, body);
  expect(await readHead(path)).toEqual(head);
  expect(await readBody(path)).toEqual(body);
});

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const said = { ...head, bytes: body.byteLength, sha256: sha256(body) };

/** With a valid digest of the line, whatever it says. */
function written(line: object): string {
  const path = join(temporaryFolder(), 'a.batch');
  const check = sha256(JSON.stringify(line));
  writeFileSync(path, `${JSON.stringify({ ...line, check })}\n${body}`);
  return path;
}

test('a handwritten line is accepted', async () => {
  expect(await readHead(written(said))).toEqual(head);
});

test.each([
  ['base', 5],
  ['workspace', null],
  ['events', '3'],
  ['created_at', 5],
  ['bytes', '7'],
  ['sha256', 5],
])('a line whose %s has the wrong type is rejected', async (name, value) => {
  const path = written({ ...said, [name]: value });
  expect(await readHead(path)).toBeUndefined();
  expect(await readBody(path)).toBeUndefined();
});
