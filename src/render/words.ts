/** Names fields in plain words, for the labels of a record and for header rows. */
import { visible } from './sanitize.ts';

/** Fields that people know by another name. */
const known: Readonly<Record<string, string>> = {
  created_at: 'Created',
  created_by_name: 'Created by',
  updated_at: 'Updated',
  archived_at: 'Archived',
  last_login_at: 'Last login',
  trial_ends_at: 'Trial ends',
  iat: 'Issued',
  exp: 'Expires',
  nbf: 'Valid from',
  auth_time: 'Logged in',
  gen_lock_id: 'Generation lock ID',
  generate_gen_lock_id: 'Generation lock ID',
  genLockId: 'Generation lock ID',
  account_type_v2: 'Account type',
  alg: 'Algorithm',
  elapsed_ms: 'Elapsed',
  duration_ms: 'Took',
  interaction_type: 'Type',
  named_workspace_id: 'Selected workspace',
  named_workspace_source: 'Selected by',
  org_slug: 'Organization slug',
};

const spelled: ReadonlyMap<string, string> = new Map(
  [
    ...['API', 'CI', 'CLI', 'GitHub', 'HTTP', 'ID', 'JSON', 'MD5', 'OIDC'],
    ...['SDK', 'SHA256', 'SSO', 'TLS', 'URL', 'YAML'],
  ].map((word) => [word.toLowerCase(), word]),
);

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => spelled.get(word.toLowerCase()) ?? (/^[A-Z]?[a-z]+$/.test(word) ? word.toLowerCase() : word));

/** `created_at` → `Created`, `organization_id` → `Organization ID`, `short_url` → `Short URL`. */
export function label(name: string): string {
  const found = Object.hasOwn(known, name) ? known[name] : undefined;
  if (found !== undefined) return found;
  // `created_at` is a time, which the value itself shows, so `at` is left out.
  const text = wordsOf(name.replace(/(?<=.)_at$/, '')).join(' ');
  return visible(text === '' ? name : text.replace(/^[a-z]/, (first) => first.toUpperCase()));
}

/** The title of a column as the label of a field: `BRANCH/REPO` → `Branch/repo`, `BASE URL` → `Base URL`. */
export const labelOfTitle = (title: string): string => label(title.toLowerCase());

/** The same for the header row of a list: `CREATED`, `GENERATION LOCK ID`. */
export const headerOf = (name: string): string => label(name).toUpperCase();

/** `interaction_type` → `INTERACTION TYPE`, `genLockId` → `GEN LOCK ID`: every word, for scripts. */
export const exactHeader = (name: string): string =>
  visible(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/[_-]+/g, ' ')
      .toUpperCase(),
  );

/** The type of a report in a sentence: a person says "lint report" and "change report". */
export const reportKind = (type: unknown): unknown =>
  type === 'linting' ? 'lint' : type === 'changes' ? 'change' : type;
