/** Identifies who sends a request to the distribution endpoint, and checks what its credential covers. */
import type { Caller, OpenScope, StoreScope } from '../handler.ts';
import { callerOf, credentialsOf, invalid } from '../tenancy/credentials.ts';
import { publishedNamespace, publisherOf } from '../tenancy/publishers.ts';
import { faultOfName, type Names } from './names.ts';
import { RegistryRefusal, ScopeRefusal, unauthorized } from './refusals.ts';
import {
  checkNotArchived,
  type FoundRepository,
  findRepository,
  isArchived,
  type Repository,
  readableRepository,
} from './registry.ts';
import { type Action, claimsOf } from './tokens.ts';

export type Visitor = ReturnType<typeof visitorOf>;

/** Whether the credential is a publishing token, or comes from one. It does not allow the client to delete anything. */
export const isPublisher = ({ caller }: Visitor): boolean => caller?.publishingTokenId !== undefined;

type Headers = Readonly<Record<string, string>>;

/** Returns the bearer token or the Basic password. A client with a user name and a password may use either scheme. */
function secretOf({ authorization }: Headers): string | undefined {
  if (authorization === undefined) return undefined;
  const [, scheme = '', value = ''] = /^(bearer|basic)\s+(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return value;
  return /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8'))?.[1] ?? '';
}

/** Identifies the visitor. A registry token also limits a `known` caller. Throws Refusal if all are invalid. */
export function visitorOf(headers: Headers, scope: StoreScope, known?: Caller) {
  const secret = secretOf(headers);
  /** The claims of a registry token, which covers less than the caller may do. Undefined for other credentials. */
  const claims = secret === undefined ? undefined : claimsOf(scope, secret);
  /** Undefined for a request without a credential. */
  const caller = claims ? claims.caller : callerWith(secret, scope, known);
  const sent = credentialsOf(headers).map((one) => (one.scheme === 'Bearer' ? { ...one, value: secret ?? '' } : one));
  if (!claims && !caller && sent.length > 0) throw invalid('the credential is invalid or has expired', sent, scope);
  /** The only namespace that the credential covers, which is a publishing token. Undefined if it is not limited. */
  const only = caller && publishedNamespace(caller, scope.store);
  return { caller, claims, only };
}

/** Returns the caller with a key or a publishing token, or else the caller who only knows the id of the workspace. */
function callerWith(secret: string | undefined, scope: StoreScope, known?: Caller): Caller | undefined {
  if (secret === undefined || (known && !known.isAnonymous)) return known;
  const password = callerOf([{ scheme: 'Bearer', header: 'authorization', value: secret }], scope);
  if (password && !password.isAnonymous) return password;
  return publisherOf(secret, scope) ?? known ?? password;
}

/** Whether the credential covers an action. The caller may still lack the permission for it. */
export function covers(visitor: Visitor, action: Action, repository: Repository): boolean {
  if (isPublisher(visitor) && action === 'delete') return false;
  if (visitor.only !== undefined && repository.namespace !== visitor.only) return false;
  return (
    visitor.claims?.access.some(
      ({ workspaceId, namespace, actions }) =>
        workspaceId === repository.workspaceId && namespace === repository.namespace && actions.includes(action),
    ) ?? true
  );
}

/** Returns the repository of a request, which may not exist yet. Throws RegistryRefusal for a forbidden action. */
export function repositoryFor(scope: OpenScope, visitor: Visitor, action: Action, names: Names): FoundRepository {
  const repository =
    action === 'pull' ? readableRepository(scope, visitor.caller, names) : ownRepository(scope, visitor.caller, names);
  // Everyone may pull from a public namespace, even with a token that does not cover it.
  if (action === 'pull' && repository.isPublic) return repository;
  if (covers(visitor, action, repository)) return repository;
  const name = names.join('/');
  if (visitor.claims?.isFor === 'scope') throw new ScopeRefusal(`this token does not allow ${action} of ${name}`);
  const what = isPublisher(visitor) ? 'a publishing token' : 'this bearer token';
  throw new RegistryRefusal(403, 'DENIED', `${what} does not allow ${action} of ${name}`);
}

/**
 * Returns a repository that the visitor may mount a blob from. Undefined if the client must push the blob. Without
 * `from`, searches all repositories of the workspace. Throws ScopeRefusal if the client needs a token that covers
 * `from`.
 */
export function repositoryToMount(scope: OpenScope, visitor: Visitor, digest: string, from: string | null) {
  const { store } = scope;
  if (from === null)
    return store
      .list('blobs', { workspace_id: String(visitor.caller?.workspaceId), digest }, 'namespace')
      .map((row) => ({ workspaceId: String(row.workspace_id), namespace: String(row.namespace) }))
      .find((each) => covers(visitor, 'pull', each) && !isArchived(store, each));
  const [organization = '', workspace = '', namespace = '', ...rest] = from.split('/');
  if (rest.length > 0) return undefined;
  try {
    return repositoryFor(scope, visitor, 'pull', [organization, workspace, namespace]);
  } catch (error) {
    if (error instanceof RegistryRefusal && !(error instanceof ScopeRefusal)) return undefined;
    throw error;
  }
}

/** Returns a repository of the caller's workspace. Throws RegistryRefusal if the caller may not write to it. */
function ownRepository({ store }: OpenScope, caller: Caller | undefined, names: Names): FoundRepository {
  if (!caller) throw unauthorized();
  const repository = findRepository(store, ...names);
  if (!repository) throw new RegistryRefusal(404, 'NAME_UNKNOWN', `workspace ${names[0]}/${names[1]} not found`);
  if (repository.workspaceId !== caller.workspaceId)
    throw new RegistryRefusal(403, 'DENIED', `${names[0]}/${names[1]} is not your workspace`);
  checkNotArchived(repository);
  const fault = faultOfName(names);
  if (fault !== undefined) throw new RegistryRefusal(400, 'NAME_INVALID', fault);
  return repository;
}
