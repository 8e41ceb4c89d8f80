/** Stores the members of a workspace and their roles. All may use it. Owners manage its team, settings and plan. */
import type { Store } from '../data/store.ts';
import type { Caller } from '../handler.ts';

/** An SQL condition on a row of `members`: the user has no pending invitation. */
export const HAS_NO_PENDING_INVITE = `NOT EXISTS (SELECT 1 FROM invites
  WHERE invites.workspace_id = members.workspace_id AND invites.user_id = members.user_id)`;

const OWNERS = `SELECT user_id FROM owners WHERE workspace_id = ?1
  UNION SELECT user_id FROM members WHERE workspace_id = ?1
    AND user_id = (SELECT created_by FROM organizations JOIN workspaces ON organization_id = organizations.id
                   WHERE workspaces.id = ?1)`;

/** Returns the user who created the workspace, and the user who created its organization if that user has access. */
export const ownersOf = (store: Store, workspaceId: string): readonly string[] =>
  store
    .all(OWNERS, workspaceId)
    .map((row) => String(row.user_id))
    .filter((userId) => isMember(store, workspaceId, userId));

export const isOwner = (store: Store, workspaceId: string, userId: string): boolean =>
  ownersOf(store, workspaceId).includes(userId);

const has = (store: Store, table: 'members' | 'invites', workspaceId: string, userId: string): boolean =>
  store.find(table, { workspace_id: workspaceId, user_id: userId }) !== undefined;

export const isPending = (store: Store, workspaceId: string, userId: string): boolean =>
  has(store, 'invites', workspaceId, userId);

export const isMember = (store: Store, workspaceId: string, userId: string): boolean =>
  has(store, 'members', workspaceId, userId) && !isPending(store, workspaceId, userId);

/** Whether the credential opens the workspace, and its user may use it. */
export const mayOpen = (store: Store, workspaceId: string, { userId, reach }: Caller): boolean =>
  (reach?.includes(workspaceId) ?? true) && isMember(store, workspaceId, userId);

/** Returns the first user who may use the workspace. Undefined if there is no such workspace or user. */
export function firstMember(store: Store, workspaceId: string): Caller | undefined {
  const sql = `SELECT organization_id, user_id FROM workspaces JOIN members ON workspace_id = workspaces.id
    WHERE workspaces.id = ? AND ${HAS_NO_PENDING_INVITE} ORDER BY members.seq LIMIT 1`;
  const row = store.get(sql, workspaceId);
  return row && { workspaceId, organizationId: String(row.organization_id), userId: String(row.user_id) };
}

export const addMember = (store: Store, workspaceId: string, userId: string): unknown =>
  store.insert('members', { workspace_id: workspaceId, user_id: userId }, 'ignore');

export function addOwner(store: Store, workspaceId: string, userId: string): void {
  addMember(store, workspaceId, userId);
  store.insert('owners', { workspace_id: workspaceId, user_id: userId }, 'ignore');
}

/** Removes a user, with the user's invitation and tokens. Returns false if the user had no access. */
export function removeMember(store: Store, workspaceId: string, userId: string): boolean {
  const where = { workspace_id: workspaceId, user_id: userId };
  const removed = store.delete('members', where);
  for (const table of ['owners', 'invites']) store.delete(table, where);
  store.delete('workspace_tokens', { workspace_id: workspaceId, created_by: userId });
  return removed > 0;
}
