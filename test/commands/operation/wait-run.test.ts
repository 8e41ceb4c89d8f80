/** `codehost actions trigger --wait`: waits for the run that the command started, and for no other run. */
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { stateOfRun } from '../../../src/commands/operation/run-end.ts';
import { answer, guardWire, type Reply, wire } from '../../support/wire.ts';

guardWire();

const trigger = ['codehost', 'actions', 'trigger', '--org', 'acme', '--repo-name', 'sdk'];
const line = [...trigger, '--gen-lock-id', 'l-1', '--wait'];
const action = '/v1/codehost/action?org=acme&repo=sdk';
const run = (number: number, status?: string): Reply => [
  200,
  JSON.stringify({ run_url: `https://ci.example.test/${number}`, ...(status && { run_status: status }) }),
];
const none: Reply = [200, '{}'];
const triggered: Reply = [204];

/** Jumps to the end of each wait for the `signal` of the user. Deadlines, which have other signals, are never reached. */
function jumping(): { readonly clock: Clock; readonly signal: AbortSignal; readonly waits: number[] } {
  const { signal: own } = new AbortController();
  const waits: number[] = [];
  let now = 0;
  const sleep: Clock['sleep'] = async (ms, signal) => {
    if (signal !== own)
      return new Promise<void>((_, failed) => {
        signal?.addEventListener('abort', () => failed(signal.reason));
      });
    waits.push(ms);
    now += ms;
  };
  return { clock: { now: () => now, sleep }, signal: own, waits };
}

const ran = (argv: readonly string[], { clock, signal } = jumping()) =>
  wire(argv, { clock, signal, env: { DTP_ERROR_FORMAT: 'text' } });

test('an earlier run does not end the wait, and lost polls do not either', async () => {
  answer('GET', action, run(1, 'completed'), run(1, 'completed'), [503, '{}'], run(2), run(2, 'queued'));
  answer('GET', action, run(2, 'in_progress'), run(2, 'completed'));
  const sent = answer('POST', '/v1/codehost/trigger_action', triggered);
  const time = jumping();
  const { code, stdout, stderr } = await ran(line, time);
  expect([code, JSON.parse(stdout)]).toEqual([0, { run_url: 'https://ci.example.test/2', run_status: 'completed' }]);
  expect(stderr).toContain('started run https://ci.example.test/2');
  expect([sent.length, time.waits]).toEqual([1, [2000, 2000, 2000, 2000, 2000]]);
});

test('the first run of a repository, also if the service answers 404 before it', async () => {
  for (const before of [none, [404, '{"message":"no run"}'] as const]) {
    answer('GET', action, before, before, run(1, 'success'));
    answer('POST', '/v1/codehost/trigger_action', triggered);
    expect((await ran(line)).code).toBe(0);
  }
});

test('only the run of the chosen target is waited for', async () => {
  answer('GET', `${action}&targetName=go`, none, run(1, 'completed'));
  answer('POST', '/v1/codehost/trigger_action', triggered);
  expect((await ran([...line, '--target-name', 'go'])).code).toBe(0);
});

test('a failed run is printed and exits with 14', async () => {
  answer('GET', action, none, run(1, 'failure'));
  answer('POST', '/v1/codehost/trigger_action', triggered);
  const { code, stdout, stderr } = await ran(line);
  expect([code, JSON.parse(stdout).run_status]).toEqual([14, 'failure']);
  expect(stderr).toContain('the run ended with status failure');
});

test('a run that is hidden by a newer one is not reported as ended', async () => {
  answer('GET', action, none, run(1, 'queued'), run(2, 'queued'));
  answer('POST', '/v1/codehost/trigger_action', triggered);
  const { code, stdout, stderr } = await ran(line);
  expect([code, stdout]).toEqual([8, '']);
  expect(stderr).toContain('another run has started: https://ci.example.test/2');
  expect(stderr).toContain('https://ci.example.test/1');
});

test('the wait times out with 124 and names the command that shows the run', async () => {
  answer('GET', action, none, none, run(1, 'queued'), run(1, 'queued'));
  answer('POST', '/v1/codehost/trigger_action', triggered);
  const time = jumping();
  const hurried = [...line, '--wait-timeout', '5s', '--poll-interval', '3s'];
  const { code, stdout, stderr } = await ran(hurried, time);
  expect([code, stdout, time.waits]).toEqual([124, '', [3000, 1500]]);
  expect(stderr).toContain('the run did not finish within 5 s: the run is queued');
  expect(stderr).toContain('try: dtp codehost actions get -R acme/sdk');
});

test.each([
  ['the latest run cannot be read', () => answer('GET', action, [403, '{}']), 5],
  ['the interval is invalid', () => [], 2],
])('nothing is triggered if %s', async (what, prepare, code) => {
  prepare();
  const argv = what.includes('interval') ? [...line, '--poll-interval', 'soon'] : line;
  expect((await ran(argv)).code).toBe(code);
});

test('without --wait, one request is sent', async () => {
  answer('POST', '/v1/codehost/trigger_action', triggered);
  expect((await ran([...trigger, '--gen-lock-id', 'l-1'])).code).toBe(0);
});

test.each([
  [undefined, 'running'],
  ['', 'running'],
  ['queued', 'running'],
  ['in_progress', 'running'],
  ['waiting', 'running'],
  ['a new word', 'running'],
  ['completed', 'succeeded'],
  ['SUCCESS', 'succeeded'],
  ['skipped', 'succeeded'],
  ['failure', 'failed'],
  ['cancelled', 'failed'],
  ['timed_out', 'failed'],
  [3, 'running'],
])('the status %j means %s', (status, state) => {
  expect(stateOfRun(status)).toBe(state);
});
