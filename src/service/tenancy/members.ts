/** Stores the members of a workspace and their roles. All may use it. Owners manage its team and settings. */
import { checkRoom } from '../data/room.ts';
import type { Store } from '../data/store.ts';
import type { Caller } from '../handler.ts';

const HAS_NO_PENDING_INVITE = `NOT EXISTS (SELECT 1 FROM invites
  WHERE invites.workspace_id = members.workspace_id AND invites.user_id = members.user_id)`;

/** Returns an SQL condition on a row of `workspaces`: a user, such as `?1`, may use the workspace. */
export const mayUse = (user: string): string => `(
  ${user} = (SELECT created_by FROM organizations WHERE organizations.id = workspaces.organization_id)
  OR EXISTS (SELECT 1 FROM members WHERE workspace_id = workspaces.id AND user_id = ${user} AND ${HAS_NO_PENDING_INVITE}))`;

/** Selects the ids of all workspaces that a user (?1) may use. Faster than `mayUse` for each workspace. */
export const WORKSPACES_OF = `SELECT workspace_id FROM members WHERE user_id = ?1 AND ${HAS_NO_PENDING_INVITE}
  UNION SELECT workspaces.id FROM organizations JOIN workspaces ON organization_id = organizations.id WHERE created_by = ?1`;

/** Selects the creator of a workspace's organization. */
export const CREATOR = `SELECT organization_id, created_by FROM workspaces
  JOIN organizations ON organizations.id = organization_id WHERE workspaces.id = ?1`;

/** Returns the creator of the workspace's organization, and the user who created the workspace, if that was another. */
export const ownersOf = (store: Store, workspaceId: string): readonly string[] =>
  store
    .all(
      `SELECT user_id FROM owners WHERE workspace_id = ?1 UNION SELECT created_by FROM (${CREATOR}) AS creator`,
      workspaceId,
    )
    .map((row) => String(row.user_id))
    .filter((userId) => isMember(store, workspaceId, userId));

export const isOwner = (store: Store, workspaceId: string, userId: string): boolean =>
  ownersOf(store, workspaceId).includes(userId);

export const isMember = (store: Store, workspaceId: string, userId: string): boolean =>
  store.get(`SELECT 1 AS one FROM workspaces WHERE id = ?2 AND ${mayUse('?1')}`, userId, workspaceId) !== undefined;

/** The oldest workspace of a limited key is that of its invitation, and its inviter could have accepted that too. */
const CREATED = `SELECT 1 AS one FROM organizations WHERE id = ? AND created_by = ? AND id <> coalesce((SELECT organization_id
  FROM workspaces WHERE id IN (SELECT opens FROM token_reach WHERE token_id = ?) ORDER BY seq LIMIT 1), '')`;

/** Whether the caller is the member of the organization: its creator. The key of an invitation does not prove that. */
export const isOrganizationMember = (store: Store, id: string, caller: Caller): boolean =>
  !caller.isAnonymous &&
  (caller.reach?.includes(id) ?? true) &&
  store.get(CREATED, id, caller.userId, caller.tokenId ?? '') !== undefined;

/** Whether the credential opens the workspace, and its user may use it. */
export const mayOpen = (store: Store, workspaceId: string, { userId, reach }: Caller): boolean =>
  (reach?.includes(workspaceId) ?? true) && isMember(store, workspaceId, userId);

/** Returns the creator of the workspace's organization. Undefined if there is no such workspace. */
export function creatorOf(store: Store, workspaceId: string): Caller | undefined {
  const row = store.get(CREATOR, workspaceId);
  return row && { workspaceId, organizationId: String(row.organization_id), userId: String(row.created_by) };
}

export function addMember(store: Store, workspaceId: string, userId: string): void {
  if (!isMember(store, workspaceId, userId)) checkRoom(store, 'members', workspaceId);
  store.insert('members', { workspace_id: workspaceId, user_id: userId }, 'ignore');
}

export function addOwner(store: Store, workspaceId: string, userId: string): void {
  addMember(store, workspaceId, userId);
  store.insert('owners', { workspace_id: workspaceId, user_id: userId }, 'ignore');
}

const MADE_BY = `SELECT workspace_id FROM owners JOIN workspaces ON workspaces.id = workspace_id
  WHERE user_id = ? AND organization_id = ?`;

/** Returns the workspaces of an organization that a user has created. */
export const workspacesMadeBy = (store: Store, userId: string, organizationId: string): readonly string[] =>
  store.all(MADE_BY, userId, organizationId).map((row) => String(row.workspace_id));

/** Removes a user, with the user's invitation and tokens. Returns false if the user had no access. */
export function removeMember(store: Store, workspaceId: string, userId: string): boolean {
  const where = { workspace_id: workspaceId, user_id: userId };
  const removed = store.delete('members', where);
  for (const table of ['owners', 'invites']) store.delete(table, where);
  store.delete('workspace_tokens', { workspace_id: workspaceId, created_by: userId });
  return removed > 0;
}
