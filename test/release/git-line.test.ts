/** One line installs dtp from source control: npm clones the repository, builds the package and installs it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { fileFolder, isUnreachable, npm, root } from '../support/package.ts';
import { dtp, home } from '../support/process.ts';
import { makeRepository } from '../support/release.ts';

const folder = fileFolder();
const [prefix, cache] = [join(folder, 'prefix'), join(folder, 'cache')];
const tool = join(prefix, 'lib/node_modules/dtp/bin/dtp.cjs');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The most that the installation had on the disk at once, in MB. */
let largest = 0;
let isAbsent = false;

beforeAll(async () => {
  mkdirSync(prefix);
  mkdirSync(cache);
  const repository = makeRepository(folder);
  const measuring = setInterval(() => {
    // Files disappear while they are counted.
    const text = execFileSync('sh', ['-c', 'du -sm "$@" 2>/dev/null || true', 'sh', prefix, cache], {
      encoding: 'utf8',
    });
    largest = Math.max(
      largest,
      text.split('\n').reduce((sum, line) => sum + Number.parseInt(line || '0', 10), 0),
    );
  }, 300);
  try {
    // The settings of this checkout forbid scripts, and the npm that runs the tests passes them on.
    const own = ['--no-ignore-scripts', '--fetch-retries=1', '--prefix', prefix, '--cache', cache];
    await npm(folder, ['install', '-g', ...own, `git+file://${repository}`]);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    process.stderr.write('skipped: the registry does not answer, so nothing can be built from git\n');
    isAbsent = true;
  } finally {
    clearInterval(measuring);
  }
});

test('the command is on the PATH, and everything works, the embedded service too', async ({ skip }) => {
  if (isAbsent) skip();
  const { folder: place, remove } = home();
  expect(existsSync(join(prefix, 'bin/dtp'))).toBe(true);
  expect(await dtp(place, ['--version'], { tool })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect(await dtp(place, ['ws', 'list', '--profile', 'local'], { tool })).toMatchObject({ code: 0 });
  expect(readdirSync(join(prefix, 'lib/node_modules'))).toEqual(['dtp']);
  remove();
});

test('the installed package is the one that npm packs', ({ skip }) => {
  if (isAbsent) skip();
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: root, encoding: 'utf8' });
  const names = JSON.parse(packed)[0].files.map(({ path }: { path: string }) => path);
  const installed = readdirSync(join(tool, '../..'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(tool, '../..').length + 1))
    .filter((name) => !name.startsWith('node_modules/'));
  expect(installed.sort()).toEqual(names.sort());
});

test('it downloads no tool of the tests, and takes at most 220 MB on the disk while it runs', ({ skip }) => {
  if (isAbsent) skip();
  const downloaded = readdirSync(join(cache, '_cacache/index-v5'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .flatMap((text) => /\/((?:@[\w.-]+\/)?[\w.-]+)\/-\//.exec(text)?.[1] ?? []);
  expect(downloaded).toContain('rolldown');
  const tools = ['@biomejs/biome', 'typescript', 'vitest', 'nock'];
  expect(downloaded.filter((name) => tools.includes(name))).toEqual([]);
  expect(largest).toBeGreaterThan(20);
  expect(largest).toBeLessThan(220);
});
