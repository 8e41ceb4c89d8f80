/** Names the fields of operations that settings fill in. */

type SettingName = 'workspace' | 'organization_slug' | 'workspace_slug';

/** The path and query fields that are filled from settings. Global flags set them instead of operation flags. */
export const settingFields: Readonly<Record<string, SettingName>> = Object.assign(Object.create(null), {
  workspace_id: 'workspace',
  organization_slug: 'organization_slug',
  workspace_slug: 'workspace_slug',
} satisfies Readonly<Record<string, SettingName>>);
