/** Which settings of .dtp.json need trust, and how to trust the file. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/context.ts';
import { foreignUrl, makeRepositoryWithFolderFile, trustFolderFile, url } from '../support/folder-file.ts';
import { connectMcp, using } from '../support/mcp.ts';
import { hasScript, terminal } from '../support/terminal.ts';

const manifest = 'artifacts manifests get pets v1';
const ask = 'codehost actions get --org a --repo b';

describe('only in a trusted file', () => {
  test.each([
    ['base_url', foreignUrl, 'auth token', 'Set base_url with --base-url or DTP_BASE_URL.'],
    ['profile', 'worded', 'auth token', 'Select the profile with --profile or DTP_PROFILE.'],
    ['ca_cert', 'ours.pem', 'auth token', 'Set ca_cert with --ca-cert or DTP_CA_CERT.'],
    [
      'words.codehost',
      'forge',
      ask,
      'It is the word for the code host in the paths of the API. Set it in a profile and select that with --profile.',
    ],
    [
      'words.docsite',
      'pages',
      'api -X POST /v1/codehost/configure_docsite_repo',
      'It is the word for the documentation site in the paths of the API. Set it in a profile and select that with --profile.',
    ],
    ['words.codehost', 'forge', `${ask} --dry-run`, '--profile'],
    ['organization_slug', 'theirs', `${manifest} --dry-run`, '--organization-slug or DTP_ORGANIZATION_SLUG.'],
    ['workspace_slug', 'theirs', `${manifest} --dry-run`, '--workspace-slug or DTP_WORKSPACE_SLUG.'],
    ['words.codehost', 'forge', 'serve --ephemeral', '--profile'],
  ])('%s (%s) stops %s with both solutions', async (key, value, line, way) => {
    const { run, file, sent } = makeRepositoryWithFolderFile({ [key]: value });
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout, sent]).toEqual([3, '', []]);
    expect(stderr).toContain(`error: ${key} comes from ${file}, which is not trusted\n`);
    expect(stderr).toContain(way);
    expect(stderr).toContain(`try: dtp config trust ${file}\n`);
    expect(stderr.replaceAll(file, '')).not.toContain(value);
  });

  test.each<[file: object, line: string, env: Record<string, string>, sent: string]>([
    [{ base_url: foreignUrl }, 'auth token --base-url https://api.example.test', {}, `${url}/v1/auth`],
    [{ base_url: foreignUrl }, 'auth token', { DTP_BASE_URL: url }, `${url}/v1/auth`],
    [{ base_url: foreignUrl, 'words.codehost': 'forge' }, 'auth token', { DTP_BASE_URL: url }, `${url}/v1/auth`],
    [{ base_url: foreignUrl }, 'auth token --profile own', {}, `${url}/v1/auth`],
    [{ profile: 'worded' }, 'auth token --profile own', {}, `${url}/v1/auth`],
    [{ profile: 'worded' }, 'auth token', { DTP_PROFILE: 'own' }, `${url}/v1/auth`],
    [{ ca_cert: 'no.pem' }, 'auth token', { DTP_CA_CERT: 'ours.pem' }, `${url}/v1/auth`],
    [{ 'words.codehost': 'forge' }, `${ask} --profile worded`, {}, `${url}/v1/hub/action`],
  ])('%j needs no trust for %s with %j', async (values, line, env, to) => {
    const { run, repository, sent } = makeRepositoryWithFolderFile(values);
    copyFileSync(resolve(import.meta.dirname, '../support/tls/ca.pem'), join(repository, 'ours.pem'));
    expect(await run(line, { env })).toMatchObject({ code: 0, stderr: '' });
    expect(sent).toEqual([expect.stringContaining(to)]);
  });

  test('a credential from the environment is sent to the URL of a trusted file', async () => {
    const { run, sent, home, repository } = makeRepositoryWithFolderFile({
      base_url: 'https://ours.example.test',
    });
    await trustFolderFile(repository, home);
    await run('ws list', { env: { DTP_API_KEY: 'k-env' } });
    expect(sent.at(-1)).toBe('https://ours.example.test/v1/workspaces k-env');
  });

  test.each([
    'config get workspace',
    'config set workspace w_9',
    'config unset workspace',
    'auth logout',
    'auth move --to keychain',
    'auth login --with-token',
    'auth login --with-token --base-url https://api.example.test',
  ])('%s does not change the profile that an untrusted file selects', async (line) => {
    const { run, configuration, sent } = makeRepositoryWithFolderFile({ profile: 'worded' });
    const before = readFileSync(configuration, 'utf8');
    const { code, stderr } = await run(line, { stdin: 'k-2' });
    expect([code, sent]).toEqual([3, []]);
    expect(stderr).toContain('profile comes from ');
    expect(readFileSync(configuration, 'utf8')).toBe(before);
  });

  test('certificates of a profile are the same in every folder', async () => {
    const { run, repository } = makeRepositoryWithFolderFile({});
    await run('config set ca_cert ours.pem');
    const { stdout } = await run('config get ca_cert -r', { cwd: temporaryFolder() });
    expect(stdout).toBe(`${join(repository, 'ours.pem')}\n`);
  });
});

describe('dtp config trust', () => {
  test('a file is used until it changes or is no longer trusted', async () => {
    const { run, file, write, sent } = makeRepositoryWithFolderFile({ base_url: foreignUrl });
    const trusted = await run('config trust --yes');
    expect(trusted).toMatchObject({ code: 0, stdout: '' });
    expect(trusted.stderr).toContain(`${file} sets:\n  base_url: ${foreignUrl}\n`);
    expect(await run('auth token')).toMatchObject({ code: 0 });
    expect(sent.splice(0)).toEqual([expect.stringMatching(`^${foreignUrl}/v1/auth/access_token`)]);

    write({ base_url: foreignUrl, timeout: 9 });
    const changed = await run('auth token');
    expect([changed.code, changed.stderr]).toEqual([3, expect.stringContaining('has changed since it was trusted')]);
    write({ base_url: foreignUrl });
    expect(await run('auth token')).toMatchObject({ code: 0 });

    expect((await run('config untrust')).stderr).toBe(`${file} is no longer trusted\n`);
    expect(await run('auth token')).toMatchObject({ code: 3 });
    expect(await run('config untrust')).toMatchObject({ code: 0, stderr: `${file} is not trusted\n` });
    expect(sent).toHaveLength(1);
  });

  test.each<[why: string, line: string, code: number]>([
    ['the file that applies in a folder below', 'config trust --yes', 0],
    ['a file', 'config trust ../.dtp.json --yes', 0],
    ['a folder', 'config trust .. --yes', 0],
    ['a folder without one', 'config trust . --yes', 2],
    ['a file of another name', 'config trust ../other.json --yes', 2],
    ['nobody agrees', 'config trust', 2],
    ['a result in a format that it has not', 'config trust --yes -o name', 2],
  ])('%s: %s exits with %i', async (_, line, code) => {
    const { run, repository } = makeRepositoryWithFolderFile({ base_url: url });
    mkdirSync(join(repository, 'below'));
    writeFileSync(join(repository, 'other.json'), '{}');
    expect((await run(line, { cwd: join(repository, 'below') })).code).toBe(code);
    expect((await run('auth token')).code).toBe(code === 0 ? 0 : 3);
  });

  test('trust in a deleted folder can still be removed', async () => {
    const { run, home, file } = makeRepositoryWithFolderFile({ base_url: url });
    await run('config trust --yes');
    rmSync(file);
    expect((await run(`config untrust ${file}`)).stderr).toContain('no longer trusted');
    expect((await run('config untrust', { cwd: home })).code).toBe(2);
  });

  test('trust does not extend to another path or other certificates', async () => {
    const { run, home, repository, file } = makeRepositoryWithFolderFile({
      base_url: url,
      ca_cert: 'ours.pem',
    });
    const certificates = resolve(import.meta.dirname, '../support/tls');
    copyFileSync(join(certificates, 'ca.pem'), join(repository, 'ours.pem'));
    await run('config trust --yes');
    expect(await run('auth token')).toMatchObject({ code: 0 });
    mkdirSync(join(repository, 'below'));
    expect(await run('auth token', { cwd: join(repository, 'below') })).toMatchObject({ code: 0 });

    const copy = join(home, 'copy');
    mkdirSync(copy);
    copyFileSync(file, join(copy, '.dtp.json'));
    expect(await run('auth token', { cwd: copy })).toMatchObject({ code: 3 });
    copyFileSync(join(certificates, 'server.pem'), join(repository, 'ours.pem'));
    expect((await run('auth token')).stderr).toContain('has changed since it was trusted');
  });

  test('files that others can write are not trusted', async () => {
    const { run, home } = makeRepositoryWithFolderFile({ base_url: url });
    await run('config trust --yes');
    const folder = join(home, 'config/trusted');
    const [name = ''] = readdirSync(folder);
    const record = join(folder, name);
    expect([statSync(folder).mode & 0o777, statSync(record).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readFileSync(record, 'utf8')).not.toContain(url);
    expect(await run('auth token')).toMatchObject({ code: 0 });
    chmodSync(record, 0o666);
    expect(await run('auth token')).toMatchObject({ code: 3 });
  });

  test('a relative configuration folder, which may be in the repository, trusts nothing', async () => {
    const { run } = makeRepositoryWithFolderFile({ base_url: foreignUrl });
    const env = { DTP_CONFIG_DIR: 'config', DTP_API_KEY: 'k-env' };
    expect(await run('config trust --yes', { env })).toMatchObject({ code: 3 });
    expect(await run('ws list', { env })).toMatchObject({ code: 3 });
  });

  test.skipIf(!hasScript).each([
    ['y', 0],
    ['n', 15],
    ['', 15],
  ])('the prompt shows the settings of the file, and %j exits with %i', async (answer, code) => {
    const { home, file } = makeRepositoryWithFolderFile({ base_url: foreignUrl });
    copyFileSync(file, join(home, '.dtp.json'));
    const ended = await terminal(home, 'config trust', { typed: [['(y/N)', `${answer}\r`]], columns: 200 });
    expect(ended.code, ended.screen).toBe(code);
    expect(ended.screen.indexOf(foreignUrl)).toBeLessThan(ended.screen.indexOf('(y/N)'));
  });
});

test('a tool of dtp mcp stops too, until the file is trusted', async () => {
  const { home, repository } = makeRepositoryWithFolderFile({ profile: 'local' });
  await using(connectMcp(home, ['mcp'], { cwd: repository }), async ({ call }) => {
    const stopped = await call('ws_list');
    expect([stopped.isError, stopped.value.code]).toEqual([true, 'config']);
    await trustFolderFile(repository, home);
    expect((await call('ws_list')).isError).toBe(false);
  });
});

test('a command of dtp dev reads the same trust', async () => {
  const { run } = makeRepositoryWithFolderFile({ profile: 'own', 'words.codehost': 'forge' });
  const codes: number[] = [];
  const dev = () =>
    run('dev --ephemeral -- script', {
      spawn: async ({ env }) => {
        codes.push((await run('auth token', { env: env as Record<string, string> })).code);
        return 0;
      },
    });
  expect((await dev()).code).toBe(0);
  await run('config trust --yes');
  expect((await dev()).code).toBe(0);
  expect(codes).toEqual([3, 0]);
});
