/** How the end of a run or a job is reported to somebody at a terminal. */
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import type { World } from '../../support/context.ts';
import { runUntilCtrlC } from '../../support/run-until-ctrl-c.ts';
import { answer, guardWire, type Reply, wire } from '../../support/wire.ts';

guardWire();

const url = 'https://ci.example.test/1';
const trigger =
  'codehost actions trigger --org acme --repo-name sdk --gen-lock-id l-1 --target-name sdk-ts --wait'.split(' ');
const action = '/v1/codehost/action?org=acme&repo=sdk&targetName=sdk-ts';
const json = (value: unknown): Reply => [200, JSON.stringify(value)];
const run = (status: string): Reply => json({ run_url: url, run_status: status });

/** Each wait for the user's `signal` ends at once, and takes its time on this clock. Other waits never end. */
function jumping(): World {
  const { signal: own } = new AbortController();
  let now = 0;
  const sleep: Clock['sleep'] = async (ms, signal) => {
    if (signal === own) now += ms;
    else await new Promise((_, failed) => signal?.addEventListener('abort', () => failed(signal.reason)));
  };
  return { clock: { now: () => now, sleep }, signal: own, date: () => new Date(2026, 0, 31) };
}

const onTerminal = (argv: readonly string[], world: World = {}) =>
  wire(argv, {
    ...jumping(),
    tty: true,
    columns: 100,
    ...world,
    env: { NO_COLOR: '1', TERM: 'xterm', ...world.env },
  });

function replies(...ends: readonly Reply[]): void {
  answer('GET', action, json({}), ...ends);
  answer('POST', '/v1/codehost/trigger_action', [204]);
}

const searched = (...events: readonly object[]): void => {
  answer('GET', '/v1/auth/validate', json({ workspace_id: 'w-1' }));
  answer('GET', '/v1/workspace/w-1/events?success=false&limit=50', json(events));
};

test('a run that succeeds ends with one line and the next command', async () => {
  replies(run('queued'), run('completed'));
  const { code, stdout, stderr } = await onTerminal(trigger);
  expect([code, stdout, stderr]).toEqual([
    0,
    '',
    `started run ${url}\n✔ Run completed  acme/sdk, target sdk-ts  2.0 s\n  next: dtp open\n`,
  ]);
});

test.each<[string, string, () => void, string]>([
  [
    'the error of its event',
    'failure',
    () =>
      searched(
        { error: 'of another run', gh_action_run_link: 'https://ci.example.test/0' },
        { error: ' ', gh_action_run_link: url },
        { error: 'no source\n  at line 3', gh_action_run_link: url, execution_id: 'e-1' },
      ),
    'Run failed  acme/sdk, target sdk-ts: no source …',
  ],
  ['its URL if it has no event', 'failure', () => searched(), `Run failed  acme/sdk, target sdk-ts: see ${url}`],
  [
    'its URL if events cannot be read',
    'error',
    () => answer('GET', '/v1/auth/validate', [403, '{}']),
    `Run failed  acme/sdk, target sdk-ts: see ${url}`,
  ],
  [
    'a status that says more',
    'cancelled',
    () => searched(),
    `Run failed (cancelled)  acme/sdk, target sdk-ts: see ${url}`,
  ],
])('a run that fails ends with %s', async (_, status, prepare, text) => {
  replies(run(status));
  prepare();
  const { code, stdout, stderr } = await onTerminal(trigger);
  const events = text.includes('no source') ? '--execution-id e-1' : '--no-success';
  expect([code, stdout, stderr]).toEqual([
    14,
    '',
    `started run ${url}\n✘ ${text}\n  See its events, open its page, or start it again:\n  try: dtp events search ${events}\n  try: dtp open\n  try: dtp codehost actions trigger -R acme/sdk --target-name sdk-ts --lock-id l-1 --wait\n`,
  ]);
});

test('a lock id that looks like a typo of a known one gets the corrected command', async () => {
  replies(run('failure'));
  searched({ error: 'no target', gh_action_run_link: url });
  answer('GET', '/v1/workspace/events/targets', json([{ id: 't', generate_gen_lock_id: 'l-11' }]));
  const { stderr } = await onTerminal(trigger);
  expect(stderr).toBe(
    `started run ${url}\n✘ Run failed  acme/sdk, target sdk-ts: no target\n  Did you mean "l-11"?\n` +
      '  try: dtp codehost actions trigger --org acme --repo-name sdk --target-name sdk-ts --wait --lock-id l-11\n',
  );
});

test('a terminal with few signs gets the word', async () => {
  replies(run('failure'));
  searched();
  const { stderr } = await onTerminal(trigger, { env: { TERM: 'dumb' } });
  expect(stderr).toContain(`\nerror: Run failed  acme/sdk, target sdk-ts: see ${url}\n`);
});

test('without a terminal, the run is printed, and the error says what to do next', async () => {
  replies(run('failure'));
  const { code, stdout, stderr } = await wire(trigger, { ...jumping(), env: { DTP_ERROR_FORMAT: 'text' } });
  expect([code, JSON.parse(stdout)]).toEqual([14, { run_url: url, run_status: 'failure' }]);
  expect(stderr).toContain(
    `started run ${url}\nerror: the run ended with status failure\n  See its events, or start it again:\n`,
  );
  expect(stderr).not.toContain('dtp open');
});

test('a job ends with what it made', async () => {
  answer('POST', '/v1/code_sample/preview/async', [202, '{"job_id":"j-1"}']);
  const snippet = (language: string) => ({ language, method: 'GET', path: '/pets', code: 'x' });
  answer(
    'GET',
    '/v1/code_sample/preview/async/j-1',
    [202, '{}'],
    json({ snippets: [snippet('go'), snippet('go'), snippet('python')] }),
  );
  const files = { 'a.yaml': 'openapi: 3.1.0\n' };
  const argv = 'code-samples jobs create --schema-file a.yaml --language go --wait'.split(' ');
  const { code, stderr } = await wire(argv, {
    ...jumping(),
    tty: true,
    files,
    env: { NO_COLOR: '1', TERM: 'xterm' },
  });
  expect(code).toBe(0);
  expect(stderr).toMatch(/\n✔ Made 3 code samples {2}go, python {2}2\.0 s\n$/);
});

test('a watch ends if no run starts', async () => {
  const { clock, signal, ...world } = jumping();
  const argv = 'codehost actions get --org acme --repo sdk --watch 4s'.split(' ');
  const none = Array.from({ length: 6 }, () => [200, {}] as const);
  let now = 0;
  const counting: Clock = {
    now: () => now,
    sleep: async (ms) => {
      if (ms !== 4000) return new Promise(() => undefined);
      now += ms;
    },
  };
  const { code, stderr, asked } = await runUntilCtrlC(argv, none, { ...world, clock: counting });
  // At 0, 4, 8 and 12 seconds. A run that was just triggered may not be listed at once.
  expect([code, asked.length]).toEqual([6, 4]);
  expect(stderr).toBe(
    [
      'error: acme/sdk has no run to watch',
      '  Start a run and wait until it has ended with:',
      '  try: dtp codehost actions trigger -R acme/sdk --lock-id LOCK-ID --wait\n',
    ].join('\n'),
  );
});
