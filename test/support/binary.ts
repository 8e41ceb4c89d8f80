/** The executables that `npm run build:binary` makes, and the one for this machine as a whole process. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Ended } from './context.ts';

const script = resolve(import.meta.dirname, '../../scripts/binary.mjs');
const here = `${process.platform}-${process.arch}`;

/** The exit code of the script if the registry does not provide Node, or Node does not run here. */
const UNAVAILABLE = 69;

export interface BinaryRunOptions {
  /** The path of this machine's executable if it is not the default one. */
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly stdin?: string;
}

/**
 * Builds the executables for this machine and for `others`, in a folder that every user may read. `absent` is
 * the reason if there is no executable.
 */
export function makeBinaries(others: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'dtp-binary-'));
  chmodSync(folder, 0o755);
  const platforms = [here, ...others].flatMap((name) => ['--platform', name]);
  const made = spawnSync(process.execPath, [script, '--out', folder, ...platforms], { encoding: 'utf8' });
  if (made.status !== 0 && made.status !== UNAVAILABLE) throw new Error(made.stderr);
  const tool = join(folder, `dtp-${here}`);

  /** Nothing of the test's environment is passed on, and the PATH is empty. */
  function start(home: string, argv: readonly string[], how: BinaryRunOptions = {}): ChildProcessWithoutNullStreams {
    const { program = tool, env = {}, uid } = how;
    const places = { DTP_CONFIG_DIR: `${home}/c`, DTP_DATA_DIR: `${home}/d`, DTP_STATE_DIR: `${home}/s` };
    return spawn(program, argv, {
      cwd: home,
      env: { PATH: '/nowhere', HOME: home, ...places, ...env },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
  }

  /** Runs it and waits until it exits. */
  function dtp(home: string, argv: readonly string[], how: BinaryRunOptions = {}): Promise<Ended> {
    const child = start(home, argv, how);
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(how.stdin ?? '');
    return new Promise((done, failed) => {
      child.on('error', failed);
      child.on('close', (code, signal) => done({ code: code ?? -1, stdout, stderr: stderr + (signal ?? '') }));
    });
  }

  return {
    folder,
    tool,
    made,
    absent: made.status === UNAVAILABLE ? made.stderr.trim() : undefined,
    start,
    dtp,
    /** A new folder that serves as HOME and current folder. */
    homeFolder: () => mkdtempSync(join(folder, 'home-')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
