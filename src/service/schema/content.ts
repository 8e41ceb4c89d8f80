/** Defines the tables for user data: events, reports, documents, the registry and the code host integration. */
import { events } from './events.ts';

const contents = [
  `CREATE TABLE IF NOT EXISTS chunks (
    content_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (content_id, position)
  )`,
  `CREATE TABLE IF NOT EXISTS reports (
    workspace_id TEXT NOT NULL,
    type TEXT NOT NULL,
    checksum TEXT NOT NULL,
    content_id TEXT NOT NULL,
    size INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (workspace_id, type, checksum)
  )`,
  'CREATE INDEX IF NOT EXISTS reports_by_checksum ON reports (checksum, type)',
  `CREATE TABLE IF NOT EXISTS sample_jobs (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    content_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    record TEXT NOT NULL,
    result TEXT,
    failure TEXT
  )`,
];

const registry = [
  `CREATE TABLE IF NOT EXISTS namespaces (
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    public INTEGER NOT NULL DEFAULT 0,
    archived_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, name)
  )`,
  `CREATE TABLE IF NOT EXISTS revisions (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    workspace_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    digest TEXT NOT NULL,
    media_type TEXT NOT NULL,
    manifest BLOB NOT NULL,
    metadata TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (workspace_id, namespace, digest)
  )`,
  'CREATE INDEX IF NOT EXISTS revisions_by_age ON revisions (workspace_id, namespace, seq)',
  `CREATE TABLE IF NOT EXISTS tags (
    workspace_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL,
    PRIMARY KEY (workspace_id, namespace, name)
  )`,
  'CREATE INDEX IF NOT EXISTS tags_by_digest ON tags (workspace_id, namespace, digest)',
  `CREATE TABLE IF NOT EXISTS blobs (
    workspace_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    digest TEXT NOT NULL,
    content_id TEXT NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, namespace, digest)
  )`,
  'CREATE INDEX IF NOT EXISTS blobs_by_content ON blobs (content_id)',
  `CREATE TABLE IF NOT EXISTS loose_blobs (
    workspace_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    digest TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (workspace_id, namespace, digest)
  )`,
  'CREATE INDEX IF NOT EXISTS loose_blobs_by_age ON loose_blobs (since)',
  `CREATE TABLE IF NOT EXISTS referrers (
    workspace_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    subject TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (workspace_id, namespace, subject, digest)
  )`,
  `CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    begun_at TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS remote_sources (
    workspace_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    subscription_id TEXT NOT NULL UNIQUE,
    ignored TEXT NOT NULL DEFAULT '[]',
    record TEXT NOT NULL,
    PRIMARY KEY (workspace_id, namespace)
  )`,
  `CREATE TABLE IF NOT EXISTS remote_outputs (
    workspace_id TEXT NOT NULL,
    namespace TEXT NOT NULL,
    inputs TEXT NOT NULL,
    PRIMARY KEY (workspace_id, namespace)
  )`,
];

const codehost = [
  `CREATE TABLE IF NOT EXISTS codehost_links (
    workspace_id TEXT NOT NULL,
    org TEXT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (workspace_id, org)
  )`,
  `CREATE TABLE IF NOT EXISTS codehost_secrets (
    workspace_id TEXT NOT NULL,
    gen_lock_id TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (workspace_id, gen_lock_id, name)
  )`,
  `CREATE TABLE IF NOT EXISTS codehost_settings (
    workspace_id TEXT NOT NULL,
    org TEXT NOT NULL,
    repo TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL DEFAULT '',
    record TEXT NOT NULL,
    PRIMARY KEY (workspace_id, org, repo, kind, target)
  )`,
  `CREATE TABLE IF NOT EXISTS codehost_runs (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    workspace_id TEXT NOT NULL,
    org TEXT NOT NULL,
    repo TEXT NOT NULL,
    target TEXT NOT NULL,
    gen_lock_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    record TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS codehost_outcomes (
    run_id TEXT PRIMARY KEY,
    injected TEXT,
    record TEXT
  )`,
  'CREATE INDEX IF NOT EXISTS codehost_outcomes_open ON codehost_outcomes (run_id) WHERE record IS NULL',
  'CREATE INDEX IF NOT EXISTS codehost_runs_by_repo ON codehost_runs (workspace_id, org, repo, seq)',
];

export const content: readonly string[] = [...events, ...contents, ...registry, ...codehost];
