/** Times as people write them, and what is sent for them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDateTime } from '../../src/input/kinds.ts';
import { instantFrom } from '../../src/input/times.ts';
import { allOperations } from '../../src/operations/index.ts';
import { flagsOf } from '../../src/tree/operation-flags.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { dtp as process } from '../support/process.ts';
import { anyText, property } from '../support/property.ts';

const now = new Date('2026-11-22T10:20:30.456Z');

test.each([
  ['1h', 'past', '2026-11-22T09:20:30.456Z'],
  ['1h', 'future', '2026-11-22T11:20:30.456Z'],
  ['30m', 'past', '2026-11-22T09:50:30.456Z'],
  ['1h30m', 'past', '2026-11-22T08:50:30.456Z'],
  ['1.5h', 'past', '2026-11-22T08:50:30.456Z'],
  ['45s', 'past', '2026-11-22T10:19:45.456Z'],
  ['456ms', 'past', '2026-11-22T10:20:30Z'],
  ['90d', 'future', '2027-02-20T10:20:30.456Z'],
  ['2w', 'past', '2026-11-08T10:20:30.456Z'],
  ['now', 'past', '2026-11-22T10:20:30.456Z'],
  ['now', 'future', '2026-11-22T10:20:30.456Z'],
  ['2026-01-31T12:00:00+01:00', 'future', '2026-01-31T12:00:00+01:00'],
] as const)('%s in the %s', (text, direction, instant) => {
  expect(instantFrom(text, now, direction)).toBe(instant);
});

test.each([
  ['2027-01-01', new Date(2027, 0, 1)],
  ['2024-02-29', new Date(2024, 1, 29)],
  ['today', new Date(now.getFullYear(), now.getMonth(), now.getDate())],
  ['yesterday', new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)],
  ['tomorrow', new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)],
])('%s is the local start of a day', (text, day) => {
  for (const direction of ['past', 'future'] as const)
    expect(Date.parse(String(instantFrom(text, now, direction)))).toBe(day.getTime());
});

/** Each could mean several things, or nothing. */
const unclear = [
  ...['1x', '1', 'h', '1h30', '30m1h', '1h1h', '1 h', '-1h', '+1h', '1M', '1y', '1e3h', '.5h', '٣h'],
  ...['01/02/2027', '2027-02-30', '2027-2-3', '2027-02', '20270203', '2027-02-03 10:00', '2027-02-03T10:00'],
  ...['', ' ', 'Today', 'next week', 'toString', '__proto__', '99999999999w', '9999999w'],
];

test.each(unclear)('"%s" is not a time', (text) => {
  for (const direction of ['past', 'future'] as const) expect(instantFrom(text, now, direction)).toBeUndefined();
});

const duration = fc.tuple(...[2000, 400, 50, 90, 90].map((max) => fc.option(fc.integer({ min: 0, max }))));

property('a duration counts the same back and forward', [duration], (amounts) => {
  const text = amounts.map((one, at) => (one === null ? '' : `${one}${'wdhms'[at]}`)).join('');
  const far = amounts.reduce<number>((sum, one, at) => sum + (one ?? 0) * ([604800, 86400, 3600, 60, 1][at] ?? 0), 0);
  const [back, forward] = (['past', 'future'] as const).map((direction) => instantFrom(text, now, direction));
  if (text === '') expect([back, forward]).toEqual([undefined, undefined]);
  else {
    expect(now.getTime() - Date.parse(String(back))).toBe(far * 1000);
    expect(Date.parse(String(forward)) - now.getTime()).toBe(far * 1000);
  }
});

property('the result is RFC 3339, or nothing', [anyText], (text) => {
  const instant = instantFrom(text, now);
  expect(instant === undefined || isDateTime(instant)).toBe(true);
});

const shown = async (...argv: readonly string[]) =>
  dtp(['--profile', 'local', ...argv, '--dry-run', '-o', 'json'], { date: () => now });

test('a time in a flag or in -F is shown as it is sent', async () => {
  const update = ['publishing-tokens', 'update', 'ptk_5e20'];
  for (const given of [
    ['--valid-until', '90d'],
    ['-F', 'valid_until=90d'],
  ])
    expect(JSON.parse((await shown(...update, ...given)).stdout).body).toEqual({
      valid_until: '2027-02-20T10:20:30.456Z',
    });
  const search = await shown('events', 'targets', 'list', '--after-last-event-created-at', '2w');
  expect(JSON.parse(search.stdout).url).toContain('after_last_event_created_at=2026-11-08T10%3A20%3A30.456Z');
  const event = ['events', 'post', '--interaction-type', 'LINT', '--success', '--created-at', '1h'];
  expect(JSON.parse((await shown(...event)).stdout).body[0]).toMatchObject({
    created_at: '2026-11-22T09:20:30.456Z',
  });
});

test('a body is not changed', async () => {
  const update = ['publishing-tokens', 'update', 'ptk_5e20'];
  const rejected = await shown(...update, '--body', '{"valid_until":"90d"}');
  expect([rejected.code, rejected.stdout]).toEqual([2, '']);
  expect(rejected.stderr).toContain('must be a date and time, such as 2026-01-31T12:00:00Z, not \\"90d\\"');
  const typed = await shown(...update, '-F', 'valid_until=soon');
  expect([typed.code, typed.stdout]).toEqual([2, '']);
  expect(typed.stderr).toContain('-F valid_until must be a time such as 90d, tomorrow, 2026-01-31 or');
  const raw = await shown(...update, '-f', 'valid_until=90d');
  expect([raw.code, raw.stdout]).toEqual([2, '']);
});

/** Every flag of every operation that takes a time. */
const flags = allOperations.flatMap((operation) =>
  flagsOf(operation).flatMap((flag) =>
    flag.kind === 'datetime' ? [[operation.command.join(' '), operation, flag] as const] : [],
  ),
);

test.each(flags)('%s: an unclear time is an error that names the forms', async (_, operation, flag) => {
  const args = Object.values(operation.input).some(({ in: place }) => place === 'path') ? ['x_1'] : [];
  const words = operation.path.replace('{workspace_id}', '').includes('{') ? args : [];
  for (const text of ['1x', '01/02/2027', '2027-02-30', '']) {
    const ended = await dtp([...operation.command, ...words, `--${flag.name}=${text}`], {
      env: { DTP_BASE_URL: 'http://127.0.0.1:1', DTP_API_KEY: 'k', DTP_ERROR_FORMAT: 'text' },
    });
    expect([ended.code, ended.stdout], ended.stderr).toEqual([2, '']);
    expect(ended.stderr).toMatch(
      `error: --${flag.name} must be a time such as ${flag.direction === 'future' ? '90d, tomorrow' : '1h, yesterday'}, 2026-01-31 or 2026-01-31T12:00:00Z, not "${text}"`,
    );
  }
});

test('the times that a token is valid until count forward, and all others back', () => {
  const forward = flags.filter(([, , flag]) => flag.direction === 'future').map(([words]) => words);
  expect(forward).toEqual(['publishing-tokens create', 'publishing-tokens update']);
});

test('days start at midnight of the time zone, also when the clocks change', async () => {
  const at = async (day: string, zone: string) => {
    const argv = ['publishing-tokens', 'update', 'ptk_5e20', '--valid-until', day, '--dry-run', '-o', 'json'];
    const ended = await process(temporaryFolder(), ['--profile', 'local', ...argv], { env: { TZ: zone } });
    return JSON.parse(ended.stdout).body.valid_until;
  };
  expect(await at('2027-03-14', 'America/New_York')).toBe('2027-03-14T05:00:00Z');
  expect(await at('2027-03-15', 'America/New_York')).toBe('2027-03-15T04:00:00Z');
  expect(await at('2027-01-01', 'Asia/Kolkata')).toBe('2026-12-31T18:30:00Z');
});
