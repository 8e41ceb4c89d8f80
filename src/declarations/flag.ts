/** Defines how flags are declared. */

/** The names of a flag, and the placeholder of its value. A flag without a placeholder is a switch. */
export interface FlagForm {
  /** The long name without dashes, such as `output-file`, or `no-input` for a switch that turns something off. */
  readonly name: string;
  /** The letter of the short form. */
  readonly short?: string;
  readonly value?: string;
}

export const longName = <const Name extends string>({ name }: { readonly name: Name }): `--${Name}` => `--${name}`;

/** A flag of a local command or a flow. Its name is the key of its record in camel case. */
export interface FlagSpec extends Omit<FlagForm, 'name'> {
  readonly help: string;
  /** Whether the flag is `--no-NAME`, which turns off something that is on by default. */
  readonly isNegated?: true;
  readonly many?: true;
  /** Whether the flag takes all words up to the next flag as its values. */
  readonly variadic?: true;
  /** Whether the flag is left out of the help, because the help of another flag mentions it. */
  readonly isHidden?: true;
  /** Whether the flag is only the earlier name of another one. It still works, but nothing shows it. */
  readonly isEarlier?: true;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** The value if the user passes the flag without a value. With a preset, the value is optional. */
  readonly preset?: string;
}

/** Flags, keyed by name in camel case. */
export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

export type ValueOf<Flag> = Flag extends { readonly value: string }
  ? Flag extends { readonly many: true }
    ? readonly string[]
    : Flag extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string
  : boolean;

/** Returns the values of flags that the user did not pass, by name in camel case. */
export const defaultsOf = (flags: FlagSpecs): Readonly<Record<string, string | true>> =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, flag]) => {
      const value = flag.isNegated ? true : flag.default;
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

/** Converts the long name of a flag to the name of its value: `dry-run` → `dryRun`, `no-headers` → `headers`. */
export const attributeOf = (name: string): string =>
  name.replace(/^no-/, '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** The flags that set any field of a body, of operations and of `dtp api`. */
export const fieldFlags = {
  field: {
    short: 'F',
    value: 'name=value',
    many: true,
    help: 'set a body field; numbers, true, false and null keep their type; @FILE reads a file (may be repeated)',
  },
  rawField: { short: 'f', value: 'name=value', many: true, help: 'set a body field to a string (may be repeated)' },
} as const satisfies FlagSpecs;
