/** What Windows does differently with files: names, open files, folders, references, and locks. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { faultOnWindows } from '../../src/flows/names.ts';
import { isHeld, type LockHolder, withLock } from '../../src/store/lock.ts';
import { rename } from '../../src/store/rename.ts';
import { configFolder, dataFolder, type FolderEnvironment, stateFolder } from '../../src/system/folders.ts';
import { moveFromRoaming } from '../../src/system/roaming.ts';
import { document, registry, write } from '../support/artifacts.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { textPiecesOf } from '../support/text-pieces.ts';

const windows = { version: 'v20.18.1', platform: 'win32' };

test.each([
  ...['a*b.yaml', 'a?.yaml', 'a|b', 'a<b', 'a>b', 'a"b', 'pets:Zone.yaml', '.git::$INDEX_ALLOCATION/config'],
  ...['com¹.yaml', 'LPT³', 'aux .yaml', 'x/con', 'NUL', 'conin$', 'CONOUT$.txt'],
])('Windows cannot store %s', (name) => {
  expect(faultOnWindows(name)).toMatch(/^Windows /);
});

test.each(['a.yaml', 'com.yaml', 'console.yaml', 'a/b c.yaml', 'com¹0.yaml', 'auxiliary', "it's.yaml", 'ä#%&.yaml'])(
  'Windows can store %s',
  (name) => {
    expect(faultOnWindows(name)).toBeUndefined();
  },
);

test('a push warns of a name that Windows cannot store, a pull there refuses it before it writes anything', async () => {
  const { run, home } = await registry();
  write(home, { 'spec/openapi.json': document(), 'spec/pets:b.json': '{}' });
  const pushed = await run(['push', 'spec', 'pets:v1']);
  expect([pushed.code, pushed.stderr]).toEqual([
    0,
    expect.stringContaining('"pets:b.json" cannot be pulled on Windows'),
  ]);
  const pulled = await run(['pull', 'pets:v1', '-O', 'out'], { runtime: windows });
  expect([pulled.code, pulled.stderr]).toEqual([12, expect.stringContaining('Windows does not allow : in a name')]);
  expect(pulled.stderr).toContain('pets:b.json');
  expect(readdirSync(home).filter((name) => /^(out|\.dtp-)/.test(name))).toEqual([]);
  expect((await run(['pull', 'pets:v1', '-O', 'out'], { runtime: { ...windows, platform: 'linux' } })).code).toBe(0);
  expect(existsSync(join(home, 'out/pets:b.json'))).toBe(true);
});

test.each(['code-samples preview openapi.json --language go', 'artifacts push openapi.json pets:v1'])(
  'a backslash in a reference is an error everywhere: %s',
  async (line) => {
    const home = temporaryFolder();
    write(home, { 'openapi.json': document('paths\\pets.json'), 'paths\\pets.json': '{}', 'paths/pets.json': '{}' });
    const { code, stderr } = await dtp(['--profile', 'local', ...line.split(' ')], { home, cwd: home });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/which contains a backslash.*Write \/ instead/s)]);
  },
);

const failing = (code: string, times: number) => {
  const made: string[] = [];
  const attempt = async (from: string, to: string) => {
    made.push(`${from} ${to}`);
    if (made.length <= times) throw Object.assign(new Error('no'), { code });
  };
  return { made, attempt };
};

test.each(['EPERM', 'EACCES', 'EBUSY'])('on Windows, a rename is tried again after %s', async (code) => {
  const { made, attempt } = failing(code, 3);
  await rename('a', 'b', { isWindows: true, rename: attempt });
  expect(made).toEqual(['a b', 'a b', 'a b', 'a b']);
  const forever = failing(code, Number.POSITIVE_INFINITY);
  await expect(rename('a', 'b', { isWindows: true, rename: forever.attempt })).rejects.toMatchObject({ code: 'EBUSY' });
  expect(forever.made.length).toBeGreaterThan(10);
});

test.each([
  ['EPERM', false],
  ['ENOENT', true],
  ['EXDEV', true],
])('a rename is not tried again after %s (on Windows: %s)', async (code, isWindows) => {
  const { made, attempt } = failing(code, 1);
  await expect(rename('a', 'b', { isWindows, rename: attempt })).rejects.toMatchObject({ code });
  expect(made).toHaveLength(1);
});

const folders = (place: FolderEnvironment) => [configFolder(place), dataFolder(place), stateFolder(place)];

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['without variables', {}, ['AppData/Roaming', 'AppData/Local', 'AppData/Local']],
  ['with those of Windows', { APPDATA: '/r', LOCALAPPDATA: '/l' }, ['/r', '/l', '/l']],
  ['with relative ones', { APPDATA: 'r', LOCALAPPDATA: 'l' }, ['AppData/Roaming', 'AppData/Local', 'AppData/Local']],
  ['with an XDG variable', { APPDATA: '/r', LOCALAPPDATA: '/l', XDG_CONFIG_HOME: '/x' }, ['/x', '/l', '/l']],
])('the folders on Windows %s', (_, env, parents) => {
  const expected = parents.map((parent) => join(parent.startsWith('/') ? '' : '/home/me', parent, 'dtp'));
  expect(folders({ env, home: '/home/me', runtime: windows })).toEqual(expected);
});

test('elsewhere, the variables of Windows mean nothing', () => {
  const env = { APPDATA: 'C:\\Users\\me\\AppData\\Roaming', LOCALAPPDATA: '/l' };
  const runtime = { platform: 'linux' };
  expect(folders({ env, home: '/home/me', runtime })).toEqual(folders({ env: {}, home: '/home/me', runtime }));
});

test('what earlier versions stored next to the profiles is moved, and nothing is replaced', () => {
  const home = temporaryFolder();
  const place = { env: { APPDATA: join(home, 'r'), LOCALAPPDATA: join(home, 'l') }, home, runtime: windows };
  write(join(home, 'r/dtp'), { 'config.json': '{}', 'trusted/a.json': '1', 'service.db': 'old', 'spool/x.batch': '2' });
  write(join(home, 'l/dtp'), { 'service.db': 'new' });
  moveFromRoaming(place);
  expect(readdirSync(join(home, 'r/dtp')).sort()).toEqual(['config.json', 'service.db', 'trusted']);
  expect(readdirSync(join(home, 'l/dtp')).sort()).toEqual(['service.db', 'spool']);
  expect(readFileSync(join(home, 'l/dtp/service.db'), 'utf8')).toBe('new');
});

const lines = '{"id":"a"}\n{"id":"b"}\n';

test.each([
  ['lines', Buffer.from(lines)],
  ['an array', Buffer.from('[{"id":"a"},{"id":"b"},')],
  ['compressed lines', gzipSync(lines)],
])('a reader of %s who stops early closes the file', async (_, bytes) => {
  let isOpen = true;
  const pieces = async function* () {
    try {
      for (;;) yield bytes;
    } finally {
      isOpen = false;
    }
  };
  for await (const group of textPiecesOf(pieces(), '--body', JSON.parse)) if (group.length > 0) break;
  await expect.poll(() => isOpen).toBe(false);
});

test('folders that variables name are not moved', () => {
  const home = temporaryFolder();
  const env = { APPDATA: join(home, 'r'), LOCALAPPDATA: join(home, 'l'), DTP_STATE_DIR: join(home, 's') };
  write(join(home, 'r/dtp'), { 'service.db': 'old' });
  moveFromRoaming({ env, home, runtime: windows });
  expect(readdirSync(join(home, 'r/dtp'))).toEqual(['service.db']);
});

test('a lock of an ended process is broken although another process has its id, if witnesses are certain', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-lock-'));
  onTestFinished(() => import('node:fs').then(({ rmSync }) => rmSync(folder, { recursive: true })));
  const alive = new Set<string>();
  const holder: LockHolder = {
    now: () => performance.now(),
    sleep: () => new Promise((done) => setTimeout(done, 1)),
    pid: 100,
    isAlive: () => true,
    beganAt: () => undefined,
    witness: {
      open: async (path) => {
        alive.add(path);
        return async () => void alive.delete(path);
      },
      isOpen: async (path) => alive.has(path),
      isCertain: true,
    },
  };
  const path = join(folder, 'lock');
  const inside = await withLock(path, async () => [await isHeld(path, holder), readFileSync(path, 'utf8')], holder);
  expect(inside).toEqual([true, expect.stringMatching(/^100\.-\.[0-9a-f]{12}$/)]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, '100.-.0123456789ab', { mode: 0o600 });
  expect(await isHeld(path, holder)).toBe(false);
  expect(await withLock(path, async () => 'done', holder)).toBe('done');
});
