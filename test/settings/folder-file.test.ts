/** Where .dtp.json is searched, which settings need no trust, and its errors. */
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foreignUrl, makeRepositoryWithFolderFile, url } from '../support/folder-file.ts';

const openProbe = async () => ({
  lookUp: async () => ['192.0.2.1'],
  reach: async () => undefined,
  reachProxy: async () => undefined,
});

describe('settings that need no trust', () => {
  test.each([
    ['workspace', 'w_2'],
    ['fields', 'setting,value,source'],
    ['timeout', '9s'],
    ['timeout', 9],
  ])('%s: %s', async (key, value) => {
    const { run, file } = makeRepositoryWithFolderFile({ [key]: value });
    const { stdout } = await run('config explain -o json');
    const rows: readonly { setting: string }[] = JSON.parse(stdout);
    expect(rows.find(({ setting }) => setting === key)).toEqual({
      setting: key,
      value: String(value),
      source: file,
    });
  });

  test('output: csv', async () => {
    expect((await makeRepositoryWithFolderFile({ output: 'csv' }).run('auth token')).stdout).toBe(
      'workspace_id,access_token\nw_1,t-1\n',
    );
  });

  test('fields are those of the result', async () => {
    expect((await makeRepositoryWithFolderFile({ fields: 'workspace_id' }).run('auth token -o csv')).stdout).toBe(
      'workspace_id\nw_1\n',
    );
    const wrong = await makeRepositoryWithFolderFile({ fields: 'a,,b' }).run('auth token');
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('fields (from ')]);
    expect(await makeRepositoryWithFolderFile({ fields: 'a,,b' }).run('config explain')).toMatchObject({
      code: 0,
    });
  });
});

describe('where the file may be', () => {
  test('in the root of a work tree, where .git is a file; the file above is not read', async () => {
    const { run, repository, home } = makeRepositoryWithFolderFile({ workspace: 'w_2' });
    rmSync(join(repository, '.git'), { recursive: true });
    writeFileSync(join(repository, '.git'), 'gitdir: elsewhere\n');
    mkdirSync(join(repository, 'a/b'), { recursive: true });
    writeFileSync(join(home, '.dtp.json'), '{"workspace":"w_3"}');
    const named = async (cwd: string) =>
      (await run("config explain --query [?setting=='workspace'].value -r", { cwd })).stdout;
    expect(await named(join(repository, 'a/b'))).toBe('w_2\n');
    rmSync(join(repository, '.dtp.json'));
    expect(await named(join(repository, 'a/b'))).toBe('w_1\n');
    expect(await named(home)).toBe('w_3\n');
    symlinkSync(home, join(home, 'link'));
    expect(await named(join(home, 'link'))).toBe('w_3\n');
  });

  test.skipIf(process.geteuid?.() !== 0)("a file of root's is used (needs root to make one)", async () => {
    const { run, file } = makeRepositoryWithFolderFile({ workspace: 'w_2' });
    expect(await run('ws get', { uid: 4242 })).toMatchObject({ code: 0 });
    chownSync(file, 4242, 4242);
    expect(await run('ws get', { uid: 4242 })).toMatchObject({ code: 0 });
    expect(await run('ws get', { uid: 4243 })).toMatchObject({ code: 3 });
  });

  test.skipIf(process.geteuid?.() !== 0).each([
    ['of another user, with the file', 4242, 4242, 0],
    ['of another user, without the file', 4242, 4243, 3],
    ['of root, without the file, like /tmp', 0, 4243, 3],
  ])('in a repository %s (needs root to make one)', async (_, folder, owner, code) => {
    const { run, repository, file } = makeRepositoryWithFolderFile({ workspace: 'w_1' });
    chownSync(repository, folder, folder);
    chownSync(file, owner, owner);
    for (const uid of [0, 4244]) expect(await run('ws get', { uid })).toMatchObject({ code });
  });

  describe.skipIf(process.geteuid?.() !== 0)('in a repository whose .git belongs to (needs root to make one)', () => {
    const explain = "config explain --query [?setting=='workspace'].value -r";
    const made = (owners: { folder: number; git: number; file: number }) => {
      const made = makeRepositoryWithFolderFile({ workspace: 'w_2', base_url: foreignUrl });
      mkdirSync(join(made.repository, 'a/b'), { recursive: true });
      chmodSync(made.repository, 0o1777);
      chownSync(made.repository, owners.folder, owners.folder);
      chownSync(join(made.repository, '.git'), owners.git, owners.git);
      chownSync(made.file, owners.file, owners.file);
      return made;
    };

    test.each([
      ['another user, with the file', { folder: 0, git: 4242, file: 4242 }],
      ['another user, and the file to a third one', { folder: 0, git: 4242, file: 4243 }],
      ['another user, and the file to the user', { folder: 0, git: 4242, file: 4244 }],
      ['another user, and the folder to the user', { folder: 4244, git: 4242, file: 4242 }],
    ])('%s: it is ignored, and one warning says why', async (_, owners) => {
      const { run, repository, file, sent } = made(owners);
      for (const cwd of [repository, join(repository, 'a/b')]) {
        expect(await run(explain, { cwd, uid: 4244 })).toMatchObject({ code: 0, stdout: 'w_1\n' });
        for (const line of ['ws get', 'api /v1/user']) {
          const { code, stderr } = await run(line, { cwd, uid: 4244 });
          expect([code, stderr.split('warning: ').length - 1], stderr).toEqual([0, 1]);
          expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
            `${file} is ignored, because ${join(repository, '.git')} belongs to another user. If you trust the repository, take ownership of both (chown)`,
          );
        }
        expect((await run('doctor --json', { cwd, uid: 4244, openProbe })).stdout).toContain(`${file} is ignored`);
        expect(await run('config trust --yes', { cwd, uid: 4244 })).toMatchObject({ code: 2 });
      }
      expect(sent.filter((one) => !one.startsWith(url))).toEqual([]);
    });

    test.each([
      ['the user', { folder: 0, git: 4244, file: 4244 }],
      ['root', { folder: 0, git: 0, file: 4244 }],
      ['the owner of its folder, as in a checkout of another user', { folder: 4242, git: 4242, file: 4242 }],
    ])('%s: it is used, once it is trusted', async (_, owners) => {
      for (const below of ['', 'a/b']) {
        const { run, repository, sent } = made(owners);
        const cwd = join(repository, below);
        const { stdout, stderr } = await run(explain, { cwd, uid: 4244 });
        expect([stdout, stderr]).toEqual(['w_2\n', '']);
        expect(await run('ws list', { cwd, uid: 4244 })).toMatchObject({ code: 3 });
        await run('config trust --yes', { cwd, uid: 4244 });
        await run('ws list', { cwd, uid: 4244, env: { DTP_API_KEY: 'k-2' } });
        expect(sent.at(-1)).toContain(foreignUrl);
      }
    });

    test('another user, for a file in the current folder below it: it is used', async () => {
      const { run, repository } = made({ folder: 0, git: 4242, file: 4242 });
      const cwd = join(repository, 'a/b');
      writeFileSync(join(cwd, '.dtp.json'), '{"workspace":"w_3"}');
      expect(await run(explain, { cwd })).toMatchObject({ code: 0, stdout: 'w_3\n', stderr: '' });
    });
  });

  // A checkout has the first two modes with a umask of 002, and the third on some mounted disks.
  test.skipIf(process.platform === 'win32').each([
    [0o775, 0o664, 0],
    [0o2775, 0o664, 0],
    [0o777, 0o777, 0],
    [0o755, 0o664, 3],
    [0o775, 0o666, 3],
    [0o1777, 0o664, 3],
    [0o1777, 0o646, 3],
  ])('in a folder of mode %o, with the mode %o', async (folder, mode, code) => {
    const { run, repository, file } = makeRepositoryWithFolderFile({ workspace: 'w_1' });
    chmodSync(repository, folder);
    chmodSync(file, mode);
    expect(await run('ws get')).toMatchObject({ code });
  });

  test.skipIf(process.geteuid?.() !== 0)(
    'not writable by another group than its folder (needs root to make one)',
    async () => {
      const { run, repository, file } = makeRepositoryWithFolderFile({ workspace: 'w_1' });
      chmodSync(repository, 0o775);
      chmodSync(file, 0o664);
      chownSync(file, 0, 4242);
      expect(await run('ws get')).toMatchObject({ code: 3 });
    },
  );
});

test.each([
  ['what is not JSON', 'secret-of-the-file {'],
  ['an unknown key', '{"secret-of-the-file":"x"}'],
  ['a list', '["secret-of-the-file"]'],
  ['a value of another type', '{"workspace":["secret-of-the-file"]}'],
  ['null', '{"base_url":null,"workspace":{"secret-of-the-file":1}}'],
  ['a value that will not do', '{"timeout":"secret-of-the-file"}'],
  ['more than a file of settings has', `{"workspace":"secret-of-the-file"}${' '.repeat(70_000)}`],
])('errors do not quote a file with %s', async (_, content) => {
  const { run, sent } = makeRepositoryWithFolderFile(content);
  for (const line of ['ws list', 'config trust --yes', 'doctor --json', 'config explain', 'ws list -o json']) {
    const { code, stdout, stderr } = await run(line);
    if (line.startsWith('ws')) expect([code, stdout, sent], line).toEqual([3, '', []]);
    expect(stderr, line).not.toContain('secret-of-the-file');
  }
});

test.each([
  ['{"credential":"x"}', '"credential" is not a known setting'],
  ['{"workspace":"w","base_uri":"x"}', '"base_uri" is not a known setting'],
  ['{"baseUrl":"x"}', '"baseUrl" is not a known setting'],
  // Keys that may be secrets are only numbered.
  ['{"hunter2":"x"}', 'key number 1 is not'],
  ['{"workspace":"w","dtp_key_3f0c":"x"}', 'key number 2 is not'],
  ['{"correct-horse-battery":"x"}', 'key number 1 is not'],
  ['{"abcdefghijklmnopqrstuvwxyz":"x"}', 'key number 1 is not'],
  ['{"a_b_c_d":"x"}', 'key number 1 is not'],
])('%s: %s', async (content, message) => {
  expect((await makeRepositoryWithFolderFile(content).run('ws list')).stderr).toContain(message);
});

test('a similar key is suggested for a mistyped one', async () => {
  expect((await makeRepositoryWithFolderFile('{"workspacee":"w"}').run('ws list')).stderr).toContain(
    'Did you mean workspace?',
  );
});

test('config explain and doctor show whether a file is trusted', async () => {
  const { run, file, write } = makeRepositoryWithFolderFile({ base_url: foreignUrl, timeout: 9 });
  const explained = async () => (await run("config explain -r --query [?setting=='base_url'].source")).stdout.trim();
  const examined = async (env: Readonly<Record<string, string>> = {}) => {
    const { stdout } = await run('doctor --json', { env, openProbe });
    const found = JSON.parse(stdout).find((one: { check: string }) => one.check === 'folder-file');
    return [found.status, found.message, found.mend];
  };
  const trust = `dtp config trust ${file}`;
  const comes = `base_url comes from ${file}, which`;
  expect(await explained()).toBe(`${file} (not trusted)`);
  expect(await examined()).toEqual(['fail', `${comes} is not trusted`, trust]);
  expect(await examined({ DTP_BASE_URL: url })).toEqual(['ok', `${file} (not trusted)`, undefined]);
  await run('config trust --yes');
  expect(await explained()).toBe(file);
  expect(await examined()).toEqual(['ok', `${file} (trusted)`, undefined]);
  write({ base_url: 'https://other.example.test' });
  expect(await explained()).toBe(`${file} (changed since it was trusted)`);
  expect(await examined()).toEqual(['fail', `${comes} has changed since it was trusted`, trust]);
  write({ timeout: 9 });
  expect(await examined()).toEqual(['ok', file, undefined]);
});
