/** Exchanges a credential for a token that covers only the requested scopes, as OCI clients expect. */
import { type OpenScope, type Reply, replyJson } from '../handler.ts';
import type { Names } from './names.ts';
import { findRepository, isPublic } from './registry.ts';
import { type Access, type Action, sealClaims } from './tokens.ts';
import { covers, type Visitor } from './visitors.ts';

const LIFETIME_SECONDS = 300;
const ACTIONS: readonly Action[] = ['pull', 'push', 'delete'];
const CATALOG = 'registry:catalog:*';

/**
 * Answers `GET /v2/token?service=…&scope=repository:NAME:pull,push`. The token leaves out everything that the
 * credential does not cover.
 */
export function tokenReply(query: URLSearchParams, scope: OpenScope, visitor: Visitor): Reply {
  const asked = query.getAll('scope').flatMap((each) => each.split(' '));
  const issued = scope.now();
  const { caller } = visitor;
  const token = sealClaims(scope, {
    ...(caller && { caller }),
    access: asked.flatMap((each) => accessIn(each, scope, visitor)),
    catalog: caller !== undefined && !visitor.claims && asked.includes(CATALOG),
    expires: issued.getTime() + LIFETIME_SECONDS * 1000,
    isFor: 'scope',
  });
  // Some clients read `token`, others read `access_token`.
  const both = { token, access_token: token };
  return replyJson(200, { ...both, expires_in: LIFETIME_SECONDS, issued_at: issued.toISOString() });
}

/** Returns the part of a scope, such as `repository:acme/pets/api:pull,push`, that the visitor may use. */
function accessIn(asked: string, { store }: OpenScope, visitor: Visitor): readonly Access[] {
  const [, name = '', list = ''] = /^repository(?:\([^)]*\))?:([^:]*):(.*)$/.exec(asked) ?? [];
  const [organization = '', workspace = '', namespace = ''] = name.split('/');
  const names: Names = [organization, workspace, namespace];
  const repository = names.join('/') === name ? findRepository(store, ...names) : undefined;
  if (!repository) return [];
  const isOwn = repository.workspaceId === visitor.caller?.workspaceId;
  const wanted = list.split(',');
  const actions = ACTIONS.filter((action) => {
    if (!wanted.includes(action) && !wanted.includes('*')) return false;
    if (action === 'pull' && isPublic(store, repository)) return true;
    return isOwn && covers(visitor, action, repository);
  });
  return actions.length === 0 ? [] : [{ ...repository, actions }];
}
