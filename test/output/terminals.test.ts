/** What a terminal can show: color and links; and that an empty result is said to be empty. */
import { expect, it, test } from 'vitest';
import { colorOf, supportsLinks } from '../../src/output/color.ts';
import { dtp } from '../support/context.ts';
import { service } from '../support/function-service.ts';

it.each<readonly [Record<string, string>, boolean]>([
  [{}, false],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'xterm-kitty' }, true],
  [{ TERM_PROGRAM: 'iTerm.app' }, true],
  [{ TERM_PROGRAM: 'Apple_Terminal' }, false],
  [{ TERM: 'tmux-256color', TERM_PROGRAM: 'iTerm.app' }, false],
  [{ TERM: 'screen', VTE_VERSION: '7600' }, false],
  [{ VTE_VERSION: '7600' }, true],
  [{ VTE_VERSION: '4999' }, false],
  [{ WT_SESSION: 'x' }, true],
  [{ WT_SESSION: 'x', CI: '1' }, false],
])('%j makes links of URLs: %s', (env, expected) => {
  expect(supportsLinks({ env })).toBe(expected);
});

it.each<readonly [Record<string, string>, boolean]>([
  [{}, true],
  [{ NO_COLOR: '1' }, false],
  [{ TERM: 'dumb' }, false],
  [{ CI: '1' }, false],
])('a terminal with %j has color: %s', (env, expected) => {
  expect(colorOf({ env }, {}, true)).toBe(expected);
});

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };
const { openSend } = service(() => [200, { a: null, b: '' }]);

test('a record without a value says so on a terminal, and shows its fields if asked', async () => {
  const get = (...flags: string[]) => dtp(['auth', 'user', ...flags], { env, openSend, tty: true });
  expect(await get()).toEqual({ code: 0, stdout: '', stderr: 'no results\n' });
  expect(await get('--all-fields', '--color', 'never')).toEqual({
    code: 0,
    stdout: 'A  -\nB  -\n',
    stderr: '',
  });
});

test('links only appear where color does', async () => {
  const shown = (more: Record<string, string>) =>
    dtp(['auth', 'user'], {
      env: { ...env, WT_SESSION: 'x', ...more },
      openSend: service(() => [200, { photo_url: 'https://x.test/a' }]).openSend,
      tty: true,
    });
  expect((await shown({})).stdout).toContain('\u001b]8;;https://x.test/a\u001b\\');
  expect((await shown({ NO_COLOR: '1' })).stdout).toBe('Photo URL  https://x.test/a\n');
});
