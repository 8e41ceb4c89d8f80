/** `dtp completion SHELL`: the script that makes a shell complete dtp's command lines, printed or installed. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context } from '../../context.ts';
import type { Shell } from '../../describe/completions/index.ts';
import { DtpError } from '../../errors.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { LocalGiven } from '../../local/command.ts';
import type { completionFlags } from '../../local/flags.ts';
import type { Result } from '../../output/result.ts';
import { shellWord } from '../../shell.ts';
import { homeFolder, xdgFolder } from '../../system/folders.ts';

/** The script as it is, whatever DTP_OUTPUT says: a shell reads it. Only a flag of this very command makes it a value. */
export async function complete(
  invocation: Invocation,
  { args: [shell], flags, program }: LocalGiven<typeof completionFlags>,
): Promise<Result | undefined> {
  const { completionScript, isShell } = await import('../../describe/completions/index.ts');
  // The tree has refused any other.
  if (!isShell(shell)) throw new DtpError('usage', `there is no completion script for ${shell}`);
  const script = completionScript(program, shell);
  if (flags.install) return install(invocation, shell, script);
  const { json, output } = invocation.globals;
  return json || output !== undefined ? { kind: 'value', value: script } : { kind: 'text', text: script };
}

interface Place {
  readonly file: string;
  /** What is still to be done, in lines; none where nothing is. */
  readonly next: readonly string[];
}

async function install({ context, log }: Invocation, shell: Shell, script: string): Promise<undefined> {
  const { makeFolders, writeFileWhole } = await import('../../store/files.ts');
  const { file, next } = places[shell](context);
  await makeFolders(dirname(file), 0o755).catch((error: Error) => {
    throw new DtpError('usage', `cannot make the folder ${dirname(file)}: ${error.message}`, {
      cause: error,
    });
  });
  await writeFileWhole(file, script, { replace: true, mode: 0o644 });
  log.note(`the completions for ${shell} are in ${file}`);
  for (const line of next.length > 0 ? next : ['Shells that are opened from now on have them.'])
    log.note(line);
}

/** Where each shell looks, for this user. Nobody's own files are changed: what must stand in them is said. */
const places: Readonly<Record<Shell, (context: Context) => Place>> = {
  bash: (context) => {
    const [first] = (context.env.BASH_COMPLETION_USER_DIR ?? '').split(':');
    const file = join(first || join(dataHome(context), 'bash-completion'), 'completions', 'dtp');
    return {
      file,
      next: [
        'Shells that are opened from now on have them where the package bash-completion is loaded.',
        'Elsewhere ~/.bashrc needs this line:',
        `  . ${shellWord(file)}`,
      ],
    };
  },
  zsh: (context) => {
    const folder = join(dataHome(context), 'zsh', 'site-functions');
    const line = `fpath=(${shellWord(folder)} $fpath)`;
    const next = [
      `${zshrc(context)} needs this line, before the one with compinit:`,
      `  ${line}`,
      'Where it has none with compinit, this is to follow:',
      '  autoload -Uz compinit && compinit',
    ];
    return { file: join(folder, '_dtp'), next: looksIn(context, folder, line) ? [] : next };
  },
  fish: (context) => ({ file: join(configHome(context), 'fish', 'completions', 'dtp.fish'), next: [] }),
  powershell: (context) => {
    const folder = context.env.APPDATA
      ? join(homeFolder(context), 'Documents', 'PowerShell')
      : join(configHome(context), 'powershell');
    const file = join(folder, 'dtp.ps1');
    return {
      file,
      next: ['The file that $PROFILE names needs this line:', `  . '${file.replaceAll("'", "''")}'`],
    };
  },
};

type Home = Pick<Context, 'env' | 'home'>;

const dataHome = (place: Home) => xdgFolder(place, 'XDG_DATA_HOME', join('.local', 'share'));
const configHome = (place: Home) => xdgFolder(place, 'XDG_CONFIG_HOME', '.config');
const zshrc = (place: Home) => join(place.env.ZDOTDIR || homeFolder(place), '.zshrc');

/** Whether zsh is known to look in a folder: the environment says so, or the line stands there already. */
function looksIn(context: Context, folder: string, line: string): boolean {
  if ((context.env.FPATH ?? '').split(':').includes(folder)) return true;
  const file = zshrc(context);
  return (
    existsSync(file) &&
    readFileSync(file, 'utf8')
      .split('\n')
      .some((one) => one.trim() === line)
  );
}
