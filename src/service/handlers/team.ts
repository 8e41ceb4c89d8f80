/** Handles the operations on the users, tokens and invitations of a workspace. */
import { randomBytes } from 'node:crypto';
import type * as area from '../../operations/workspaces.ts';
import { type Handlers, type IdsOf, type OpenScope, orNotFound, Refusal, type Reply, replyWith } from '../handler.ts';
import { type JsonObject, jsonObject, requiredString } from '../http/fields.ts';
import {
  addMember,
  creatorOf,
  isMember,
  isOrganizationMember,
  isOwner,
  ownersOf,
  removeMember,
  workspacesMadeBy,
} from '../tenancy/members.ts';
import { checkOwner } from '../tenancy/permissions.ts';
import { publishingTokensBy } from '../tenancy/publishers.ts';
import { addToken, addUser, findUser, organizationMembersOf, recordOf, updateUser } from '../tenancy/tenants.ts';

/** Returns an invite link, which stays the same until it is used. Null if the user needs no invitation. */
function inviteLink(workspaceId: string, user: JsonObject, { store, base }: OpenScope): string | null {
  const own = { workspace_id: workspaceId, user_id: String(user.id) };
  if (user.email_verified || isMember(store, workspaceId, own.user_id)) {
    store.delete('invites', own);
    return null;
  }
  store.insert('invites', { code: randomBytes(16).toString('base64url'), ...own }, 'ignore');
  return `${base}/invites/${store.find('invites', own)?.code}`;
}

/**
 * Serves `/invites/{code}`. Users cannot log in to the embedded service, so the response has an API key. Whoever sent
 * the invitation could open the link too, so the key opens only its workspace, and the email is not verified.
 */
export function acceptInvite(path: string, { store, now }: OpenScope): Reply {
  const code = path.slice('/invites/'.length);
  return store.transaction(() => {
    const gone = 'the invitation does not exist or has already been used';
    const invite = orNotFound(store.find('invites', { code }), gone);
    const userId = String(invite.user_id);
    updateUser(store, userId, { confirmed: true, updated_at: now().toISOString() });
    store.delete('invites', { code });
    const workspaceId = String(invite.workspace_id);
    const reach = [workspaceId, String(creatorOf(store, workspaceId)?.organizationId)];
    const key = addToken(store, {}, { name: 'invitation', workspaceId, userId, reach, now: now() });
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    return replyWith(200, headers, `Invitation accepted. Your API key, which is shown only here:\n${key}\n`);
  });
}

/** The number of users between two turns. */
const USERS_AT_ONCE = 100;

export const team = {
  getWorkspaceTeam: async ({ workspace_id }, { store, caller, share }) => {
    const users: JsonObject[] = [];
    for (const user of organizationMembersOf(store, workspace_id, caller))
      if (users.push(user) % USERS_AT_ONCE === 0) await share.turn();
    return { users };
  },

  grantUserAccessToWorkspace: ({ workspace_id, email }, scope) => {
    const { store, now } = scope;
    const address = email.trim().toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw new Refusal(422, 'email must be a valid email address');
    return store.transaction(() => {
      const known = store.find('users', { email: address });
      const made = { default_workspace_id: workspace_id };
      const user = known ? findUser(store, String(known.id)) : addUser(store, address, made, now());
      // Create the link before the user is added, because a user with access gets no link.
      const link = inviteLink(workspace_id, user, scope);
      addMember(store, workspace_id, String(user.id));
      return { relationship: { workspace_id, user_id: user.id }, invite_link: link };
    });
  },

  revokeUserAccessToWorkspace: ({ workspace_id, userId }, { store, caller }) =>
    store.transaction(() => {
      if (userId !== caller.userId) checkOwner(store, workspace_id, caller, "revoke other users' access");
      const creator = creatorOf(store, workspace_id);
      const isLast = ownersOf(store, workspace_id).length === 1;
      const who = isLast ? 'the last owner of a workspace' : 'the creator of the organization';
      if (creator?.userId === userId) throw new Refusal(409, `cannot remove ${who}`);
      if (!removeMember(store, workspace_id, userId))
        throw new Refusal(404, `user ${userId} does not have access to this workspace`);
      // Earlier versions let every user of a workspace create others in the organization. Its creator ends those too.
      const isWhole = creator && isOrganizationMember(store, creator.organizationId, caller);
      const made = isWhole ? workspacesMadeBy(store, userId, creator.organizationId) : [];
      for (const id of made) removeMember(store, id, userId);
      const left = [workspace_id, ...made].reduce((sum, id) => sum + publishingTokensBy(store, id, userId), 0);
      return left === 0 ? undefined : { publishing_tokens: left };
    }),

  // Only owners see the tokens of other users, because these contain API keys. Anonymous callers see all, but no keys.
  getWorkspaceTokens: ({ workspace_id }, { store, caller }) => {
    const seesAll = caller.isAnonymous || isOwner(store, workspace_id, caller.userId);
    return store
      .list('workspace_tokens', { workspace_id }, 'seq')
      .filter((row) => seesAll || row.created_by === caller.userId)
      .map((row) => ({ ...recordOf(row), last_used: row.last_used, ...(caller.isAnonymous && { key: '' }) }));
  },

  createWorkspaceToken: ({ workspace_id, body }, { store, caller, now }) => {
    const given = jsonObject(body);
    const name = requiredString(given, 'name');
    const { userId, reach } = caller;
    store.transaction(() => addToken(store, given, { name, workspaceId: workspace_id, userId, reach, now: now() }));
  },

  deleteWorkspaceToken: ({ workspace_id, tokenID }, { store, caller }) => {
    const at = { workspace_id, id: tokenID };
    const token = orNotFound(store.find('workspace_tokens', at), `the workspace has no token ${tokenID}`);
    if (token.created_by !== caller.userId) checkOwner(store, workspace_id, caller, "delete other users' tokens");
    store.delete('workspace_tokens', at);
  },
} satisfies Handlers<
  Extract<IdsOf<typeof area>, `${string}Team` | `${string}Token${string}` | `${string}UserAccess${string}`>
>;
