/**
 * Every operation × 17 statuses: the exit code of the contract, and one request, except for the two operations
 * that are retried.
 */
import { expect, test } from 'vitest';
import { runTrials, tryOut } from '../support/faulty-run.ts';
import { answer } from '../support/faulty-server.ts';
import { rounds, seed } from '../support/random.ts';
import { runQuick } from '../support/run-on-sockets.ts';
import { type End, ends, type Fault } from '../support/wire-fault.ts';
import { endOf, everyOperation, postWithoutQueue } from '../support/wire-subjects.ts';

/** Typed by hand from the exit codes of the contract. */
const statuses: readonly (readonly [status: number, end: End])[] = [
  [300, 'bad_response'],
  [304, 'bad_response'],
  [400, 'rejected'],
  [401, 'auth'],
  [402, 'rejected'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [405, 'rejected'],
  [408, 'rejected'],
  [409, 'rejected'],
  [410, 'not_found'],
  [422, 'rejected'],
  [429, 'rate_limited'],
  [500, 'server'],
  [502, 'server'],
  [503, 'server'],
  [504, 'server'],
];

const faultOf = (status: number, end: End): Fault => ({
  name: String(status),
  on: 'request',
  ends: ends(end),
  status,
  serve: ({ socket, secret }) => {
    // 304 has no body.
    const body = status === 304 ? '' : `{"message":"no ${secret}","status_code":${status}}`;
    socket.write(answer(`${status} No`, body, 'content-type: application/json'));
  },
});

/**
 * In a sample, each operation gets a third of the statuses, chosen by the seed. Operations that are retried get
 * all of them.
 */
const share = rounds(3, 1);
const subjects = [...everyOperation, postWithoutQueue];

test('17 statuses', () => {
  expect(new Set(statuses.map(([status]) => status)).size).toBe(17);
});

test.each(statuses)(`%i exits with %s (seed ${seed})`, async (status, end) => {
  const fault = faultOf(status, end);
  const due = subjects.filter(({ isRetried }, at) => isRetried || (at + status + seed) % share === 0);
  const trials = due.map((subject, at) => ({
    fault,
    subject,
    toFile: at % 2 === 1,
    end: endOf(fault, subject),
  }));
  expect(await runTrials(trials, 6, (trial) => tryOut(trial, runQuick))).toEqual([]);
});
