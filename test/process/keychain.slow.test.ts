/** The keychain of the operating system, by commands as processes: the credential is in it, and nowhere else. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attempt } from '../../src/caught.ts';
import { type Keychain, missingKeychain, openKeychain } from '../support/keychain.ts';
import { dtp, home, type Served, serve } from '../support/process.ts';

/** Searches the arguments and variables of all processes until it is stopped. Returns those with the secret. */
function watchProcesses(secret: string) {
  const found = new Set<string>();
  const look = () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      for (const file of ['cmdline', 'environ']) {
        const text = attempt(() => readFileSync(join('/proc', pid, file), 'utf8'), '');
        if (text.includes(secret)) found.add(`${file} of ${text.slice(0, 200)}`);
      }
  };
  const timer = setInterval(look, 25);
  return () => {
    clearInterval(timer);
    return [...found];
  };
}

/** The files below a folder that contain the secret. */
const filesWith = (secret: string, folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => attempt(() => readFileSync(file), Buffer.alloc(0)).includes(secret));

describe.skipIf(missingKeychain !== undefined)('with a keychain', () => {
  const [server, user, keys] = [home(), home(), home()];
  let service: Served;
  let keychain: Keychain;
  beforeAll(async () => {
    service = await serve(server.folder, ['--ephemeral']);
    keychain = await openKeychain(keys.folder, 'password');
  });
  afterAll(async () => {
    keychain.stop();
    await service.stop();
    for (const { remove } of [server, user, keys]) remove();
  });

  const run = (
    argv: readonly string[],
    more: { readonly stdin?: string; readonly env?: Record<string, string> } = {},
  ) =>
    dtp(user.folder, argv, {
      ...more,
      env: { ...keychain.env, TMPDIR: user.folder, DTP_ERROR_FORMAT: 'text', ...more.env },
    });
  const logIn = (profile: string, store?: string) =>
    run(
      [
        ...['auth', 'login', '--with-token', '--base-url', service.address, '--profile', profile],
        ...(store === undefined ? [] : ['--store', store]),
      ],
      { stdin: service.key },
    );
  const profileNamed = (name: string) =>
    JSON.parse(readFileSync(join(user.folder, 'config/config.json'), 'utf8')).profiles[name];

  test('a login, its use, its move and its end show the secret nowhere', async () => {
    const stop = watchProcesses(service.key);
    const output: string[] = [];
    const shown = async (argv: readonly string[], stdin = '') => {
      const { code, stdout, stderr } = await run(argv, { stdin });
      output.push(stdout, stderr);
      expect([argv.join(' '), code, stderr]).toEqual([argv.join(' '), 0, expect.anything()]);
      return stdout + stderr;
    };
    const base = ['--base-url', service.address];
    expect(
      await shown(['auth', 'login', '--store', 'keychain', '--with-token', '--debug', ...base], service.key),
    ).toContain('the credential is stored in the keychain');
    expect(filesWith(service.key, user.folder)).toEqual([]);
    expect(profileNamed('default')).toMatchObject({ credential_store: 'keychain', credential_origin: service.address });
    const from = 'the keychain (profile default)';
    expect(await shown(['auth', 'status', '--debug'])).toContain(`"credential_source": "${from}"`);
    expect(await shown(['config', 'explain'])).toContain(`"source": "${from}"`);
    expect(await shown(['config', 'list'])).toContain('"credential": "keychain"');
    expect(await shown(['doctor'])).toContain(`valid, from ${from}`);
    expect(await shown(['ws', 'current', '--debug'])).toContain(service.workspace_id);
    expect(await shown(['api', '/workspaces', '--curl'])).not.toContain(service.key);
    const event = ['events', 'post', '--type', 'CI_EXEC', '--success'];
    const away = await run([...event, '--timeout', '2s', '--base-url', 'http://127.0.0.1:9'], {
      env: { DTP_API_KEY: 'another' },
    });
    expect(away.code).toBe(75);
    await shown(event);
    await run(['events', 'queue', 'flush', '--debug']).then(({ stdout, stderr }) => output.push(stdout, stderr));
    expect(await shown(['auth', 'move', '--to', 'keychain', '--debug'])).toContain('is in the keychain');
    expect(filesWith(service.key, user.folder)).toEqual([]);

    expect(await shown(['auth', 'move', '--to', 'file', '--debug'])).toContain('is unencrypted in ');
    expect(profileNamed('default')).toMatchObject({ credential: service.key });
    expect(profileNamed('default')).not.toHaveProperty('credential_store');
    await shown(['ws', 'current']);
    await shown(['auth', 'move', '--to', 'keychain', '--debug']);
    expect(filesWith(service.key, user.folder)).toEqual([]);
    await shown(['ws', 'current']);

    await shown(['auth', 'logout', '--debug']);
    expect(profileNamed('default')).toEqual({ base_url: service.address, workspace: expect.anything(), ...slugs });
    expect(filesWith(service.key, user.folder)).toEqual([]);
    expect(output.join('')).not.toContain(service.key);
    expect(stop()).toEqual([]);
  });
  const slugs = { organization_slug: expect.anything(), workspace_slug: expect.anything() };

  test('each profile and each configuration folder has its own entry', async () => {
    expect((await logIn('one', 'keychain')).code).toBe(0);
    expect((await logIn('two', 'keychain')).code).toBe(0);
    expect((await run(['auth', 'logout', '--profile', 'one'])).code).toBe(0);
    expect((await run(['ws', 'current', '--profile', 'two'])).code).toBe(0);

    // A copy of the folder has no credential.
    const copy = home();
    try {
      const env = { DTP_CONFIG_DIR: join(copy.folder, 'config') };
      cpSync(join(user.folder, 'config'), env.DTP_CONFIG_DIR, { recursive: true });
      const other = await run(['ws', 'current', '--profile', 'two'], { env });
      expect(other).toMatchObject({ code: 3, stderr: expect.stringContaining('has no credential for profile two') });
      expect((await run(['auth', 'logout', '--profile', 'two'], { env })).code).toBe(0);
    } finally {
      copy.remove();
    }
    expect((await run(['ws', 'current', '--profile', 'two'])).code).toBe(0);
  });

  test('a login stays where it is, and replaces what was there', async () => {
    expect((await logIn('kept', 'keychain')).code).toBe(0);
    expect((await logIn('kept')).stderr).toContain('stored in the keychain');
    expect(profileNamed('kept')).not.toHaveProperty('credential');
    expect((await logIn('kept', 'file')).stderr).toContain('stored unencrypted in');
    expect(profileNamed('kept')).not.toHaveProperty('credential_store');
    // Nothing is left in the keychain, although the profile says so.
    const { credential: _, ...rest } = profileNamed('kept');
    changeProfile('kept', { ...rest, credential_store: 'keychain' });
    expect((await run(['ws', 'current', '--profile', 'kept'])).stderr).toContain('the keychain has no credential');
    expect((await run(['auth', 'logout', '--profile', 'kept'])).code).toBe(0);
  });

  test('a changed origin does not get the credential', async () => {
    expect((await logIn('moved', 'keychain')).code).toBe(0);
    const origin = 'http://127.0.0.1:9';
    changeProfile('moved', { ...profileNamed('moved'), base_url: origin, credential_origin: origin });
    expect(await run(['ws', 'current', '--profile', 'moved'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the keychain has no credential'),
    });
  });

  test('a deleted profile leaves no entry', async () => {
    expect((await logIn('gone', 'keychain')).code).toBe(0);
    const before = profileNamed('gone');
    expect((await run(['config', 'delete', 'gone', '--yes'])).code).toBe(0);
    changeProfile('gone', before);
    expect((await run(['ws', 'current', '--profile', 'gone'])).stderr).toContain('the keychain has no credential');
  });

  test('a locked keychain, or a session without one, is an error and stores nothing', async () => {
    expect((await logIn('locked', 'keychain')).code).toBe(0);
    const before = readFileSync(join(user.folder, 'config/config.json'), 'utf8');
    for (const password of ['another password', undefined]) {
      keychain.stop();
      keychain = await openKeychain(keys.folder, password);
      for (const ended of [await run(['ws', 'current', '--profile', 'locked']), await logIn('locked')]) {
        expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining('the keychain cannot be used: ')]);
        expect(ended.stderr).toContain('--store file');
      }
      expect(readFileSync(join(user.folder, 'config/config.json'), 'utf8')).toBe(before);
    }
  });

  function changeProfile(name: string, profile: unknown) {
    const file = join(user.folder, 'config/config.json');
    const all = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...all, profiles: { ...all.profiles, [name]: profile } }), { mode: 0o600 });
  }
});
