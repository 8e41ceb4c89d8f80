/** What a terminal can show: color, links and signs; and that an empty result is said to be empty. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { colorOf, supportsLinks } from '../../src/output/color.ts';
import { hasPlainSigns } from '../../src/render/signs.ts';
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

it.each<readonly [Record<string, string>, boolean]>([
  [{ TERM: 'dumb' }, true],
  [{ TERM: 'linux' }, true],
  [{ TERM: 'linux', LANG: 'en_US.UTF-8' }, true],
  [{ LC_ALL: 'C' }, true],
  [{ LC_ALL: 'POSIX' }, true],
  [{ LC_CTYPE: 'C' }, true],
  [{ LANG: 'C' }, true],
  [{ LC_ALL: 'de_DE.ISO-8859-1' }, true],
  [{ LC_CTYPE: 'fr_FR.iso885915@euro' }, true],
  [{ LANG: 'de_DE@euro' }, true],
  [{ LANG: 'ja_JP.eucJP' }, true],
  [{ LC_ALL: 'C', LC_CTYPE: 'en_US.UTF-8', LANG: 'en_US.UTF-8' }, true],
  [{ LC_CTYPE: 'POSIX', LANG: 'en_US.UTF-8' }, true],
  [{ LC_ALL: '', LC_CTYPE: '', LANG: 'C' }, true],
  // Containers have no locale.
  [{}, false],
  [{ LC_ALL: '', LC_CTYPE: '', LANG: '' }, false],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'linux-16color' }, false],
  [{ LANG: 'en_US.UTF-8' }, false],
  [{ LANG: 'de_DE.utf8@euro' }, false],
  [{ LANG: 'C.UTF-8' }, false],
  [{ LANG: 'en_US' }, false],
  [{ LC_ALL: 'C.UTF-8', LC_CTYPE: 'C', LANG: 'C' }, false],
  [{ LC_CTYPE: 'en_US.UTF-8', LANG: 'C' }, false],
  [{ LC_MESSAGES: 'C' }, false],
])('a terminal with %j shows only ASCII: %s', (variables, expected) => {
  expect(hasPlainSigns(variables)).toBe(expected);
});

const long = {
  id: 'run-77',
  name: 'x'.repeat(300),
  status: 'failed',
  success: false,
  created_at: '2026-11-01T12:00:00Z',
};
const [failed, made] = [
  [500, { message: 'y'.repeat(600) }],
  [201, { ...long, id: 'w_1' }],
] as const;
const shown: readonly (readonly [argv: string, reply: readonly [number, unknown]])[] = [
  ['ws list', [200, [long, { id: 'run-78' }]]],
  ['ws get', [200, long]],
  ['events search', [200, [long]]],
  ['events search --chart', [200, [long, { ...long, success: true }]]],
  ['ws create --name acme --slug acme', made],
  ['ws tokens delete t_1 --yes', [204, undefined]],
  ['auth user', failed],
  ['config explain', [200, []]],
  ['help flags', [200, []]],
  ['api --help', [200, []]],
  ['nonsense', [200, []]],
];

describe.each(shown)('%s', (argv, reply) => {
  const at = (more: Record<string, string>, tty = true) => {
    const variables = { ...env, DTP_WORKSPACE_ID: 'w_1', NO_COLOR: '1', ...more };
    const { openSend } = service(() => reply as [number, unknown]);
    return dtp(argv.split(' '), { env: variables, openSend, tty, columns: 60, own: 'w_1' });
  };

  it.each([{ LC_ALL: 'C' }, { LC_CTYPE: 'POSIX' }, { LANG: 'de_DE.ISO-8859-1' }, { TERM: 'linux' }, { TERM: 'dumb' }])(
    'with %j has only ASCII',
    async (more) => {
      const { stdout, stderr } = await at(more);
      expect(stripVTControlCharacters(`${stdout}${stderr}`)).toMatch(/^[\n\x20-\x7e]+$/);
    },
  );

  it('is the same in a pipe', async () => {
    const [plain, other] = [await at({}, false), await at({ LC_ALL: 'C' }, false)];
    expect([other.code, other.stdout]).toEqual([plain.code, plain.stdout]);
  });
});

it('a locale with UTF-8, or none, has signs', async () => {
  const { openSend } = service(() => [200, [long]]);
  for (const more of [{}, { LANG: 'en_US.UTF-8' }] as Record<string, string>[]) {
    const variables = { ...env, DTP_WORKSPACE_ID: 'w_1', ...more };
    const ended = await dtp(['events', 'search', '--chart'], {
      env: variables,
      openSend,
      tty: true,
      columns: 60,
      own: 'w_1',
    });
    expect(ended.stdout).toContain('▒');
    const list = await dtp(['ws', 'list'], { env: variables, openSend, tty: true, columns: 60 });
    expect(list.stdout).toContain('…');
  }
});

it('formats for programs keep every character', async () => {
  const { openSend } = service(() => [200, { name: '…━✔' }]);
  const variables = { ...env, LC_ALL: 'C', NO_COLOR: '1' };
  const ended = await dtp(['auth', 'user', '-o', 'json'], { env: variables, openSend, tty: true });
  expect(JSON.parse(ended.stdout)).toEqual({ name: '…━✔' });
});
