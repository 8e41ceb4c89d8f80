/** The built tool finds the database driver in every layout that package managers make. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/context.ts';
import { dtp } from '../support/process.ts';

const root = resolve(import.meta.dirname, '../..');
const finders = ['@neon-rs/load', 'detect-libc'];

/** Copies the tool into a folder, with packages in `node_modules`, by the path that each gets there. */
function install(packages: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(root, part), join(folder, part), { recursive: true });
  for (const [path, name] of Object.entries(packages)) {
    const to = join(folder, 'node_modules', path);
    mkdirSync(dirname(to), { recursive: true });
    // libsql is copied, so that it looks for other packages near its copy.
    if (name === 'libsql') cpSync(join(root, 'node_modules', name), to, { recursive: true });
    else symlinkSync(join(root, 'node_modules', name), to);
  }
  return join(folder, 'bin/dtp.cjs');
}

const same = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
const within = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`libsql/node_modules/${name}`, name]));

test.each([
  ['flat, as npm installs it', { ...same('libsql', '@libsql', ...finders) }],
  ['flat, without the packages that find the driver', { ...same('libsql', '@libsql') }],
  ['where only libsql sees its native package', { ...same('libsql'), ...within('@libsql', ...finders) }],
])('%s', async (_, packages) => {
  const env = { DTP_BASE_URL: 'local:' };
  const ended = await dtp(temporaryFolder(), ['ws', 'list', '-o', 'name'], { env, tool: install(packages) });
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/), stderr: '' });
});

test('without the native package, the error names what is missing', async () => {
  const tool = install(same('libsql', ...finders));
  const env = { DTP_BASE_URL: 'local:', DTP_ERROR_FORMAT: 'text' };
  const ended = await dtp(temporaryFolder(), ['ws', 'list'], { env, tool });
  expect(ended).toMatchObject({ code: 3, stdout: '' });
  expect(ended.stderr).toMatch(/^error: the embedded service cannot load its database driver: .*@libsql\//);
});
