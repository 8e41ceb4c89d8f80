/** A real terminal, which tmux provides: runs a command line and returns what a person sees afterwards. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { marked } from './screen-colors.ts';

export const hasTmux = (() => {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).startsWith('tmux');
  } catch {
    return false;
  }
})();
if (!hasTmux) process.stderr.write('skipped: tmux is not installed, so there is no terminal to look at\n');

export interface Screen {
  /** The lines as the tool wrote them, without the terminal's line breaks. Colored words are marked, as `‹bold red:error›`. */
  readonly text: string;
  readonly code: number;
  /** Whether the cursor is visible, as before the command. */
  readonly isCursorVisible: boolean;
}

export interface Typed {
  readonly line: string;
  readonly columns: number;
  readonly env: Readonly<Record<string, string>>;
  /** The files of the home folder, in which the command runs. */
  readonly files: Readonly<Record<string, string>>;
  /** Ctrl-C is typed once this is on the screen. */
  readonly until?: string | undefined;
}

export interface Screens {
  readonly folder: string;
  readonly screenOf: (typed: Typed) => Promise<Screen>;
  readonly close: () => Promise<void>;
}

const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');
const run = promisify(execFile);
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Runs a command, and then asks the terminal where its cursor is. The terminal answers in the order in which it reads:
 * once the answer is there, everything that the command wrote is on the screen.
 */
const shell = `#!/bin/bash
cd "$1"
env -i "\${@:4}" bash --norc --noprofile -c "$3"
code=$?
stty -echo -icanon
IFS= read -r -d R -p $'\\e[6n' _
echo "$code" >"$2/code"
tmux -S "$2/tmux" wait-for -S shown
exec cat
`;

export async function openScreens(): Promise<Screens> {
  // Always six random characters, so that paths have the same width at every run.
  const folder = mkdtempSync('/tmp/dtp-screens-');
  const home = join(folder, 'home');
  const tmux = async (...argv: readonly string[]): Promise<string> =>
    (await run('tmux', ['-S', join(folder, 'tmux'), '-u', ...argv], { encoding: 'utf8' })).stdout;
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/dtp'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  writeFileSync(join(folder, 'shell'), shell);
  for (const name of ['bin/dtp', 'shell']) chmodSync(join(folder, name), 0o755);
  await tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'first', 'cat');
  await tmux('set-option', '-g', 'status', 'off');
  const screenOf = async ({ line, columns, env, files, until }: Typed): Promise<Screen> => {
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    for (const [name, content] of Object.entries({ ...files, '.keep': '' })) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), content);
    }
    const own = { HOME: home, PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, LANG: 'C.UTF-8', TZ: 'UTC' };
    const words = Object.entries({ ...own, ...env }).map(([name, value]) => `${name}=${value}`);
    const command = [join(folder, 'shell'), home, folder, line, ...words].map(quoted).join(' ');
    await tmux('new-session', '-d', '-s', 'screen', '-x', String(columns), '-y', '300', command);
    if (until !== undefined) {
      while (!(await tmux('capture-pane', '-p', '-t', 'screen')).includes(until)) await sleep(50);
      await tmux('send-keys', '-t', 'screen', 'C-c');
    }
    await tmux('wait-for', 'shown');
    const captured = await tmux('capture-pane', '-p', '-e', '-J', '-t', 'screen');
    const isCursorVisible = (await tmux('display-message', '-p', '-t', 'screen', '#{cursor_flag}')).trim() === '1';
    await tmux('kill-session', '-t', 'screen');
    const text = marked(captured).trimEnd();
    return { text, code: Number(readFileSync(join(folder, 'code'), 'utf8')), isCursorVisible };
  };
  const close = async () => {
    await tmux('kill-server');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  return { folder, screenOf, close };
}
