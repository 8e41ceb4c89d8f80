/** Defines the tables for user data: events, reports, documents, the registry and the code host integration. */
import { events } from './events.ts';
import { createTable } from './table.ts';

const contents = [
  createTable('chunks', 'content_id, position INTEGER NOT NULL, bytes BLOB NOT NULL', 'content_id, position'),
  createTable(
    'reports',
    'workspace_id, type, checksum, content_id, size INTEGER NOT NULL, created_at, record',
    'workspace_id, type, checksum',
  ),
  'CREATE INDEX IF NOT EXISTS reports_by_checksum ON reports (checksum, type)',
  createTable(
    'sample_jobs',
    'id TEXT PRIMARY KEY, workspace_id, content_id, created_at, record, result TEXT, failure TEXT',
  ),
];

const registry = [
  createTable(
    'namespaces',
    'workspace_id, name, id UNIQUE, public INTEGER NOT NULL DEFAULT 0, archived_at TEXT, created_at, updated_at',
    'workspace_id, name',
  ),
  createTable(
    'revisions',
    `seq INTEGER PRIMARY KEY, id UNIQUE, workspace_id, namespace, digest, media_type, manifest BLOB NOT NULL,
     metadata TEXT, created_at, updated_at`,
    'workspace_id, namespace, digest',
  ),
  'CREATE INDEX IF NOT EXISTS revisions_by_age ON revisions (workspace_id, namespace, seq)',
  createTable('tags', 'workspace_id, namespace, name, id UNIQUE, digest', 'workspace_id, namespace, name'),
  'CREATE INDEX IF NOT EXISTS tags_by_digest ON tags (workspace_id, namespace, digest)',
  createTable(
    'blobs',
    'workspace_id, namespace, digest, content_id, size INTEGER NOT NULL',
    'workspace_id, namespace, digest',
  ),
  'CREATE INDEX IF NOT EXISTS blobs_by_content ON blobs (content_id)',
  createTable('loose_blobs', 'workspace_id, namespace, digest, since', 'workspace_id, namespace, digest'),
  'CREATE INDEX IF NOT EXISTS loose_blobs_by_age ON loose_blobs (since)',
  createTable('referrers', 'workspace_id, namespace, subject, digest', 'workspace_id, namespace, subject, digest'),
  createTable('uploads', 'id TEXT PRIMARY KEY, workspace_id, namespace, begun_at'),
  createTable(
    'remote_sources',
    "workspace_id, namespace, subscription_id UNIQUE, ignored DEFAULT '[]', record",
    'workspace_id, namespace',
  ),
  createTable('remote_outputs', 'workspace_id, namespace, inputs', 'workspace_id, namespace'),
];

const codehost = [
  createTable('codehost_links', 'workspace_id, org, record', 'workspace_id, org'),
  createTable('codehost_secrets', 'workspace_id, gen_lock_id, name, digest', 'workspace_id, gen_lock_id, name'),
  createTable(
    'codehost_settings',
    "workspace_id, org, repo, kind, target DEFAULT '', record",
    'workspace_id, org, repo, kind, target',
  ),
  createTable(
    'codehost_runs',
    'seq INTEGER PRIMARY KEY, id UNIQUE, workspace_id, org, repo, target, gen_lock_id, created_at, record',
  ),
  createTable('codehost_outcomes', 'run_id TEXT PRIMARY KEY, injected TEXT, record TEXT'),
  'CREATE INDEX IF NOT EXISTS codehost_outcomes_open ON codehost_outcomes (run_id) WHERE record IS NULL',
  'CREATE INDEX IF NOT EXISTS codehost_runs_by_repo ON codehost_runs (workspace_id, org, repo, seq)',
];

export const content: readonly string[] = [...events, ...contents, ...registry, ...codehost];
