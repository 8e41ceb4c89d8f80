/** `--chart`: responses as bars by day and by language, and the combinations that are refused. */
import { expect, test } from 'vitest';
import { answer, guardWire, wire } from '../../support/wire.ts';

guardWire();

const zone = { DTP_WORKSPACE_ID: 'w_1' };
const search = '/v1/workspace/w_1/events';

/** At noon, so that the day is the same in most time zones. */
const event = (day: string, success: boolean | undefined = true) => ({
  created_at: `${day}T12:00:00Z`,
  success,
});

test('events by day, with failed ones drawn differently, and including days without events', async () => {
  const events = [event('2026-03-03'), event('2026-03-01'), event('2026-03-03', false), event('2026-03-03'), { id: 1 }];
  answer('GET', search, [200, JSON.stringify(events)]);
  const { code, stdout, stderr } = await wire(['events', 'search', '--chart'], { env: zone });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n').map((line) => line.trimEnd().replace(/█+/, '█'))).toEqual([
    expect.stringMatching(/^2026-03-01 {2}█[▏▎▍▌▋▊▉]? +1$/),
    expect.stringMatching(/^2026-03-02 +0$/),
    expect.stringMatching(/^2026-03-03 {2}█▒+ +3, 1 failed$/),
    '',
  ]);
});

test('a few days far apart are drawn without the days between', async () => {
  answer('GET', search, [200, JSON.stringify([event('2024-01-01'), event('2026-01-01')])]);
  const { stdout } = await wire(['events', 'search', '--chart'], { env: zone });
  expect(stdout.trimEnd().split('\n')).toHaveLength(2);
});

test('usage by language', async () => {
  const usage = [
    { language: 'go', number_of_operations: 1500, max_operations: 3000 },
    { language: 'java', number_of_operations: 2 },
  ];
  answer('GET', '/v1/organization/usage', [200, JSON.stringify({ usage })]);
  const { stdout } = await wire(['orgs', 'usage', 'get', '--chart'], {
    tty: true,
    columns: 40,
    env: { NO_COLOR: '1' },
  });
  expect(stdout).toBe('go    █████████░░░░░░░░░  1,500 of 3,000\njava  ▏                   2\n');
});

test.each(['[]', '{"usage":[]}', 'null'])('an empty chart says so: %s', async (body) => {
  answer('GET', '/v1/organization/usage', [200, body]);
  expect(await wire(['orgs', 'usage', 'get', '--chart'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'no results\n',
  });
});

test.each([['-o', 'json'], ['--json'], ['--query', '[]'], ['--jq', '.'], ['--fields', 'id']])(
  'output for programs is refused: %j',
  async (...argv) => {
    const ended = await wire(['events', 'search', '--chart', ...argv], { env: zone });
    expect(ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--chart cannot be combined'),
    });
  },
);
