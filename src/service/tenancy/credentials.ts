/** Finds the caller of a request from its credential, and signs access tokens. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Row, Store } from '../data/store.ts';
import type { Caller, OpenScope } from '../handler.ts';
import { isRecord, type JsonObject } from '../http/fields.ts';

export interface Credential {
  readonly scheme: 'APIKey' | 'Bearer' | 'WorkspaceIdentifier';
  readonly value: string;
}

/** The header of each scheme. If a request has several of these headers, the first in this list counts. */
const carriers: readonly (readonly [Credential['scheme'], string])[] = [
  ['APIKey', 'x-api-key'],
  ['Bearer', 'authorization'],
  ['WorkspaceIdentifier', 'x-workspace-identifier'],
];

export function credentialOf(headers: Readonly<Record<string, string>>): Credential | undefined {
  for (const [scheme, header] of carriers) {
    const value = headers[header];
    if (value === undefined) continue;
    return { scheme, value: scheme === 'Bearer' ? (/^bearer\s+(\S+)$/i.exec(value)?.[1] ?? '') : value };
  }
  return undefined;
}

/** Returns the caller that owns a credential. Undefined if the credential is invalid or has expired. */
export function callerOf({ scheme, value }: Credential, scope: OpenScope): Caller | undefined {
  if (scheme === 'APIKey') return byKey(value, scope);
  // Some clients send the key of a workspace token as a bearer token.
  if (scheme === 'Bearer') return byAccessToken(value, scope) ?? byKey(value, scope);
  // The id of a workspace is not secret, so it does not identify a caller.
  return undefined;
}

function byKey(key: string, { store, now }: OpenScope): Caller | undefined {
  const row = store.get(
    `SELECT workspace_tokens.id AS token_id, last_used, workspaces.id AS workspace_id, organization_id,
       created_by AS user_id
     FROM workspace_tokens JOIN workspaces ON workspaces.id = workspace_id WHERE key = ?`,
    key,
  );
  if (!row) return undefined;
  const time = now();
  const age = time.getTime() - (row.last_used === null ? 0 : Date.parse(String(row.last_used)));
  // Update the time at most once a minute. With a write for each request, every request would wait for the disk.
  if (age >= 60_000)
    store.run(
      'UPDATE workspace_tokens SET last_used = ? WHERE id = ?',
      time.toISOString(),
      String(row.token_id),
    );
  return asCaller(row);
}

function memberOf(id: string, userId: string, store: Store): Caller | undefined {
  const row = store.get(
    `SELECT workspaces.id AS workspace_id, organization_id, user_id
     FROM workspaces JOIN members ON workspace_id = workspaces.id
     WHERE workspaces.id = ? AND user_id = ?`,
    id,
    userId,
  );
  return row && asCaller(row);
}

const asCaller = (row: Row): Caller => ({
  workspaceId: String(row.workspace_id),
  organizationId: String(row.organization_id),
  userId: String(row.user_id),
});

const LIFETIME_SECONDS = 3600;
const HEADER = base64url(JSON.stringify({ alg: 'HS256', typ: 'JWT' }));

/** Signs a JSON Web Token (RFC 7519) for a user in a workspace. */
export function accessToken(userId: string, workspaceId: string, { store, now }: OpenScope) {
  const issued = Math.floor(now().getTime() / 1000);
  const claims = {
    iss: 'dtp',
    sub: userId,
    workspace_id: workspaceId,
    iat: issued,
    exp: issued + LIFETIME_SECONDS,
  };
  const signed = `${HEADER}.${base64url(JSON.stringify(claims))}`;
  return { access_token: `${signed}.${signature(store, signed)}`, claims };
}

function byAccessToken(token: string, { store, now }: OpenScope): Caller | undefined {
  const end = token.lastIndexOf('.');
  const signed = token.slice(0, Math.max(end, 0));
  // The service signs only this header, so a token cannot choose another algorithm.
  if (!signed.startsWith(`${HEADER}.`)) return undefined;
  const expected = Buffer.from(signature(store, signed));
  const actual = Buffer.from(token.slice(end + 1));
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  const claims = claimsOf(signed.slice(HEADER.length + 1));
  if (Number(claims.exp) * 1000 <= now().getTime()) return undefined;
  return memberOf(String(claims.workspace_id), String(claims.sub), store);
}

function claimsOf(text: string): JsonObject {
  const claims: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  return isRecord(claims) ? claims : {};
}

function signature(store: Store, text: string): string {
  const secret = store.get("SELECT value FROM meta WHERE key = 'secret'")?.value;
  if (typeof secret !== 'string') throw new Error('the store has no secret');
  return createHmac('sha256', secret).update(text).digest('base64url');
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
