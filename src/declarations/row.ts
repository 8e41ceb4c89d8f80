/** The shape of the rows in settings.ts. */

/** What a value must be. */
export interface Check {
  /** The end of the sentence "must be …". */
  readonly words: string;
  readonly is: (value: string) => boolean;
  /** All valid values, if there is a fixed list of them. */
  readonly choices?: readonly string[];
}

/** A flag as help shows it: `--json`, `-w, --workspace <id>`. A flag without a placeholder is a switch. */
type FlagForm = `--${string}` | `-${string}, --${string}`;

interface Common {
  /** Shown in the help of the flag, the variables and the profile key. */
  readonly help: string;
}

interface Sources {
  /** The variables, in order. The first non-empty one is used. */
  readonly env?: readonly string[];
  /**
   * Whether .dtp.json may contain the setting. It must not contain settings that weaken a connection or that are
   * commands. Settings that decide where requests and credentials go are `trusted`: they are only used if the user
   * trusts the file.
   */
  readonly file?: true | 'trusted';
}

interface Setting extends Common, Sources {
  readonly must: Check;
  /** Whether a profile may contain the setting, under the key of the row. */
  readonly profile?: true | { readonly help: string };
  readonly default?: string;
  /** Whether the setting is not resolved by resolve.ts but by other code. */
  readonly apart?: true;
  /**
   * The key to list this row after, in the list of settings or of profile keys. The default is the order of the rows.
   */
  readonly after?: { readonly listed?: string; readonly stored?: string };
}

interface Valued extends Setting {
  /** Its JSON type in a profile. */
  readonly kind: 'string' | 'integer';
  readonly flag?: `${FlagForm} <${string}>`;
  /** What the flag accepts, if the variable accepts less. */
  readonly takes?: string;
  /** What '' means as the value of the flag. A variable that is empty is not set. */
  readonly empty?: string;
}

interface Switch extends Setting {
  readonly kind: 'boolean';
  /** Never a `--no-` flag: commander gives such a flag a value even if the user does not use it. */
  readonly flag?: FlagForm;
  readonly takes?: never;
  readonly empty?: never;
  /** .dtp.json only contains strings and numbers. */
  readonly file?: never;
}

/** A setting. Its value comes from a flag, a variable, .dtp.json, the profile or the default, in this order. */
export type SettingRow = Valued | Switch;

/** The properties that only settings have. Without them, a setting that lacks `kind` would compile as a flag. */
type NotASetting = {
  readonly [Key in Exclude<keyof Valued, keyof Common | 'flag' | 'must' | keyof Sources>]?: never;
};

/** A flag that is not a setting. */
interface PlainFlag extends Common, NotASetting {
  readonly flag: FlagForm;
  readonly must?: Check & { readonly choices: readonly string[] };
  readonly env?: never;
  readonly file?: never;
  readonly selects?: never;
}

/** The flag that selects the profile. */
interface Selection extends Common, NotASetting, Sources {
  readonly selects: 'profile';
  readonly flag: FlagForm;
  readonly must?: never;
}

export type Row = SettingRow | PlainFlag | Selection;
