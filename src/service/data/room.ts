/** Bounds what one owner may have of the rows that a list reads in one turn. */
import { Refusal } from '../refusal.ts';
import type { Store } from './store.ts';

/** What owns the rows, what they are, the most of them, and where they are. */
const rooms = {
  tokens: ['a workspace', 'tokens: delete some', 10_000, 'workspace_tokens WHERE workspace_id'],
  publishing: ['a workspace', 'publishing tokens: delete some', 10_000, 'publishing_tokens WHERE workspace_id'],
  members: ['a workspace', 'members: remove some', 10_000, 'members WHERE workspace_id'],
  sources: ['a workspace', 'remote sources', 1000, 'remote_sources WHERE workspace_id'],
  organizations: ['a user', 'organizations', 10_000, 'organizations WHERE created_by'],
  // Others may make a user a member of their workspaces. These do not count.
  workspaces: ['a user', 'workspaces', 10_000, 'members JOIN owners USING (workspace_id, user_id) WHERE user_id'],
} as const;

/** Throws Refusal if the owner has the most that is allowed. */
export function checkRoom(store: Store, name: keyof typeof rooms, owner: string): void {
  const [who, what, most, from] = rooms[name];
  if (Number(store.get(`SELECT count(*) AS count FROM ${from} = ?`, owner)?.count) >= most)
    throw new Refusal(422, `${who} has at most ${most} ${what}`);
}
