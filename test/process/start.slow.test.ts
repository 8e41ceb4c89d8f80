/** The prebuilt files match the command tree, and a start in unusual places works or says what is wrong. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages } from '../../src/cli/help-pages.ts';
import { prebuiltHelpFiles } from '../../src/describe/help/prebuilt.ts';
import { dtp as inProcess, temporaryFolder } from '../support/context.ts';
import { dtp, home, type Served, serve } from '../support/process.ts';

const root = resolve(import.meta.dirname, '../..');
const still = join(root, 'dist/still');

const place = { folder: '', remove: () => {} };
let service: Served;
beforeAll(async () => {
  Object.assign(place, home());
  service = await serve(place.folder);
});
afterAll(async () => {
  await service.stop();
  place.remove();
});

describe('prebuilt help pages', () => {
  test('match the tree exactly', () => {
    const made = readdirSync(still, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
    expect(made.map((name) => name.replaceAll('\\', '/')).sort()).toEqual([...allPages().keys()].sort());
    for (const [name, page] of allPages())
      expect(JSON.parse(readFileSync(join(still, name), 'utf8')), name).toEqual(JSON.parse(JSON.stringify(page)));
  });

  test.each([
    [],
    ['--help'],
    ['-h'],
    ['help'],
    ['help', 'ws'],
    ['help', 'help'],
    ['help', '--help'],
    ['help', 'exit-codes'],
    ['ws', 'tokens', '--help'],
    ['artifacts', 'push', '-h'],
    ['--version'],
    ['-V'],
  ])('%j prints the same as the tree would', async (...argv) => {
    const quick = await dtp(place.folder, argv);
    // A run with a journal must write one, so it goes through the tree.
    const slow = await dtp(place.folder, argv, { env: { DTP_OUTPUT_FILE: join(place.folder, 'journal') } });
    expect(quick).toEqual(slow);
    expect(quick).toMatchObject({ code: 0, stderr: '' });
    expect(quick.stdout).not.toBe('');
  });

  test.each([
    ['ws', 'lst', '--help'],
    ['workspaces', 'list', '--help'],
    ['help', 'ws', '--help'],
    ['--help', 'ws'],
    ['ws', 'list', '--help', '-o', 'json'],
    ['exit-codes', '--help'],
    ['help', 'nothing'],
    ['help', '../commands/dtp'],
    ['help', ''],
    ['--profile', 'local', '--help'],
    ['--version', '--help'],
  ])('%j is left to the tree', async (...argv) => {
    const found = prebuiltHelpFiles(argv)?.some((name) => existsSync(join(still, name))) ?? false;
    expect(found).toBe(false);
    const [whole, within] = [await dtp(place.folder, argv), await inProcess(argv)];
    expect([whole.code, whole.stdout]).toEqual([within.code, within.stdout]);
  });

  test('a damaged page is not an error, because the tree has it too', async () => {
    const copy = join(place.folder, 'copy');
    for (const name of ['bin', 'dist', 'package.json']) cpSync(join(root, name), join(copy, name), { recursive: true });
    const file = join(copy, 'dist/still/commands/dtp.ws.json');
    const show = () =>
      execFileSync(process.execPath, [join(copy, 'bin/dtp.cjs'), 'ws', '--help'], { encoding: 'utf8' });
    const whole = show();
    for (const text of ['', '{', '[]']) {
      writeFileSync(file, text);
      expect(show()).toBe(whole);
    }
    rmSync(file);
    mkdirSync(file);
    expect(show()).toBe(whole);
  });

  test('a reader that closes early is not an error', () => {
    const shell = `'${process.execPath}' bin/dtp.cjs --help | head -1; echo "\${PIPESTATUS[0]}"`;
    expect(execFileSync('bash', ['-c', shell], { cwd: root, encoding: 'utf8' })).toMatch(/^Usage: .*\n0\n$/);
  });

  test('a full pipe on which writing must not wait gets everything', () => {
    const fill = join(place.folder, 'fill.cjs');
    writeFileSync(
      fill,
      // Starting a child makes the pipe wait, and opening stdout makes it not wait.
      `const script = 'read go; exec "$0" "$@"';
      const stdio = ['pipe', 'inherit', 'inherit'];
      const argv = [process.execPath, ...process.argv.slice(2)];
      const child = require('node:child_process').spawn('sh', ['-c', script, ...argv], { stdio });
      process.stdout.write('');
      try {
        for (;;) require('node:fs').writeSync(1, '.'.repeat(1000));
      } catch {}
      child.stdin.end('\\n');`,
    );
    const shell = `'${process.execPath}' '${fill}' bin/dtp.cjs --help | { sleep 1; tr -d .; }`;
    const whole = execFileSync('bash', ['-c', `'${process.execPath}' bin/dtp.cjs --help | tr -d .`], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(execFileSync('bash', ['-c', shell], { cwd: root, encoding: 'utf8' })).toBe(whole);
  });
});

describe('a start in unusual places', () => {
  const inShell = (script: string, env = {}) =>
    execFileSync('sh', ['-c', `${script} 2>&1; echo "$?"`], {
      cwd: place.folder,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: place.folder,
        DTP: `${process.execPath} ${root}/bin/dtp.cjs`,
        ...env,
      },
    });

  test('a current folder that was removed', () => {
    const output = inShell(
      'mkdir gone && cd gone && rmdir ../gone && $DTP ws list --profile local --error-format text',
    );
    expect(output).toBe('error: the current folder no longer exists\n  Change to another folder.\n3\n');
    expect(inShell('mkdir gone && cd gone && rmdir ../gone && $DTP ws --help')).toMatch(/^Usage: dtp ws .*\n0\n$/s);
  });

  test('a Node that cannot parse HTTP', () => {
    const env = { NODE_OPTIONS: '--jitless', DTP_BASE_URL: 'http://127.0.0.1:9', DTP_API_KEY: 'k-1' };
    expect(inShell('$DTP ws list --error-format text', env)).toMatch(
      /error: this Node has no WebAssembly, which is required for HTTP\n.*--jitless.*\n3\n$/,
    );
  });

  test('without a home, the current folder is not used instead', () => {
    const config = { profiles: { default: { base_url: 'https://planted.example.test' } } };
    mkdirSync(join(place.folder, '.config/dtp'), { recursive: true });
    writeFileSync(join(place.folder, '.config/dtp/config.json'), JSON.stringify(config));
    expect(inShell('$DTP config get base_url', { HOME: '' })).toContain('profile default has no base_url');
    expect(inShell('$DTP config get base_url', { XDG_CONFIG_HOME: '.config', HOME: '/nowhere' })).toContain(
      'profile default has no base_url',
    );
  });
});

test('before the build, the tool says how to build it', () => {
  const copy = join(temporaryFolder(), 'unbuilt');
  mkdirSync(join(copy, 'bin'), { recursive: true });
  cpSync(resolve(import.meta.dirname, '../../bin/dtp.cjs'), join(copy, 'bin/dtp.cjs'));
  const run = spawnSync(process.execPath, [join(copy, 'bin/dtp.cjs'), 'ws', 'list'], { encoding: 'utf8' });
  expect([run.status, run.stdout, run.stderr]).toEqual([
    1,
    '',
    'error: dtp is not built yet\n  Build it with: npm run build\n',
  ]);
});
