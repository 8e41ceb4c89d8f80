/** Lists the settings in the order in which they are read and shown, and checks their values. */
import type { SettingDeclaration, SettingRow, ValueCheck } from '../declarations/row.ts';
import { allRows, settingDeclarations } from '../declarations/settings.ts';
import type { ProfileKey, SettingKey } from '../declarations/types.ts';

export type { SettingRow } from '../declarations/row.ts';
export type { ProfileKey, SettingKey } from '../declarations/types.ts';

type Keyed = readonly [key: string, row: SettingRow];

const declared = Object.entries(allRows).filter((one): one is [string, SettingRow] => one[1].kind !== undefined);

/** Returns the rows in the same order, except that a row with `after` follows the row with that key. */
function arranged(all: readonly Keyed[], list: keyof NonNullable<SettingRow['after']>): readonly Keyed[] {
  const found = all.filter(([, { after }]) => after?.[list] === undefined);
  for (const one of all) {
    const before = one[1].after?.[list];
    if (before !== undefined) found.splice(found.findIndex(([key]) => key === before) + 1, 0, one);
  }
  return found;
}

const isOnlyStored = ({ flag, env }: SettingRow): boolean => flag === undefined && env === undefined;

/** All settings except the credential. Those with a flag or a variable come first. */
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

export type ProfileSetting = (typeof profileSettings)[number];

/** The settings of `dtp config set`. They exclude the credential and its origin, because a login sets both together. */
export const profileSettings = arranged(
  declared.filter(([, { profile }]) => profile !== undefined),
  'stored',
).map(([key, row]) => ({
  key: key as ProfileKey,
  row,
  help: typeof row.profile === 'object' ? row.profile.help : row.help,
}));

/** The keys that .dtp.json may have: `profile` and the settings that are allowed in a file. */
export const folderKeys: ReadonlyMap<string, SettingDeclaration['file']> = new Map(
  [['profile', settingDeclarations.profile] as const, ...Object.entries(settingRows)].flatMap(([key, { file }]) =>
    file ? [[key, file] as const] : [],
  ),
);

const checkOf = (key: string): ValueCheck | undefined => (Object.hasOwn(allRows, key) ? allRows[key]?.must : undefined);

/** Returns the allowed values of a setting, or an empty list if it has no fixed choices. */
export const choicesOf = (key: string): readonly string[] => checkOf(key)?.choices ?? [];

/** Describes why a value is invalid, phrased to follow the name of its setting. Undefined if the value is valid. */
export function faultOf(key: string, value: string): string | undefined {
  const check = checkOf(key);
  return check === undefined || check.is(value) ? undefined : `must be ${check.words}`;
}

type SettingName = 'workspace' | 'organization_slug' | 'workspace_slug';

/** The path and query fields that are filled from settings. Global flags set them instead of operation flags. */
export const settingFields: Readonly<Record<string, SettingName>> = Object.assign(Object.create(null), {
  workspace_id: 'workspace',
  organization_slug: 'organization_slug',
  workspace_slug: 'workspace_slug',
} satisfies Readonly<Record<string, SettingName>>);

/** Converts the name of a setting to the key of its flag: `workspace_slug` → `workspaceSlug`. */
export const flagKeyOf = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The placeholders of these fields that a path may contain, such as `{workspace_id}`, as a list. */
export const placeholderList = Object.keys(settingFields)
  .map((name) => `{${name}}`)
  .join(', ');
