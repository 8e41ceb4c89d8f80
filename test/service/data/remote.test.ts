/** The store on a libSQL server that has no time: what is sent again, and what is not. */
import { MessageChannel, Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { systemCode } from '../../../src/caught.ts';
import { type Link, sharedNumber } from '../../../src/service/data/link.ts';
import { openRemoteStore } from '../../../src/service/data/remote.ts';
import { latestVersion } from '../../../src/service/schema/versions.ts';

/** The other end of the link: sends the next answer for each request, and the last answer for all others. */
const SERVER = `
  const { port, answered, answers, count } = require('node:worker_threads').workerData;
  port.on('message', ([number]) => {
    // The store waits by now. The notification of an earlier answer may come late.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    Atomics.notify(answered, 0);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    port.postMessage({ status: 200, text: answers.length > 1 ? answers.shift() : answers[0] });
    Atomics.add(count, 0, 1);
    Atomics.store(answered, 0, number);
    Atomics.notify(answered, 0);
  });`;

const batch = (step_results: readonly unknown[], step_errors: readonly unknown[] = []) =>
  JSON.stringify({ baton: 'b', results: [{ response: { result: { step_results, step_errors } } }] });
const cell = (name: string, value: string) => ({
  cols: [{ name }],
  rows: [[{ type: 'text', value }]],
  affected_row_count: 1,
});
const done = cell('value', 'done');
const busy = { message: 'database is locked', code: 'SQLITE_BUSY' };
/** What a new store asks: its tables, and their version. */
const opening = [batch([cell('name', 'meta')]), batch([cell('value', String(latestVersion()))])];

/** Opens a store whose server gives these answers. `sent` is how many requests came after the opening. */
async function openOn(...answers: readonly string[]) {
  const { port1, port2 } = new MessageChannel();
  const link: Link = { port: port1, answered: sharedNumber(), turn: sharedNumber() };
  const count = sharedNumber();
  const given = { port: port2, answered: link.answered, answers: [...opening, ...answers], count };
  const server = new Worker(SERVER, { eval: true, workerData: given, transferList: [port2] });
  const store = openRemoteStore(link);
  return {
    store,
    sent: () => Atomics.load(count, 0) - opening.length,
    [Symbol.asyncDispose]: async () => void (await server.terminate()),
  };
}

test.for([
  ['a statement outside of a transaction', [batch([null], [busy])]],
  ['the beginning of a transaction', [batch([null, null], [busy, null])]],
] as const)('%s waits while another connection is writing', async ([what, [refusal]]) => {
  const isAlone = what.includes('outside');
  await using on = await openOn(refusal, refusal, batch(isAlone ? [done] : [done, done]), batch([done]));
  if (isAlone) on.store.run('DELETE FROM meta');
  else on.store.transaction(() => on.store.run('DELETE FROM meta'));
  expect(on.sent()).toBe(isAlone ? 3 : 4);
});

/** The code of the error that `work` throws. */
function faultOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return systemCode(error);
  }
  return undefined;
}

test.each(['<html>', '{}', 'null', '{"results":[{"response":{"result":{"step_results":[{}]}}}]}'])(
  'a server that answers with %s cannot be reached',
  async (answer) => {
    await using on = await openOn(answer);
    expect(faultOf(() => on.store.run('DELETE FROM meta'))).toBe('DATABASE_UNREACHABLE');
  },
);

test.for([
  ['outside of a transaction', 'SQLITE_CONSTRAINT', 1],
  ['within a transaction', 'DATABASE_BUSY', 3],
] as const)('a statement %s that fails with %s is not sent again', async ([where, code, requests]) => {
  const fault = { message: 'no', code: code === 'DATABASE_BUSY' ? 'SQLITE_BUSY' : code };
  const begun = where === 'outside of a transaction' ? [] : [batch([done, done])];
  await using on = await openOn(...begun, batch([null], [fault]), batch([done]));
  const work = () => on.store.run('DELETE FROM meta');
  const failed = () => {
    if (begun.length === 0) return work();
    return on.store.transaction(() => {
      work();
      work();
    });
  };
  expect(faultOf(failed)).toBe(code);
  expect(on.sent()).toBe(requests);
});
