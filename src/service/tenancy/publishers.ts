/** Finds the owner of a publishing token, which authorizes publishing to its target's namespace and nothing else. */
import { findTarget } from '../codehost/targets.ts';
import type { DatabaseRow } from '../data/columns.ts';
import type { Store } from '../data/store.ts';
import type { Caller, StoreScope } from '../handler.ts';
import type { JsonObject } from '../http/fields.ts';
import { isMember, mayUse } from './members.ts';
import { recordOf } from './tenants.ts';

const BY_SECRET = "SELECT * FROM publishing_tokens WHERE json_extract(record, '$.token') = ?";

function validToken(row: DatabaseRow | undefined, { now }: StoreScope): JsonObject | undefined {
  const token = row && recordOf(row);
  return token && Date.parse(String(token.valid_until)) > now().getTime() ? token : undefined;
}

/** Returns the owner of a publishing token. Undefined if the token is unknown or has expired. */
export function publisherOf(token: string, scope: StoreScope): Caller | undefined {
  if (!token.startsWith('dtp_publish_')) return undefined;
  const found = validToken(scope.store.get(BY_SECRET, token), scope);
  return (
    found && {
      workspaceId: String(found.workspace_id),
      organizationId: String(found.organization_id),
      userId: String(found.created_by),
      publishingTokenId: String(found.id),
    }
  );
}

const VALID_KEY = `SELECT 1 AS one FROM workspace_tokens JOIN workspaces ON workspaces.id = workspace_tokens.workspace_id
  WHERE workspace_tokens.id = ? AND ${mayUse('workspace_tokens.created_by')}`;

/**
 * Whether the caller of an earlier request may still use the workspace: the user has access, there and in the workspace
 * of the key, and the key exists. A publishing token belongs to the workspace, so its maker may have left.
 */
export function isStillAllowed(caller: Caller, scope: StoreScope): boolean {
  const { workspaceId, userId, tokenId, publishingTokenId } = caller;
  if (publishingTokenId !== undefined)
    return validToken(scope.store.find('publishing_tokens', { id: publishingTokenId }), scope) !== undefined;
  const hasKey = tokenId === undefined || scope.store.get(VALID_KEY, tokenId) !== undefined;
  return hasKey && isMember(scope.store, workspaceId, userId);
}

/**
 * Returns the only namespace that a caller with a publishing token may use: the one that the token names as its target,
 * or that its target was last generated from. Undefined if the caller has another credential or the target is unknown.
 */
export function publishedNamespace({ workspaceId, publishingTokenId: id }: Caller, store: Store): string | undefined {
  const row = id === undefined ? undefined : store.find('publishing_tokens', { id });
  if (!row) return undefined;
  const target = String(recordOf(row).target_id);
  const sql = 'SELECT name FROM namespaces WHERE workspace_id = ?1 AND ?2 IN (id, name)';
  const named: DatabaseRow | undefined = store.get(sql, workspaceId, target);
  const name = named?.name ?? findTarget(store, workspaceId, target)?.source_namespace_name;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

const COUNT = `SELECT count(*) AS number FROM publishing_tokens
  WHERE workspace_id = ? AND json_extract(record, '$.created_by') = ?`;

export const publishingTokensBy = (store: Store, workspaceId: string, userId: string): number =>
  Number(store.get(COUNT, workspaceId, userId)?.number);
