/** `dtp doctor` on this machine: Node, files, permissions and settings, and what it does not change. */
import { execSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../../support/context.ts';
import {
  canary,
  configured,
  credential,
  env,
  examined,
  names,
  reaching,
  snapshot,
  stored,
} from '../../support/doctor.ts';
import { events, receiver } from '../../support/event-service.ts';

test('if all is well, every check reports ok, and only the two reading requests are sent', async () => {
  const { world, sent } = reaching();
  const { code, checks, of, stderr } = await examined([], { env, ...world });
  expect([code, stderr, checks.map(({ check }) => check)]).toEqual([0, '', names]);
  expect(checks.filter(({ status }) => status === 'warn' || status === 'fail')).toEqual([]);
  expect(of('credential')).toBe('ok: valid, from DTP_API_KEY, for workspace main');
  expect(of('access')).toBe('ok: generation is allowed: go on');
  expect(sent).toEqual([`GET /v1/auth/validate ${canary}`, `GET /v1/workspace/access?passive=true ${canary}`]);
});

test('without any configuration', async () => {
  const { code, of, mend } = await examined([]);
  expect(code).toBe(3);
  expect(of('base-address')).toBe('fail: no base URL is configured');
  expect(mend('base-address')).toBe('dtp init');
  const inCi = await examined([], { env: { CI: 'true' } });
  expect(inCi.mend('base-address')).toBe('Set DTP_BASE_URL and DTP_API_KEY.');
  for (const name of ['proxy', 'dns', 'connection', 'clock', 'credential', 'access'])
    expect(of(name)).toBe('skip: no valid base URL');
});

test('the embedded service, new and in use: nothing is written', async () => {
  const home = temporaryFolder();
  const local = ['--profile', 'local'];
  const fresh = await examined(local, { home });
  expect(fresh.code).toBe(0);
  expect(fresh.of('credential')).toMatch(/^ok: valid, from the embedded service/);
  expect(fresh.of('access')).toMatch(/^ok: generation is allowed/);
  expect(readdirSync(home)).toEqual([]);

  await dtp([...local, 'ws', 'tokens', 'create', '--name', 'n'], { home });
  // SQLite has a separate log next to the store, so the content is compared.
  const held = async () => {
    const { stdout } = await dtp([...local, 'ws', 'tokens', 'list'], { home });
    return [readdirSync(home), JSON.parse(stdout)];
  };
  const before = await held();
  expect((await examined(local, { home })).code).toBe(0);
  expect(await held()).toEqual(before);
});

test.each([
  ['no JSON', '{"profiles": {"a": {"credential": "canary-5ec7e7', 'is not JSON'],
  ['no configuration', '[]', 'is not a valid configuration'],
])('a configuration that is %s is reported and not changed', async (_, text, says) => {
  const home = configured(text);
  const before = snapshot(home);
  const { world } = reaching();
  const { code, of, mend, stderr, checks } = await examined([], { home, env, ...world });
  expect(code).toBe(3);
  expect(of('configuration')).toMatch(new RegExp(`^fail: .*config.json ${says}$`));
  expect(mend('configuration')).toBe('Fix the file or delete it.');
  expect(of('profile')).toBe('skip: the configuration cannot be read');
  // The other checks do not need it.
  expect(of('credential')).toMatch(/^ok/);
  expect(stderr + JSON.stringify(checks)).not.toContain(canary);
  expect(snapshot(home)).toEqual(before);
  expect(readdirSync(join(home, 'config'))).toEqual(['config.json']);
});

test('unknown keys are named', async () => {
  const home = configured(stored({ base_url: 'https://api.example.test', colour: 'red', ...credential }));
  const { world } = reaching();
  const { code, of } = await examined([], { home, ...world });
  expect(code).toBe(0);
  expect(of('configuration')).toMatch(/^warn: .* has unknown keys: profiles\.work\.colour$/);
  expect(of('profile')).toBe('ok: work (dtp config use)');
  expect(of('credential')).toMatch(/^ok: valid, from profile work/);
});

test('an invalid .dtp.json', async () => {
  const cwd = temporaryFolder();
  const { world } = reaching();
  writeFileSync(join(cwd, '.dtp.json'), '{"credential":"x"}');
  const secret = await examined([], { cwd, env, ...world });
  expect([secret.code, secret.of('folder-file')]).toEqual([
    3,
    expect.stringContaining('"credential" is not a known setting'),
  ]);
  expect(secret.mend('folder-file')).toContain('Allowed keys: profile, base_url');
  // It is reported once.
  expect(secret.of('settings')).toMatch(/^ok/);
  writeFileSync(join(cwd, '.dtp.json'), '{"workspace":"w_1"}');
  expect((await examined([], { cwd, env, ...world })).of('folder-file')).toBe(`ok: ${join(cwd, '.dtp.json')}`);
});

test('a profile that does not exist', async () => {
  const { code, of, mend } = await examined([], { env: { DTP_PROFILE: 'gone' } });
  expect(code).toBe(3);
  expect(of('profile')).toBe('fail: profile "gone" does not exist (set by DTP_PROFILE)');
  expect(mend('profile')).toBe('dtp auth login --profile gone --base-url URL');
});

test('invalid values are reported, and the other checks run without them', async () => {
  const { world } = reaching();
  const more = { DTP_TIMEOUT: 'soon', HTTPS_PROXY: `garbage:${canary}@` };
  const { code, of, mend, checks } = await examined([], { env: { ...env, ...more }, ...world });
  expect(code).toBe(3);
  expect(of('settings')).toBe(
    'fail: timeout (from DTP_TIMEOUT) must be a time above 0 and up to 24 days, such as 90s or 5m; https_proxy (from HTTPS_PROXY) must be an http: or https: URL, with user name and password percent-encoded',
  );
  expect(mend('settings')).toBe('dtp config explain');
  expect([of('proxy'), of('access')]).toEqual(['ok: no proxy is set', expect.stringMatching(/^ok/)]);
  expect(JSON.stringify(checks)).not.toContain(canary);
  expect((await examined(['--proxy', 'socks5://x'], { env, ...world })).code).toBe(2);
});

test.each([
  ['open to all', { file: 0o644, folder: 0o755 }, 'fail', 'chmod 700 HOME/config && chmod 600 HOME/config/config.json'],
  ['an open file in a private folder', { file: 0o640 }, 'warn', 'chmod 600 HOME/config/config.json'],
  ['an open folder', { folder: 0o750 }, 'warn', 'chmod 700 HOME/config'],
])('permissions: %s; the suggested command fixes them', async (_, modes, status, mend) => {
  const home = configured(stored({ base_url: 'https://api.example.test', ...credential }), modes);
  const { world } = reaching();
  const found = await examined([], { home, ...world });
  expect(found.code).toBe(status === 'fail' ? 3 : 0);
  expect(found.of('file-modes')).toMatch(new RegExp(`^${status}: `));
  expect(found.mend('file-modes')).toBe(mend.replaceAll('HOME', home));
  for (const [, mode = '', path = ''] of mend.replaceAll('HOME', home).matchAll(/chmod (\d+) (\S+)/g))
    chmodSync(path, Number.parseInt(mode, 8));
  expect((await examined([], { home, ...world })).of('file-modes')).toMatch(
    /^ok: only you can read .* \(0600, folder 0700\)/,
  );
  const windows = { version: 'v22.1.0', platform: 'win32' };
  expect((await examined([], { home, runtime: windows, ...world })).of('file-modes')).toMatch(
    /^skip: not checked on Windows/,
  );
});

test('an open file without a credential is only a warning', async () => {
  const home = configured(stored({ workspace: 'w_1' }), { file: 0o644, folder: 0o755 });
  expect((await examined([], { home })).of('file-modes')).toMatch(/^warn/);
});

test('state and data folders: created later, too open, not a folder, not writable', async () => {
  const home = temporaryFolder();
  const fresh = await examined(['--profile', 'local'], { home });
  expect(fresh.of('state-folder')).toBe(`ok: ${join(home, 'state')} will be created when needed`);
  mkdirSync(join(home, 'state'));
  chmodSync(join(home, 'state'), 0o755);
  writeFileSync(join(home, 'data'), 'a file');
  const odd = await examined(['--profile', 'local'], { home });
  expect([odd.code, odd.of('data-folder')]).toEqual([3, `fail: ${join(home, 'data')} is not a folder`]);
  expect(odd.mend('state-folder')).toBe(`chmod 700 ${join(home, 'state')}`);
  // No other service depends on it.
  const { world } = reaching();
  expect((await examined([], { home, env, ...world })).of('data-folder')).toMatch(/^warn: .* is not a folder/);
});

type Refused = [mode: number, fix: string, owner: number];
test.each<Refused>([
  [0o775, 'chmod go-w HOME/state', -1],
  [0o707, 'chmod go-w HOME/state', -1],
  ...(process.geteuid?.() === 0 ? [[0o700, 'chown 0 HOME/state', 1234] satisfies Refused] : []),
])('a state folder with mode %o that is refused by the queue is a failure', async (mode, fix, owner) => {
  const home = temporaryFolder();
  const state = join(home, 'state');
  mkdirSync(state);
  chmodSync(state, mode);
  chownSync(state, owner, -1);
  const post = () => events(['post', '--body', '{"id":"e1"}'], { home, openSend: receiver().openSend });
  expect((await post()).code).toBe(3);
  const { world } = reaching();
  const { code, of, mend } = await examined([], { home, env, ...world });
  expect([code, of('state-folder')]).toEqual([
    3,
    expect.stringMatching(/^fail: .*state (can be changed by|belongs to) .*, so events are not queued in it/),
  ]);
  expect(mend('state-folder')).toBe(fix.replace('HOME', home));
  execSync(mend('state-folder') ?? '');
  expect((await post()).code).toBe(0);
  expect((await examined([], { home, env, ...world })).code).toBe(0);
});

test.each(['file', 'link'])('a folder that cannot be created, below a %s', async (name) => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'file'), '');
  symlinkSync(join(home, 'gone/disk'), join(home, 'link'));
  const { code, of, mend } = await examined([], { home, env: { DTP_STATE_DIR: join(home, name, 'state') } });
  expect(code).toBe(3);
  expect(of('state-folder')).toMatch(/^fail: .* does not exist and cannot be created in /);
  expect(mend('state-folder')).toBe('Set DTP_STATE_DIR to another folder.');
});

test.skipIf(process.getuid?.() === 0)('folders that are not writable', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'state'));
  chmodSync(join(home, 'state'), 0o500);
  const { code, of, mend } = await examined([], { home });
  expect([code, of('state-folder')]).toEqual([3, `fail: ${join(home, 'state')} is not writable`]);
  expect(mend('state-folder')).toBe(`chmod u+rwx ${join(home, 'state')}`);
});

test.each([
  ['v20.18.0', 'fail: Node 20.18.0 is too old (supported: 20.18.1 to 26)'],
  ['v18.20.8', 'fail: Node 18.20.8 is too old (supported: 20.18.1 to 26)'],
  ['v20.18.1', 'ok: Node 20.18.1 (supported: 20.18.1 to 26)'],
  ['v20.9.0', 'fail: Node 20.9.0 is too old (supported: 20.18.1 to 26)'],
  ['v26.0.0', 'ok: Node 26.0.0 (supported: 20.18.1 to 26)'],
  ['v27.1.0', 'warn: Node 27.1.0 is newer than the versions dtp is tested with (20.18.1 to 26)'],
])('Node %s', async (version, told) => {
  const { world } = reaching();
  const { of } = await examined([], { env, ...world, runtime: { version, platform: 'linux' } });
  expect(of('node')).toBe(told);
});
