/** The handlers of a workspace's users, tokens and invitations. */
import { randomBytes } from 'node:crypto';
import type * as area from '../../operations/workspaces.ts';
import { type Handlers, type IdsOf, type OpenScope, Refusal, type Reply, replyWith } from '../handler.ts';
import { type JsonObject, jsonObject, requiredString } from '../http/fields.ts';
import {
  addMember,
  addToken,
  addUser,
  findUser,
  isMember,
  membersOf,
  recordOf,
  updateUser,
} from '../tenancy/tenants.ts';

type TeamIds = Extract<
  IdsOf<typeof area>,
  `${string}Team` | `${string}Token${string}` | `${string}UserAccess${string}`
>;

/** An invite link, which stays the same until it is used. Null if the email of the user is verified. */
function inviteLink(workspaceId: string, user: JsonObject, { store, base }: OpenScope): string | null {
  if (user.email_verified) return null;
  const where = [workspaceId, String(user.id)] as const;
  store.run(
    'INSERT OR IGNORE INTO invites (code, workspace_id, user_id) VALUES (?, ?, ?)',
    randomBytes(16).toString('base64url'),
    ...where,
  );
  const row = store.get('SELECT code FROM invites WHERE workspace_id = ? AND user_id = ?', ...where);
  return `${base}/invites/${row?.code}`;
}

/** Serves `/invites/{code}`. The link proves that the user can read the mailbox that it was sent to. */
export function acceptInvite(path: string, { store, now }: OpenScope): Reply {
  const code = path.slice('/invites/'.length);
  return store.transaction(() => {
    const invite = store.get('SELECT user_id FROM invites WHERE code = ?', code);
    if (!invite) throw new Refusal(404, 'the invitation does not exist or has already been used');
    const confirmed = { email_verified: true, confirmed: true, updated_at: now().toISOString() };
    updateUser(store, String(invite.user_id), confirmed);
    store.run('DELETE FROM invites WHERE code = ?', code);
    return replyWith(200, { 'content-type': 'text/plain; charset=utf-8' }, 'Invitation accepted.\n');
  });
}

export const team = {
  getWorkspaceTeam: ({ workspace_id }, { store }) => ({ users: membersOf(store, workspace_id) }),

  grantUserAccessToWorkspace: ({ workspace_id, email }, scope) => {
    const { store, now } = scope;
    const address = email.trim().toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw new Refusal(422, 'email must be a valid email address');
    return store.transaction(() => {
      const known = store.get('SELECT id FROM users WHERE email = ?', address);
      const made = { default_workspace_id: workspace_id };
      const user = known ? findUser(store, String(known.id)) : addUser(store, address, made, now());
      addMember(store, workspace_id, String(user.id));
      return {
        relationship: { workspace_id, user_id: user.id },
        invite_link: inviteLink(workspace_id, user, scope),
      };
    });
  },

  revokeUserAccessToWorkspace: ({ workspace_id, userId }, { store }) =>
    store.transaction(() => {
      if (!isMember(store, workspace_id, userId))
        throw new Refusal(404, `user ${userId} does not have access to this workspace`);
      if (membersOf(store, workspace_id).length === 1)
        throw new Refusal(409, 'cannot remove the last user of a workspace');
      store.run('DELETE FROM members WHERE workspace_id = ? AND user_id = ?', workspace_id, userId);
      store.run('DELETE FROM invites WHERE workspace_id = ? AND user_id = ?', workspace_id, userId);
      return undefined;
    }),

  getWorkspaceTokens: ({ workspace_id }, { store }) =>
    store
      .all('SELECT record, last_used FROM workspace_tokens WHERE workspace_id = ? ORDER BY seq', workspace_id)
      .map((row) => ({ ...recordOf(row), last_used: row.last_used })),

  createWorkspaceToken: ({ workspace_id, body }, { store, caller, now }) => {
    const given = jsonObject(body);
    const name = requiredString(given, 'name');
    addToken(store, given, { name, workspaceId: workspace_id, userId: caller.userId, now: now() });
  },

  deleteWorkspaceToken: ({ workspace_id, tokenID }, { store }) => {
    const deleted = store.run(
      'DELETE FROM workspace_tokens WHERE workspace_id = ? AND id = ?',
      workspace_id,
      tokenID,
    );
    if (deleted === 0) throw new Refusal(404, `the workspace has no token ${tokenID}`);
  },
} satisfies Handlers<TeamIds>;
