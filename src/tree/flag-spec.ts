/** A flag as a record, and as an option of commander. */
import { Option } from 'commander';
import { kebab } from './operation-flags.ts';

export interface FlagSpec {
  readonly help: string;
  /** The placeholder of its value, such as `tag`. A flag without one is a switch. */
  readonly value?: string;
  readonly short?: string;
  /** Whether it is `--no-NAME`, which switches off a default. */
  readonly isNegated?: true;
  readonly many?: true;
  /** Whether it takes all arguments up to the next flag. */
  readonly variadic?: true;
  readonly required?: true;
  /** Whether help leaves it out, because the help of another flag mentions it. */
  readonly isHidden?: true;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** Its value if the user types none, which makes the value optional. */
  readonly preset?: string;
}

/** Keyed by name in camel case. */
export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

/** The value that the user passes for a flag. */
export type ValueOf<Flag> = Flag extends { readonly value: string }
  ? Flag extends { readonly many: true }
    ? readonly string[]
    : Flag extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string
  : boolean;

/** A flag as a commander option, created for each command. */
export function optionOf(name: string, flag: FlagSpec): Option {
  const { short, value, help, many, variadic, choices, required } = flag;
  const [open, close] = flag.preset === undefined ? ['<', '>'] : ['[', ']'];
  const slot = value === undefined ? '' : ` ${open}${value}${variadic ? '...' : ''}${close}`;
  const long = `--${flag.isNegated ? 'no-' : ''}${kebab(name)}${slot}`;
  const option = new Option(short === undefined ? long : `-${short}, ${long}`, help);
  if (choices) option.choices(choices);
  if (flag.default !== undefined) option.default(flag.default);
  if (flag.preset !== undefined) option.preset(flag.preset);
  if (many && !variadic) option.argParser(gather);
  if (flag.isHidden) option.hideHelp();
  return required ? option.makeOptionMandatory() : option;
}

const gather = (value: string, before: readonly string[] = []) => [...before, value];
