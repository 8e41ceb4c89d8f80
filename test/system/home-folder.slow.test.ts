/** An unusable home folder gives a clear error, and nothing is written elsewhere. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configFolder, dataFolder, findHome, homeFolder, stateFolder, xdgFolder } from '../../src/system/folders.ts';
import { temporaryFolder } from '../support/context.ts';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');

/** The value of HOME is a shell word, because a Node variable cannot hold all bytes. */
const homes = {
  'is relative': ['rel', 'the home folder is not an absolute path: "rel"'],
  'is the current folder': ['.', 'the home folder is not an absolute path: "."'],
  'is not UTF-8': [`"$(printf "$PWD/h\\377")"`, 'the home folder is not valid UTF-8: '],
} as const;

const commands: readonly (readonly [argv: readonly string[], code: number])[] = [
  [['--version'], 0],
  [['help'], 0],
  [['ws', 'list', '--help'], 0],
  [['__complete', 'ws'], 0],
  [['config', 'path'], 3],
  [['config', 'set', 'workspace', 'w_1'], 3],
  [['auth', 'login', '--base-url', 'http://127.0.0.1:9', '--with-token'], 3],
  [['ws', 'list', '--base-url', 'local:'], 3],
  [['events', 'post', '--body', '{"id":"a"}', '--base-url', 'http://127.0.0.1:9', '-w', 'w_1'], 3],
  [['events', 'queue', 'list'], 3],
  [['events', 'queue', 'flush', '--base-url', 'http://127.0.0.1:9'], 3],
  [['completion', 'bash', '--install'], 3],
  [['completion', 'zsh', '--install'], 3],
  [['completion', 'fish', '--install'], 3],
  [['dev', '--', 'true'], 3],
  [['doctor'], 3],
];

/** Runs the tool in an empty folder, with the shell code `set` in front. */
function run(set: string, argv: readonly string[]) {
  const folder = temporaryFolder();
  const ended = spawnSync('sh', ['-c', `${set} exec "$0" "$@"`, process.execPath, bin, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, PWD: folder, DTP_API_KEY: 'k-1', DTP_ERROR_FORMAT: 'text' },
    encoding: 'utf8',
    input: 'k-1\n',
  });
  return { ...ended, left: readdirSync(folder) };
}

describe.skipIf(process.platform === 'win32').each(Object.entries(homes))('if HOME %s', (_, [home, message]) => {
  test.each(commands.map(([argv, code]) => [argv.join(' '), argv, code] as const))('dtp %s', (__, argv, code) => {
    const ended = run(`HOME=${home}`, argv);
    expect([ended.status, ended.left], ended.stderr).toEqual([code, []]);
    if (code === 0) return;
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toContain(`error: ${message}`);
    expect(ended.stderr).toContain('DTP_CONFIG_DIR');
  });

  test('other variables can name the folders instead', () => {
    const named = ['CONFIG', 'STATE', 'DATA'].map((one) => `DTP_${one}_DIR="$PWD/${one}"`).join(' ');
    const ended = run(`HOME=${home} ${named}`, ['ws', 'list', '--base-url', 'local:']);
    expect([ended.status, ended.left], ended.stderr).toEqual([0, expect.not.arrayContaining(['rel'])]);
  });
});

test.each([
  ['configFolder', configFolder, 'DTP_CONFIG_DIR', 'XDG_CONFIG_HOME'],
  ['dataFolder', dataFolder, 'DTP_DATA_DIR', 'XDG_DATA_HOME'],
  ['stateFolder', stateFolder, 'DTP_STATE_DIR', 'XDG_STATE_HOME'],
])('the error for %s names the variable that Node cannot read', (_, folder, own, xdg) => {
  const home = '/home/me';
  const bad = '/home/\ufffd';
  expect(() => folder({ env: { [own]: bad }, home })).toThrow(`${own} is not valid UTF-8: "${bad}"`);
  expect(() => folder({ env: { [xdg]: bad }, home })).toThrow(`${xdg} is not valid UTF-8: "${bad}"`);
  expect(() => folder({ env: {}, home: bad })).toThrow(`the home folder is not valid UTF-8: "${bad}"`);
  expect(folder({ env: { [own]: '/a' }, home: bad })).toBe('/a');
  expect(folder({ env: { [xdg]: '/a' }, home: bad })).toBe(join('/a', 'dtp'));
  // A relative value is ignored.
  expect(folder({ env: { [xdg]: 'a' }, home })).toMatch(/^\/home\/me\/.*dtp$/);
});

test('the folder of an XDG variable is never in the current folder', () => {
  const home = '/home/me';
  expect(xdgFolder({ env: { XDG_DATA_HOME: '/a' }, home }, 'XDG_DATA_HOME', 'share')).toBe('/a');
  expect(xdgFolder({ env: { XDG_DATA_HOME: 'a' }, home }, 'XDG_DATA_HOME', 'share')).toBe('/home/me/share');
  expect(homeFolder({ env: {}, home: '/' })).toBe('/');
});

test('a user without a home folder gets /, and nothing is stored there', () => {
  expect(findHome(() => '/home/me')).toBe('/home/me');
  expect(findHome(() => '')).toBe('/');
  expect(
    findHome(() => {
      throw new Error('ENOENT: no entry for this user');
    }),
  ).toBe('/');
});

test('an empty HOME means the home folder of the system, not /', () => {
  const known = userInfo().homedir;
  const result = spawnSync('sh', ['-c', 'HOME= exec "$0" "$@"', process.execPath, bin, 'config', 'path'], {
    encoding: 'utf8',
  });
  expect(result.stdout.startsWith(`${join(known, '/')}`), result.stderr).toBe(true);
});
