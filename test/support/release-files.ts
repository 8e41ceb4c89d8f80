/** The files of a release on loopback. Its dtp is this checkout's build. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

export interface Release {
  readonly address: string;
  /** The archive for linux-x64, and its digest. */
  readonly bytes: Uint8Array;
  readonly digest: string;
  /** The paths that were requested. */
  readonly asked: string[];
  /** Replaces the archive until the next call. */
  readonly damage: (bytes: Uint8Array | undefined) => void;
  readonly close: () => void;
}

/** Serves the archive for linux-x64 and SHA256SUMS at any path. With `says`, dtp is a program that prints this. */
export async function release(says?: string): Promise<Release> {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-release-'));
  const name = `dtp-${version}-linux-x64`;
  const program =
    says === undefined ? `exec '${process.execPath}' '${join(root, 'bin/dtp.cjs')}' "$@"` : `echo ${says}`;
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'dtp'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  const others = ['completions/dtp.bash', 'completions/_dtp', 'completions/dtp.fish', 'man/man1/dtp.1'];
  for (const other of others) {
    mkdirSync(join(folder, name, dirname(other)), { recursive: true });
    writeFileSync(join(folder, name, other), 'x');
  }
  execFileSync('tar', ['-czf', `${name}.tar.gz`, name], { cwd: folder });
  const archive = readFileSync(join(folder, `${name}.tar.gz`));
  const digest = sha256(archive);
  const asked: string[] = [];
  let damaged: Uint8Array | undefined;
  const server = http.createServer(({ url = '' }, response) => {
    asked.push(url);
    const file = url.split('/').at(-1);
    if (file === `${name}.tar.gz`) response.end(damaged ?? archive);
    else if (file === 'SHA256SUMS') response.end(`${digest}  ${name}.tar.gz\n`);
    else response.writeHead(404).end('::error::not here');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: archive,
    digest,
    asked,
    damage: (bytes) => {
      damaged = bytes;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The programs of a small image, without Node. */
const programs = 'sh bash git curl tar gzip sha256sum mktemp mkdir mv cp rm cat tr uname';

/** Makes a folder with these programs only, which serves as the PATH. `others` names more of them. */
export function folderOfPrograms(parent: string, names = programs): string {
  const folder = join(parent, 'programs');
  mkdirSync(folder);
  for (const name of names.split(' ')) {
    const path = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    symlinkSync(path, join(folder, name));
  }
  return folder;
}
