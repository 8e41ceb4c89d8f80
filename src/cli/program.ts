/** Operations → command tree. */
import { Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { argumentsOf, type Flag, flagsOf, kebab, takesBody } from './flags.ts';
import { bodyOptions, flowOptions } from './flow-options.ts';
import { addGlobals } from './globals.ts';
import type { Given, RunOperation } from './input.ts';
import { addLocalCommands } from './local/index.ts';
import { aliasesOfVerb, groupOf, shortcutOf } from './tree.ts';
import { version } from './version.ts';

/** The whole tree, for one command line. Errors are thrown, help goes to `out`; nothing exits. */
export function createProgram(
  context: Context,
  argv: readonly string[],
  run: RunOperation,
  out: (text: string) => void,
): Command {
  const program = new Command('dtp');
  // Before the first command: they inherit it.
  program.exitOverride().configureOutput({
    writeOut: out,
    writeErr: () => undefined,
    outputError: () => undefined,
    getOutHelpWidth: () => context.stdout.columns || 80,
    getOutHasColors: () => false,
  });
  program
    .description('Every operation of the developer tooling platform, from the command line.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .configureHelp({ visibleOptions, formatHelp, sortSubcommands: true })
    .showSuggestionAfterError(true)
    .showHelpAfterError(false);
  addGlobals(program);
  for (const operation of Object.values(operations) as readonly Operation[]) {
    addOperation(program, argv, operation, operation.command, run);
    const short = shortcutOf(operation.command);
    if (short) addOperation(program, argv, operation, short, run);
  }
  addLocalCommands(program, context, argv, run);
  return program;
}

/** The globals stand on the first page only; a line on the others says where. */
function visibleOptions(this: Help, command: Command): Option[] {
  return command.parent
    ? command.options.filter((option) => !option.hidden)
    : new Help().visibleOptions(command);
}

/** The commands before the options: the first page is read from its top. */
function formatHelp(this: Help, command: Command, helper: Help): string {
  const blocks = new Help().formatHelp(command, helper).trimEnd().split('\n\n');
  const commands = blocks.filter((block) => block.startsWith('Commands:'));
  const at = blocks.findIndex((block) => block.startsWith('Options'));
  if (commands.length === 0 || at < 0) return `${blocks.join('\n\n')}\n`;
  const rest = blocks.filter((block) => !commands.includes(block));
  return `${rest.toSpliced(at, 0, ...commands).join('\n\n')}\n`;
}

function addOperation(
  program: Command,
  argv: readonly string[],
  operation: Operation,
  words: readonly string[],
  run: RunOperation,
): void {
  const verb = words.at(-1) as string;
  const command = groupOf(program, words.slice(0, -1))
    .command(verb)
    .aliases([...aliasesOfVerb(verb)]);
  command.description(operation.summary + (operation.deprecated === undefined ? '' : ' (deprecated)'));
  const args = argumentsOf(operation);
  // Not required by commander: what is missing is asked for on a terminal, and a template needs none.
  for (const [name, field] of args) command.argument(`[${kebab(name)}]`, field.help);
  command.usage([...args.map(([name]) => `<${kebab(name)}>`), '[options]'].join(' '));
  const flags = flagsOf(operation);
  for (const flag of flags) for (const option of optionsOf(flag, program, command)) command.addOption(option);
  if (takesBody(operation)) for (const option of bodyOptions()) command.addOption(option);
  for (const option of flowOptions(operation)) command.addOption(option);
  const { id, method, path, simplified } = operation;
  const notes = [
    `${id}: ${method} ${path}`,
    ...(simplified === undefined ? [] : [`The embedded service: ${simplified}`]),
    'Options of every command: dtp --help',
  ];
  command.addHelpText('after', `\n${notes.join('\n')}`);
  command.action(async () => {
    const given: Given = {
      argv,
      args: command.args,
      flags: Object.fromEntries(flags.map(({ name }) => [name, command.opts()[attribute(name)]])),
      flow: command.opts(),
    };
    await run(operation, given, program.opts());
  });
}

const attribute = (name: string) => new Option(`--${name}`).attributeName();

function optionsOf(flag: Flag, program: Command, command: Command): readonly Option[] {
  const help = flag.values ? `${flag.help} (${flag.values.join(', ')})`.trim() : flag.help;
  if (flag.kind === 'boolean')
    return [new Option(`--${flag.name}`, help), new Option(`--no-${flag.name}`).hideHelp()];
  const option = new Option(
    `--${flag.name} <${words[flag.kind]}>`,
    flag.many ? `${help} (may be repeated)`.trim() : help,
  );
  const long = (value: string) => [...program.options, ...command.options].some((one) => one.long === value);
  return [
    option.argParser((value: string, before: unknown) => {
      // commander would take the next flag for the value.
      if (long(value)) throw new InvalidArgumentError(`It needs a value; ${value} is a flag.`);
      if (flag.many) return [...((before as readonly string[] | undefined) ?? []), value];
      return value;
    }),
  ];
}

const words = {
  string: 'text',
  integer: 'number',
  boolean: '',
  datetime: 'time',
  json: 'json',
  file: 'file',
} as const;

/** Parses and runs a command line. Help and version are no failures; a bad command line throws `usage`. */
export async function parse(program: Command, argv: readonly string[]): Promise<void> {
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    if (error.code === 'commander.help')
      throw new DtpError('usage', 'a command is missing', { hint: 'Add --help to see the commands.' });
    const message = error.message
      .replace(/^error: /, '')
      .replaceAll('\n', ' ')
      // A value behind a misspelt flag may be a secret.
      .replace(/('--[^'=]+)=[^']*'/g, "$1'");
    throw new DtpError('usage', message, { hint: 'Add --help to see what is possible.' });
  }
}
