/**
 * Makes the files of a release page in `release/`, or in `--out FOLDER`. `--url` is where they will be, such as
 * `https://HOST/OWNER/dtp/releases/download/v{version}`. The commit must have the tag of the version, and the work tree
 * must have no changes. Two runs on one commit make the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import './reader.mjs';
import { writeArchives } from './release/archives.mjs';
import { writeChecksums } from './release/checksums.mjs';
import { writeDebianPackages } from './release/debian.mjs';
import { writeMaterials } from './release/materials.mjs';
import { writeNotes } from './release/notes.mjs';
import { writeTemplates } from './release/templates.mjs';

const root = resolve(import.meta.dirname, '..');
process.chdir(root);
// Times in archives are in the local time zone.
process.env.TZ = 'UTC';
process.umask(0o022);

const { values } = parseArgs({ options: { url: { type: 'string' }, out: { type: 'string', default: 'release' } } });
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const tag = `v${version}`;
const out = resolve(values.out);
checkInput();

const work = mkdtempSync(join(tmpdir(), 'dtp-release-'));
const release = { version, url: values.url, out, work, seconds: Number(output('git', 'show', '-s', '--format=%ct')) };
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  setPermissions();
  run('npm', 'pack', '--silent', '--no-ignore-scripts', '--pack-destination', out);
  run(process.execPath, 'scripts/binary.mjs', '--all', '--out', work);
  writeNotes(release);
  writeMaterials(release);
  const folders = writeArchives(release);
  writeDebianPackages(release, folders);
  writeTemplates(release);
  writeChecksums(out);
  process.stdout.write(`The release ${version} is in ${values.out}\n`);
} catch (error) {
  // Without its digests, it is not a release.
  rmSync(out, { recursive: true, force: true });
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

function checkInput() {
  // The URL gets into a shell script and a Ruby program.
  if (!/^https?:\/\/[\w.:/~@%+-]*\{version\}[\w./~@%+-]*$/.test(values.url ?? ''))
    fail("pass the URL of the release: --url 'https://HOST/OWNER/dtp/releases/download/v{version}'");
  if (output('git', 'status', '--porcelain') !== '') fail('the work tree has changes. Commit them, or stash them');
  if (!output('git', 'tag', '--points-at', 'HEAD').split('\n').includes(tag))
    fail(`the commit has no tag ${tag}. Create it: git tag ${tag}`);
  // The folder is replaced, and only a release may be lost.
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(resolve(out, 'SHA256SUMS')))
    fail(`${values.out} has other files than those of a release. Delete it, or choose another folder with --out`);
}

/** npm packs the permissions of a checkout, which depend on the umask of whoever made it. */
function setPermissions() {
  for (const file of output('git', 'ls-files', '--format=%(objectmode) %(path)', '-z').split('\0')) {
    const [, mode, path] = /^100(\d{3}) (.*)$/s.exec(file) ?? [];
    if (path !== undefined) chmodSync(path, Number.parseInt(mode, 8));
  }
}

function output(program, ...args) {
  return execFileSync(program, args, { encoding: 'utf8' }).trim();
}

function run(program, ...args) {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
}

function fail(message) {
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}
