/** Computes the limits and the usage of a workspace and its organization: feature flags, add-ons and languages. */
import type { DatabaseRow, Store } from '../data/store.ts';
import { generationsOf } from '../data/target-events.ts';
import type { JsonObject } from '../http/fields.ts';
import { WORKSPACE } from '../schema/events.ts';

/** The limits of an organization without a plan or a trial. */
const FREE = { languages: 1, operations: 250 } as const;

/** The value that means "no limit" to clients. */
const UNLIMITED = -1;

export const isUnlimited = ({ account_type, free_trial_expiry }: JsonObject, now: Date): boolean =>
  account_type !== 'free' || (typeof free_trial_expiry === 'string' && Date.parse(free_trial_expiry) > now.getTime());

export const flagValues = (store: Store, workspaceId: string): readonly string[] =>
  store.list('feature_flags', { workspace_id: workspaceId }, 'seq').map((row) => String(row.feature_flag));

export const featureFlagsOf = (store: Store, workspaceId: string): readonly JsonObject[] =>
  flagValues(store, workspaceId).map((feature_flag) => ({ feature_flag, trial_ends_at: null }));

export const addOnsOf = (store: Store, organizationId: string): readonly string[] =>
  store.list('billing_add_ons', { organization_id: organizationId }, 'seq').map((row) => String(row.add_on));

const workspaceIds = (store: Store, organizationId: string): readonly string[] =>
  store.list('workspaces', { organization_id: organizationId }, 'seq').map((row) => String(row.id));

/** Finds each language with index lookups, so the number of events does not affect the time. */
const LANGUAGES = `WITH RECURSIVE language (name) AS (
    SELECT min(generate_target) FROM events WHERE workspace = ${WORKSPACE} AND generate_target > ''
    UNION ALL
    SELECT (SELECT min(generate_target) FROM events
            WHERE workspace = ${WORKSPACE} AND generate_target > language.name)
    FROM language WHERE language.name IS NOT NULL
  ) SELECT name, (SELECT min(seq) FROM events
      WHERE workspace = ${WORKSPACE} AND generate_target = language.name) AS first_seq
    FROM language WHERE name IS NOT NULL`;

/** Returns the languages in the organization's events, in the order of the first event of each language. */
const languagesOf = (store: Store, organizationId: string): readonly string[] => [
  ...new Set(
    workspaceIds(store, organizationId)
      .flatMap((id) => store.all(LANGUAGES, id))
      .sort((a, b) => Number(a.first_seq) - Number(b.first_seq))
      .map((row) => String(row.name)),
  ),
];

/** Returns the allowed languages. The free plan allows the languages that were used first. */
const allowedOf = (languages: readonly string[], unlimited: boolean): readonly string[] =>
  unlimited ? languages : languages.slice(0, FREE.languages);

/** Returns the operations of the largest target in each language. The newest number of each target counts. */
function operationsOf(store: Store, organizationId: string): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const id of workspaceIds(store, organizationId))
    for (const { events } of generationsOf(store, id)) {
      const last = (name: string) => events.find((event) => event[name] !== undefined && event[name] !== null)?.[name];
      const language = String(last('generate_target') ?? '');
      const count = Number(last('generate_number_of_operations_used')) || 0;
      most.set(language, Math.max(most.get(language) ?? 0, count));
    }
  return most;
}

/** Returns why the free plan does not cover the languages: it excludes some, or some have too many operations. */
function limitsOf(languages: readonly string[], allowed: readonly string[], countOf: (language: string) => number) {
  const over = languages.filter((language) => !allowed.includes(language));
  const large = languages.filter((language) => allowed.includes(language) && countOf(language) > FREE.operations);
  const counts = large.map((language) => `the ${countOf(language)} of ${language}`);
  const { languages: most, operations } = FREE;
  return [
    over.length > 0 && `the free plan includes ${most} language (${allowed.join(', ')}), not ${over.join(', ')}`,
    large.length > 0 && `the free plan includes ${operations} operations for a language, not ${counts.join(', ')}`,
  ].filter((reason) => reason !== false);
}

/** Returns whether a generation is allowed. Without a language, it covers all languages in use. */
export function accessOf(
  store: Store,
  organization: JsonObject,
  now: Date,
  { language: asked, operations }: { readonly language?: string | undefined; readonly operations?: number } = {},
): JsonObject {
  const isFree = !isUnlimited(organization, now);
  const inUse = isFree ? languagesOf(store, String(organization.id)) : [];
  const languages = asked ? [...new Set([...inUse, asked])] : inUse;
  const allowed = allowedOf(languages, false);
  const known = isFree ? operationsOf(store, String(organization.id)) : new Map<string, number>();
  const countOf = (language: string) => operations ?? known.get(language) ?? 0;
  const reasons = isFree ? limitsOf(asked ? [asked] : languages, allowed, countOf) : [];
  if (reasons.length === 0) return { generation_allowed: true, message: 'generation is allowed', level: 'allowed' };
  return {
    // Without a requested language, the languages within the limits can still be generated.
    generation_allowed: !asked,
    message: reasons.join('; '),
    level: asked ? 'blocked' : 'warning',
  };
}

const USAGE = `SELECT generate_target AS language, min(events.seq) AS first_seq,
    json_group_array(DISTINCT workspaces.id) AS workspaces,
    json_group_array(DISTINCT generate_gen_lock_id) FILTER (WHERE generate_gen_lock_id IS NOT NULL) AS locks,
    json_group_array(DISTINCT json_extract(events.record, '$.generate_gen_lock_post_features'))
      FILTER (WHERE json_extract(events.record, '$.generate_gen_lock_post_features') IS NOT NULL) AS features
  FROM events JOIN workspaces ON workspaces.seq = workspace
  WHERE organization_id = ? AND generate_target > ''
  GROUP BY generate_target ORDER BY first_seq`;

const listOf = (cell: DatabaseRow[string] | undefined): readonly string[] => JSON.parse(String(cell));

/** Returns the OrganizationUsageResponse record. Omits workspaces outside of `reach`, whose ids are a credential. */
export function usageOf(store: Store, organization: JsonObject, now: Date, reach?: readonly string[]): JsonObject {
  const id = String(organization.id);
  const unlimited = isUnlimited(organization, now);
  const rows = store.all(USAGE, id);
  const languages = rows.map((row) => String(row.language));
  const allowed = allowedOf(languages, unlimited);
  const operations = operationsOf(store, id);
  const countOf = (language: string) => operations.get(language) ?? 0;
  const expiry = organization.free_trial_expiry;
  return {
    usage: rows.map((row) => ({
      number_of_operations: countOf(String(row.language)),
      max_operations: unlimited ? UNLIMITED : FREE.operations,
      language: String(row.language),
      used_features: featuresOf(row),
      accessible_features: addOnsOf(store, id),
      accessible: unlimited || limitsOf([String(row.language)], allowed, countOf).length === 0,
      workspaces: listOf(row.workspaces).filter((one) => reach?.includes(one) ?? true),
      gen_lock_ids: listOf(row.locks),
    })),
    ...(typeof expiry === 'string' && { free_trial_expiry: expiry }),
    total_allowed_languages: unlimited ? UNLIMITED : FREE.languages,
    allowed_languages: allowed,
  };
}

/** Splits the features of a generation, which events store as one comma-separated string. */
const featuresOf = (row: DatabaseRow): readonly string[] => [
  ...new Set(
    listOf(row.features)
      .flatMap((text) => String(text).split(','))
      .map((feature) => feature.trim())
      .filter((feature) => feature !== ''),
  ),
];
