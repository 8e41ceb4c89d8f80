/** What an error says about a change: whether it may have been made, whether to repeat the command, and how to look. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { answer as answerOf, guardWire, type Reply, wire } from '../support/wire.ts';

guardWire();

const own = { own: 'w_1', env: { DTP_WORKSPACE_ID: 'w_1', DTP_ERROR_FORMAT: 'json' } };
const maybe = '; the change may have been made';

const commands = {
  'a creation': ['POST', '/v1/workspace', ['ws', 'create', '--name', 'x', '--slug', 'x']],
  'dtp api': ['POST', '/v1/workspace', ['api', '/v1/workspace', '--body', '{}']],
  'a deletion': ['DELETE', '/v1/workspace/w_1/tokens/t_1', ['ws', 'tokens', 'delete', 't_1', '--yes']],
  'a read': ['GET', '/v1/workspaces', ['ws', 'list']],
} as const;

async function errorOf(name: keyof typeof commands, reply: Reply, ...more: readonly string[]) {
  const [method, path, argv] = commands[name];
  const seen = answerOf(method, path, reply);
  const { code, stderr, stdout } = await wire([...argv, ...more], own);
  expect([seen.length, stdout]).toEqual([1, '']);
  return { exit: code, ...JSON.parse(stderr).error };
}

describe('a status of 5XX or 429', () => {
  const unsure = [500, 502, 504, 520, 522, 524, 599];
  const refused = [429, 503];
  const never = [501, 505];
  const rows = (Object.keys(commands) as (keyof typeof commands)[]).flatMap((name) => [
    ...unsure.map((status) => ({ name, status, retryable: commands[name][0] !== 'POST', isUnsure: name !== 'a read' })),
    ...refused.map((status) => ({ name, status, retryable: true, isUnsure: false })),
    ...never.map((status) => ({ name, status, retryable: false, isUnsure: false })),
  ]);
  test.each(rows)('$status for $name: retryable $retryable', async ({ name, status, retryable, isUnsure }) => {
    const error = await errorOf(name, [status, '{"message":"no"}']);
    expect([error.retryable, error.message.endsWith(maybe)]).toEqual([retryable, isUnsure]);
    if (isUnsure) expect(error.hint).toBe('Check that before you run the command again.');
    else if (retryable) expect(error.hint).toContain('Try again later');
  });
});

test('an event is stored once, so a post may be repeated after a 500', async () => {
  const seen = answerOf('POST', '/v1/workspace/w_1/events', [504]);
  const argv = ['events', 'post', '--no-queue', '--no-check', '--body', '[{"id":"e_1"}]'];
  const { stderr } = await wire(argv, own);
  expect([seen.length, JSON.parse(stderr).error.retryable]).toEqual([1, true]);
});

const json = { 'content-type': 'application/json' };
const unreadable: Readonly<Record<string, Reply>> = {
  NaN: [201, '{"id":"w_9","n":NaN}', json],
  'a number that is too large': [201, '{"id":1e999}', json],
  'JSON that is cut off': [201, '{"id":"w_9"', json],
  'invalid UTF-8': [200, Buffer.from([0x22, 0xff, 0x22]), json],
  'an unknown encoding': [201, 'xx', { ...json, 'content-encoding': 'zstd' }],
  'broken gzip': [201, Buffer.from('no gzip'), { ...json, 'content-encoding': 'gzip' }],
  'more than 64 MiB': [201, gzipSync(Buffer.alloc(65 * 1024 ** 2, ' ')), { ...json, 'content-encoding': 'gzip' }],
};

describe.each(Object.entries(unreadable))('a 2XX with %s', (what, reply) => {
  test('after a creation: the change was made, and how to look', async () => {
    const error = await errorOf('a creation', reply);
    expect([error.exit, error.retryable]).toEqual([12, false]);
    expect(error.message).toMatch(/, but the change was made$/);
    expect(error.hint).toMatch(/^Do not repeat the command/);
    expect(error.hint).not.toContain('-o raw');
    expect(error.next).toEqual([{ command: 'dtp ws list' }]);
  });
  // Text that is not JSON is a result of dtp api.
  test.skipIf(/NaN|cut off|UTF-8/.test(what))('after dtp api', async () => {
    const error = await errorOf('dtp api', reply, '-o', 'json', '--query', 'id');
    expect([error.retryable ?? false, error.hint]).toEqual([
      false,
      expect.stringMatching(/^Do not repeat|^The command itself succeeded/),
    ]);
  });
  test('after a read: nothing was changed', async () => {
    const error = await errorOf('a read', reply);
    expect([error.exit, error.message.includes('change'), error.next]).toEqual([12, false, undefined]);
  });
});

test.each<[string, Reply]>([
  [
    'a web page, which a proxy may have sent',
    [200, '<!doctype html><title>Log in</title>', { 'content-type': 'text/html' }],
  ],
  ['a redirect', [302, '', { location: 'https://other.test/' }]],
])('%s does not say that the change was made', async (_, reply) => {
  const error = await errorOf('a creation', reply);
  expect([error.exit, error.message.includes('change')]).toEqual([12, false]);
});
