/** Finds the owner of a publishing token, which authorizes publishing to its target's namespace and nothing else. */
import { findTarget } from '../codehost/targets.ts';
import type { DatabaseRow, Store } from '../data/store.ts';
import { type Caller, KnownRefusal, type OpenScope, Refusal } from '../handler.ts';
import type { JsonObject } from '../http/fields.ts';
import { callerOf, type SentCredential } from './credentials.ts';
import { isMember } from './members.ts';
import { recordOf } from './tenants.ts';

const BY_SECRET = "SELECT * FROM publishing_tokens WHERE json_extract(record, '$.token') = ?";

function validToken(row: DatabaseRow | undefined, { now }: OpenScope): JsonObject | undefined {
  const token = row && recordOf(row);
  return token && Date.parse(String(token.valid_until)) > now().getTime() ? token : undefined;
}

/** Returns the owner of a publishing token. Undefined if the token is unknown or has expired. */
export function publisherOf(token: string, scope: OpenScope): Caller | undefined {
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

/** Returns the refusal of credentials that are not valid. If all of them have only expired, none of them is a guess. */
export function invalid(message: string, credentials: readonly SentCredential[], scope: OpenScope): Refusal {
  const past = { ...scope, now: () => new Date(0) };
  const wasValid = (one: SentCredential) => callerOf([one], past) ?? publisherOf(one.value, past);
  return credentials.every(wasValid) ? new KnownRefusal(401, message) : new Refusal(401, message);
}

/**
 * Whether the caller of an earlier request may still use the workspace: the user has access and the key exists. A
 * publishing token belongs to the workspace, so its maker may have left.
 */
export function isStillAllowed(caller: Caller, scope: OpenScope): boolean {
  const { workspaceId, userId, tokenId, publishingTokenId } = caller;
  if (publishingTokenId !== undefined)
    return validToken(scope.store.find('publishing_tokens', { id: publishingTokenId }), scope) !== undefined;
  const hasKey = tokenId === undefined || scope.store.find('workspace_tokens', { id: tokenId }) !== undefined;
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
