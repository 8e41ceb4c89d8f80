/** The record of a local command: one that is not an API operation. Tree, help, schema and completions are derived from it. */
import type { Command } from 'commander';
import type { ErrorCode } from '../errors.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { Example } from '../operations/examples.ts';
import type { Operation } from '../operations/operation.ts';
import type { Result } from '../output/result.ts';
import type { SettingsWay } from '../settings/resolve.ts';
import type { FlagSpecs, ValueOf } from '../tree/flag-spec.ts';

/** What the user typed: arguments in order, and flags by name in camel case. */
export interface LocalGiven<Flags extends FlagSpecs = FlagSpecs> {
  readonly args: readonly string[];
  readonly flags: { readonly [Name in keyof Flags]?: ValueOf<Flags[Name]> };
  /** The command tree, for commands that describe it. */
  readonly program: Command;
}

export interface LocalArgument {
  /** As shown in help: `<path>`, `[file]`, `[id...]`. */
  readonly name: string;
  readonly help: string;
  readonly choices?: readonly string[];
}

export interface LocalCommand<Flags extends FlagSpecs = FlagSpecs> {
  /** Without `dtp`: `config trust`. */
  readonly words: string;
  readonly summary: string;
  /** What it does to the user's data. */
  readonly effect: NonNullable<Operation['effect']>;
  /** Whether it sends requests, and so may fail like an operation. */
  readonly sends?: true;
  /** Whether its arguments are required although commander does not require them: on a terminal, dtp prompts for them. */
  readonly asks?: true;
  /** Its exit codes besides those of all local commands. */
  readonly ends?: readonly ErrorCode[];
  readonly args?: readonly LocalArgument[];
  readonly flags?: Flags;
  /** Paragraphs at the end of its help. */
  readonly notes?: readonly string[];
  readonly examples: readonly [Example, Example];
  /** Which of --dry-run and --curl it supports. The others are rejected. */
  readonly shows?: readonly ('dry-run' | 'curl')[];
  /** How it uses settings. */
  readonly way?: SettingsWay;
  /** False if its result has no id or name to print. */
  readonly names?: false;
  /** Whether it uses -O itself, so that no result is written there. */
  readonly ownsFile?: true;
  /** Loads its code. The result is undefined if the command writes its output itself, like a server. */
  run(): Promise<{
    run(invocation: Invocation, given: LocalGiven<Flags>): Promise<Result | undefined>;
  }>;
}

/** Returns the record, and gives its code the types of its flags. */
export const localCommand = <const Flags extends FlagSpecs>(
  command: LocalCommand<Flags>,
): LocalCommand<Flags> => command;
