/** `dtp completion SHELL`: the script that makes a shell complete dtp's command lines, printed or installed. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Argument, type Command } from 'commander';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import type { Shell } from '../../generate/index.ts';
import { emitResult, emitText } from '../emit.ts';
import { homeFolder, xdgFolder } from '../folders.ts';
import type { Globals } from '../globals.ts';
import { openLog } from '../log.ts';
import { outputOf } from '../output.ts';
import { resolveSettings } from '../settings.ts';
import { write } from '../write.ts';

const shells: readonly Shell[] = ['bash', 'zsh', 'fish', 'powershell'];

export function addCompletion(program: Command, context: Context): void {
  program
    .command('completion')
    .description('Print the completion script of a shell, or install it')
    .addArgument(new Argument('<shell>', shells.join(', ')).choices(shells))
    .option('--install', 'write it where the shell looks for it, for this user')
    .action(async (shell: Shell, options: { readonly install?: boolean }) => {
      const { completionScript } = await import('../../generate/index.ts');
      const script = completionScript(program, shell);
      const globals: Globals = program.opts();
      await (options.install ? install(context, globals, shell, script) : print(context, globals, script));
    });
}

/** What the scripts ask, behind flags of every command; as the first word it is answered before there is a tree. */
export function addAnswer(program: Command, context: Context): void {
  const command = program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async () => {
      const { profile, workspace, baseUrl, caCert, proxy }: Globals = program.opts();
      const flags = { profile, workspace, 'base-url': baseUrl, 'ca-cert': caCert, proxy };
      const given = Object.entries(flags).flatMap(([name, value]) =>
        value === undefined ? [] : [`--${name}=${value}`],
      );
      const { answerShell } = await import('../complete.ts');
      await answerShell(context, ['__complete', ...given, ...command.args]);
    });
}

/** As it is, whatever DTP_OUTPUT says: a shell reads it. Only a flag of this very command makes it something else. */
async function print(context: Context, globals: Globals, script: string): Promise<void> {
  const { json, output: format, outputFile } = globals;
  if (!json && format === undefined && outputFile === undefined) return write(context, script);
  const settings = await resolveSettings(context, globals, { mending: true });
  const output = await outputOf(context, globals, settings);
  if (!json && format === undefined) return emitText(context, script, output);
  await emitResult(context, script, output, {}, openLog(context, globals));
}

interface Place {
  readonly file: string;
  /** What is still to be done, in lines; none where nothing is. */
  readonly next: readonly string[];
}

async function install(context: Context, globals: Globals, shell: Shell, script: string): Promise<void> {
  const { makeFolders, writeFileWhole } = await import('../../store/files.ts');
  const { file, next } = places[shell](context);
  await makeFolders(dirname(file), 0o755).catch((error: Error) => {
    throw new DtpError('usage', `cannot make the folder ${dirname(file)}: ${error.message}`, {
      cause: error,
    });
  });
  await writeFileWhole(file, script, { replace: true, mode: 0o644 });
  const log = openLog(context, globals);
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
        `  . ${word(file)}`,
      ],
    };
  },
  zsh: (context) => {
    const folder = join(dataHome(context), 'zsh', 'site-functions');
    const line = `fpath=(${word(folder)} $fpath)`;
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

/** A path that a shell reads as one word. */
const word = (path: string) => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

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
