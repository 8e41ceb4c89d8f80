/** Bounds what one owner may have of the rows that a list reads in one turn. */
import { Refusal } from '../refusal.ts';
import type { Store } from './store.ts';

/** Whose they are, what they are, the most of them, and where they are. */
const rooms = {
  tokens: ['a workspace', 'tokens: delete some', 10_000, 'workspace_tokens', 'workspace_id'],
  publishing: ['a workspace', 'publishing tokens: delete some', 10_000, 'publishing_tokens', 'workspace_id'],
  members: ['a workspace', 'users: remove some', 10_000, 'members', 'workspace_id'],
  sources: ['a workspace', 'remote sources', 1000, 'remote_sources', 'workspace_id'],
  organizations: ['a user', 'organizations', 10_000, 'organizations', 'created_by'],
  // Only those that the user owns, because anybody may invite the user.
  workspaces: ['a user', 'workspaces', 10_000, 'members JOIN owners USING (workspace_id, user_id)', 'user_id'],
} as const;

/** Throws Refusal if the owner has the most that is allowed. */
export function checkRoom(store: Store, name: keyof typeof rooms, owner: string): void {
  const [who, what, most, table, column] = rooms[name];
  if (Number(store.get(`SELECT count(*) AS count FROM ${table} WHERE ${column} = ?`, owner)?.count) >= most)
    throw new Refusal(422, `${who} has at most ${most} ${what}`);
}
