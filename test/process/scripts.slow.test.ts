/** The scripts of the repository, if the reader of what they print goes away, as in `npm run sbom | head -1`. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/context.ts';

const root = resolve(import.meta.dirname, '../..');

/** No test connects to another machine, so the registry is a port on which nothing listens. */
const registry = 'http://127.0.0.1:1/';

test
  .skipIf(process.platform === 'win32')
  .each([['scripts/shipped.mjs', 'sbom'], ['scripts/shipped.mjs', 'audit'], ['scripts/tour.mjs']])(
  '%s %s ends quietly, and leaves no files behind',
  async (...argv) => {
    const folder = temporaryFolder();
    const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, npm_config_registry: registry };
    const line = `"$0" "$@" | true; echo "\${PIPESTATUS[0]}"`;
    const ended = await new Promise((done) =>
      execFile('bash', ['-c', line, process.execPath, ...argv], { cwd: root, env }, (_, stdout, stderr) =>
        done({ stdout, stderr }),
      ),
    );
    expect(ended).toEqual({ stdout: '0\n', stderr: '' });
    expect(readdirSync(folder).filter((name) => name.startsWith('dtp-'))).toEqual([]);
  },
);

test('each script that prints expects that its reader goes away', () => {
  const scripts = readdirSync(join(root, 'scripts')).filter((name) => name.endsWith('.mjs'));
  const read = (name: string) => readFileSync(join(root, 'scripts', name), 'utf8');
  const printing = scripts.filter((name) => read(name).includes('process.stdout.write'));
  expect(printing).toContain('shipped.mjs');
  expect(printing.filter((name) => !read(name).includes("'./reader.mjs'"))).toEqual([]);
});
