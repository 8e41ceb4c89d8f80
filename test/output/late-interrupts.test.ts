/** An interrupt or deadline during synchronous work is noticed: nothing is written after it. */
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ExitCode } from '../../src/errors.ts';
import { openProbe } from '../../src/transport/probe.ts';
import { openSend } from '../../src/transport/send.ts';
import { dtp } from '../support/context.ts';

const env = { DTP_BASE_URL: 'http://127.0.0.1:1', DTP_API_KEY: 'key-of-a-test' };

test.each([
  ['api', '/v1/user'],
  ['ws', 'list'],
  ['auth', 'user'],
])('dtp %s %s stops after an interrupt that came with the last byte', async (...words) => {
  for (const format of ['json', 'table', 'yaml', 'csv']) {
    const interrupt = new AbortController();
    const ended = await dtp([...words, '-o', format], {
      env,
      signal: interrupt.signal,
      openSend: async () => ({
        send: async () => ({
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: (async function* () {
            yield Buffer.from('[{"id":"w_1"}]');
            interrupt.abort(new ExitCode(130));
          })(),
        }),
        close: async () => undefined,
      }),
    });
    expect([format, ended.code, ended.stdout]).toEqual([format, 130, '']);
  }
});

test('the deadline of doctor covers all its checks', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await new Promise((done) => silent.once('listening', done));
  const ended = await dtp(['doctor', '--timeout', '300ms'], {
    env: { ...env, DTP_BASE_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` },
    openSend: async (options) => openSend(options),
    openProbe: async () => openProbe(),
  });
  expect(ended.code).toBe(124);
  expect(ended.stdout + ended.stderr).toContain('no result within 0.3 s');
});
