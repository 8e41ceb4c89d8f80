/** Finds the owner of a publishing token, which authorizes publishing to the registry and nothing else. */
import type { Caller, OpenScope } from '../handler.ts';
import { recordOf } from './tenants.ts';

/** Returns the owner of a publishing token. Undefined if the token is unknown or has expired. */
export function publisherOf(token: string, { store, now }: OpenScope): Caller | undefined {
  if (!token.startsWith('dtp_publish_')) return undefined;
  const row = store.get(
    "SELECT record FROM publishing_tokens WHERE json_extract(record, '$.token') = ?",
    token,
  );
  if (!row) return undefined;
  const { workspace_id, organization_id, created_by, valid_until } = recordOf(row);
  if (Date.parse(String(valid_until)) <= now().getTime()) return undefined;
  return {
    workspaceId: String(workspace_id),
    organizationId: String(organization_id),
    userId: String(created_by),
  };
}
