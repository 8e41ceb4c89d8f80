/** Defines the tables for organizations, workspaces, users, tokens, plans, the schema store and short URLs. */

const tenants = [
  'CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)',
  `CREATE TABLE IF NOT EXISTS users (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS organizations (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    slug TEXT NOT NULL UNIQUE,
    created_by TEXT NOT NULL REFERENCES users (id),
    record TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS workspaces (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    slug TEXT NOT NULL,
    record TEXT NOT NULL,
    settings TEXT NOT NULL,
    UNIQUE (organization_id, slug)
  )`,
  `CREATE TABLE IF NOT EXISTS members (
    seq INTEGER PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    UNIQUE (workspace_id, user_id)
  )`,
  'CREATE INDEX IF NOT EXISTS members_by_user ON members (user_id, seq)',
  `CREATE TABLE IF NOT EXISTS owners (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    PRIMARY KEY (workspace_id, user_id)
  )`,
  `CREATE TABLE IF NOT EXISTS invites (
    code TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    UNIQUE (workspace_id, user_id)
  )`,
  `CREATE TABLE IF NOT EXISTS workspace_tokens (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    key TEXT NOT NULL UNIQUE,
    created_by TEXT NOT NULL REFERENCES users (id),
    last_used TEXT,
    record TEXT NOT NULL
  )`,
  'CREATE INDEX IF NOT EXISTS workspace_tokens_by_workspace ON workspace_tokens (workspace_id, seq)',
  // The only workspaces and organizations that a token opens. A token without rows opens all of its user's.
  `CREATE TABLE IF NOT EXISTS token_reach (
    token_id TEXT NOT NULL REFERENCES workspace_tokens (id) ON DELETE CASCADE,
    opens TEXT NOT NULL,
    PRIMARY KEY (token_id, opens)
  )`,
];

const plans = [
  `CREATE TABLE IF NOT EXISTS feature_flags (
    seq INTEGER PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    feature_flag TEXT NOT NULL,
    UNIQUE (workspace_id, feature_flag)
  )`,
  `CREATE TABLE IF NOT EXISTS billing_add_ons (
    seq INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    add_on TEXT NOT NULL,
    UNIQUE (organization_id, add_on)
  )`,
  `CREATE TABLE IF NOT EXISTS access_checks (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    day TEXT NOT NULL,
    checks INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, day)
  )`,
];

const publishing = [
  `CREATE TABLE IF NOT EXISTS publishing_tokens (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    record TEXT NOT NULL
  )`,
  'CREATE INDEX IF NOT EXISTS publishing_tokens_by_workspace ON publishing_tokens (workspace_id, seq)',
  `CREATE TABLE IF NOT EXISTS schema_store (
    id TEXT PRIMARY KEY,
    record TEXT NOT NULL
  )`,
  // The SDK names that were stored with a document, by the SHA-256 of the document.
  `CREATE TABLE IF NOT EXISTS sdk_names (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    spec_sha256 TEXT NOT NULL,
    package_name TEXT NOT NULL,
    class_name TEXT NOT NULL,
    PRIMARY KEY (workspace_id, spec_sha256)
  )`,
  `CREATE TABLE IF NOT EXISTS short_urls (
    code TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    url TEXT NOT NULL,
    UNIQUE (workspace_id, url)
  )`,
];

export const tenancy: readonly string[] = [...tenants, ...plans, ...publishing];
