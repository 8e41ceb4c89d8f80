/** Selectors of operations by method and path are checked before anything is sent. */
import { expect, test } from 'vitest';
import { dtp } from '../support/context.ts';

const run = (...given: string[]) =>
  dtp(['code-samples', 'get', '--registry-url', 'u', '--dry-run', '-o', 'json', ...given], {
    env: { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_ERROR_FORMAT: 'json' },
  });

test.each([
  '{"method":"GET"}',
  '{"path":"/pets"}',
  '{"method":"FOO","path":"/pets"}',
  '{"method":"get","path":5}',
  '{"method":"get","path":""}',
  '{"method":["get"],"path":"/pets"}',
  '{}',
  '[{"method":"get","path":"/pets"},{"method":"get"}]',
  'null',
  '7',
])('%s is rejected', async (given) => {
  for (const flags of [
    ['--method-paths', given],
    ['--method-paths', '{"method":"get","path":"/pets"}', '--method-paths', given],
  ]) {
    const { code, stdout, stderr } = await run(...flags);
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr).error.message).toBe(
      'each value of --method-paths must be an object with a method and a path',
    );
  }
});

test.each(['{"method":"get","path":"/pets"}', '{"method":"DELETE","path":"/pets/{id}"}', '[]'])(
  '%s is sent',
  async (given) => {
    expect((await run('--method-paths', given)).code).toBe(0);
  },
);
