/**
 * Builds the package when npm packs it or installs it from git. For `npm install -g git+…`, npm clones the repository into
 * a temporary folder and runs this twice there, without development dependencies. The first run fetches those that the
 * build needs, in the versions of the lockfile.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The packages that only checks and tests use. */
const forTests = new Set([
  '@biomejs/biome',
  '@modelcontextprotocol/client',
  '@types/node',
  '@types/yauzl',
  'fast-check',
  'js-yaml',
  'nock',
  'scslre',
  'typescript',
  'vitest',
  'web-tree-sitter',
]);

const isClone = /[\\/]_cacache[\\/]tmp[\\/]git-clone[^\\/]*$/.test(process.cwd());
const isReady = existsSync('node_modules/rolldown');
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

if (!isReady) fetchPackages();
else if (isClone) replaceLink();
if (isReady || !isClone) {
  await import('./build.mjs');
  const { addManList } = await import('./man-list.mjs');
  addManList();
}

function fetchPackages() {
  const folder = 'build/packages';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));
  const { devDependencies, optionalDependencies } = readJson('package.json');
  const lockfile = readJson('package-lock.json');
  const needed = Object.entries(devDependencies).filter(([name]) => !forTests.has(name));
  write('package.json', { devDependencies: Object.fromEntries(needed), optionalDependencies });
  // With the URLs of the packages, npm does not have to look them up.
  const registry = npm('config', 'get', 'registry').replace(/\/*$/, '/');
  for (const [path, one] of Object.entries(lockfile.packages)) {
    const name = path.split('node_modules/').at(-1);
    if (path) one.resolved ??= `${registry}${name}/-/${name.split('/').at(-1)}-${one.version}.tgz`;
  }
  write('package-lock.json', lockfile);
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];
  // npm passes settings of the global install on, which do not apply here.
  npm('install', '--no-global', '--include=dev', '--include=optional', `--prefix=${folder}`, ...quiet);
  rmSync('node_modules', { recursive: true, force: true });
  renameSync(join(folder, 'node_modules'), 'node_modules');
}

/**
 * Between the two runs, npm replaces the folder of the installed package by a link to the clone, which it deletes later.
 * This puts the folder and the package's dependencies back, before npm writes the package to it.
 */
function replaceLink() {
  const place = join(npm('root', '--global'), 'dtp');
  if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  rmSync(place);
  mkdirSync(place);
  for (const [path, { dev }] of Object.entries(readJson('package-lock.json').packages))
    if (path && !dev && existsSync(path)) cpSync(path, join(place, path), { recursive: true });
}

function npm(...args) {
  return execFileSync('npm', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  }).trim();
}
