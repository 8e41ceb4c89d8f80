/** Defines the tables for organizations, workspaces, users, tokens, plans, the schema store and short URLs. */
import { createTable } from './table.ts';

const tenants = [
  createTable('meta', 'key TEXT PRIMARY KEY, value'),
  createTable('users', 'seq INTEGER PRIMARY KEY, id UNIQUE, email UNIQUE, record'),
  createTable(
    'organizations',
    'seq INTEGER PRIMARY KEY, id UNIQUE, slug UNIQUE, created_by REFERENCES users (id), record',
  ),
  createTable(
    'workspaces',
    'seq INTEGER PRIMARY KEY, id UNIQUE, organization_id REFERENCES organizations (id), slug, record, settings',
    'organization_id, slug',
  ),
  createTable(
    'members',
    'seq INTEGER PRIMARY KEY, workspace_id REFERENCES workspaces (id), user_id REFERENCES users (id)',
    'workspace_id, user_id',
  ),
  'CREATE INDEX IF NOT EXISTS members_by_user ON members (user_id, seq)',
  createTable(
    'owners',
    'workspace_id REFERENCES workspaces (id), user_id REFERENCES users (id)',
    'workspace_id, user_id',
  ),
  createTable(
    'invites',
    'code TEXT PRIMARY KEY, workspace_id REFERENCES workspaces (id), user_id REFERENCES users (id)',
    'workspace_id, user_id',
  ),
  createTable(
    'workspace_tokens',
    `seq INTEGER PRIMARY KEY, id UNIQUE, workspace_id REFERENCES workspaces (id), key UNIQUE,
     created_by REFERENCES users (id), last_used TEXT, record`,
  ),
  'CREATE INDEX IF NOT EXISTS workspace_tokens_by_workspace ON workspace_tokens (workspace_id, seq)',
  // The only workspaces and organizations that a token opens. A token without rows opens all of its user's.
  createTable('token_reach', 'token_id REFERENCES workspace_tokens (id) ON DELETE CASCADE, opens', 'token_id, opens'),
];

const plans = [
  createTable(
    'feature_flags',
    'seq INTEGER PRIMARY KEY, workspace_id REFERENCES workspaces (id), feature_flag',
    'workspace_id, feature_flag',
  ),
  createTable(
    'billing_add_ons',
    'seq INTEGER PRIMARY KEY, organization_id REFERENCES organizations (id), add_on',
    'organization_id, add_on',
  ),
  createTable(
    'access_checks',
    'workspace_id REFERENCES workspaces (id), day, checks INTEGER NOT NULL',
    'workspace_id, day',
  ),
];

const publishing = [
  createTable(
    'publishing_tokens',
    'seq INTEGER PRIMARY KEY, id UNIQUE, workspace_id REFERENCES workspaces (id), record',
  ),
  'CREATE INDEX IF NOT EXISTS publishing_tokens_by_workspace ON publishing_tokens (workspace_id, seq)',
  createTable('schema_store', 'id TEXT PRIMARY KEY, record'),
  // The SDK names that were stored with a document, by the SHA-256 of the document.
  createTable(
    'sdk_names',
    'workspace_id REFERENCES workspaces (id), spec_sha256, package_name, class_name',
    'workspace_id, spec_sha256',
  ),
  createTable('short_urls', 'code TEXT PRIMARY KEY, workspace_id REFERENCES workspaces (id), url', 'workspace_id, url'),
];

export const tenancy: readonly string[] = [...tenants, ...plans, ...publishing];
