/** Defines what the code of a local command receives. */
import type { FlagSpecs, ValueOf } from '../declarations/flag.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { Result } from '../output/result.ts';

/** The input of a local command: the arguments in order, and the flags by name in camel case. */
export interface LocalInput<Flags extends FlagSpecs = FlagSpecs> {
  readonly args: readonly string[];
  readonly flags: FlagSpecs extends Flags
    ? Readonly<Record<string, string | boolean | readonly string[] | undefined>>
    : { readonly [Name in keyof Flags]?: ValueOf<Flags[Name]> };
}

/** Runs a local command. Returns undefined if the command writes its output itself, as a server does. */
export type LocalCode = (invocation: Invocation, input: LocalInput) => Promise<Result | undefined>;
