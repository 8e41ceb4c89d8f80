/** Which files the tools of `dtp mcp` read. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { petstore } from '../story/petstore.ts';
import { type Connected, connectMcp, using } from '../support/mcp.ts';
import { home, type Served, serve } from '../support/process.ts';

const { folder, remove } = home();
const cwd = join(folder, 'work');
let service: Served;

const open = (argv: readonly string[], at = cwd) =>
  connectMcp(folder, ['mcp', ...argv], {
    cwd: at,
    env: { DTP_BASE_URL: service.address, DTP_API_KEY: service.key },
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
    for (const path of [
      '../secret.yaml',
      join(folder, 'secret.yaml'),
      'out.yaml',
      'up/secret.yaml',
      '/etc/passwd',
    ])
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

test('no files are read if it was started in the home folder', async () => {
  await using(open([], folder), async (server) => {
    expect(await preview(server, 'secret.yaml')).toContain('the tools may not read any folder');
    const text = {
      schema_file: { text: petstore, name: 'a.yaml' },
      language: 'go',
      query: 'length(snippets)',
    };
    expect((await server.call('code_samples_preview', text)).value).toBe(3);
  });
});
