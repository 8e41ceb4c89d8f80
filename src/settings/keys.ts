/** The settings in the orders in which they are read and listed, and what their values must be. */
import type { Check, Row, SettingRow } from '../declarations/row.ts';
import { allRows, rows } from '../declarations/settings.ts';
import type { ProfileKey, SettingKey } from '../declarations/types.ts';

export type { SettingRow } from '../declarations/row.ts';
export type { ProfileKey, SettingKey } from '../declarations/types.ts';

type Keyed = readonly [key: string, row: SettingRow];

const declared = Object.entries(allRows).filter(
  (one): one is [string, SettingRow] => one[1].kind !== undefined,
);

/** In the order of the rows, but for those that follow another one in this list. */
function arranged(all: readonly Keyed[], list: keyof NonNullable<SettingRow['after']>): readonly Keyed[] {
  const found = all.filter(([, { after }]) => after?.[list] === undefined);
  for (const one of all) {
    const before = one[1].after?.[list];
    if (before !== undefined) found.splice(found.findIndex(([key]) => key === before) + 1, 0, one);
  }
  return found;
}

const isOnlyStored = ({ flag, env }: SettingRow): boolean => flag === undefined && env === undefined;

/** Every setting but the credential, first those that have a flag or a variable. */
export const settingRows = Object.fromEntries(
  arranged(
    [
      ...declared.filter(([, row]) => !row.apart && !isOnlyStored(row)),
      ...declared.filter(([, row]) => !row.apart && isOnlyStored(row)),
    ],
    'listed',
  ),
) as Readonly<Record<SettingKey, SettingRow>>;

export const settingKeys = Object.keys(settingRows) as readonly SettingKey[];

export interface ProfileSetting {
  readonly key: ProfileKey;
  readonly row: SettingRow;
  readonly help: string;
}

/** What `dtp config set` sets. The credential and its origin are not among them: they are set together, by a login. */
export const profileSettings: readonly ProfileSetting[] = arranged(
  declared.filter(([, { profile }]) => profile !== undefined),
  'stored',
).map(([key, row]) => ({
  key: key as ProfileKey,
  row,
  help: typeof row.profile === 'object' ? row.profile.help : row.help,
}));

/** What .dtp.json may hold: the profile, which decides more than any other, and settings. */
export const folderKeys: ReadonlyMap<string, Row['file']> = new Map(
  [['profile', rows.profile] as const, ...Object.entries(settingRows)].flatMap(([key, { file }]) =>
    file ? [[key, file] as const] : [],
  ),
);

const checkOf = (key: string): Check | undefined =>
  Object.hasOwn(allRows, key) ? allRows[key]?.must : undefined;

/** The only values of a setting; empty if others are right too. */
export const choicesOf = (key: string): readonly string[] => checkOf(key)?.choices ?? [];

/** What is wrong with a value, as the end of a sentence that begins with its name; undefined if it is right. */
export function faultOf(key: string, value: string): string | undefined {
  const check = checkOf(key);
  return check === undefined || check.is(value) ? undefined : `must be ${check.words}`;
}
