/** A `package.json` in the current folder or above it may come from others, and no command depends on it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dtp, home, type Served, serve } from '../support/process.ts';
import { hasSqld, openSqld, type Sqld } from '../support/sqld.ts';
import { addKeychain, copyTool } from '../support/stand-in-keychain.ts';

const [server, equipped] = [home(), home()];
let service: Served;
let database: Sqld | undefined;
beforeAll(async () => {
  copyTool(equipped.folder);
  addKeychain(equipped.folder);
  service = await serve(server.folder, ['--ephemeral']);
  if (!hasSqld) return;
  database = await openSqld();
  // An empty database is not exported.
  const filling = await serve(server.folder, ['--database', database.url]);
  await filling.stop();
}, 60_000);
afterAll(async () => {
  await service.stop();
  await database?.remove();
  for (const { remove } of [server, equipped]) remove();
});

/** What may be there. The names of modules and `main` would load a file of the repository. */
const projects: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'broken JSON': (path) => writeFileSync(path, '{'),
  'a link to an endless device': (path) => symlinkSync('/dev/zero', path),
  'a folder': (path) => mkdirSync(path),
  'a project of modules': (path) =>
    writeFileSync(path, '{"name":"@napi-rs/keyring","type":"module","exports":"./x.js"}'),
};

describe.skipIf(process.platform === 'win32').each(Object.entries(projects))('%s as package.json', (_, lay) => {
  /** Runs commands in a folder with it, each of which must exit with 0. */
  async function runAll(commands: readonly (readonly string[])[], tool?: string) {
    const user = home();
    const folders = ['repository', 'repository/packages', 'repository/packages/one'];
    for (const folder of folders) {
      mkdirSync(join(user.folder, folder));
      lay(join(user.folder, folder, 'package.json'));
    }
    const cwd = join(user.folder, 'repository/packages/one');
    writeFileSync(join(cwd, 'api.json'), '{"openapi":"3.0.3","info":{"title":"Pets","version":"1"},"paths":{}}');
    const env = { KEYCHAIN_FILE: join(user.folder, 'keychain'), DTP_ERROR_FORMAT: 'text' };
    for (const argv of commands) {
      const ended = await dtp(user.folder, argv, { ...(tool && { tool }), cwd, env, stdin: service.key });
      expect([argv.join(' '), ended.code, ended.stderr]).toEqual([argv.join(' '), 0, expect.any(String)]);
    }
    const stored = readFileSync(join(user.folder, 'config/config.json'), 'utf8');
    user.remove();
    return stored;
  }

  test('the keychain works', async () => {
    const login = ['auth', 'login', '--with-token', '--base-url', service.address, '--store'];
    const stored = await runAll(
      [
        [...login, 'keychain'],
        ['ws', 'current'],
        ['auth', 'status'],
        ['auth', 'move', '--to', 'file'],
        ['auth', 'move', '--to', 'keychain'],
        ['auth', 'logout'],
      ],
      join(equipped.folder, 'bin/dtp.cjs'),
    );
    expect(stored).not.toContain(service.key);
  });

  test('so do the configuration, the embedded service, and the threads and processes of commands', async () => {
    await runAll([
      ['config', 'set', 'timeout', '60'],
      ['config', 'list'],
      ['config', 'explain'],
      ['--profile', 'local', 'ws', 'list', '--jq', '.[].id'],
      ['--profile', 'local', 'suggest', 'openapi', 'api.json'],
      ['__complete', '--profile', 'local', 'ws', 'get', ''],
      ['--profile', 'local', 'doctor', '-o', 'json'],
      ['mcp'],
      ['dev', '--', process.execPath, '--version'],
    ]);
  });

  test.skipIf(!hasSqld)('so do the threads of a service with a database server', async () => {
    const url = database?.url ?? '';
    await runAll([
      ['config', 'set', 'timeout', '60'],
      ['data', 'export', 'data.db', '--database', url],
    ]);
  });
});
