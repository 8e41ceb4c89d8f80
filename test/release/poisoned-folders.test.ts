/** Jobs and the installer neither hang on nor write through what somebody else left in a cache or a folder of programs. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { component, githubMachine, runGitlabJob, runIn } from '../support/ci-job.ts';
import { type Release, release, version } from '../support/release-files.ts';

let files: Release;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dtp-poisoned-'));
  files = await release(version);
});
afterAll(() => {
  files.close();
  rmSync(folder, { recursive: true, force: true });
});

const isRoot = process.geteuid?.() === 0;
if (!isRoot) process.stderr.write('skipped: a device in place of an archive, because this is not root\n');

/** The lines of a shell that put something at the path $at. $outside is a folder with a file. */
const obstacles: Readonly<Record<string, string>> = {
  'a pipe': 'mkfifo "$at"',
  'a link to a pipe': 'mkfifo "$at.pipe"; ln -s "$at.pipe" "$at"',
  'a link to an endless device': 'ln -s /dev/zero "$at"',
  ...(isRoot && { 'an endless device': 'mknod "$at" c 1 5' }),
  'a folder': 'mkdir -p "$at/x"',
  'a link to a folder': 'ln -s "$outside" "$at"',
  'a link to a file': 'ln -s "$outside/file" "$at"',
  'a link to nothing': 'ln -s "$outside/none" "$at"',
  'a link to itself': 'ln -s "$at" "$at"',
  'a file of 8 GiB': 'truncate -s 8G "$at"',
};

/** A new folder for a machine, and one outside of it with a file, which nothing may change. */
function places() {
  const home = mkdtempSync(join(folder, 'machine-'));
  const outside = mkdtempSync(join(folder, 'outside-'));
  writeFileSync(join(outside, 'file'), 'private');
  const expectUnchanged = () => {
    expect(readdirSync(outside)).toEqual(['file']);
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('private');
  };
  const lay = (at: string, lines: string) => {
    mkdirSync(dirname(at), { recursive: true });
    execFileSync('sh', ['-c', lines], { env: { PATH: process.env.PATH, at, outside } });
  };
  return { home, outside, lay, expectUnchanged };
}

describe.each(Object.entries(obstacles))('%s', (_, lines) => {
  test.each(['the archive', 'the folder'])('in place of %s in the cache of the action: it installs', async (what) => {
    const { home, lay, expectUnchanged } = places();
    const cache = join(home, 'cache');
    lay(what === 'the archive' ? join(cache, 'dtp', files.digest) : join(cache, 'dtp'), lines);
    const known = { github: { server_url: 'http://127.0.0.1:1', action_repository: '' } };
    const { run } = githubMachine({ machine: home, repository: '', env: { RUNNER_TOOL_CACHE: cache } }, known);
    const step = { uses: './action', with: { version, sha256: files.digest, url: files.address } };
    for (const _time of [1, 2])
      expect((await run(step))[0]).toMatchObject({ code: 0, log: `Installed dtp ${version}\n` });
    expectUnchanged();
    if (what === 'the archive') expect(lstatSync(join(cache, 'dtp', files.digest)).isFile()).toBe(true);
    if (what === 'the archive') expect(readdirSync(join(cache, 'dtp')).join()).not.toContain('new.');
  });

  test.each(['$DTP_SHA256', ''])('in place of .dtp-cache/%s of the GitLab component: it installs', async (name) => {
    const { home, outside, expectUnchanged } = places();
    const repository = join(home, 'empty.git');
    execFileSync('git', ['init', '--quiet', repository]);
    const inputs = { version, sha256: files.digest, url: files.address };
    const { before_script: install = [] } = component('dtp', inputs)['.dtp'] ?? {};
    const at = `$PWD/.dtp-cache${name && `/${name}`}`;
    const poison = `outside='${outside}'; at="${at}"; ${name ? 'mkdir .dtp-cache; ' : ''}${lines}`;
    const job = {
      include: [{ component: 'gitlab.example.test/OWNER/dtp/dtp@1', inputs }],
      job: {
        extends: '.dtp',
        // The second time, the cache has what the first time left.
        before_script: [poison, ...install, 'dtp --version', ...install],
        script: ['dtp --version'],
      },
    };
    const programs = 'sh bash git curl tar gzip sha256sum mktemp mkdir cp cat uname rm ln mkfifo mknod truncate';
    const ran = await runGitlabJob(JSON.stringify(job), { machine: home, repository, env: {}, programs });
    expect([ran.code, ran.log.split('\n').filter((line) => line === version).length], ran.log).toEqual([0, 2]);
    expectUnchanged();
    if (name !== '') expect(lstatSync(join(ran.cwd, '.dtp-cache', files.digest)).isFile()).toBe(true);
  });

  test.each(['dtp.dtp-new', 'dtp'])('in place of %s in the folder of programs: the installer ends', async (name) => {
    const { home, lay, expectUnchanged } = places();
    lay(join(home, '.local/bin', name), lines);
    const template = readFileSync(resolve(import.meta.dirname, '../../scripts/release/install.sh'), 'utf8');
    const script = join(home, 'install.sh');
    writeFileSync(script, template.replaceAll('@VERSION@', version));
    const env = { PATH: process.env.PATH ?? '', HOME: home, DTP_INSTALL_URL: files.address };
    const { code, log } = await runIn(home, env, ['sh', script]);
    expectUnchanged();
    const isFolder = name === 'dtp' && /mkdir|outside" /.test(lines);
    expect([code, log]).toEqual([
      isFolder ? 1 : 0,
      expect.stringContaining(isFolder ? 'dtp is a folder' : 'Installed dtp'),
    ]);
    if (!isFolder) expect(lstatSync(join(home, '.local/bin/dtp')).isFile()).toBe(true);
    expect(readdirSync(join(home, '.local/bin')).filter((one) => one.startsWith('.'))).toEqual([]);
  });
});
