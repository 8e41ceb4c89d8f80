/** `npm run release` makes the files of a release page: the same bytes in every run, with the right content. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeAll, test as each, expect } from 'vitest';
import { fileFolder, root } from '../support/package.ts';
import { makeRepository, makeSource, run, version } from '../support/release.ts';
import { testContainer } from '../support/release-container.ts';
import { testFromNothing } from '../support/release-from-nothing.ts';
import { testInstaller } from '../support/release-installer.ts';

const folder = fileFolder();
const out = join(folder, 'release');
const url = 'https://downloads.example/acme/dtp/v{version}';
const repository = makeRepository(folder);
const source = makeSource(repository, join(folder, 'source'));

const release = (cwd: string, ...args: readonly string[]) =>
  run(['npm', 'run', '--silent', 'release', '--', ...args], { cwd, env: process.env });

const first = await release(source, '--url', url, '--out', out);
const absent = /cannot be fetched|is missing/.exec(first.stderr) && first.stderr.trim();
if (absent) process.stderr.write(`skipped: the release, because ${absent}\n`);
const test = each.skipIf(absent !== null);
const read = (name: string) => readFileSync(join(out, name), 'utf8');
const names = ['linux-arm64', 'linux-x64', 'macos-arm64', 'macos-x64', 'windows-x64'];
const archiveOf = (name: string) => `dtp-${version}-${name}.${name.startsWith('win') ? 'zip' : 'tar.gz'}`;

let second: { readonly code: number; readonly digests: string };

beforeAll(async () => {
  if (absent) return;
  expect([first.code, first.stdout]).toEqual([0, `The release ${version} is in ${out}\n`]);
  const other = join(folder, 'other');
  const clone = makeSource(repository, join(folder, 'clone'));
  // What another umask makes of a checkout.
  execFileSync('chmod', ['-R', 'go-rwx', clone]);
  const { code } = await release(clone, '--url', url, '--out', other);
  second = { code, digests: readFileSync(join(other, 'SHA256SUMS'), 'utf8') };
  rmSync(other, { recursive: true });
});

test('a release has the files of its page, and SHA256SUMS lists all of them', () => {
  const files = [...names.map(archiveOf), `dtp-${version}.cdx.json`, `dtp-${version}.tgz`, 'dtp.rb', 'Dockerfile'];
  const all = [...files, 'RELEASE-NOTES.md', 'install.sh', `dtp_${version}_amd64.deb`, `dtp_${version}_arm64.deb`];
  expect(readdirSync(out).sort()).toEqual([...all, 'SHA256SUMS'].sort());
  const { status, stdout } = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out });
  expect([status, String(stdout).trim().split('\n').length]).toEqual([0, all.length]);
});

test('a second run, from another clone, makes the same bytes', () => {
  expect(second).toEqual({ code: 0, digests: read('SHA256SUMS') });
});

/** The first bytes of each platform's programs, and the bytes that say which processor they are for. */
const kinds: Readonly<Record<string, (file: Buffer) => boolean>> = {
  'linux-x64': (file) => file.readUInt32BE(0) === 0x7f454c46 && file.readUInt16LE(18) === 62,
  'linux-arm64': (file) => file.readUInt32BE(0) === 0x7f454c46 && file.readUInt16LE(18) === 183,
  'macos-x64': (file) => file.readUInt32LE(0) === 0xfeedfacf && file.readUInt32LE(4) === 0x01000007,
  'macos-arm64': (file) => file.readUInt32LE(0) === 0xfeedfacf && file.readUInt32LE(4) === 0x0100000c,
  'windows-x64': (file) =>
    file.toString('latin1', 0, 2) === 'MZ' && file.readUInt16LE(file.readUInt32LE(60) + 4) === 0x8664,
};

test.each(names)('the archive for %s has one folder with everything, and is small', (name) => {
  const archive = readFileSync(join(out, archiveOf(name)));
  expect(archive.length).toBeLessThan(38_000_000);
  const top = `dtp-${version}-${name}`;
  const executable = name.startsWith('win') ? 'dtp.exe' : 'dtp';
  const place = join(folder, 'unpacked');
  mkdirSync(place);
  if (name.startsWith('win'))
    for (const [path, content] of Object.entries(unzipSync(archive))) {
      mkdirSync(join(place, path, '..'), { recursive: true });
      writeFileSync(join(place, path), content);
    }
  else {
    execFileSync('tar', ['-xzf', join(out, archiveOf(name)), '-C', place]);
    const listed = execFileSync('tar', ['-tvzf', join(out, archiveOf(name)), '--numeric-owner'], { encoding: 'utf8' });
    const lines = listed.trim().split('\n');
    expect(lines.filter((line) => !/^(d|-)rw[x-]r-[x-]r-[x-] 0\/0 /.test(line))).toEqual([]);
    const executables = lines.filter((line) => line.startsWith('-rwx')).map((line) => line.split('/').at(-1));
    expect(executables).toEqual(['dtp']);
  }
  expect(readdirSync(place)).toEqual([top]);
  const entries = ['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES', 'completions', executable, 'man'];
  expect(readdirSync(join(place, top)).sort()).toEqual(entries.sort());
  expect(readdirSync(join(place, top, 'completions'))).toEqual(readdirSync(join(root, 'completions')));
  const pages = ['man1', 'man7'].flatMap((section) => readdirSync(join(place, top, 'man', section)));
  expect(pages.sort()).toEqual(readdirSync(join(source, 'man')).sort());
  expect(readFileSync(join(place, top, 'THIRD-PARTY-NOTICES'), 'utf8')).toContain('Node.js is licensed for use');
  const program = readFileSync(join(place, top, executable));
  expect([kinds[name]?.(program), program.length < 120 * 2 ** 20]).toEqual([true, true]);
  // Node's SQLite replaces the driver.
  expect(program.includes(readFileSync(join(root, 'scripts/binary/libsql.cjs')))).toBe(true);
  rmSync(place, { recursive: true });
});

test('the list of materials has the versions of Node, of its parts and of the packages', () => {
  const bom = JSON.parse(read(`dtp-${version}.cdx.json`));
  const node = bom.components.find(({ name }: { name: string }) => name === 'node');
  expect(node.version).toBe('26.10.0');
  const parts = Object.fromEntries(node.components.map((one: { name: string; version: string }) => [one.name, one]));
  for (const name of ['llhttp', 'v8', 'openssl', 'sqlite', 'icu'])
    expect([name, parts[name]?.version]).toEqual([name, expect.stringMatching(/^\d/)]);
  expect(node.components.filter((one: { version: string }) => !one.version)).toEqual([]);
  const own = bom.components.map(({ name }: { name: string }) => name);
  expect(own).toEqual(expect.arrayContaining(['undici', 'libsql', 'commander', 'llhttp']));
});

test('the notes are the section of the changelog', () => {
  const section = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split('## Unreleased\n')[1]?.split(/^## /m)[0];
  expect(read('RELEASE-NOTES.md')).toBe(`${section?.trim()}\n`);
});

test('the formula is valid Ruby, and names each archive with its digest', ({ skip }) => {
  const formula = read('dtp.rb');
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(out, archiveOf(name))))
      .digest('hex');
  for (const name of names.slice(0, 4))
    expect(formula).toContain(
      `url "https://downloads.example/acme/dtp/v${version}/${archiveOf(name)}"\n      sha256 "${digest(name)}"`,
    );
  for (const field of ['desc', 'homepage', 'version', 'license', 'def install', 'test do'])
    expect(formula).toMatch(new RegExp(`^  ${field}\\b`, 'm'));
  const { error, stdout } = spawnSync('ruby', ['-c', join(out, 'dtp.rb')], { encoding: 'utf8' });
  if (error) skip('ruby is not installed');
  expect(stdout).toBe('Syntax OK\n');
});

test.each([
  ['without a URL', [], /^error: pass the URL of the release/],
  ['with a URL that is a command', ['--url', "https://a.example/{version}'$(id)"], /^error: pass the URL/],
])('it refuses to start %s', async (_, args, message) => {
  expect(await release(source, ...args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
});

test('it refuses a work tree with changes, and a commit without the tag', async () => {
  const place = makeSource(repository, join(folder, 'changed'));
  writeFileSync(join(place, 'new'), '');
  const changed = await release(place, '--url', url);
  expect([changed.code, changed.stderr]).toEqual([1, expect.stringMatching(/^error: the work tree has changes/)]);
  rmSync(join(place, 'new'));
  execFileSync('git', ['tag', '--delete', `v${version}`], { cwd: place, stdio: 'ignore' });
  const untagged = await release(place, '--url', url);
  expect([untagged.code, untagged.stderr]).toEqual([1, expect.stringMatching(/^error: the commit has no tag v/)]);
  expect(readdirSync(place)).not.toContain('release');
});

test('it refuses to replace a folder that is not a release', async () => {
  const mine = join(folder, 'mine');
  mkdirSync(mine);
  writeFileSync(join(mine, 'letter'), '');
  const { code, stderr } = await release(source, '--url', url, '--out', mine);
  expect([code, stderr, readdirSync(mine)]).toEqual([1, expect.stringContaining('has other files than'), ['letter']]);
});

if (!absent) {
  testInstaller(out, folder);
  testFromNothing({ out, folder, repository });
  testContainer(out, folder);
}
