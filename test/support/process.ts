/** The built tool as a whole process, as a user runs it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isOnWindows } from '../../src/system/platform.ts';
import type { Ended } from './context.ts';
import { removeFolder } from './folders.ts';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');

export interface Start {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
  /** A tool other than `bin/dtp.cjs` of this checkout. */
  readonly tool?: string;
  /** The most files and sockets that it may have open. */
  readonly openFiles?: number;
  /** Another user than the one who runs the tests, which only root can choose. */
  readonly uid?: number;
}

/** A folder that serves as HOME and current folder. Call `remove` at the end. */
export function home(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-home-'));
  return { folder, remove: () => removeFolder(folder) };
}

/** What is in a state folder besides compiled code, which every command may leave there. */
export const filesInState = (state: string): readonly string[] =>
  readdirSync(state).filter((name) => name !== 'compiled');

/** The start of a command line that limits the open files of the rest. */
export const limitedTo = (openFiles: number | undefined): readonly string[] =>
  openFiles === undefined ? [] : ['sh', '-c', 'ulimit -n "$0"; exec "$@"', String(openFiles)];

/** Starts the tool. Only the PATH of the test's environment is passed on. */
export function start(
  folder: string,
  argv: readonly string[],
  { env = {}, cwd = folder, tool = bin, openFiles, uid }: Start = {},
): ChildProcessWithoutNullStreams {
  const clean = {
    PATH: process.env.PATH,
    HOME: folder,
    USERPROFILE: folder,
    DTP_CONFIG_DIR: join(folder, 'config'),
    DTP_DATA_DIR: join(folder, 'data'),
    DTP_STATE_DIR: join(folder, 'state'),
  };
  const [program, ...words] = [...limitedTo(openFiles), process.execPath, tool, ...argv];
  return spawn(program as string, words, {
    cwd,
    env: { ...clean, ...env },
    ...(uid !== undefined && { uid, gid: uid }),
  });
}

/** Runs the tool and waits until it exits. */
export function dtp(folder: string, argv: readonly string[], options: Start = {}): Promise<Ended> {
  return new Promise((done, failed) => {
    const child = start(folder, argv, options);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', failed);
    child.on('close', (code, signal) =>
      done({
        code: code ?? -1,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString() + (signal ?? ''),
      }),
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
  });
}

export interface Served {
  readonly address: string;
  readonly key: string;
  readonly workspace_id: string;
  readonly pid: number;
  /** What it has written to stderr until now. */
  readonly errors: () => string;
  /** Its exit code. */
  readonly ended: Promise<number>;
  readonly stop: () => Promise<number>;
}

/** Starts `dtp serve` and waits until it listens. `stop` returns its exit code. */
export async function serve(
  folder: string,
  argv: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  openFiles?: number,
): Promise<Served> {
  const limit = openFiles === undefined ? {} : { openFiles };
  const child = start(folder, ['serve', '-o', 'json', ...argv], { env, ...limit });
  const ended = new Promise<number>((done) => child.on('close', (code) => done(code ?? -1)));
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const line = await Promise.race([
    new Promise<string>((done) => child.stdout.once('data', (chunk) => done(String(chunk)))),
    ended.then((code) => Promise.reject(new Error(`dtp serve exited with ${code}: ${errors}`))),
  ]);
  const stop = () => {
    child.kill('SIGTERM');
    // Windows ends a process without an exit code.
    return isOnWindows ? ended.then(() => 0) : ended;
  };
  const facts: Pick<Served, 'address' | 'key' | 'workspace_id' | 'pid'> = JSON.parse(line);
  return { ...facts, errors: () => errors, ended, stop };
}
