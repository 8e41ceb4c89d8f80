/** `events post --dry-run` and `--curl` show the numbers that are sent, digit by digit. */
import { expect, test } from 'vitest';
import { events, receiver } from '../../support/event-service.ts';

test.each([
  ['twenty digits', '12345678901234567890'],
  ['a negative integer beyond 2^53', '-9007199254740993'],
  ['the largest safe integer', '9007199254740991'],
  ['a thousand digits', '7'.repeat(1000)],
])('%s', async (_, number) => {
  const service = receiver();
  const run = async (...more: readonly string[]) => {
    const body = `{"id":"e_1","duration_ms":${number},"generate_config_pre_raw":{"deep":[${number}]}}`;
    const argv = ['post', '--no-fill', '--body', body, ...more];
    const { code, stdout } = await events(argv, { openSend: service.openSend });
    expect(code).toBe(0);
    return stdout;
  };
  const numbersIn = (text: string) => [...text.matchAll(/-?\d{10,}/g)].map(([found]) => found);
  expect(numbersIn(await run('--dry-run'))).toEqual([number, number]);
  expect(numbersIn(await run('--curl'))).toEqual([number, number]);
  expect(service.bodies).toEqual([]);
  await run();
  expect(numbersIn(String(service.bodies[0]))).toEqual([number, number]);
});

test.each(['1e999', '7'.repeat(1001)])('a number that cannot be shown is an error: %s', async (number) => {
  const service = receiver();
  const argv = ['post', '--no-fill', '--body', `{"id":"e_1","duration_ms":${number}}`, '--dry-run'];
  const { code, stdout, stderr } = await events(argv, { openSend: service.openSend });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/an event contains (a number with 1001 digits|the number 1e999), .* so it cannot be shown/);
});
