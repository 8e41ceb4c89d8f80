/** Releases that are made from a copy of the checkout, and a server for their files, which can fail on purpose. */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Ended } from './context.ts';
import { root } from './package.ts';

export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

// The files of a release have the time of its commit, so two clones must have the same.
const date = '2026-01-31T12:00:00Z';
const settings = {
  ...{ GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  ...{ GIT_AUTHOR_NAME: 'dtp', GIT_AUTHOR_EMAIL: 'dtp@example.com', GIT_CONFIG_GLOBAL: '/dev/null' },
  ...{ GIT_COMMITTER_NAME: 'dtp', GIT_COMMITTER_EMAIL: 'dtp@example.com', GIT_CONFIG_NOSYSTEM: '1' },
};

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', [...args], {
    cwd,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** Makes a bare repository in `folder` whose only commit is the checkout as it is now. Returns its path. */
export function makeRepository(folder: string): string {
  const repository = join(folder, 'dtp.git');
  const own = ['--git-dir', repository, '--work-tree', root, '-c', 'core.bare=false'];
  git(root, 'init', '--quiet', '--bare', '--initial-branch=main', repository);
  git(root, ...own, 'add', '--all');
  git(root, ...own, 'commit', '--quiet', '--message', 'The source of a release');
  return repository;
}

/** A clone of the repository whose changelog has a section of the version, with the tag of the version. */
export function makeSource(repository: string, folder: string): string {
  git(root, 'clone', '--quiet', repository, folder);
  // A release on this machine has the packages and the Nodes already.
  mkdirSync(join(root, 'build'), { recursive: true });
  for (const name of ['node_modules', 'build']) symlinkSync(join(root, name), join(folder, name));
  appendFileSync(join(folder, '.git/info/exclude'), 'node_modules\nbuild\n');
  const changelog = join(folder, 'CHANGELOG.md');
  writeFileSync(changelog, readFileSync(changelog, 'utf8').replace('## Unreleased', `## ${version} (2026-01-31)`));
  git(folder, 'commit', '--quiet', '--all', '--message', 'The release');
  git(folder, 'tag', `v${version}`);
  return folder;
}

/** Runs a program until it exits. `started` gets the process. */
export function run(
  [program = '', ...args]: readonly string[],
  options: Readonly<{ cwd?: string; env?: NodeJS.ProcessEnv; uid?: number; gid?: number; detached?: boolean }>,
  started: (pid: number) => void = () => undefined,
): Promise<Ended> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('error', failed);
    child.on('spawn', () => started(child.pid ?? 0));
    child.on('close', (code) => done({ code: code ?? -1, stdout, stderr }));
  });
}

/**
 * Serves the files of a folder below `/v<version>`. Below `/damaged`, archives have a wrong byte. Below `/cut`, the
 * connection breaks in the middle of an archive. Below `/hanging`, an archive never ends, and `onHanging` is called.
 */
export async function serveRelease(folder: string, onHanging: () => void = () => undefined) {
  const server = http.createServer((request, response) => {
    const [, place = '', name = ''] = (request.url ?? '').split('/');
    let content: Buffer;
    try {
      content = readFileSync(join(folder, name));
    } catch {
      response.writeHead(404).end();
      return;
    }
    const isArchive = name.endsWith('.gz');
    if (place === 'damaged' && isArchive) content[1000] = (content[1000] ?? 0) ^ 1;
    response.writeHead(200, { 'content-length': content.length });
    if (!isArchive || !['cut', 'hanging'].includes(place)) response.end(content);
    else
      response.write(content.subarray(0, 1_000_000), () => {
        if (place === 'cut') response.destroy();
        else onHanging();
      });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
