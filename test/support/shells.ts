/**
 * Real shells in tmux with dtp's completions: keys are typed as a user would press them, and the screen is
 * checked.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const shellNames = ['bash', 'bash with bash-completion', 'zsh', 'fish'] as const;
export type ShellName = (typeof shellNames)[number];

export const committed = resolve(import.meta.dirname, '../../completions');
const bashCompletion = '/usr/share/bash-completion/bash_completion';

const isInstalled = (program: string, flag = '--version') => spawnSync(program, [flag]).error === undefined;

/** Why a shell cannot be tested on this machine; undefined if it can. */
export function whyNot(name: ShellName): string | undefined {
  const [program = '', , library] = name.split(' ');
  if (!isInstalled('tmux', '-V')) return 'tmux is not installed';
  if (!isInstalled(program)) return `${program} is not installed`;
  return library && !existsSync(bashCompletion) ? `${library} is not installed` : undefined;
}

interface Start {
  /** The files that the shell reads when it starts, by path below its home. */
  readonly files: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
}

/** A shell set up by a user who installed the script from a folder. */
function startOf(name: ShellName, scripts: string): Start {
  const read = (file: string) => readFileSync(join(scripts, file), 'utf8');
  const bash = ['bash', '--noprofile', '-i'];
  switch (name) {
    case 'bash':
      return { argv: bash, files: { '.bashrc': `PS1='> '\n. ${scripts}/dtp.bash\n` } };
    case 'bash with bash-completion':
      return {
        argv: bash,
        files: {
          '.bashrc': `PS1='> '\n. ${bashCompletion}\n`,
          '.local/share/bash-completion/completions/dtp': read('dtp.bash'),
        },
      };
    case 'zsh':
      return {
        argv: ['zsh', '-d', '-i'],
        files: { '.zshrc': `PS1='> '\nfpath=(${scripts} $fpath)\nautoload -Uz compinit && compinit -D -u\n` },
      };
    case 'fish':
      return {
        argv: ['fish', '-i'],
        files: {
          '.config/fish/config.fish': "function fish_prompt\n  printf '> '\nend\nset fish_greeting\n",
          '.config/fish/completions/dtp.fish': read('dtp.fish'),
          // If this folder is missing, the first fish fills it from all man pages while the test runs.
          '.local/share/fish/generated_completions/none': '',
        },
      };
  }
}

/** Logs its arguments. A completion gets the content of `said/KIND`. If there is no such file, `real` runs. */
const recorder = (folder: string) => `#!/bin/sh
{ printf '<%s>' "$@"; echo; } >> '${folder}/calls'
[ "$1" = __complete ] || exit 0
for kind do [ -f '${folder}/said/'"$kind" ] && exec cat '${folder}/said/'"$kind"; done
[ -x '${folder}/real' ] && exec '${folder}/real' "$@"
`;

export interface Pressed {
  /** What dtp was run with when Enter was pressed. */
  readonly args: readonly string[];
  /** What dtp was run with before that, for a completion. */
  readonly asked: readonly (readonly string[])[];
}

export interface Shell {
  /** Types a string: `\t` is the Tab key, `\r` Enter. */
  readonly type: (keys: string) => void;
  /** The screen, once it shows the wanted string. */
  readonly see: (wanted: string | RegExp) => Promise<string>;
  /** Clears the line, and waits for an empty screen with a prompt. */
  readonly clear: () => Promise<void>;
  /** Types a command line, and Enter. */
  readonly enter: (keys: string) => Promise<Pressed>;
  /** Closes the shell, and waits until it has written its files. */
  readonly close: () => Promise<void>;
}

/** Starts a shell. The folder is its home and its current folder, and contains the `dtp` that it finds. */
export async function openShell(name: ShellName, folder: string, scripts = committed): Promise<Shell> {
  const { files, argv } = startOf(name, scripts);
  for (const [path, text] of Object.entries({
    ...files,
    'bin/dtp': recorder(folder),
    calls: '',
    'said/none': '',
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  }
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-S', join(folder, 'tmux'), '-f', '/dev/null', ...args], { encoding: 'utf8' });
  const env = [`HOME=${folder}`, `PATH=${folder}/bin:${process.env.PATH}`, 'TERM=screen', 'LANG=C.UTF-8'];
  tmux('new-session', '-d', '-x', '150', '-y', '50', '-c', folder, 'env', '-i', ...env, ...argv);

  const screen = () => tmux('capture-pane', '-p', '-J');
  const until = async <T>(found: () => T | undefined, what: string): Promise<T> => {
    // Ten minutes, so that a slow machine does not fail the test.
    for (let tries = 0; tries < 12_000; tries++) {
      const one = found();
      if (one !== undefined) return one;
      await sleep(50);
    }
    throw new Error(`${what}; the screen shows:\n${screen().trimEnd()}`);
  };
  const type = (keys: string) => {
    for (const part of keys.split(/([\t\r])/))
      if (part === '\t') tmux('send-keys', 'Tab');
      else if (part === '\r') tmux('send-keys', 'Enter');
      else if (part !== '') tmux('send-keys', '-l', '--', part);
  };
  const see = (wanted: string | RegExp) =>
    until(() => {
      const shown = screen();
      return (typeof wanted === 'string' ? shown.includes(wanted) : wanted.test(shown)) ? shown : undefined;
    }, `${wanted} does not appear`);
  const clear = async () => {
    // Ctrl-U and Ctrl-L: with a Ctrl-C, what is typed next may be lost.
    type('\u0015\u000c');
    await see(/^>\s*$/);
  };
  const calls = () =>
    readFileSync(join(folder, 'calls'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => line.slice(1, -1).split('><'));
  const enter = async (keys: string) => {
    const before = calls().length;
    type(`${keys}\r`);
    return until(
      () => {
        const all = calls().slice(before);
        const args = all.find(([first]) => first !== '__complete');
        return args && { args, asked: all.filter((one) => one !== args) };
      },
      `dtp was not run by ${JSON.stringify(keys)}`,
    );
  };
  await see('> ');
  const pid = Number(tmux('display-message', '-p', '#{pane_pid}'));
  const close = async () => {
    tmux('kill-server');
    while (isThere(pid)) await sleep(50);
  };
  return { type, see, clear, enter, close };
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
