/** Describes flags as records, and creates commander options from the records. */
import { Option } from 'commander';
import { kebab } from './operation-flags.ts';

export interface FlagSpec {
  readonly help: string;
  /** The placeholder of the value, such as `tag`. A flag without a placeholder is a switch. */
  readonly value?: string;
  readonly short?: string;
  /** Whether the flag is `--no-NAME`, which turns off something that is on by default. */
  readonly isNegated?: true;
  readonly many?: true;
  /** Whether the flag takes all words up to the next flag as its values. */
  readonly variadic?: true;
  readonly required?: true;
  /** Whether the flag is left out of the help, because the help of another flag mentions it. */
  readonly isHidden?: true;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** The value if the user passes the flag without a value. With a preset, the value is optional. */
  readonly preset?: string;
}

/** Flags, keyed by name in camel case. */
export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

/** The type of a flag's value. */
export type ValueOf<Flag> = Flag extends { readonly value: string }
  ? Flag extends { readonly many: true }
    ? readonly string[]
    : Flag extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string
  : boolean;

/** Creates the commander option of a flag. */
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

/** Whether the flag of an option may be passed more than once, one value each time. */
export function isRepeatable(option: Option, flags: FlagSpecs): boolean {
  const flag = flags[option.attributeName()];
  return flag?.many === true && !flag.variadic;
}

const gather = (value: string, before: readonly string[] = []) => [...before, value];
