/** The bearer of the distribution endpoint: signed, short-lived, good for one namespace. */
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

/** Whom the bearer stands for; with a namespace given, only where it was made for that one. */
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
