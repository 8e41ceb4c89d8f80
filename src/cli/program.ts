/** Builds the command tree from the operations and the local commands, and parses a command line. */
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Given } from '../input/read.ts';
import type { LocalCommand, LocalGiven } from '../local/command.ts';
import { localCommands } from '../local/index.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { addGlobals, type Globals } from '../settings/global-flags.ts';
import { type FlagSpecs, optionOf } from '../tree/flag-spec.ts';
import { bodyOptions, flowOptions, watchFlag } from '../tree/flow-flags.ts';
import { aliasesOfVerb, fillLater, firstNouns, groupOf, shortcutOf, wordsOf } from '../tree/nouns.ts';
import {
  argumentsOf,
  type Flag,
  flagsOf,
  kebab,
  operandOf,
  takesBody,
  timeForms,
} from '../tree/operation-flags.ts';
import { version } from '../version.ts';

/** The functions that run commands. They load the code of a command on demand, so that help does not load it. */
export interface Actions {
  readonly operation: (operation: Operation, given: Given, globals: Globals) => Promise<void>;
  readonly local: (command: LocalCommand, given: LocalGiven, globals: Globals) => Promise<void>;
  /** Answers the requests of completion scripts. */
  readonly answer: (argv: readonly string[]) => Promise<void>;
}

/**
 * Creates the command tree for one command line. Parsing throws errors, writes the version to `out`, and never exits.
 */
export function createProgram(
  argv: readonly string[],
  actions: Actions,
  out: (text: string) => void,
): Command {
  const program = new Command('dtp');
  // Set this before the first command is added, because commands inherit it.
  program.exitOverride().configureOutput({
    writeOut: out,
    writeErr: () => undefined,
    outputError: () => undefined,
  });
  program
    .description('Manage workspaces, events, API artifacts and SDK code samples')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    // commander only detects the request for help. `parse` builds the page.
    .addHelpText('beforeAll', ({ command, error }) => {
      throw new HelpRequest(command, error);
    })
    .showSuggestionAfterError(false);
  addGlobals(program);
  for (const noun of firstNouns)
    fillLater(groupOf(program, [noun]), () => {
      for (const operation of Object.values(operations))
        for (const words of [operation.command, shortcutOf(operation.command)])
          if (words?.[0] === noun) addOperation({ program, argv, actions }, operation, words);
      addLocals(program, actions, noun);
    });
  fillLater(groupOf(program, ['config']).description('Profiles and settings'), () =>
    addLocals(program, actions, 'config'),
  );
  for (const { words } of localCommands) if (!words.includes(' ')) addLocals(program, actions, words);
  addAnswer(program, actions);
  program.hook('preAction', (_, command) => checkDryRun(command, program.opts()));
  program.hook('preAction', () => checkSwitchValues(program, argv));
  return program;
}

/**
 * Throws `usage` for a switch with a value, such as `--public false`, if `false` would be read as the only argument.
 */
async function checkSwitchValues(program: Command, argv: readonly string[]): Promise<void> {
  if (!argv.some((word, at) => at > 0 && /^(true|false|yes|no|on|off|1|0)$/i.test(word))) return;
  const { swallowedValueError } = await import('./suggest/flags.ts');
  const error = swallowedValueError(program, argv);
  if (error) throw error;
}

/** Thrown to stop parsing and show a help page. `missing` means that the command line has a noun but no command. */
class HelpRequest extends Error {
  readonly command: Command;
  readonly missing: boolean;

  constructor(command: Command, missing: boolean) {
    super('help');
    this.command = command;
    this.missing = missing;
  }
}

interface Growing {
  readonly program: Command;
  readonly argv: readonly string[];
  readonly actions: Actions;
}

function addOperation(
  { program, argv, actions }: Growing,
  operation: Operation,
  words: readonly string[],
): void {
  const verb = words.at(-1) ?? '';
  const command = groupOf(program, words.slice(0, -1))
    .command(verb)
    .aliases([...aliasesOfVerb(verb)]);
  command.description(operation.summary + (operation.deprecated === undefined ? '' : ' (deprecated)'));
  const args = argumentsOf(operation);
  // For commander, the arguments are optional: dtp prompts for them on a terminal, and --skeleton does not need them.
  for (const [name, field] of [...args, ...operandOf(operation)])
    command.argument(`[${kebab(name)}]`, field.help);
  command.usage([...args.map(([name]) => `<${kebab(name)}>`), '[flags]'].join(' '));
  const flags = flagsOf(operation);
  for (const flag of flags) for (const option of optionsOf(flag, program, command)) command.addOption(option);
  if (takesBody(operation)) for (const option of bodyOptions()) command.addOption(option);
  for (const option of flowOptions(operation)) command.addOption(option);
  command.action(async () => {
    const given: Given = {
      argv,
      args: command.args.slice(0, args.length),
      flags: {
        ...Object.fromEntries(flags.map(({ name }) => [name, command.opts()[attribute(name)]])),
        ...operandFlag(operation, command),
      },
      flow: command.opts(),
    };
    await actions.operation(operation, given, program.opts());
  });
}

/** Returns the operand as the value of its flag. Throws `usage` if the user passes both the argument and the flag. */
function operandFlag(operation: Operation, command: Command): Given['flags'] {
  const [[name] = ['']] = operandOf(operation);
  const value = command.args[argumentsOf(operation).length];
  if (name === '' || value === undefined) return {};
  const flag = kebab(name);
  if (command.opts()[attribute(flag)] === undefined) return { [flag]: value };
  throw new DtpError('usage', `pass either "${value}" or --${flag}, not both`);
}

const attribute = (name: string) => new Option(`--${name}`).attributeName();

function optionsOf(flag: Flag, program: Command, command: Command): readonly Option[] {
  const help = helpOf(flag);
  if (flag.kind === 'boolean')
    return [
      new Option(`--${flag.name}`, help).hideHelp(flag.setBy === 'service'),
      new Option(`--no-${flag.name}`).hideHelp(),
    ];
  const option = new Option(
    `--${flag.name} <${words[flag.kind]}>`,
    flag.many ? `${help} (may be repeated)` : help,
  ).hideHelp(flag.setBy === 'service');
  const long = (value: string) => [...program.options, ...command.options].some((one) => one.long === value);
  const only = flag.is === 'enum' && flag.isClosed ? flag.values : undefined;
  if (only) option.argChoices = [...only];
  return [
    option.argParser((value: string, before?: string | readonly string[]) => {
      // Without this check, commander would use the next flag as the value.
      if (long(value)) throw new InvalidArgumentError(`It needs a value, but ${value} is a flag.`);
      if (only && !only.includes(value)) throw new InvalidArgumentError('It is not an allowed value.');
      if (flag.many) return [...(typeof before === 'object' ? before : []), value];
      return value;
    }),
  ];
}

function helpOf(flag: Flag): string {
  const all = flag.is === 'enum' ? flag.values.join(', ') : undefined;
  const known = all === undefined ? [] : [flag.is === 'enum' && flag.isClosed ? all : `known: ${all}`];
  const forms = flag.kind === 'datetime' ? [timeForms[flag.direction ?? 'past']] : [];
  const more = [...known, ...forms, ...(flag.setBy === 'filled' ? ['filled in if left out'] : [])];
  return more.length === 0 ? flag.help : `${flag.help} (${more.join('; ')})`;
}

/** Adds the local commands of a noun, or the local command with that name. */
function addLocals(program: Command, { local }: Actions, noun: string): void {
  for (const record of localCommands) {
    const { words, summary, args = [], flags = {}, watches } = record;
    const names = words.split(' ');
    if (names[0] !== noun) continue;
    const command = groupOf(program, names.slice(0, -1))
      .command(names.at(-1) ?? '')
      .description(summary);
    for (const { name, help, choices } of args) {
      const argument = new Argument(name, help);
      command.addArgument(choices ? argument.choices(choices) : argument);
    }
    const all: FlagSpecs = watches ? { ...flags, ...watchFlag } : flags;
    for (const [name, flag] of Object.entries(all)) command.addOption(optionOf(name, flag));
    command.action(() =>
      local(record, { args: command.args, flags: command.opts(), program }, program.opts()),
    );
  }
}

/**
 * Adds the hidden command `__complete`, which completion scripts call. It is only needed if global flags come first:
 * if `__complete` is the first word, it is answered before the tree is built.
 */
function addAnswer(program: Command, { answer }: Actions): void {
  const command = program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(() => {
      const { profile, workspace, baseUrl, caCert, proxy }: Globals = program.opts();
      const flags = { profile, workspace, 'base-url': baseUrl, 'ca-cert': caCert, proxy };
      const given = Object.entries(flags).flatMap(([name, value]) =>
        value === undefined ? [] : [`--${name}=${value}`],
      );
      return answer(['__complete', ...given, ...command.args]);
    });
}

/**
 * Throws `usage` if --dry-run or --curl is given to a local command that does not support it. Operations support
 * both.
 */
function checkDryRun(command: Command, { dryRun, curl }: Globals): void {
  const asked = [...(dryRun ? (['dry-run'] as const) : []), ...(curl ? (['curl'] as const) : [])];
  const words = wordsOf(command).join(' ');
  const local = localCommands.find((one) => one.words === words);
  const unsupported = local && asked.find((one) => !local.shows?.includes(one));
  if (unsupported === undefined) return;
  throw new DtpError('usage', `dtp ${words} does not support --${unsupported}`);
}

const words = {
  string: 'string',
  integer: 'number',
  boolean: '',
  datetime: 'time',
  json: 'json',
  file: 'file',
} as const;

/** Parses and runs a command line. Throws `usage` if it is invalid. Help and version are not errors. */
export async function parse(program: Command, argv: readonly string[], context: Context): Promise<void> {
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof HelpRequest) {
      const { strayWordOf } = await import('./suggest/usage-errors.ts');
      const stray = strayWordOf(program, argv);
      if (stray) throw stray;
      if (error.missing) {
        const { missingCommand } = await import('../commands/help/pages.ts');
        throw await missingCommand(context, program, error.command);
      }
      const { runHelp } = await import('./front.ts');
      return runHelp(context, program, error.command, argv.includes('--all'));
    }
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    const { usageErrorOf } = await import('./suggest/usage-errors.ts');
    throw usageErrorOf(program, argv, error);
  }
}
