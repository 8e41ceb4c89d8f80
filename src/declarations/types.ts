/** Derives types from the rows: the values of global flags, the names of settings, and the content of a profile. */
import type { loginKeys, settingDeclarations } from './settings.ts';

type Rows = typeof settingDeclarations;

export type SettingKey = {
  [Key in keyof Rows]: Rows[Key] extends { readonly apart: true }
    ? never
    : Rows[Key] extends { readonly kind: string }
      ? Key
      : never;
}[keyof Rows];

type Form = { [Key in keyof Rows]: Rows[Key] extends { readonly flag: infer Flag } ? Flag : never }[keyof Rows];

/** The global flags, such as `--workspace`. */
export type LongFlag = `--${Form['name']}`;

type Camel<Text> = Text extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Text;

/** The name of a flag's value: `dryRun`, or `headers` for `--no-headers`. */
type Attribute<Name> = Name extends `no-${infer Rest}` ? Camel<Rest> : Camel<Name>;

/** The global flags that the user passed, with values that are not parsed. `--no-input` sets `input` to false. */
export type Globals = {
  readonly [Flag in Form as Attribute<Flag['name']> & string]?: Flag extends { readonly value: string }
    ? string
    : boolean;
};

interface Kinds {
  readonly string: string;
  readonly seconds: number;
  readonly boolean: boolean;
}

type ValueOf<Row> = Row extends {
  readonly kind: 'string';
  readonly must: { readonly choices: readonly (infer Choice)[] };
}
  ? Choice
  : Row extends { readonly kind: infer Kind extends keyof Kinds }
    ? Kinds[Kind]
    : never;

export type ProfileKey = {
  [Key in keyof Rows]: Rows[Key] extends { readonly profile: unknown } ? Key : never;
}[keyof Rows];

/** The content of a profile: settings, and the keys that a login stores. */
export type Profile = { readonly [Key in ProfileKey]?: ValueOf<Rows[Key]> } & {
  readonly [Key in (typeof loginKeys)[number]]?: string;
};
