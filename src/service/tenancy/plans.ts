/** Computes the limits and the usage of a workspace and its organization: feature flags, add-ons and languages. */
import { groupBy } from '../../json-object.ts';
import type { Store } from '../data/store.ts';
import { generationsOf } from '../data/target-events.ts';
import type { OpenScope } from '../handler.ts';
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

type PlanScope = Pick<OpenScope, 'store' | 'share'>;

/** Returns the workspaces with events of each language, in the order of the first event of each language. */
async function languagesOf({ store, share }: PlanScope, organizationId: string) {
  const rows: { readonly name: string; readonly from: number; readonly workspaceId: string }[] = [];
  for (const workspaceId of workspaceIds(store, organizationId)) {
    for (const row of store.all(LANGUAGES, workspaceId))
      rows.push({ name: String(row.name), from: Number(row.first_seq), workspaceId });
    await share.turn();
  }
  const byLanguage = groupBy(
    rows.sort((a, b) => a.from - b.from),
    ({ name }) => name,
  );
  return new Map(Array.from(byLanguage, ([name, all]) => [name, all.map(({ workspaceId }) => workspaceId)]));
}

/** Returns the allowed languages. The free plan allows the languages that were used first. */
const allowedOf = (languages: readonly string[], unlimited: boolean): readonly string[] =>
  unlimited ? languages : languages.slice(0, FREE.languages);

/** Returns the operations of the largest target in each language. The newest number of each target counts. */
async function operationsOf({ store, share }: PlanScope, organizationId: string): Promise<ReadonlyMap<string, number>> {
  const most = new Map<string, number>();
  for (const id of workspaceIds(store, organizationId))
    for (const piece of generationsOf(store, id)) {
      for (const { events } of piece) {
        const last = (name: string) =>
          events.find((event) => event[name] !== undefined && event[name] !== null)?.[name];
        const language = String(last('generate_target') ?? '');
        const count = Number(last('generate_number_of_operations_used')) || 0;
        most.set(language, Math.max(most.get(language) ?? 0, count));
      }
      await share.turn();
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
export async function accessOf(
  scope: PlanScope,
  organization: JsonObject,
  now: Date,
  { language: asked, operations }: { readonly language?: string | undefined; readonly operations?: number } = {},
): Promise<JsonObject> {
  const isFree = !isUnlimited(organization, now);
  const inUse = isFree ? [...(await languagesOf(scope, String(organization.id))).keys()] : [];
  const languages = asked ? [...new Set([...inUse, asked])] : inUse;
  const allowed = allowedOf(languages, false);
  const known = isFree ? await operationsOf(scope, String(organization.id)) : new Map<string, number>();
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

/** The number of events that are read at once. */
const PIECE = 2000;

const OF_LANGUAGE = `SELECT seq, generate_gen_lock_id AS lock, json_extract(record, '$.generate_gen_lock_post_features') AS features
  FROM events WHERE workspace = ${WORKSPACE} AND generate_target = ? AND seq > ? ORDER BY seq LIMIT ${PIECE}`;

/** Returns the lock ids and the features in the events of a language. */
async function namedIn({ store, share }: PlanScope, workspaces: readonly string[], language: string) {
  const [locks, features] = [new Set<string>(), new Set<string>()];
  for (const id of workspaces)
    for (let [from, count] = [0, PIECE]; count === PIECE; ) {
      const rows = store.all(OF_LANGUAGE, id, language, from);
      for (const row of rows) {
        if (row.lock !== null) locks.add(String(row.lock));
        for (const feature of featuresIn(row.features)) features.add(feature);
      }
      [from, count] = [Number(rows.at(-1)?.seq), rows.length];
      await share.turn();
    }
  return { gen_lock_ids: [...locks], used_features: [...features] };
}

/** Returns the OrganizationUsageResponse record. Omits workspaces outside of `reach`, whose ids are a credential. */
export async function usageOf(scope: PlanScope, organization: JsonObject, now: Date, reach?: readonly string[]) {
  const id = String(organization.id);
  const unlimited = isUnlimited(organization, now);
  const languages = await languagesOf(scope, id);
  const allowed = allowedOf([...languages.keys()], unlimited);
  const operations = await operationsOf(scope, id);
  const countOf = (language: string) => operations.get(language) ?? 0;
  const expiry = organization.free_trial_expiry;
  const addOns = addOnsOf(scope.store, id);
  const usage: JsonObject[] = [];
  for (const [language, workspaces] of languages) {
    const used = {
      number_of_operations: countOf(language),
      max_operations: unlimited ? UNLIMITED : FREE.operations,
      language,
      accessible_features: addOns,
      accessible: unlimited || limitsOf([language], allowed, countOf).length === 0,
      workspaces: workspaces.filter((one) => reach?.includes(one) ?? true),
      ...(await namedIn(scope, workspaces, language)),
    };
    // Each language names all add-ons, so the response may become much larger than what it is made from.
    scope.share.hold(JSON.stringify(used).length);
    usage.push(used);
  }
  return {
    usage,
    ...(typeof expiry === 'string' && { free_trial_expiry: expiry }),
    total_allowed_languages: unlimited ? UNLIMITED : FREE.languages,
    allowed_languages: allowed,
  };
}

/** Splits the features of a generation, which events store as one comma-separated string. */
const featuresIn = (text: unknown): readonly string[] =>
  String(text ?? '')
    .split(',')
    .map((feature) => feature.trim())
    .filter((feature) => feature !== '');
