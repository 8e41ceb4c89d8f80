/** Which files the tools of `dtp mcp` read. */
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { petstore } from '../story/petstore.ts';
import { type Connected, connectMcp, using } from '../support/mcp.ts';
import { home, type Served, serve, start } from '../support/process.ts';

const { folder, remove } = home();
const cwd = join(folder, 'work');
let service: Served;

const open = (argv: readonly string[], at = cwd, env: Readonly<Record<string, string>> = {}) =>
  connectMcp(folder, ['mcp', ...argv], {
    cwd: at,
    env: { DTP_BASE_URL: service.address, DTP_API_KEY: service.key, ...env },
  });
const preview = async (server: Connected, path: string) => {
  const args = { schema_file: { path }, language: 'go', query: 'length(snippets)' };
  const { isError, value } = await server.call('code_samples_preview', args);
  return isError ? value.message : value;
};

beforeAll(async () => {
  mkdirSync(cwd);
  service = await serve(folder);
  const secret = join(folder, 'secret.yaml');
  for (const file of [join(cwd, 'in.yaml'), join(cwd, '..in.yaml'), secret]) writeFileSync(file, petstore);
  mkdirSync(join(cwd, 'deep'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(cwd, 'pipe')]);
  symlinkSync(secret, join(cwd, 'out.yaml'));
  symlinkSync(folder, join(cwd, 'up'));
  symlinkSync('in.yaml', join(cwd, 'link.yaml'));
  mkdirSync(join(folder, 'config'));
  writeFileSync(join(folder, 'config', 'own.yaml'), petstore);
});

afterAll(async () => {
  expect(await service.stop()).toBe(0);
  remove();
});

test('files are read in the current folder and nowhere else', async () => {
  await using(open([]), async (server) => {
    for (const path of ['in.yaml', './deep/../in.yaml', '..in.yaml', 'link.yaml', join(cwd, 'in.yaml')])
      expect(await preview(server, path), path).toBe(3);
    for (const path of ['../secret.yaml', join(folder, 'secret.yaml'), 'out.yaml', 'up/secret.yaml', '/etc/passwd'])
      expect(await preview(server, path), path).toContain(`is not in ${cwd}`);
    // Only inside the folder does the error say whether the file exists.
    expect(await preview(server, '../nothing.yaml')).toContain('is not in');
    expect(await preview(server, 'nothing.yaml')).toContain('file not found');
    expect(await preview(server, 'deep')).toContain('is not a file');
    // The pipe is not opened, so nobody waits for its writer.
    if (process.platform !== 'win32') expect(await preview(server, 'pipe')).toContain('is not a file');
    expect(await preview(server, '-')).toContain('file not found');
    expect(await preview(server, '')).toContain('is not in');
  });
});

test('files are read in the given roots, except the tool’s own', async () => {
  await using(open(['--root', join('..', 'work', 'deep'), '..']), async (server) => {
    expect(await preview(server, 'secret.yaml')).toBe(3);
    expect(await preview(server, 'work/in.yaml')).toBe(3);
    expect(await preview(server, 'config/own.yaml')).toContain("one of dtp's own files");
  });
});

test.each([
  ['the home folder', ''],
  ['the home folder, to which HOME is a link', 'work/up'],
  ['a folder above the home folder', 'work/deep'],
])('no files are read if it was started in %s', async (_, home) => {
  await using(open([], folder, { HOME: join(folder, home) }), async (server) => {
    expect(await preview(server, 'secret.yaml')).toContain('the tools may not read any folder');
    const text = {
      schema_file: { text: petstore, name: 'a.yaml' },
      language: 'go',
      query: 'length(snippets)',
    };
    expect((await server.call('code_samples_preview', text)).value).toBe(3);
  });
});

test.skipIf(process.platform !== 'linux')(
  'files of the system, and hard links to files of dtp, are not read',
  async () => {
    linkSync(join(folder, 'config', 'own.yaml'), join(cwd, 'hard.yaml'));
    await using(open(['--root', '/']), async (server) => {
      for (const path of ['proc/self/environ', 'proc/self/status', 'dev/null', 'dev/stdin', 'sys/kernel/notes'])
        expect(await preview(server, path), path).toMatch(/belongs to the system|is not a file|file not found/);
      expect(await preview(server, join(cwd, 'hard.yaml'))).toContain("one of dtp's own files");
      expect(await preview(server, join(cwd, 'in.yaml'))).toBe(3);
    });
    await using(open([]), async (server) => {
      expect(await preview(server, 'hard.yaml')).toContain("one of dtp's own files");
    });
  },
);

test.skipIf(process.platform !== 'linux')('a message of 80 MiB is refused before it is in memory', async () => {
  const child = start(folder, ['mcp', '--root', cwd], { env: { DTP_BASE_URL: service.address } });
  const ended = new Promise((done) => child.on('close', done));
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdin.on('error', () => undefined);
  const piece = Buffer.alloc(1024 * 1024, 'a');
  let peak = 0;
  for (let count = 0; count < 80 && child.stdin.writable; count++) {
    await new Promise((done) => child.stdin.write(piece, done));
    const status = existsSync(`/proc/${child.pid}/status`) ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : '';
    peak = Math.max(peak, Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0));
  }
  expect(await ended).toBe(1);
  expect(stderr).toContain('A message can be up to 10 MiB');
  // In kilobytes. The process needs about 120 MB without any message.
  expect(peak).toBeLessThan(220_000);
});
