/** The record of a local command, that is, one that is not an API operation. Tree, help, schema and completions follow from it. */
import type { Command } from 'commander';
import type { ErrorCode } from '../errors.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { Example } from '../operations/examples.ts';
import type { Operation } from '../operations/operation.ts';
import type { Result } from '../output/result.ts';
import type { SettingsWay } from '../settings/resolve.ts';
import type { FlagSpecs, ValueOf } from '../tree/flag-spec.ts';

/** What is typed: arguments in order, and flags by their names in camel case. */
export interface LocalGiven<Flags extends FlagSpecs = FlagSpecs> {
  readonly args: readonly string[];
  readonly flags: { readonly [Name in keyof Flags]?: ValueOf<Flags[Name]> };
  /** The whole tree of commands, for the commands that describe it. */
  readonly program: Command;
}

export interface LocalArgument {
  /** As help shows it: `<path>`, `[file]`, `[id...]`. */
  readonly name: string;
  readonly help: string;
  readonly choices?: readonly string[];
}

export interface LocalCommand<Flags extends FlagSpecs = FlagSpecs> {
  /** Without `dtp`: `config trust`. */
  readonly words: string;
  readonly summary: string;
  /** What it does to the user's things. */
  readonly effect: NonNullable<Operation['effect']>;
  /** Whether it sends requests to the service, and may fail as an operation does. */
  readonly sends?: true;
  /** Whether its arguments must be given though commander does not require them: on a terminal they are asked for. */
  readonly asks?: true;
  /** What it may end with beside the codes that all such commands have. */
  readonly ends?: readonly ErrorCode[];
  readonly args?: readonly LocalArgument[];
  readonly flags?: Flags;
  /** Paragraphs at the end of its help. */
  readonly notes?: readonly string[];
  readonly examples: readonly [Example, Example];
  /** What it can show instead of doing it; --dry-run and --curl are refused otherwise. */
  readonly shows?: readonly ('dry-run' | 'curl')[];
  /** How it uses settings. */
  readonly way?: SettingsWay;
  /** Work without a result, or one that has no id or name to print. */
  readonly names?: false;
  /** What -O names is its own matter: no result is written there. */
  readonly ownsFile?: true;
  /** Loads its code. The result is undefined if the command has written everything itself, as a server does. */
  run(): Promise<{
    run(invocation: Invocation, given: LocalGiven<Flags>): Promise<Result | undefined>;
  }>;
}

/** The record, with the types of its flags known to its code. */
export const localCommand = <const Flags extends FlagSpecs>(
  command: LocalCommand<Flags>,
): LocalCommand<Flags> => command;
