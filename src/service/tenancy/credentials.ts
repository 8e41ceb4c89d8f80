/** Finds the caller of a request from its credential, and signs access tokens. */
import type { Store } from '../data/store.ts';
import { type Caller, KnownRefusal, type OpenScope, Refusal, type StoreScope } from '../handler.ts';
import { fieldsOf } from '../http/fields.ts';
import { isOwnToken } from '../registry/tokens.ts';
import { creatorOf, mayUse } from './members.ts';
import { isStillAllowed, publisherOf } from './publishers.ts';
import { hmac, isSameSecret } from './signature.ts';

export interface SentCredential {
  readonly scheme: 'APIKey' | 'Bearer' | 'WorkspaceIdentifier';
  readonly header: string;
  readonly value: string;
}

const carriers: readonly (readonly [SentCredential['scheme'], string])[] = [
  ['APIKey', 'x-api-key'],
  ['Bearer', 'authorization'],
  ['WorkspaceIdentifier', 'x-workspace-identifier'],
];

export const credentialsOf = (headers: Readonly<Record<string, string>>): readonly SentCredential[] =>
  carriers.flatMap(([scheme, header]) => {
    const value = headers[header];
    if (value === undefined) return [];
    const [, bearer = ''] = /^bearer\s+(\S+)$/i.exec(value) ?? [];
    return [{ scheme, header, value: scheme === 'Bearer' ? bearer : value }];
  });

/** Returns the caller of a request, if any credential is valid. A key counts before a mere workspace id. */
export function callerOf(credentials: readonly SentCredential[], scope: StoreScope): Caller | undefined {
  const callers = credentials.flatMap((credential) => ownerOf(credential, scope) ?? []);
  return callers.find(({ isAnonymous }) => !isAnonymous) ?? callers[0];
}

/** Returns the refusal of credentials that are not valid. If all of them have only expired, none of them is a guess. */
export function invalid(message: string, credentials: readonly SentCredential[], scope: StoreScope): Refusal {
  const past = { ...scope, now: () => new Date(0) };
  const wasValid = (one: SentCredential) =>
    callerOf([one], past) ?? publisherOf(one.value, past) ?? isOwnToken(one.value, scope.store);
  return credentials.every(wasValid) ? new KnownRefusal(401, message) : new Refusal(401, message);
}

function ownerOf({ scheme, value }: SentCredential, scope: StoreScope): Caller | undefined {
  // Authorization with another scheme, such as Basic.
  if (value === '') return undefined;
  if (scheme === 'APIKey') return byKey(value, scope);
  // Some clients send the key of a workspace token as a bearer token.
  if (scheme === 'Bearer') return byAccessToken(value, scope) ?? byKey(value, scope);
  const creator = creatorOf(scope.store, value);
  return creator && anonymous(creator);
}

/** The caller without the rights that an id, which is not secret, must not give. */
const anonymous = (caller: Caller): Caller => ({
  ...caller,
  isAnonymous: true,
  reach: [caller.workspaceId, caller.organizationId],
});

const BY_KEY = `SELECT workspace_tokens.id AS token_id, last_used, workspaces.id AS workspace_id, organization_id, created_by,
    workspaces.record ->> 'inactive' AS is_inactive, (SELECT json_group_array(opens) FROM token_reach WHERE token_id = workspace_tokens.id) AS reach
  FROM workspace_tokens JOIN workspaces ON workspaces.id = workspace_tokens.workspace_id
  WHERE key = ? AND ${mayUse('workspace_tokens.created_by')}`;

function byKey(key: string, { store, now }: StoreScope): Caller | undefined {
  const row = store.get(BY_KEY, key);
  if (!row) return undefined;
  const time = now();
  const age = time.getTime() - (row.last_used === null ? 0 : Date.parse(String(row.last_used)));
  // Update the time at most once a minute. With a write for each request, every request would wait for the disk.
  if (age >= 60_000) store.update('workspace_tokens', { id: String(row.token_id) }, { last_used: time.toISOString() });
  const reach: readonly string[] = JSON.parse(String(row.reach));
  return {
    workspaceId: String(row.workspace_id),
    organizationId: String(row.organization_id),
    userId: String(row.created_by),
    tokenId: String(row.token_id),
    isInactive: row.is_inactive === 1,
    ...(reach.length > 0 && { reach }),
  };
}

const LIFETIME_SECONDS = 3600;

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

const HEADER = base64url(JSON.stringify({ alg: 'HS256', typ: 'JWT' }));

/** Signs a JSON Web Token (RFC 7519) for a user in a workspace. It ends with the credential of the user, if any. */
export function accessToken(workspaceId: string, { userId, tokenId, expires }: Caller, { store, now }: OpenScope) {
  const issued = Math.floor(now().getTime() / 1000);
  const claims = {
    ...{ iss: 'dtp', sub: userId, workspace_id: workspaceId, ...(tokenId !== undefined && { token_id: tokenId }) },
    ...{ iat: issued, exp: Math.min(issued + LIFETIME_SECONDS, (expires ?? Number.POSITIVE_INFINITY) / 1000) },
  };
  const signed = `${HEADER}.${base64url(JSON.stringify(claims))}`;
  return { access_token: `${signed}.${signature(store, signed)}`, claims };
}

function byAccessToken(token: string, scope: StoreScope): Caller | undefined {
  const end = token.lastIndexOf('.');
  const signed = token.slice(0, Math.max(end, 0));
  // The service signs only this header, so a token cannot choose another algorithm.
  if (!signed.startsWith(`${HEADER}.`)) return undefined;
  if (!isSameSecret(signature(scope.store, signed), token.slice(end + 1))) return undefined;
  const claims = fieldsOf(JSON.parse(Buffer.from(signed.slice(HEADER.length + 1), 'base64url').toString('utf8')));
  const expires = Number(claims.exp) * 1000;
  if (expires <= scope.now().getTime()) return undefined;
  const creator = creatorOf(scope.store, String(claims.workspace_id));
  const made = typeof claims.token_id === 'string' && { tokenId: claims.token_id };
  const caller = creator && anonymous({ ...creator, userId: String(claims.sub), ...made, expires });
  return caller && isStillAllowed(caller, scope) ? caller : undefined;
}

const signature = (store: Store, text: string): string => hmac(store, text).digest('base64url');
