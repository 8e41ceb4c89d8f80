/** Implements `dtp completion`, which prints or installs the completion script of a shell. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Context } from '../../context.ts';
import type { Shell } from '../../describe/completions/index.ts';
import { DtpError } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { completionFlags, LocalInput } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';
import { quotedWord, shellWord } from '../../shell.ts';
import { homeFolder, xdgFolder } from '../../system/folders.ts';
import { checkRootOwns, smallLimit } from '../../system/owner.ts';

/** Prints or installs the script. It is plain text even if DTP_OUTPUT is set: only a format flag changes that. */
export async function complete(
  invocation: Invocation,
  { args: [shell], flags }: LocalInput<typeof completionFlags>,
): Promise<Result | undefined> {
  const { completionScript, isShell } = await import('../../describe/completions/index.ts');
  // This check is only for the compiler. The argument parser has already rejected other values.
  if (!isShell(shell)) throw new DtpError('usage', `there is no completion script for ${shell}`);
  const script = completionScript(shell);
  if (flags.install) return install(invocation, shell, script);
  const { json, output } = invocation.globals;
  return json || output !== undefined ? { kind: 'value', value: script } : { kind: 'text', text: script };
}

interface Place {
  readonly file: string;
  /** Lines that describe what the user still has to do. */
  readonly next: readonly string[];
}

async function install({ context, log }: Invocation, shell: Shell, script: string): Promise<undefined> {
  const { makeFolders, writeFileWhole } = await import('../../store/files.ts');
  const { file, next } = places[shell](context);
  await makeFolders(checkRootOwns(dirname(file)), 0o755).catch((error: Error) => {
    throw new DtpError('usage', `cannot create the folder ${dirname(file)}: ${error.message}`, { cause: error });
  });
  await writeFileWhole(file, script, { replace: true, mode: 0o644 });
  log.success(`installed the completions for ${shell} in ${file}`);
  for (const line of next.length > 0 ? next : ['Open a new shell to use them.']) log.note(line);
}

export const completionFile = (context: Context, shell: Shell): string => places[shell](context).file;

/** Where each shell looks for completions. `next` says what to add to its startup files, which are not changed. */
const places: Readonly<Record<Shell, (context: Context) => Place>> = {
  bash: (context) => {
    const separator = context.runtime.platform === 'win32' ? ';' : ':';
    const [first] = (context.env.BASH_COMPLETION_USER_DIR ?? '').split(separator);
    // A relative path is ignored, because it would depend on the current folder.
    const folder = isAbsolute(first ?? '') ? first : undefined;
    const file = join(folder ?? join(dataHome(context), 'bash-completion'), 'completions', 'dtp');
    return {
      file,
      next: [
        'If the bash-completion package is loaded, open a new shell to use them.',
        'Otherwise, add this line to ~/.bashrc:',
        `  . ${shellWord(file, 'posix')}`,
      ],
    };
  },
  zsh: (context) => {
    const folder = join(dataHome(context), 'zsh', 'site-functions');
    const line = `fpath=(${shellWord(folder, 'posix')} $fpath)`;
    const next = [
      `Add this line to ${zshrc(context)}, before the line with compinit:`,
      `  ${line}`,
      'If there is no line with compinit, add this one after it:',
      '  autoload -Uz compinit && compinit',
    ];
    return { file: join(folder, '_dtp'), next: isSearched(context, folder, line) ? [] : next };
  },
  fish: (context) => ({ file: join(configHome(context), 'fish', 'completions', 'dtp.fish'), next: [] }),
  powershell: (context) => {
    const folder =
      context.runtime.platform === 'win32'
        ? join(homeFolder(context), 'Documents', 'PowerShell')
        : join(configHome(context), 'powershell');
    const file = join(folder, 'dtp.ps1');
    return { file, next: ['Add this line to the file that $PROFILE names:', `  . ${quotedWord(file, 'powershell')}`] };
  },
};

type Home = Pick<Context, 'env' | 'home'>;

const dataHome = (place: Home) => xdgFolder(place, 'XDG_DATA_HOME', join('.local', 'share'));
const configHome = (place: Home) => xdgFolder(place, 'XDG_CONFIG_HOME', '.config');
const zshrc = (place: Home) =>
  join(isAbsolute(place.env.ZDOTDIR ?? '') ? (place.env.ZDOTDIR ?? '') : homeFolder(place), '.zshrc');

/** Whether zsh already searches the folder, because it is in FPATH or because .zshrc contains the line. */
function isSearched(context: Context, folder: string, line: string): boolean {
  if ((context.env.FPATH ?? '').split(':').includes(folder)) return true;
  const found = statSync(zshrc(context), { throwIfNoEntry: false });
  // A pipe would block.
  if (!found?.isFile() || found.size > smallLimit.bytes) return false;
  const lines = readFileSync(zshrc(context), 'utf8').split('\n');
  return lines.some((one) => one.trim() === line);
}
