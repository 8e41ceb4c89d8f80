/** Parses a command line with commander: the records of the command tree become commander's objects. */
import { Argument, Command, CommanderError, Option } from 'commander';
import type { Globals } from '../settings/global-flags.ts';
import type { ArgumentEntry, CommandEntry, FlagEntry } from '../tree/entry.ts';
import { flagsAt, type Line, type LineFault } from '../tree/line.ts';
import { answerEntry, rootCommand } from '../tree/tree.ts';
import { version } from '../version.ts';

/** Stops parsing: the command line is invalid, or asks for help with a command or a noun (`isBare`: without --help). */
export class Stop extends Error {
  readonly why: LineFault | { readonly is: 'help'; readonly entry: CommandEntry; readonly isBare: boolean };

  constructor(why: Stop['why']) {
    super(why.is);
    this.why = why;
  }
}

/** A valid command line: the arguments in order, and the values of the flags by name in camel case. */
export interface Parsed {
  readonly entry: CommandEntry;
  readonly args: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly globals: Globals;
}

export type Parser = ReturnType<typeof openParser>;

/** Opens a parser for a command line. `run` runs the command, and `out` receives the version. */
export function openParser(line: Line, run: (parsed: Parsed) => Promise<void>, out: (text: string) => void) {
  const program = new Command('dtp');
  const flags = new Map<string, FlagEntry>();
  const entries = new Map<Command, CommandEntry>([[program, rootCommand]]);

  /** Adds the arguments, flags and commands of a command, once the command line has named it. */
  const fill = (command: Command) => {
    const entry = entries.get(command) ?? rootCommand;
    const commands = commandsToAdd(line, entry);
    for (const below of commands) {
      const child = command.command(below.name).aliases(below.aliases);
      entries.set(child, below);
    }
    for (const one of entry.arguments) command.addArgument(argumentOf(one));
    const accepted = flagsAt(entry);
    for (const one of entry.flags) {
      const option = optionOf(one, accepted);
      flags.set(option.flags, one);
      if (one.name !== '--version') command.addOption(option);
    }
    command.hook('preSubcommand', (_, child) => fill(child));
    if (entry === answerEntry) command.allowUnknownOption();
    if (commands.length > 0) return;
    command.action(() => run({ entry, args: command.args, values: command.opts(), globals: program.opts() }));
  };

  // Set this before the first command is added, because commands inherit it.
  const silent = () => undefined;
  program.exitOverride().configureOutput({ writeOut: out, writeErr: silent, outputError: silent });
  program
    .version(version, '-V, --version')
    .helpOption('-h, --help')
    .helpCommand(false)
    // commander only detects the request for help.
    .addHelpText('beforeAll', ({ command, error }) => {
      throw new Stop({ is: 'help', entry: entries.get(command) ?? rootCommand, isBare: error });
    })
    .showSuggestionAfterError(false);
  fill(program);

  return {
    /** The words of the command that the command line selects. '' if it selects none. */
    command: line.command.words.join(' '),
    /** The global flags that were read so far, also after an error. */
    globals: (): Globals => program.opts(),
    /** Runs the command. Throws Stop, and whatever the command throws. */
    parse: async () => {
      const { argv, roles } = line;
      // commander would print the version, whatever command the flag is for, and end with success.
      if (argv.some((word, at) => roles[at]?.is === 'stray' && /^(-V|--version)(=|$)/.test(word)))
        throw new Stop({ is: 'stray flag' });
      try {
        await program.parseAsync([...argv], { from: 'user' });
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        if (error.exitCode !== 0) throw new Stop(faultOf(error, flags));
      }
    },
  };
}

/** Returns the named command below this one. If none is named, returns all, so that commander finds the mistake. */
function commandsToAdd({ path }: Line, entry: CommandEntry): readonly CommandEntry[] {
  const named = path[path.indexOf(entry) + 1];
  return named ? [named] : entry.commands;
}

function faultOf({ code, message }: CommanderError, flags: ReadonlyMap<string, FlagEntry>): LineFault {
  // These two messages quote the flag as commander declares it, and nothing that the user typed.
  const flag = flags.get(message.split("'")[1] ?? '');
  if (flag && code === 'commander.optionMissingArgument') return { is: 'missing value', flag };
  if (code === 'commander.missingArgument') return { is: 'missing argument' };
  return { is: /\.(unknownCommand|excessArguments)$/.test(code) ? 'stray word' : 'stray flag' };
}

function argumentOf(entry: ArgumentEntry): Argument {
  const { name, required, isAsked, repeatable, choices } = entry;
  const word = repeatable ? `${name}...` : name;
  const argument = new Argument(required && !isAsked ? `<${word}>` : `[${word}]`);
  return choices
    ? argument.argParser((value) => {
        if (!choices.includes(value)) throw new Stop({ is: 'invalid argument', argument: entry });
        return value;
      })
    : argument;
}

function optionOf(entry: FlagEntry, accepted: readonly FlagEntry[]): Option {
  const { name, short, value, preset, variadic, choices, repeatable } = entry;
  const many = variadic ? '...' : '';
  const slot = preset === undefined ? `<${value}${many}>` : `[${value}${many}]`;
  const option = new Option([short && `${short},`, name, value && slot].filter(Boolean).join(' '));
  if (preset !== undefined) option.preset(preset);
  if (value === undefined || variadic) return option;
  return option.argParser((word: string, before: string | readonly string[] = []) => {
    // Without this check, the next flag would become the value. No valid value of a global flag starts with two dashes.
    const isFlag = entry.group === 'global' ? /^--[a-z]/.test(word) : accepted.some((one) => one.name === word);
    if (isFlag || (choices && !choices.includes(word))) throw new Stop({ is: 'invalid value', flag: entry });
    return repeatable ? [...before, word] : word;
  });
}
