/** Signs and verifies the short-lived bearer tokens of the distribution endpoint, which cover certain repositories. */
import type { Caller, OpenScope, Scope } from '../handler.ts';
import { isSignature, sign } from '../tenancy/signature.ts';
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
  signed(scope, {
    caller: scope.caller,
    access: [{ workspaceId: scope.caller.workspaceId, namespace, actions: ['pull', 'push'] }],
    expires: scope.now().getTime() + PREFLIGHT_MS,
    isFor: 'preflight',
  });

export function signed({ store }: OpenScope, claims: Claims): string {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${PREFIX}${payload}.${sign(store, 'registry token', payload)}`;
}

export const isRegistryToken = (bearer: string): boolean => bearer.startsWith(PREFIX);

/** Returns the claims of a token. Undefined if the token is invalid or has expired. */
export function claimsOf({ store, now }: OpenScope, bearer: string): Claims | undefined {
  if (!isRegistryToken(bearer)) return undefined;
  const [payload = '', signature = ''] = bearer.slice(PREFIX.length).split('.');
  if (!isSignature(store, 'registry token', payload, signature)) return undefined;
  const claims: Claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return claims.expires > now().getTime() ? claims : undefined;
}
