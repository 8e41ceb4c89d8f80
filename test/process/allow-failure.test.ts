/** --allow-failure: a failure of the service or the network does not break a build; any other failure does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { DtpError, type ErrorCode, exitCodes } from '../../src/errors.ts';
import type { Send } from '../../src/request/http.ts';
import { jumpingClock } from '../support/clocks.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { commandsIn } from '../support/runner.ts';

const env = {
  DTP_ERROR_FORMAT: 'json',
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
};
const over =
  (send: Send): Context['openSend'] =>
  async () => ({ send, close: async () => undefined });
const throwing = (code: ErrorCode) => over(() => Promise.reject(new DtpError(code, 'what happened')));

const lenient: readonly ErrorCode[] = ['rate_limited', 'server', 'network', 'kept', 'timeout'];
const codes = Object.keys(exitCodes) as ErrorCode[];
const strict = codes.filter((code) => !lenient.includes(code));

test('the codes are those of the contract', () => {
  expect(lenient.map((code) => exitCodes[code])).toEqual([9, 10, 11, 75, 124]);
  expect(strict.map((code) => exitCodes[code])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 12, 14, 15]);
});

test.each(lenient)('%s exits with 0, and a loud warning', async (code) => {
  const openSend = throwing(code);
  expect((await dtp(['ws', 'list'], { env, openSend })).code).toBe(exitCodes[code]);
  for (const [argv, more, by] of [
    [['ws', 'list', '--allow-failure'], {}, '--allow-failure'],
    [['ws', 'list'], { DTP_ALLOW_FAILURE: '1' }, 'DTP_ALLOW_FAILURE'],
    [['ws', 'list', '-o', 'json', '--allow-failure'], { DTP_ALLOW_FAILURE: '0' }, '--allow-failure'],
  ] as const) {
    const ended = await dtp(argv, { env: { ...env, ...more }, openSend });
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    const [json = '', warning] = ended.stderr.split('\n');
    expect(JSON.parse(json).error).toMatchObject({
      code,
      message: 'what happened',
      exit_code: exitCodes[code],
      allowed_failure: true,
    });
    expect(warning).toBe(
      `warning: THE COMMAND FAILED with ${exitCodes[code]} (${code}), but exits with 0 because of ${by}`,
    );
  }
});

test.each(strict)('%s still fails', async (code) => {
  const ended = await dtp(['ws', 'list', '--allow-failure'], { env, openSend: throwing(code) });
  expect(ended.code).toBe(exitCodes[code]);
  expect(ended.stderr).not.toContain('FAILED');
  expect(JSON.parse(ended.stderr).error).not.toHaveProperty('allowed_failure');
});

test.each(['', '0', 'false', 'no', 'FALSE'])('DTP_ALLOW_FAILURE=%s allows nothing', async (value) => {
  const ended = await dtp(['ws', 'list'], {
    env: { ...env, DTP_ALLOW_FAILURE: value },
    openSend: throwing('server'),
  });
  expect(ended.code).toBe(10);
});

test('events that cannot be delivered are queued, and the build continues', async () => {
  const home = temporaryFolder();
  const post = ['events', 'post', '--body', '{"id":"e1"}', '--allow-failure'];
  const world: World = { env, home, openSend: throwing('network'), clock: jumpingClock() };
  const ended = await dtp(post, world);
  expect(ended).toMatchObject({ code: 0, stdout: '' });
  expect(ended.stderr).toContain('THE COMMAND FAILED with 75 (kept)');
  const { stdout } = await dtp(['events', 'queue', 'list'], { home });
  expect(JSON.parse(stdout)).toMatchObject([{ state: 'pending', events: 1 }]);
});

test('the runner gets a warning and no error, and the record contains it', async () => {
  const home = temporaryFolder();
  const ended = await dtp(['ws', 'list', '--allow-failure', '--error-format', 'text'], {
    env: { ...env, GITHUB_ACTIONS: 'true', DTP_OUTPUT_FILE: 'records' },
    own: 'w_1',
    home,
    openSend: throwing('server'),
  });
  expect(ended.stderr).toContain('error: what happened\n');
  expect(commandsIn(ended.stderr)).toEqual([
    {
      name: 'warning',
      properties: { title: 'dtp ws list' },
      message: 'what happened\nTry again later.',
    },
  ]);
  expect(JSON.parse(readFileSync(join(home, 'records'), 'utf8'))).toMatchObject({
    exit_code: 0,
    code: 'server',
    allowed_failure: true,
    message: 'The service failed.',
  });
});

test('DTP_ALLOW_FAILURE is 1 or 0, and nothing else', async () => {
  const ended = await dtp(['ws', 'list'], {
    env: { ...env, DTP_ALLOW_FAILURE: 'maybe' },
    openSend: throwing('server'),
  });
  expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining('DTP_ALLOW_FAILURE) must be 1 or 0')]);
});

test("dev exits with its command's code even with --allow-failure", async () => {
  const spawn: Context['spawn'] = async () => 75;
  const dev = ['dev', '--ephemeral', '--allow-failure', '--', 'anything'];
  expect((await dtp(dev, { spawn })).code).toBe(75);
});
