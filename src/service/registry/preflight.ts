/** The bearer token of the distribution endpoint: signed, short-lived, valid for one namespace. */
import type { Caller, OpenScope, Scope } from '../handler.ts';
import { isSignature, sign } from '../tenancy/signature.ts';

const LIFETIME_MS = 15 * 60 * 1000;
const PREFIX = 'dist_';

interface Claims extends Caller {
  readonly namespace: string;
  readonly expires: number;
}

export function preflightToken({ store, caller, now }: Scope, namespace: string): string {
  const claims: Claims = { ...caller, namespace, expires: now().getTime() + LIFETIME_MS };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${PREFIX}${payload}.${sign(store, 'preflight', payload)}`;
}

export const isPreflight = (bearer: string): boolean => bearer.startsWith(PREFIX);

/** The caller of a valid bearer. Undefined if the bearer is invalid, has expired or is for another namespace. */
export function preflightCaller(
  { store, now }: OpenScope,
  bearer: string,
  namespace?: string,
): Caller | undefined {
  if (!isPreflight(bearer)) return undefined;
  const [payload = '', signature = ''] = bearer.slice(PREFIX.length).split('.');
  if (!isSignature(store, 'preflight', payload, signature)) return undefined;
  const claims: Claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  if (claims.expires <= now().getTime()) return undefined;
  if (namespace !== undefined && claims.namespace !== namespace) return undefined;
  const { workspaceId, organizationId, userId } = claims;
  return { workspaceId, organizationId, userId };
}
