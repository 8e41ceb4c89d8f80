/** `dtp doctor` and the service: the credential, its access, the clocks and the queued events. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { openProbe } from '../../../src/transport/probe.ts';
import { openSend } from '../../../src/transport/send.ts';
import { jumpingClock } from '../../support/clocks.ts';
import { dtp, temporaryFolder } from '../../support/context.ts';
import { canary, configured, credential, env, examined, reaching, snapshot, stored } from '../../support/doctor.ts';
import { served } from '../../support/embedded-service.ts';

test.each([
  ['missing', {}, 4, 'no credential for', 'dtp auth login --base-url https://api.example.test'],
  ['missing in CI', { CI: 'true' }, 4, 'no credential for', 'Set DTP_API_KEY.'],
  [
    'refused',
    { DTP_API_KEY: canary },
    4,
    '401 from GET',
    'The credential came from DTP_API_KEY (profile default). Set DTP_API_KEY to a valid credential.',
  ],
])('a credential that is %s', async (_, more, code, says, mend) => {
  const { world, sent } = reaching({ '/v1/auth/validate': [401, { message: `not ${canary}` }] });
  const found = await examined([], { env: { DTP_BASE_URL: env.DTP_BASE_URL, ...more }, ...world });
  expect([found.code, found.of('credential'), found.mend('credential')]).toEqual([
    code,
    expect.stringContaining(says),
    mend,
  ]);
  expect(found.of('access')).toBe('skip: the credential cannot be used');
  // Any response shows the service's clock.
  expect(found.of('clock')).toMatch(/^ok/);
  expect(sent).toHaveLength(1);
  expect(found.stderr + JSON.stringify(found.checks)).not.toContain(canary);
});

test('a credential for another service, and one that a .dtp.json would redirect, are not sent', async () => {
  const home = configured(stored({ base_url: 'https://other.example.test', ...credential }));
  const { world, sent } = reaching();
  const elsewhere = await examined([], { home, ...world });
  expect([elsewhere.code, elsewhere.of('credential')]).toEqual([4, expect.stringContaining('belongs to https://api.')]);
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, '.dtp.json'), '{"base_url":"https://evil.example.test"}');
  const led = await examined([], { cwd, env: { DTP_API_KEY: canary }, ...world });
  const trust = `dtp config trust ${join(cwd, '.dtp.json')}`;
  expect([led.code, led.mend('folder-file'), led.mend('base-address')]).toEqual([3, trust, trust]);
  expect(led.of('connection')).toBe('skip: no valid base URL');
  expect(sent.filter((one) => one.includes(canary))).toEqual([]);
});

test('a credential command: its output is tried, and its failure is reported', async () => {
  const command = { base_url: 'https://api.example.test', credential_command: 'vault' };
  const home = configured(stored(command));
  const { world, sent } = reaching();
  const good = await examined([], { home, ...world, exec: async () => `${canary}\n` });
  expect(good.of('credential')).toContain('from credential_command of profile work');
  expect(sent[0]).toContain(canary);
  const empty = await examined([], { home, ...world, exec: async () => '' });
  expect([empty.code, empty.of('credential')]).toEqual([3, expect.stringContaining('printed nothing')]);
});

test.each([
  ['forbidden', [403, {}], 5, 'fail: 403'],
  ['forbidden, for a reason', [403, { errors: [{ message: 'not yours' }] }], 5, '/access: not yours'],
  ['broken', [500, {}], 10, 'fail: 500'],
  [
    'not permitted',
    [200, { generation_allowed: false, message: 'the trial is over' }],
    0,
    'warn: generation is not allowed: the trial is over',
  ],
  [
    'permitted, with a warning',
    [200, { generation_allowed: true, level: 'warning', message: 'soon over' }],
    0,
    'warn: generation is allowed: soon over',
  ],
  ['null', [200, null], 0, 'warn: generation is not allowed'],
] as const)('access that is %s', async (_, answer, code, told) => {
  const { world } = reaching({ '/v1/workspace/access': answer });
  const found = await examined([], { env, ...world });
  expect(found.of('access')).toContain(told);
  expect(found.of('access')).not.toContain('undefined');
  expect(found.code).toBe(code);
});

test.each([
  [-8, 'warn: the clock of this machine is 8 min ahead of the service'],
  [8, 'warn: the clock of this machine is 8 min behind the service'],
  [4, /^ok: within 2(39|4\d) s of/],
])('a service whose clock is %s minutes behind ours', async (minutes, told) => {
  const { world } = reaching({}, new Date(Date.now() + minutes * 60_000).toUTCString());
  const { code, of, mend } = await examined([], { env, ...world });
  expect([code, of('clock')]).toEqual([0, expect.stringMatching(told)]);
  if (typeof told === 'string') expect(mend('clock')).toContain('timedatectl');
});

test('queued events: pending, rejected, corrupt', async () => {
  const home = temporaryFolder();
  const { world } = reaching({ '/v1/workspace/w_1/events': [400, { message: 'no' }] });
  const post = ['events', 'post', '--body', '{"id":"e1"}', '-w', 'w_1'];
  await dtp(post, { home, env, ...world });
  const rejected = await examined([], { home, env, ...world });
  expect([rejected.code, rejected.of('queue')]).toEqual([0, 'warn: 1 event batch is in the queue: 1 rejected']);
  expect(rejected.mend('queue')).toBe('dtp events queue list');

  mkdirSync(join(home, 'state', 'corrupt'), { recursive: true });
  writeFileSync(join(home, 'state', 'corrupt', 'abc_01-0000001.batch'), 'damaged');
  const lost: Context['openSend'] = async () => ({
    send: () => Promise.reject(new Error('lost')),
    close: async () => undefined,
  });
  await dtp(post, { home, env, openSend: lost, clock: jumpingClock() });
  const before = snapshot(join(home, 'state'));
  const all = await examined([], { home, env, ...world });
  expect(all.of('queue')).toBe('warn: 3 event batches are in the queue: 1 pending, 1 rejected, 1 corrupt');
  expect(all.mend('queue')).toBe('dtp events queue flush');
  expect(snapshot(join(home, 'state'))).toEqual(before);
});

test('over real sockets, against the embedded service on loopback', async () => {
  const service = await served();
  onTestFinished(service.close);
  const home = temporaryFolder();
  const found = await examined([], {
    home,
    env: { DTP_BASE_URL: service.address, DTP_API_KEY: service.key, HTTP_PROXY: 'http://127.0.0.1:9' },
    openProbe: async () => openProbe(),
    openSend: async (options) => openSend(options),
  });
  expect(found.code).toBe(0);
  expect(found.of('proxy')).toBe('ok: HTTP_PROXY is not used for 127.0.0.1: loopback is never proxied');
  expect(found.of('connection')).toMatch(/^ok: 127\.0\.0\.1:\d+ accepts connections over plain HTTP$/);
  expect([found.of('clock'), found.of('credential'), found.of('access')]).toEqual(
    Array(3).fill(expect.stringMatching(/^ok/)),
  );
  expect(existsSync(join(home, 'config')) || existsSync(join(home, 'state')) || existsSync(join(home, 'data'))).toBe(
    false,
  );
});
