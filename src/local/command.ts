/**
 * Defines the record of a local command, which is a command that is not an API operation. The command tree, the help,
 * the schema and the completions are derived from these records.
 */
import type { Command } from 'commander';
import type { ErrorCode } from '../errors.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { Example } from '../operations/examples.ts';
import type { Operation } from '../operations/operation.ts';
import type { Result } from '../output/result.ts';
import type { SettingsWay } from '../settings/resolve.ts';
import type { FlagSpecs, ValueOf } from '../tree/flag-spec.ts';

/** The input of a local command: the arguments in order, and the flags by name in camel case. */
export interface LocalGiven<Flags extends FlagSpecs = FlagSpecs> {
  readonly args: readonly string[];
  readonly flags: { readonly [Name in keyof Flags]?: ValueOf<Flags[Name]> };
  /** The command tree, for commands that describe it. */
  readonly program: Command;
}

export interface LocalArgument {
  /** The name as shown in help, such as `<path>`, `[file]` or `[id...]`. */
  readonly name: string;
  readonly help: string;
  readonly choices?: readonly string[];
}

export interface LocalCommand<Flags extends FlagSpecs = FlagSpecs> {
  /** The words of the command without `dtp`, such as `config trust`. */
  readonly words: string;
  readonly summary: string;
  /** What the command does to the user's data. */
  readonly effect: NonNullable<Operation['effect']>;
  /** Whether the command sends requests. It may then fail like an operation. */
  readonly sends?: true;
  /**
   * Whether dtp prompts for missing arguments on a terminal. They are optional for commander, but required without a
   * terminal.
   */
  readonly asks?: true;
  /** The errors of the command, in addition to those of all local commands. They determine its exit codes. */
  readonly ends?: readonly ErrorCode[];
  readonly args?: readonly LocalArgument[];
  readonly flags?: Flags;
  /** Paragraphs at the end of the command's help. */
  readonly notes?: readonly string[];
  readonly examples: readonly [Example, Example];
  /** Whether the command has --watch, because its result may change without any action of the user. */
  readonly watches?: true;
  /** Which of --dry-run and --curl the command supports. It rejects the others. */
  readonly shows?: readonly ('dry-run' | 'curl')[];
  /** The purpose for which the command needs settings. */
  readonly way?: SettingsWay;
  /** False if the result has no id or name to print. */
  readonly names?: false;
  /** Whether the command handles -O itself, so that its result is not written to that file. */
  readonly ownsFile?: true;
  /** Loads the code of the command. The code returns undefined if it writes its output itself, as a server does. */
  run(): Promise<{
    run(invocation: Invocation, given: LocalGiven<Flags>): Promise<Result | undefined>;
  }>;
}

/** Returns the command unchanged. The type parameter gives the code of the command the types of its flags. */
export const localCommand = <const Flags extends FlagSpecs>(
  command: LocalCommand<Flags>,
): LocalCommand<Flags> => command;
