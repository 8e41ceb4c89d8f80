/** Lists the statements that create all tables and their indexes. Each statement can run more than once. */
import { events } from './events.ts';

/**
 * The columns of each table. A column without a type is a string that must be set. The values of the columns with a
 * star are unique together: they are the primary key, unless another column is.
 */
const tables: Readonly<Record<string, string>> = {
  meta: 'key TEXT PRIMARY KEY, value',
  users: 'seq INTEGER PRIMARY KEY, id UNIQUE, email UNIQUE, record',
  organizations: 'seq INTEGER PRIMARY KEY, id UNIQUE, slug UNIQUE, created_by REFERENCES users (id), record',
  workspaces: `seq INTEGER PRIMARY KEY, id UNIQUE, *organization_id REFERENCES organizations (id), *slug, record,
    settings`,
  members: 'seq INTEGER PRIMARY KEY, *workspace_id REFERENCES workspaces (id), *user_id REFERENCES users (id)',
  owners: '*workspace_id REFERENCES workspaces (id), *user_id REFERENCES users (id)',
  invites: 'code TEXT PRIMARY KEY, *workspace_id REFERENCES workspaces (id), *user_id REFERENCES users (id)',
  workspace_tokens: `seq INTEGER PRIMARY KEY, id UNIQUE, workspace_id REFERENCES workspaces (id), key UNIQUE,
    created_by REFERENCES users (id), last_used TEXT, record`,
  // The only workspaces and organizations that a token opens. A token without rows opens all of its user's.
  token_reach: '*token_id REFERENCES workspace_tokens (id) ON DELETE CASCADE, *opens',

  feature_flags: 'seq INTEGER PRIMARY KEY, *workspace_id REFERENCES workspaces (id), *feature_flag',
  billing_add_ons: 'seq INTEGER PRIMARY KEY, *organization_id REFERENCES organizations (id), *add_on',
  access_checks: '*workspace_id REFERENCES workspaces (id), *day, checks INTEGER NOT NULL',

  publishing_tokens: 'seq INTEGER PRIMARY KEY, id UNIQUE, workspace_id REFERENCES workspaces (id), record',
  schema_store: 'id TEXT PRIMARY KEY, record',
  // The SDK names that were stored with a document, by the SHA-256 of the document.
  sdk_names: '*workspace_id REFERENCES workspaces (id), *spec_sha256, package_name, class_name',
  short_urls: 'code TEXT PRIMARY KEY, *workspace_id REFERENCES workspaces (id), *url',

  chunks: '*content_id, *position INTEGER NOT NULL, bytes BLOB NOT NULL',
  reports: '*workspace_id, *type, *checksum, content_id, size INTEGER NOT NULL, created_at, record',
  sample_jobs: 'id TEXT PRIMARY KEY, workspace_id, content_id, created_at, record, result TEXT, failure TEXT',

  namespaces: `*workspace_id, *name, id UNIQUE, public INTEGER NOT NULL DEFAULT 0, archived_at TEXT, created_at,
    updated_at`,
  revisions: `seq INTEGER PRIMARY KEY, id UNIQUE, *workspace_id, *namespace, *digest, media_type,
    manifest BLOB NOT NULL, metadata TEXT, created_at, updated_at`,
  tags: '*workspace_id, *namespace, *name, id UNIQUE, digest',
  blobs: '*workspace_id, *namespace, *digest, content_id, size INTEGER NOT NULL',
  loose_blobs: '*workspace_id, *namespace, *digest, since',
  referrers: '*workspace_id, *namespace, *subject, *digest',
  uploads: 'id TEXT PRIMARY KEY, workspace_id, namespace, begun_at',
  remote_sources: "*workspace_id, *namespace, subscription_id UNIQUE, ignored DEFAULT '[]', record",
  remote_outputs: '*workspace_id, *namespace, inputs',

  codehost_links: '*workspace_id, *org, record',
  codehost_secrets: '*workspace_id, *gen_lock_id, *name, digest',
  codehost_settings: "*workspace_id, *org, *repo, *kind, *target DEFAULT '', record",
  codehost_runs: 'seq INTEGER PRIMARY KEY, id UNIQUE, workspace_id, org, repo, target, gen_lock_id, created_at, record',
  codehost_outcomes: 'run_id TEXT PRIMARY KEY, injected TEXT, record TEXT',
};

const indexes: Readonly<Record<string, string>> = {
  members_by_user: 'members (user_id, seq)',
  workspace_tokens_by_workspace: 'workspace_tokens (workspace_id, seq)',
  publishing_tokens_by_workspace: 'publishing_tokens (workspace_id, seq)',
  reports_by_checksum: 'reports (checksum, type)',
  revisions_by_age: 'revisions (workspace_id, namespace, seq)',
  tags_by_digest: 'tags (workspace_id, namespace, digest)',
  blobs_by_content: 'blobs (content_id)',
  loose_blobs_by_age: 'loose_blobs (since)',
  codehost_outcomes_open: 'codehost_outcomes (run_id) WHERE record IS NULL',
  codehost_runs_by_repo: 'codehost_runs (workspace_id, org, repo, seq)',
};

function createTable([name, text]: readonly [name: string, columns: string]): string {
  const columns = text.split(/,\s+/);
  const key = columns.flatMap((column) => /^\*(\w+)/.exec(column)?.[1] ?? []);
  const typed = columns.map((column) =>
    column.replace('*', '').replace(/^\w+\b(?! (?:TEXT|INTEGER|BLOB))/, '$& TEXT NOT NULL'),
  );
  const kind = text.includes('PRIMARY KEY') ? 'UNIQUE' : 'PRIMARY KEY';
  const unique = key.length > 0 ? [`${kind} (${key.join(', ')})`] : [];
  return `CREATE TABLE IF NOT EXISTS ${name} (${[...typed, ...unique].join(', ')})`;
}

/** If one of these changes, versions.ts needs the statements that change the tables of existing stores. */
export const schema: readonly string[] = [
  ...Object.entries(tables).map(createTable),
  ...Object.entries(indexes).map(([name, on]) => `CREATE INDEX IF NOT EXISTS ${name} ON ${on}`),
  ...events,
];
