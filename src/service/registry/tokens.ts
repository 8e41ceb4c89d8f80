/**
 * Encrypts and reads the short-lived bearer tokens of the distribution endpoint, which cover certain repositories. They
 * are encrypted because they contain ids of workspaces, and everyone who knows an id may use its workspace.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { attempt } from '../../caught.ts';
import type { Store } from '../data/store.ts';
import type { Caller, OpenScope, Scope, StoreScope } from '../handler.ts';
import { isStillAllowed } from '../tenancy/publishers.ts';
import { sign } from '../tenancy/signature.ts';
import type { Repository } from './registry.ts';

export type Action = 'pull' | 'push' | 'delete';

export interface Access extends Repository {
  readonly actions: readonly Action[];
}

export interface Claims {
  /** Undefined for a client without a credential. */
  readonly caller?: Caller | undefined;
  readonly access: readonly Access[];
  /** Whether the token allows the client to list repositories. */
  readonly catalog?: boolean;
  /** In milliseconds since 1970. */
  readonly expires: number;
  /** Clients can exchange a `scope` token, which the token endpoint returns, for a token with another scope. */
  readonly isFor: 'preflight' | 'scope';
}

const PREFLIGHT_MS = 15 * 60 * 1000;
const PREFIX = 'dist_';

/** Returns a token to push to and pull from one namespace of the caller. */
export const preflightToken = (scope: Scope, namespace: string): string =>
  sealClaims(scope, {
    caller: scope.caller,
    access: [{ workspaceId: scope.caller.workspaceId, namespace, actions: ['pull', 'push'] }],
    expires: Math.min(scope.now().getTime() + PREFLIGHT_MS, scope.caller.expires ?? Number.POSITIVE_INFINITY),
    isFor: 'preflight',
  });

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (store: Store): Buffer => Buffer.from(sign(store, 'registry token', 'key'), 'hex');

export function sealClaims({ store }: OpenScope, claims: Claims): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(store), iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(claims)), cipher.final()]);
  return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** Decrypts a token. Undefined if this service has not made the token. */
function opened(store: Store, bearer: string): string | undefined {
  if (!bearer.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(bearer.slice(PREFIX.length), 'base64url');
  const [tag, text] = [IV_BYTES, IV_BYTES + TAG_BYTES];
  if (bytes.byteLength <= text) return undefined;
  const cipher = createDecipheriv(CIPHER, keyOf(store), bytes.subarray(0, tag));
  cipher.setAuthTag(bytes.subarray(tag, text));
  const open = () => Buffer.concat([cipher.update(bytes.subarray(text)), cipher.final()]).toString('utf8');
  return attempt(open, undefined);
}

/** Whether this service has made a token, which may have ended since. */
export const isOwnToken = (bearer: string, store: Store): boolean => opened(store, bearer) !== undefined;

/** Returns the claims. Undefined if the token is invalid or has expired, or if its caller has lost the workspace. */
export function claimsOf(scope: StoreScope, bearer: string): Claims | undefined {
  const text = opened(scope.store, bearer);
  if (text === undefined) return undefined;
  const claims: Claims = JSON.parse(text);
  const isValid = claims.expires > scope.now().getTime();
  return isValid && (!claims.caller || isStillAllowed(claims.caller, scope)) ? claims : undefined;
}
