/** Defines the types of the rows in settings.ts. */
import type { FlagForm } from './flag.ts';

export interface ValueCheck {
  /** A description of valid values, which errors put after "must be". */
  readonly words: string;
  readonly is: (value: string) => boolean;
  readonly choices?: readonly string[];
}

interface Common {
  /** Shown in the help of the flag, the variables and the profile key. */
  readonly help: string;
}

interface Sources {
  /** The environment variables. The first one that is not empty is used. */
  readonly env?: readonly string[];
  /**
   * Whether .dtp.json may contain the setting. Commands and settings that weaken a connection are not allowed in the
   * file. Settings that decide where requests, documents and credentials go are `trusted`, which means that they are
   * only used if the user trusts the file.
   */
  readonly file?: true | 'trusted';
}

interface Setting extends Common, Sources {
  readonly must: ValueCheck;
  /** Whether a profile may contain the setting, under the key of the row. */
  readonly profile?: true | { readonly help: string };
  readonly default?: string;
  /** Whether the setting is read where it is used (credential.ts), and not by resolve.ts. */
  readonly apart?: true;
  /** The key of the row that this row follows in the list of settings or of profile keys, if not the one above it. */
  readonly after?: { readonly listed?: string; readonly stored?: string };
}

interface Valued extends Setting {
  /** The JSON type of the value in a profile. `seconds` is a time as a number. */
  readonly kind: 'string' | 'seconds';
  readonly flag?: FlagForm & { readonly value: string };
  /** What the flag accepts, if it accepts more than the variable. */
  readonly takes?: string;
  /** The meaning of '' as the value of the flag. An empty variable counts as not set. */
  readonly empty?: string;
}

interface Switch extends Setting {
  readonly kind: 'boolean';
  /** Never a `--no-` flag, because commander gives such a flag a value even if the user does not pass it. */
  readonly flag?: FlagForm & { readonly value?: never };
  readonly takes?: never;
  readonly empty?: never;
  /** Never set, because .dtp.json contains only strings and numbers. */
  readonly file?: never;
}

/** A setting. Its value comes from a flag, a variable, .dtp.json, the profile or the default, in this order. */
export type SettingRow = Valued | Switch;

/** Forbids the properties that only settings have. Otherwise, a setting without `kind` would compile as a flag. */
type NotASetting = { readonly [Key in Exclude<keyof Valued, keyof Common | 'flag' | 'must' | keyof Sources>]?: never };

interface PlainFlag extends Common, NotASetting {
  readonly flag: FlagForm;
  readonly must?: ValueCheck & { readonly choices: readonly string[] };
  readonly env?: never;
  readonly file?: never;
  readonly selects?: never;
}

interface Selection extends Common, NotASetting, Sources {
  readonly selects: 'profile';
  readonly flag: FlagForm;
  readonly must?: never;
}

export type SettingDeclaration = SettingRow | PlainFlag | Selection;
