/**
 * The executable that includes Node: it needs no Node, no writable folder and no fixed name, and behaves like
 * the package.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, test as each, expect, onTestFinished } from 'vitest';
import { petstore } from '../story/petstore.ts';
import { makeBinaries } from '../support/binary.ts';

const root = resolve(import.meta.dirname, '../..');
const others = ['linux-arm64', 'darwin-arm64', 'win-x64'];
const { folder, tool, made, absent, start, dtp, homeFolder, remove } = makeBinaries(others);
afterAll(remove);
if (absent) process.stderr.write(`skipped: the executable, because ${absent}\n`);
const test = each.skipIf(absent !== undefined);

function home(): string {
  const place = homeFolder();
  writeFileSync(join(place, 'pets.yaml'), petstore);
  return place;
}

const preview = ['code-samples', 'preview', '--schema-file', 'pets.yaml', '--language', 'go', '--profile', 'local'];
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const quiet = (stdout: string) => ({ code: 0, stdout, stderr: '' });

test('it is built, and the build says what macOS needs', () => {
  expect([made.status, made.stdout.trim().split('\n').length]).toEqual([0, 1 + others.length]);
  const unsigned = `The executable is not signed. To start it, run: codesign --sign - ${folder}/dtp-darwin-arm64\n`;
  // On macOS it is signed at once.
  if (process.platform !== 'darwin') expect(made.stderr).toBe(unsigned);
});

test('it runs without Node and without a writable folder, and writes nothing', async () => {
  const place = join(folder, 'read-only');
  mkdirSync(place);
  linkSync(tool, join(place, 'dtp'));
  chmodSync(place, 0o555);
  const uid = process.getuid?.() === 0 ? 65534 : undefined;
  const how = { program: join(place, 'dtp'), ...(uid === undefined ? {} : { uid }) };
  const run = (argv: readonly string[]) => dtp(place, argv, how);
  expect(await run(['--version'])).toEqual(quiet(`${version}\n`));
  expect(await run(['--help'])).toMatchObject({ code: 0, stderr: '' });
  expect(await run(['completion', 'bash'])).toEqual(quiet(readFileSync(join(root, 'completions/dtp.bash'), 'utf8')));
  const dev = ['dev', '--ephemeral', '--', join(place, 'dtp'), 'ws', 'list', '-o', 'name'];
  expect(await run(dev)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) });
  const { code, stderr } = await run(['ws', 'list', '--profile', 'local', '--error-format', 'text']);
  expect([code, stderr]).toEqual([3, expect.stringContaining(`the embedded service cannot open ${place}/d`)]);
});

test.each([
  ['under another name', 'other', linkSync],
  ['in a folder with spaces and non-ASCII letters', 'Ordner für 工具 %20 #1/dtp', linkSync],
  ['through a symbolic link', 'link', symlinkSync],
] as const)('it runs %s, and so do its processes', async (_, name, link) => {
  const place = home();
  const program = join(place, name);
  mkdirSync(dirname(program), { recursive: true });
  link(tool, program);
  expect(await dtp(place, ['--version'], { program })).toEqual(quiet(`${version}\n`));
  const { code, stdout } = await dtp(place, [...preview, '-o', 'json'], { program });
  expect([code, JSON.parse(stdout).snippets.length]).toEqual([0, 3]);
  const line = ['__complete', '--profile', 'local', 'workspaces'];
  let offered = '';
  // A separate process checks the service, and nobody waits for it.
  while (offered === '') {
    const pressed = await dtp(place, line, { program });
    expect(pressed).toMatchObject({ code: 0, stderr: '' });
    offered = pressed.stdout;
    await sleep(50);
  }
  expect(offered).toMatch(/^Default\t([0-9a-f-]{36})\n\1\tDefault\n$/);
});

test('it can be started by its bare name', async () => {
  const place = home();
  linkSync(tool, join(place, 'dtp'));
  const how = { program: 'dtp', env: { PATH: place } };
  expect(await dtp(place, [...preview, '-o', 'json'], how)).toMatchObject({ code: 0 });
});

test.each(['--inspect', '--max-old-space-size=50', '--eval=1', '-p', '--require=./x.cjs', '--node-options=-v'])(
  '%s is for the tool, not for Node',
  async (argument) => {
    const { code, stdout, stderr } = await dtp(home(), [argument, '--error-format', 'text']);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^error: dtp has no flag -/)]);
  },
);

test('each part has a code cache that V8 accepts', async () => {
  const place = home();
  const probe = join(place, 'probe.cjs');
  writeFileSync(
    probe,
    `const vm = require('node:vm');
    vm.Script = class extends vm.Script {
      constructor(source, options) {
        super(source, options);
        process.stderr.write(options.filename.split('/').pop() + ' ' + this.cachedDataRejected + '\\n');
      }
    };`,
  );
  const env = { NODE_OPTIONS: `--require=${probe}` };
  for (const argv of [['--version'], ['ws', 'list', '--profile', 'local'], ['auth', 'login', '--help']]) {
    const lines = (await dtp(place, argv, { env })).stderr.trim().split('\n');
    expect([argv, lines.filter((line) => !line.endsWith(' false'))]).toEqual([argv, []]);
  }
});

test('the process for documents, which is the executable itself, respects its limit', async () => {
  const place = home();
  const document = `{"x":[${'{},'.repeat(3_000_000)}{}]}`;
  const how = (MiB: number) => ({
    env: { NODE_OPTIONS: `--max-old-space-size=${MiB}` },
    stdin: `{"make":"summary overlay","options":{}}\n${document}`,
  });
  const argv = [join(tool, 'dist/service/document-process.cjs')];
  expect(await dtp(place, argv, how(1024))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\n422\n/),
  });
  expect(await dtp(place, argv, how(50))).toMatchObject({
    code: -1,
    stderr: expect.stringMatching(/heap out of memory[\s\S]*SIG(ABRT|TRAP)$/),
  });
});

test('a reader that closes early is not an error; exit codes and signals work as usual', async () => {
  const place = home();
  const child = start(place, ['schema', '--all']);
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await new Promise((done) => child.on('close', done))).toBe(0);
  expect(await dtp(place, ['ws', 'list'])).toMatchObject({ code: 3, stdout: '' });
  expect(await dtp(place, ['short-urls', 'create', '--profile', 'local'])).toMatchObject({ code: 2 });

  const server = http.createServer(() => hanging.kill('SIGINT'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const env = { DTP_BASE_URL: `http://127.0.0.1:${port}`, DTP_API_KEY: 'k' };
  const hanging = start(place, ['auth', 'user'], { env });
  expect(await new Promise((done) => hanging.on('close', done))).toBe(130);
});

test('serve answers until it is stopped', async () => {
  const place = home();
  const child = start(place, ['serve', '-o', 'json']);
  const line = await new Promise<string>((done) => child.stdout.once('data', (chunk) => done(String(chunk))));
  const { address, key, workspace_id } = JSON.parse(line);
  const env = { DTP_BASE_URL: address, DTP_API_KEY: key, DTP_WORKSPACE_ID: workspace_id };
  const events = Array.from({ length: 3 }, (_, index) => ({ id: `e${index}`, interaction_type: 'CI_EXEC' }));
  const posted = await dtp(place, ['events', 'post', '--body', '-'], { env, stdin: JSON.stringify(events) });
  expect(posted).toMatchObject({ code: 0, stdout: expect.stringContaining('"delivered": 3') });
  const found = await dtp(place, ['events', 'search', '-o', 'name', '--profile', 'local']);
  expect(found.stdout.trim().split('\n').sort()).toEqual(['e0', 'e1', 'e2']);
  child.kill('SIGTERM');
  expect(await new Promise((done) => child.on('close', done))).toBe(0);
});

test('a full disk is reported as by the package', async () => {
  const place = home();
  writeFileSync(join(place, 'big.json'), JSON.stringify({ name: 'x'.repeat(100_000) }));
  const local = ['--profile', 'local', '--error-format', 'text', 'ws'];
  expect(await dtp(place, [...local, 'list'])).toMatchObject({ code: 0 });
  const script = 'ulimit -f 40; exec "$0" "$@"';
  const argv = ['-c', script, tool, ...local, 'tokens', 'create', '--body', '@big.json'];
  const { code, stdout, stderr } = await dtp(place, argv, { program: '/bin/bash' });
  expect([code, stdout, stderr]).toEqual([10, '', expect.stringContaining('/d/service.db cannot be used: ')]);
});

test('mcp answers an agent', async () => {
  const clientInfo = { name: 'test', version: '1' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'ws_list', arguments: {} } },
  ];
  const stdin = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const { code, stdout } = await dtp(home(), ['--profile', 'local', 'mcp'], { stdin });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([code, answers.map(({ id }) => id)]).toEqual([0, [1, 2]]);
  expect(answers[1].result.content[0].text).toContain('"name":"Default"');
});

test('the tour runs on it', async () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/tour.mjs'), '--tool', tool], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Every command above really ran');
});

test.each([
  [
    'linux-arm64',
    'dtp-linux-arm64',
    (file: Buffer) => [file.readUInt32BE(0), file.readUInt16LE(18)],
    [0x7f454c46, 183],
  ],
  [
    'darwin-arm64',
    'dtp-darwin-arm64',
    (file: Buffer) => [file.readUInt32LE(0), file.readUInt32LE(4)],
    [0xfeedfacf, 0x0100000c],
  ],
  [
    'win-x64',
    'dtp-win-x64.exe',
    (file: Buffer) => [file.toString('latin1', 0, 2), file.readUInt16LE(file.readUInt32LE(60) + 4)],
    ['MZ', 0x8664],
  ],
] as const)('for %s it is a program of that platform, and contains the tool', (_, name, kindOf, kind) => {
  const file = readFileSync(join(folder, name));
  expect(kindOf(file)).toEqual(kind);
  // This string makes Node look for an embedded program.
  expect(file.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')).toBe(true);
  for (const part of ['start.cjs', 'service/document-process.cjs', 'still/commands/dtp.json', 'libsql.cjs'])
    expect([part, file.includes(readFileSync(sourceOf(part)))]).toEqual([part, true]);
});

const sourceOf = (part: string) =>
  part === 'libsql.cjs' ? join(root, 'scripts/binary', part) : join(root, 'dist', part);

test('with --debug an error names lines of the source, as in the package', async () => {
  const place = home();
  const { code, stderr } = await dtp(place, ['--debug', '--error-format', 'text', 'ws', 'list']);
  const frames = stderr.split('\n').filter((line) => /^ +at /.test(line));
  const [, file = '', row] = /(src\/[\w/-]+\.ts):(\d+)$/.exec(frames[0] ?? '') ?? [];
  expect([code, file]).toEqual([3, expect.stringMatching(/^src\//)]);
  expect(readFileSync(join(root, file), 'utf8').split('\n')[Number(row) - 1]).toContain('new DtpError(');
  // The first line of a part, including the function that wraps it.
  const argv = ['--debug', '--error-format', 'text', '--profile', 'none', 'config', 'use', 'none'];
  const other = await dtp(place, argv);
  expect(other.stderr).toMatch(/ at src\/commands\/config\/[\w-]+\.ts:\d+\n/);
});
