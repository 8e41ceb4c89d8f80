/** Every 2XX is a success for every operation; only the 202 for a job's result means that it is not ready yet. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { frozenClock } from '../support/clocks.ts';
import { temporaryFolder } from '../support/context.ts';
import { onDisk } from '../support/spool-world.ts';
import { answer, answerPreflight, done, guardWire, type Row, wire } from '../support/wire.ts';
import { firstRows } from '../support/wire-subjects.ts';

guardWire();

const statuses = [200, 201, 202, 203, 206];

test('every operation is tested', () => {
  expect(firstRows.map(({ id }) => id).sort()).toEqual(Object.keys(operations).sort());
  expect(firstRows).toHaveLength(77);
});

/** The row's output for its answer; if the answer has no body, the status is printed. */
const printed = ({ id, stdout, reply }: Row, status: number): string =>
  stdout === done(id, reply[0]) ? done(id, status) : stdout;

const table = firstRows.flatMap((row) => statuses.map((status) => [row.id, status, row] as const));

test.each(table)('%s: %i', async (id, status, row) => {
  const home = temporaryFolder();
  if (row.tokenOf !== undefined) answerPreflight();
  const [, body, headers] = row.reply;
  const seen = answer(row.method, row.path, [status, body, headers ?? {}]);
  const ended = await wire([...row.argv, '-o', 'json'], { home, files: row.files ?? {}, clock: frozenClock });
  const isRunning = id === 'getCodeSamplePreviewAsync' && status === 202;
  expect([ended.code, ended.stdout], ended.stderr).toEqual([isRunning ? 8 : 0, printed(row, status)]);
  expect(seen).toHaveLength(1);
  expect(onDisk(join(home, 'state'))).toEqual([]);
});

test.each(statuses)('queued events are delivered by a %i, once', async (status) => {
  const home = temporaryFolder();
  const post = ['events', 'post', '-w', 'w_1', '--body', '{"id":"e_1"}'];
  answer('POST', '/v1/workspace/w_1/events', [504]);
  expect((await wire(post, { home })).code).toBe(75);
  expect(onDisk(join(home, 'state'))).toHaveLength(1);
  const seen = answer('POST', '/v1/workspace/w_1/events', [status]);
  expect((await wire(['events', 'queue', 'flush'], { home })).code).toBe(0);
  expect([seen.length, onDisk(join(home, 'state'))]).toEqual([1, []]);
});

test('dtp api accepts a 202 from any path', async () => {
  answer('POST', '/v1/workspace/w_1/team', [202, '{"queued":true}']);
  const ended = await wire(['api', '-X', 'POST', '/v1/workspace/w_1/team', '-o', 'json']);
  expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, { queued: true }]);
});
