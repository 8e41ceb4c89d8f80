/** The prebuilt files match the command tree, and starting loads no more than necessary. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
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

interface Budget {
  /** The files that a start may open besides the three that every start opens. `chunks` are below dist/chunks/. */
  readonly files: readonly string[];
  readonly chunks?: readonly string[];
  /** How many more Node modules it may load than an empty program. */
  readonly builtins: number;
  /** How much compiled code V8 may load, in kB on Node 20. Later versions have up to 12 % more. */
  readonly code?: number;
}

const helpFiles = ['dist/print.cjs', 'dist/rolldown-runtime.cjs'];
const operationChunks = ['main.cjs', 'tree.cjs', 'operation.cjs', 'send.cjs', 'llhttp.wasm'];

const budget: Readonly<Record<string, Budget>> = {
  '--version': { files: [], builtins: 8 },
  '--help': { files: ['dist/still/commands/dtp.json', ...helpFiles], builtins: 8 },
  'ws tokens list --help': { files: ['dist/still/commands/dtp.ws.tokens.list.json', ...helpFiles], builtins: 8 },
  '__complete profiles': {
    files: ['dist/recalled.cjs', 'dist/rolldown-runtime.cjs'],
    chunks: ['main.cjs', 'profiles.cjs'],
    builtins: 40,
    code: 190,
  },
  'auth user': {
    files: ['dist/rolldown-runtime.cjs'],
    chunks: [...operationChunks, 'operations-auth.cjs'],
    builtins: 38,
    code: 615,
  },
  'ws list': {
    files: ['dist/rolldown-runtime.cjs'],
    chunks: [...operationChunks, 'operations-workspaces.cjs'],
    builtins: 38,
    code: 625,
  },
  'config path': {
    files: ['dist/rolldown-runtime.cjs'],
    chunks: ['main.cjs', 'tree.cjs', 'operation.cjs', 'local.cjs', 'profiles.cjs', 'config.cjs'],
    builtins: 38,
    code: 395,
  },
};

describe('a start loads no more than necessary', () => {
  const watch = `
    const fs = require('node:fs');
    const { writeFileSync } = fs;
    const opened = new Set();
    for (const all of [fs, fs.promises])
      for (const name of ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream']) {
        const real = all[name];
        if (real) all[name] = (path, ...rest) => (typeof path === 'number' || opened.add(String(path)), real(path, ...rest));
      }
    const { get } = Object.getOwnPropertyDescriptor(process, 'stdin');
    Object.defineProperty(process, 'stdin', { get: () => (opened.add('standard input'), get.call(process)) });
    process.on('exit', () => writeFileSync(process.env.WATCHED, JSON.stringify({
      opened: [...opened],
      builtins: process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')),
    })));`;

  const loaded = async (argv: readonly string[], script?: string, more: Readonly<Record<string, string>> = {}) => {
    const [watcher, file] = [join(place.folder, 'watch.cjs'), join(place.folder, 'watched.json')];
    writeFileSync(watcher, watch);
    const env = {
      PATH: process.env.PATH,
      HOME: place.folder,
      WATCHED: file,
      NODE_OPTIONS: `--require=${watcher}`,
      DTP_BASE_URL: service.address,
      DTP_API_KEY: service.key,
      DTP_STATE_DIR: join(place.folder, 'state'),
      ...more,
    };
    execFileSync(process.execPath, [script ?? join(root, 'bin/dtp.cjs'), ...argv], {
      env,
      cwd: place.folder,
    });
    const { opened, builtins } = JSON.parse(readFileSync(file, 'utf8')) as {
      opened: string[];
      builtins: string[];
    };
    // A path outside the checkout stays as it is: none is expected, except compiled code and answers.
    const files = opened
      .filter((one) => !/^state.(compiled|completions.answer-)/.test(relative(place.folder, one)))
      .map((one) => (one.startsWith(root) ? relative(root, one).replaceAll('\\', '/') : one));
    return { files, builtins: builtins.length };
  };

  /** The kB of compiled code that a command loads which has run before. Its code is the only code in the state folder. */
  const codeOf = async (line: string) => {
    const state = join(place.folder, `state of ${line}`);
    const file = () => join(state, 'compiled', readdirSync(join(state, 'compiled'))[0] ?? '');
    // Storing code never delays an exit, so it may take several runs.
    for (let before = -1; ; ) {
      await loaded(line.split(' '), undefined, { DTP_STATE_DIR: state });
      const { ino } = statSync(file());
      if (ino === before) break;
      before = ino;
    }
    const { parts } = JSON.parse(readFileSync(file(), 'latin1').slice(0, 16 * 1024)) as {
      readonly parts: Readonly<Record<string, readonly [offset: number, length: number]>>;
    };
    return Object.values(parts).reduce((sum, [, length]) => sum + length, 0) / 1000;
  };

  test.each(Object.entries(budget))('dtp %s', async (line, { files, chunks = [], builtins, code }) => {
    const bare = join(place.folder, 'bare.cjs');
    writeFileSync(bare, '');
    const now = await loaded(line.split(' '));
    const always = ['bin/dtp.cjs', 'dist/load.cjs', 'dist/start.cjs'];
    expect(now.files.sort()).toEqual([...always, ...files, ...chunks.map((name) => `dist/chunks/${name}`)].sort());
    const more = now.builtins - (await loaded([], bare)).builtins;
    expect(more).toBeLessThanOrEqual(builtins);
    if (code === undefined) return;
    const most = process.version.startsWith('v20.') ? code : code * 1.12;
    const found = await codeOf(line);
    expect(found).toBeLessThan(most);
    // A limit that is too high would find nothing.
    expect(found).toBeGreaterThan(code * 0.8);
  });

  test('a key press whose list was fetched within the last minute loads neither settings nor the command tree', async () => {
    const line = ['__complete', '--base-url', service.address, 'workspaces'];
    const first = await loaded(['__complete', '--fresh', ...line.slice(1)]);
    expect(first.files).toContain('dist/chunks/send.cjs');
    const always = ['bin/dtp.cjs', 'dist/load.cjs', 'dist/start.cjs'];
    expect((await loaded(line)).files.sort()).toEqual(
      [...always, 'dist/recalled.cjs', 'dist/rolldown-runtime.cjs'].sort(),
    );
    const env = { DTP_OUTPUT_FILE: join(place.folder, 'journal.ndjson') };
    expect((await loaded(line, undefined, env)).files).toContain('dist/chunks/main.cjs');
  });

  test('the page of the embedded service is loaded with its server only', async () => {
    const chunks = readdirSync(join(root, 'dist/chunks')).map((name) => `dist/chunks/${name}`);
    const [page = ''] = chunks.filter((file) => readFileSync(join(root, file), 'utf8').includes('dtp-page-'));
    const local = { DTP_BASE_URL: 'local:', DTP_API_KEY: '', DTP_DATA_DIR: join(place.folder, 'other') };
    for (const [line, env] of [
      ['auth user', {}],
      ['auth user', local],
      ['events search', local],
    ] as const)
      expect((await loaded(line.split(' '), undefined, env)).files).not.toContain(page);
    expect((await loaded(['dev', '--', process.execPath, '--version'])).files).toContain(page);
  });

  test('a workspace that the login has stored needs no request', async () => {
    const config = { DTP_CONFIG_DIR: join(place.folder, 'logged-in'), DTP_API_KEY: '' };
    await dtp(place.folder, ['auth', 'login', '--base-url', service.address, '--with-token'], {
      env: config,
      stdin: service.key,
    });
    const now = await loaded(['auth', 'user'], undefined, config);
    expect(now.files.filter((one) => /workspace/.test(one))).toEqual([]);
    const named = await loaded(['auth', 'user', '-w', service.workspace_id], undefined, config);
    expect(named.files.sort()).toEqual(now.files.sort());
    expect(named.builtins).toBe(now.builtins);
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
