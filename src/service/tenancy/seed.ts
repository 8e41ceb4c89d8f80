/** Fills a new store with one organization, one workspace, one user and one workspace token. */
import { randomBytes } from 'node:crypto';
import type { Store } from '../data/store.ts';
import { refusedStore } from '../schema/versions.ts';
import { creatorOf } from './members.ts';
import { addOrganization, addToken, addUser, addWorkspace, updateUser } from './tenants.ts';

export type FirstKey = ReturnType<typeof firstKey>;

const FIRST = `SELECT workspaces.id AS workspace_id, workspaces.slug AS workspace_slug,
    organizations.slug AS organization_slug,
    (SELECT key FROM workspace_tokens WHERE workspace_id = workspaces.id
       AND workspace_tokens.created_by = organizations.created_by ORDER BY seq LIMIT 1) AS first_key
  FROM workspaces JOIN organizations ON organizations.id = organization_id
  ORDER BY workspaces.seq LIMIT 1`;

/**
 * Fills a new store, or adds a missing token, whose key is `key`. Returns whether it added a token. Two processes may
 * call it at the same time. Throws if the first user has other tokens, but not `key`.
 */
export function seed(store: Store, now: Date, key?: string): boolean {
  if (key === undefined && typeof store.get(FIRST)?.first_key === 'string') return false;
  return store.transaction(() => {
    const first = store.get(FIRST);
    if (!first) addFirst(store, now, key);
    // Otherwise, the tool could not access its store after the last token was deleted.
    else if (first.first_key === null) addFirstToken(store, String(first.workspace_id), now, key);
    else if (key !== undefined) checkOwner(store, String(first.workspace_id), key);
    return typeof first?.first_key !== 'string';
  });
}

function checkOwner(store: Store, workspaceId: string, key: string): void {
  const owner = String(creatorOf(store, workspaceId)?.userId);
  if (!store.find('workspace_tokens', { key, created_by: owner }))
    throw refusedStore('its first user has no token with the owner key', 'Correct the file of --owner-key-file');
}

function addFirst(store: Store, now: Date, key?: string): void {
  store.insert('meta', { key: 'secret', value: randomBytes(32).toString('hex') });
  const verified = { email_verified: true, confirmed: true, admin: true, display_name: 'Local user' };
  const userId = String(addUser(store, 'user@dtp.local', verified, now).id);
  const organization = addOrganization(store, {}, { name: 'Local', slug: 'local', userId, now });
  const made = { name: 'Default', slug: 'default', organizationId: String(organization.id), userId, now };
  const workspaceId = String(addWorkspace(store, {}, made).id);
  updateUser(store, userId, { default_workspace_id: workspaceId });
  addFirstToken(store, workspaceId, now, key);
}

function addFirstToken(store: Store, workspaceId: string, now: Date, key?: string): void {
  const userId = String(creatorOf(store, workspaceId)?.userId);
  addToken(store, {}, { name: 'local', workspaceId, userId, now, key });
}

/** Returns a token of the store's first user. The tool uses it to call the embedded service. Call `seed` first. */
export function firstKey(store: Store) {
  const first = store.get(FIRST);
  if (typeof first?.first_key !== 'string') throw new Error('the store has no workspace token');
  return {
    key: first.first_key,
    workspaceId: String(first.workspace_id),
    workspaceSlug: String(first.workspace_slug),
    organizationSlug: String(first.organization_slug),
  };
}
