/** The whole process on a terminal, which `script` of util-linux provides. */
import { execFileSync, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');

export const hasScript = (() => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
})();
if (!hasScript)
  process.stderr.write('skipped: `script` of util-linux is not installed, so there is no terminal to test on\n');

export interface Terminal {
  readonly env?: Readonly<Record<string, string>>;
  /** What to type, each entry once the screen shows its string after the previous entry. '' types nothing. */
  readonly typed?: readonly (readonly [at: string, keys: string])[];
  /** Called when everything has been typed. */
  readonly onTyped?: () => void;
  readonly columns?: number;
  /** Whether the shell survives Ctrl-C, so that the exit code is that of the tool. */
  readonly survives?: boolean;
}

/** After this many milliseconds, a screen on which nothing more happens is a failure. */
const longest = 60_000;

/**
 * Runs a command line in `folder`, which is its home. Returns everything that was ever written to the screen. Throws
 * with the screen if the command does not end.
 */
export function terminal(
  folder: string,
  line: string,
  { env = {}, typed = [], columns = 80, onTyped, survives = false }: Terminal = {},
): Promise<{ code: number; screen: string }> {
  return new Promise((done, failed) => {
    const command = `${survives ? 'trap : INT; ' : ''}stty rows 24 cols ${columns}; ${process.execPath} ${bin} ${line}`;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        TERM: 'xterm-256color',
        DTP_CONFIG_DIR: join(folder, 'config'),
        DTP_DATA_DIR: join(folder, 'data'),
        DTP_STATE_DIR: join(folder, 'state'),
        ...env,
      },
    });
    let screen = '';
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      const waiting = rest[0] === undefined ? 'it has not ended' : `${JSON.stringify(rest[0][0])} has not appeared`;
      failed(new Error(`dtp ${line}: ${waiting} after ${longest / 1000} s. The screen:\n${screen}`));
    }, longest);
    let seen = 0;
    const rest = [...typed];
    const type = () => {
      const [at, keys] = rest[0] ?? [];
      if (at === undefined || keys === undefined) return;
      const found = screen.indexOf(at, seen);
      if (found < 0) return;
      rest.shift();
      // What follows may have come at the same time, unless it is the answer to these keys.
      seen = keys === '' ? found + at.length : screen.length;
      if (keys !== '') child.stdin.write(keys);
      if (rest.length === 0) onTyped?.();
      else if (keys === '') type();
    };
    child.stdout.on('data', (chunk) => {
      screen += chunk;
      type();
    });
    child.on('close', (code) => {
      clearTimeout(limit);
      done({ code: code ?? -1, screen: screen.replaceAll('\r', '') });
    });
  });
}
