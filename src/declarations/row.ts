/** The shape of the rows in settings.ts. */

/** What a value must be. */
export interface Check {
  /** The end of the sentence "must be …". */
  readonly words: string;
  readonly is: (value: string) => boolean;
  /** The only values, if they can be listed. */
  readonly choices?: readonly string[];
}

/** As help shows it: `--json`, `-w, --workspace <id>`. A flag without a placeholder is a switch. */
type FlagForm = `--${string}` | `-${string}, --${string}`;

interface Common {
  /** Shown in the help of the flag, the variables and the profile key. */
  readonly help: string;
}

interface Sources {
  /** The variables, in order. The first non-empty one is used. */
  readonly env?: readonly string[];
  /**
   * Whether .dtp.json may hold it: never what weakens a connection or names a command. What decides where requests and
   * credentials go is used only if the user has `trusted` the file.
   */
  readonly file?: true | 'trusted';
}

interface Setting extends Common, Sources {
  readonly must: Check;
  /** Whether a profile may hold it, under the key of the row. */
  readonly profile?: true | { readonly help: string };
  readonly default?: string;
  /** Whether another file than resolve.ts reads it. */
  readonly apart?: true;
  /** The key to list it after, in the list of settings or of profile keys, if not the row before. */
  readonly after?: { readonly listed?: string; readonly stored?: string };
}

interface Valued extends Setting {
  /** Its JSON type in a profile. */
  readonly kind: 'string' | 'integer';
  readonly flag?: `${FlagForm} <${string}>`;
  /** What '' means as the value of the flag. A variable that is empty is not set. */
  readonly empty?: string;
}

interface Switch extends Setting {
  readonly kind: 'boolean';
  /** Never a `--no-` flag: commander gives such a flag a value even if the user does not use it. */
  readonly flag?: FlagForm;
  readonly empty?: never;
  /** For strings and numbers. */
  readonly file?: never;
}

/** A value that comes from the first of flag, variable, .dtp.json, profile and default that has one. */
export type SettingRow = Valued | Switch;

/** Other rows must not have these, so that a setting without `kind` does not compile. */
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
