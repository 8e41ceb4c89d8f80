/** Formatted checks: marks and color only on a terminal, words everywhere, and nothing is cut. */
import { expect, test } from 'vitest';
import { checksText } from '../../src/render/checks.ts';
import { widthOf } from '../../src/render/width.ts';
import { dtp } from '../support/context.ts';

const checks = [
  { check: 'node', status: 'ok', message: 'Node 22' },
  { check: 'dns', status: 'fail', message: `${'word '.repeat(12)}end`, fix: 'dtp config explain' },
  { check: 'clock', status: 'warn', message: 'evil\u001b[2J', fix: 'Set it.' },
  { check: 'access', status: 'skip', message: `a-${'long'.repeat(20)}` },
] as const;

test('in a pipe: words without marks, one line each', () => {
  expect(checksText(checks, { width: undefined, color: false })).toBe(
    [
      'ok    node    Node 22',
      `fail  dns     ${'word '.repeat(12)}end`,
      '              fix: dtp config explain',
      'warn  clock   evil\\u001b[2J',
      '              fix: Set it.',
      `skip  access  a-${'long'.repeat(20)}`,
      '',
    ].join('\n'),
  );
});

test('checks that are skipped for the same reason are one line', () => {
  const skipped = (...names: readonly string[]) =>
    names.map((check) => ({ check, status: 'skip', message: 'no valid base URL' }) as const);
  const all = [...skipped('a', 'b'), checks[0], ...skipped('c', 'd', 'e'), checks[0]];
  expect(checksText(all, { width: undefined, color: false })).toBe(
    [
      'skip  a         no valid base URL',
      'skip  b         no valid base URL',
      'ok    node      Node 22',
      'skip  3 checks  no valid base URL: c, d, e',
      'ok    node      Node 22',
      '',
    ].join('\n'),
  );
});

test.each([60, 80, 120])('on a terminal with %i columns: marks, and lines that fit without losing a word', (width) => {
  const text = checksText(checks, { width, color: false });
  expect(text).toMatch(/^✔ ok {4}node/);
  expect(text).toContain('✘ fail  dns');
  // A word that is wider than the line is on a separate line.
  for (const line of text.split('\n').filter((one) => !one.includes('longlong')))
    expect(widthOf(line)).toBeLessThanOrEqual(width);
  expect(text.match(/word/g)).toHaveLength(12);
});

const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`);

test('color is only used on a terminal that supports it', async () => {
  expect(checksText(checks, { width: 80, color: true })).toMatch(colour);
  const shown = async (env: Record<string, string>, tty = true) =>
    colour.test(
      // A test's stream has no cursor, which the progress display of a slow machine would move.
      (await dtp(['doctor', '-o', 'table', '--no-progress'], { tty, env: { TERM: 'xterm', ...env } })).stdout,
    );
  expect([
    await shown({}),
    await shown({ NO_COLOR: '1' }),
    await shown({ CI: 'true' }),
    await shown({ CI: 'true', FORCE_COLOR: '1' }),
    await shown({}, false),
  ]).toEqual([true, false, false, true, false]);
});

test('every format', async () => {
  const run = async (...argv: string[]) => (await dtp(['doctor', ...argv], { env: { DTP_TIMEOUT: 'x' } })).stdout;
  expect(
    (await run('-o', 'ndjson'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).check),
  ).toContain('settings');
  expect((await run('-o', 'csv')).split('\n')[0]?.trim()).toBe('check,status,message,fix,mend');
  expect(JSON.parse(await run('--query', "[?status=='fail'].check"))).toEqual(['settings', 'base-address']);
  expect((await run('-o', 'table', '--fields', 'check,status')).split('\n')[0]).toMatch(/^CHECK\s+STATUS$/);
});
