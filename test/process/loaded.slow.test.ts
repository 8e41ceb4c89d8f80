/** Each kind of command opens no more files, and loads no more Node modules and compiled code, than it needs. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dtp, home, type Served, serve } from '../support/process.ts';

const root = resolve(import.meta.dirname, '../..');

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

const areas = readdirSync(join(root, 'dist/chunks')).filter((name) => /^operations-/.test(name));

const budget: Readonly<Record<string, Budget>> = {
  '--version': { files: [], builtins: 8 },
  '--help': { files: ['dist/still/commands/dtp.json', ...helpFiles], builtins: 8 },
  'ws tokens list --help': { files: ['dist/still/commands/dtp.ws.tokens.list.json', ...helpFiles], builtins: 8 },
  '__complete profiles': {
    files: ['dist/recalled.cjs', 'dist/rolldown-runtime.cjs'],
    chunks: ['main.cjs', 'profiles.cjs'],
    builtins: 40,
    code: 192,
  },
  'auth user': {
    files: ['dist/rolldown-runtime.cjs'],
    chunks: [...operationChunks, 'operations-auth.cjs'],
    builtins: 38,
    code: 616,
  },
  'ws list': {
    files: ['dist/rolldown-runtime.cjs'],
    chunks: [...operationChunks, 'operations-workspaces.cjs'],
    builtins: 38,
    code: 640,
  },
  '--base-url local: auth user': {
    // The driver of the database asks ldd for the kind of C library.
    files: ['dist/rolldown-runtime.cjs', '/usr/bin/ldd'],
    chunks: [
      ...['main', 'tree', 'operation', 'embedded', 'store', 'index', 'modes'].map((name) => `${name}.cjs`),
      ...areas,
    ],
    builtins: 48,
    code: 690,
  },
  'config path': {
    files: ['dist/rolldown-runtime.cjs'],
    chunks: ['main.cjs', 'tree.cjs', 'operation.cjs', 'local.cjs', 'profiles.cjs', 'config.cjs'],
    builtins: 38,
    code: 400,
  },
};

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
  // A path outside the checkout stays as it is: none is expected, except compiled code, answers and the database.
  const files = opened
    .filter((one) => !/^(state.(compiled|completions.answer-)|.*service\.db$)/.test(relative(place.folder, one)))
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
