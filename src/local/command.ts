/** Defines the record of a local command, which is a command that is not an API operation. It contains only data. */
import type { FlagSpec, FlagSpecs } from '../declarations/flag.ts';
import type { ErrorCode } from '../errors.ts';
import type { Examples, Operation } from '../operations/operation.ts';
import type { SettingsPurpose } from '../settings/resolve.ts';

export interface LocalArgument extends Pick<FlagSpec, 'help' | 'many' | 'choices'> {
  /** The name in lower case, such as `path`. */
  readonly name: string;
  readonly required?: true;
  /** Whether a flag can replace the argument, although dtp prompts for it. */
  readonly optional?: true;
}

export interface LocalCommand extends Pick<Operation, 'summary' | 'notes'> {
  /** The words of the command without `dtp`, such as `config trust`. */
  readonly words: string;
  readonly effect: NonNullable<Operation['effect']>;
  /** Whether the command sends requests. It may then fail like an operation. */
  readonly sends?: true;
  /** Whether dtp prompts for missing arguments on a terminal. Without a terminal, they are required. */
  readonly asks?: true;
  /** The errors of the command, in addition to those of all local commands. They determine its exit codes. */
  readonly ends?: readonly ErrorCode[];
  readonly args?: readonly LocalArgument[];
  readonly flags?: FlagSpecs;
  readonly examples: Examples[string];
  /** Whether the command has --watch, because its result may change without any action of the user. */
  readonly watches?: true;
  /** Which of --dry-run and --curl the command supports. It rejects the others. */
  readonly shows?: readonly ('dry-run' | 'curl')[];
  readonly way?: SettingsPurpose;
  /** False if the result has no id or name to print. */
  readonly names?: false;
  /** Whether the command handles -O itself, so that its result is not written to that file. */
  readonly ownsFile?: true;
}

/** The default of `effect` is `read`. */
export type LocalCommands = Readonly<
  Record<string, Omit<LocalCommand, 'words' | 'effect'> & Partial<Pick<LocalCommand, 'effect'>>>
>;
