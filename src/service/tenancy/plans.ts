/** What a workspace and its organization may use, and what they do use: feature flags, add-ons, languages, limits. */
import type { Row, Store } from '../data/store.ts';
import type { JsonObject } from '../http/fields.ts';
import { WORKSPACE } from '../schema/events.ts';

/** The limits of an organization without a plan or a trial. */
const FREE = { languages: 1, operations: 250 } as const;

/** The largest number that every client can represent. */
const UNLIMITED = 2 ** 31 - 1;

export const isUnlimited = ({ account_type, free_trial_expiry }: JsonObject, now: Date): boolean =>
  account_type !== 'free' ||
  (typeof free_trial_expiry === 'string' && Date.parse(free_trial_expiry) > now.getTime());

export const flagValues = (store: Store, workspaceId: string): readonly string[] =>
  store
    .all('SELECT feature_flag FROM feature_flags WHERE workspace_id = ? ORDER BY seq', workspaceId)
    .map((row) => String(row.feature_flag));

/** The FeatureFlag records. */
export const flagsOf = (store: Store, workspaceId: string): readonly JsonObject[] =>
  flagValues(store, workspaceId).map((feature_flag) => ({ feature_flag, trial_ends_at: null }));

export const addOnsOf = (store: Store, organizationId: string): readonly string[] =>
  store
    .all('SELECT add_on FROM billing_add_ons WHERE organization_id = ? ORDER BY seq', organizationId)
    .map((row) => String(row.add_on));

const workspaceIds = (store: Store, organizationId: string): readonly string[] =>
  store
    .all('SELECT id FROM workspaces WHERE organization_id = ? ORDER BY seq', organizationId)
    .map((row) => String(row.id));

/** One index lookup for each language, however many events there are. */
const LANGUAGES = `WITH RECURSIVE language (name) AS (
    SELECT min(generate_target) FROM events WHERE workspace = ${WORKSPACE} AND generate_target > ''
    UNION ALL
    SELECT (SELECT min(generate_target) FROM events
            WHERE workspace = ${WORKSPACE} AND generate_target > language.name)
    FROM language WHERE language.name IS NOT NULL
  ) SELECT name, (SELECT min(seq) FROM events
      WHERE workspace = ${WORKSPACE} AND generate_target = language.name) AS first
    FROM language WHERE name IS NOT NULL`;

/** The languages of the organization's targets, in the order of their first event. */
const languagesOf = (store: Store, organizationId: string): readonly string[] => [
  ...new Set(
    workspaceIds(store, organizationId)
      .flatMap((id) => store.all(LANGUAGES, id))
      .sort((a, b) => Number(a.first) - Number(b.first))
      .map((row) => String(row.name)),
  ),
];

/** A free plan allows the languages that were used first. */
const allowedOf = (languages: readonly string[], unlimited: boolean): readonly string[] =>
  unlimited ? languages : languages.slice(0, FREE.languages);

/** The AccessDetails of the requested language, or of the languages in use if none is requested. */
export function accessOf(store: Store, organization: JsonObject, now: Date, asked?: string): JsonObject {
  const inUse = languagesOf(store, String(organization.id));
  const languages = asked ? [...new Set([...inUse, asked])] : inUse;
  const allowed = allowedOf(languages, isUnlimited(organization, now));
  const over = (asked ? [asked] : languages).filter((language) => !allowed.includes(language));
  if (over.length === 0)
    return { generation_allowed: true, message: 'generation is allowed', level: 'allowed' };
  return {
    // Without a requested language, the allowed ones can still be generated.
    generation_allowed: !asked,
    message: `the free plan includes ${FREE.languages} language (${allowed.join(', ')}), not ${over.join(', ')}`,
    level: asked ? 'blocked' : 'warning',
  };
}

const USAGE = `SELECT generate_target AS language, min(events.seq) AS first,
    max(coalesce(json_extract(events.record, '$.generate_number_of_operations_used'), 0)) AS operations,
    json_group_array(DISTINCT workspaces.id) AS workspaces,
    json_group_array(DISTINCT generate_gen_lock_id) FILTER (WHERE generate_gen_lock_id IS NOT NULL) AS locks,
    json_group_array(DISTINCT json_extract(events.record, '$.generate_gen_lock_post_features'))
      FILTER (WHERE json_extract(events.record, '$.generate_gen_lock_post_features') IS NOT NULL) AS features
  FROM events JOIN workspaces ON workspaces.seq = workspace
  WHERE organization_id = ? AND generate_target > ''
  GROUP BY generate_target ORDER BY first`;

const listOf = (cell: Row[string] | undefined): readonly string[] => JSON.parse(String(cell));

/** The OrganizationUsageResponse. */
export function usageOf(store: Store, organization: JsonObject, now: Date): JsonObject {
  const id = String(organization.id);
  const unlimited = isUnlimited(organization, now);
  const rows = store.all(USAGE, id);
  const allowed = allowedOf(
    rows.map((row) => String(row.language)),
    unlimited,
  );
  const expiry = organization.free_trial_expiry;
  return {
    usage: rows.map((row) => ({
      number_of_operations: Number(row.operations),
      max_operations: unlimited ? UNLIMITED : FREE.operations,
      language: String(row.language),
      used_features: featuresOf(row),
      accessible_features: addOnsOf(store, id),
      accessible: allowed.includes(String(row.language)),
      workspaces: listOf(row.workspaces),
      gen_lock_ids: listOf(row.locks),
    })),
    ...(typeof expiry === 'string' && { free_trial_expiry: expiry }),
    total_allowed_languages: unlimited ? UNLIMITED : FREE.languages,
    allowed_languages: allowed,
  };
}

/** Events hold the features of a generation as one comma-separated string. */
const featuresOf = (row: Row): readonly string[] => [
  ...new Set(
    listOf(row.features)
      .flatMap((text) => String(text).split(','))
      .map((feature) => feature.trim())
      .filter((feature) => feature !== ''),
  ),
];
