/** A repository that somebody else prepared: links, pipes, devices and hard links in every place of a path. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './context.ts';

export const canary = 'canary-9f2c';
export const inside = 'inside-41ab';

/** A document that is also a valid body, event, list of records and configuration. */
const content = (mark: string): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: mark, version: '1' }, paths: {}, profiles: {} });

export interface HostileFolder {
  readonly home: string;
  /** The repository. */
  readonly cwd: string;
  /** A folder outside of it. */
  readonly outside: string;
  /** The content of everything outside of the repository that a command must not change. */
  readonly snapshot: () => string;
}

/** What a path in the repository leads to, and what the error says. */
export const attacks: readonly (readonly [name: string, path: string, words: RegExp])[] = [
  ['a link to a file outside', 'link-out.json', /because the link \S+link-out\.json leads to \S+secret\.json/],
  ['a chain of links', 'link-link.json', /because the link \S+link-link\.json leads to/],
  ['a link to a folder above', 'up/outside/secret.json', /because the link \S+up leads to/],
  ['a link to a file of dtp', 'link-own.json', /because the link|own files/],
  ['a hard link to a file of dtp', 'hard-own.json', /one of dtp's own files/],
  ['a pipe', 'pipe', /is not a file|neither a file nor a folder/],
  ['a link to a pipe outside', 'link-pipe', /because the link|is not a file|neither a file nor a folder/],
  ['a link to a device', 'device', /because the link|is not a file|neither a file nor a folder/],
  ['a link to an open file', 'descriptor', /because the link|is not a file|not found|neither|cannot be read/],
  ['a socket', 'socket', /is not a file|neither a file nor a folder|cannot be read/],
];

export async function hostileFolder(): Promise<HostileFolder> {
  const home = temporaryFolder();
  const [cwd, outside] = [join(home, 'repository'), join(home, 'outside')];
  for (const folder of [join(cwd, '.git'), join(cwd, 'folder'), outside, join(home, 'config')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(cwd, 'real.json'), content(inside));
  symlinkSync('real.json', join(cwd, 'link-in.json'));
  writeFileSync(join(outside, 'secret.json'), content(canary));
  writeFileSync(join(home, 'config', 'config.json'), content(canary), { mode: 0o600 });
  linkSync(join(home, 'config', 'config.json'), join(cwd, 'hard-own.json'));
  execFileSync('mkfifo', [join(cwd, 'pipe'), join(outside, 'pipe')]);
  const links = {
    'link-out.json': '../outside/secret.json',
    'link-link.json': 'link-out.json',
    up: '..',
    'link-own.json': '../config/config.json',
    'link-pipe': '../outside/pipe',
    device: '/dev/zero',
    descriptor: '/proc/self/fd/0',
    dangling: '../outside/new.json',
  };
  for (const [name, to] of Object.entries(links)) symlinkSync(to, join(cwd, name));
  const server = net.createServer();
  await new Promise<void>((done) => server.listen(join(cwd, 'socket'), done));
  onTestFinished(() => void server.close());
  return { home, cwd, outside, snapshot: () => [outside, join(home, 'config')].map(treeOf).join('\n') };
}

function treeOf(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isSymbolicLink()) return `${path} -> ${readlinkSync(path)}`;
      return entry.isFile() ? `${path} ${readFileSync(path, 'utf8')}` : path;
    })
    .sort()
    .join('\n');
}
