/** Answers the requests of OCI clients to the registry, as the OCI Distribution Specification 1.1 defines them. */
import { attempt } from '../../caught.ts';
import { dropUpload } from '../data/contents.ts';
import type { Store } from '../data/store.ts';
import {
  type Admit,
  type Caller,
  headOf,
  type OpenScope,
  Refusal,
  type Reply,
  replyJson,
  replyWith,
  type StoreScope,
} from '../handler.ts';
import { KnownRefusal } from '../refusal.ts';
import { inactiveRefusal } from '../tenancy/permissions.ts';
import { listReferrers, listRepositories, listTags } from './lists.ts';
import { delayDeletion, deleteLooseBlob, markLoose } from './loose-blobs.ts';
import { putManifest } from './manifests.ts';
import { type DistributionRequest, type Names, type RegistryPath, registryPathOf } from './names.ts';
import { failureReply, RegistryRefusal, unauthorized } from './refusals.ts';
import {
  blobReply,
  findBlob,
  findRepository,
  findRevision,
  manifestIn,
  manifestPartsOf,
  manifestReply,
  ofRepository,
  type Repository,
  requiredBlob,
} from './registry.ts';
import { type Access, type Action, sealClaims } from './tokens.ts';
import { continueUpload, startUpload } from './uploads.ts';
import { covers, isPublisher, repositoryFor, repositoryToMount, type Visitor, visitorOf } from './visitors.ts';

interface DistributionScope extends StoreScope {
  readonly base: string;
  readonly admit: Admit;
  /** The caller of the request's API credentials, or the user in whose name the service itself publishes. */
  readonly caller: Caller | undefined;
  /** Called before a request reads tags or a manifest by tag. Throws Refusal if the content cannot be generated. */
  readonly refresh?:
    | ((scope: OpenScope, repository: Repository, caller: Caller | undefined) => Promise<void>)
    | undefined;
}

const UNKNOWN_TARGET = {
  'dtp-simplified': 'the target of this publishing token is not known here, so it covers every namespace',
} as const;

const isRead = ({ method }: DistributionRequest): boolean => method === 'GET' || method === 'HEAD';

/** Returns the action that a request performs on its repository. */
function actionOf(request: DistributionRequest, { kind, items }: RegistryPath): Action {
  if (isRead(request) && items[0] !== 'uploads') return 'pull';
  return request.method === 'DELETE' && (kind !== 'blobs' || items[0] !== 'uploads') ? 'delete' : 'push';
}

/** Like `distribution`, but throws the Refusal. */
export async function answerRegistry(request: DistributionRequest, incoming: DistributionScope): Promise<Reply> {
  const { method, path, query, headers } = request;
  const at = registryPathOf(path);
  const visitor = visitorOf(headers, incoming, incoming.caller);
  const scope = incoming.admit(visitor.caller);
  await scope.share.turn();
  if (at.names) {
    const inside = at as RegistryPath & { readonly names: Names };
    const reply = await inRepository(request, { ...scope, refresh: incoming.refresh }, visitor, inside);
    const isUnlimited = isPublisher(visitor) && visitor.only === undefined;
    return isUnlimited ? { ...reply, headers: { ...UNKNOWN_TARGET, ...reply.headers } } : reply;
  }
  if (at.kind === 'token' && method === 'GET') return tokenReply(query, scope, visitor);
  if (at.kind === '_catalog' && isRead(request)) return listRepositories(request, scope, visitor);
  if (!visitor.caller) throw unauthorized();
  if (at.kind === '') return replyJson(200, {});
  throw unsupported(request);
}

const unsupported = (request: DistributionRequest): RegistryRefusal =>
  new RegistryRefusal(isRead(request) ? 404 : 405, 'UNSUPPORTED', `${request.method} ${request.path} is not supported`);

async function inRepository(
  request: DistributionRequest,
  scope: OpenScope & Pick<DistributionScope, 'refresh'>,
  visitor: Visitor,
  at: RegistryPath & { readonly names: Names },
): Promise<Reply> {
  const { method, path, query, headers, body } = request;
  const { kind, names, prefix, items } = at;
  const { store, share } = scope;
  const [item = '', upload] = items;
  const action = actionOf(request, at);
  const repository = repositoryFor(scope, visitor, action, names);
  if (repository.isInactive) throw inactiveRefusal();
  if (action === 'pull') {
    // The content of a digest never changes, so only tags need a refresh.
    if (kind === 'tags' || (kind === 'manifests' && !item.includes(':')))
      await scope.refresh?.(scope, repository, visitor.caller);
    return read(request, scope, repository, at);
  }
  if (kind === 'blobs' && item === 'uploads') {
    const root = `${prefix}/${names.map(encodeURIComponent).join('/')}`;
    const uploading = { store, share, now: scope.now(), repository, root, query, headers, body };
    if (upload) return continueUpload(method, uploading, upload);
    const mounted = query.get('mount');
    const from = mounted === null ? undefined : repositoryToMount(scope, visitor, mounted, query.get('from'));
    if (method === 'POST') return startUpload(uploading, from);
  }
  if (kind === 'manifests' && method === 'PUT') {
    const made = await putManifest(scope, repository, item, { type: headers['content-type'], body });
    return { ...made, headers: { ...made.headers, location: path } };
  }
  if (kind === 'manifests' && method === 'DELETE') return deleteManifest(scope, repository, item);
  if (kind === 'blobs' && method === 'DELETE') return deleteBlob(scope, repository, item);
  throw unsupported(request);
}

function read(
  request: DistributionRequest,
  scope: OpenScope,
  repository: Repository,
  { prefix, kind, names, items }: RegistryPath & { readonly names: Names },
): Reply {
  const { query, headers } = request;
  const { store, now } = scope;
  const [item = ''] = items;
  // api.md, getManifest: Accept is required, except under /v2. OCI clients always send it.
  if (request.method === 'GET' && kind === 'manifests' && prefix !== '/v2' && headers.accept === undefined)
    throw new Refusal(400, 'Accept is required');
  if (kind === 'manifests') return manifestReply(store, repository, item);
  if (kind === 'blobs') {
    delayDeletion(store, repository, item, now());
    return blobReply(store, repository, item, request.method === 'GET' ? headers.range : undefined);
  }
  if (kind === 'referrers') return listReferrers(query, scope, repository, item);
  if (item === 'list') return listTags(request, store, repository, names);
  throw unsupported(request);
}

/** Old clients recognize a registry by this header. */
const VERSION = { 'docker-distribution-api-version': 'registry/2.0' };

/** Handles requests under `/v1/oci/v2/` and `/v2/`. Error responses have the body that the specification defines. */
export async function distribution(request: DistributionRequest, scope: DistributionScope): Promise<Reply> {
  const sent = (reply: Reply) => (request.method === 'HEAD' ? headOf(reply) : reply);
  try {
    const reply = await answerRegistry(request, scope);
    return sent({ ...reply, headers: { ...VERSION, ...reply.headers } });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { headers, body } = failureReply(error);
    const challenge = error.status === 401 && { 'www-authenticate': challengeOf(request, scope, error) };
    return sent(replyWith(error.status, { ...VERSION, ...headers, ...challenge }, body));
  }
}

/** Returns the challenge of a 401 response: the URL for a token and the scope to request (RFC 6750 §3). */
function challengeOf(request: DistributionRequest, { base }: DistributionScope, error: Refusal): string {
  const scope = scopeOf(request);
  return [
    `Bearer realm="${base}/v2/token"`,
    'service="dtp"',
    ...(scope === undefined ? [] : [`scope="${scope}"`]),
    // A wrong credential has another Refusal. This is for a valid token.
    ...(error instanceof RegistryRefusal && request.headers.authorization ? ['error="insufficient_scope"'] : []),
    ...(error instanceof KnownRefusal ? ['error="invalid_token"'] : []),
  ].join(',');
}

/** Returns the scope that a request needs. A client that pushes or deletes must also be allowed to pull. */
function scopeOf(request: DistributionRequest): string | undefined {
  const at = attempt(() => registryPathOf(request.path), undefined);
  if (at?.kind === '_catalog') return 'registry:catalog:*';
  if (!at?.names) return undefined;
  const action = actionOf(request, at);
  const from = request.query.get('from');
  const scopes = [
    `repository:${at.names.join('/')}:${action === 'pull' ? 'pull' : `pull,${action}`}`,
    ...(action === 'push' && from !== null ? [`repository:${from}:pull`] : []),
  ];
  // Leave out a name with other characters, because it could end the quoted string in the header.
  return scopes.filter((each) => /^[\w.,:/-]+$/.test(each)).join(' ') || undefined;
}

const LIFETIME_SECONDS = 300;
const ACTIONS: readonly Action[] = ['pull', 'push', 'delete'];
const CATALOG = 'registry:catalog:*';

/** Answers `GET /v2/token?service=…&scope=repository:NAME:pull,push` with a token for what the credential covers. */
function tokenReply(query: URLSearchParams, scope: OpenScope, visitor: Visitor): Reply {
  const asked = query.getAll('scope').flatMap((each) => each.split(' '));
  const issued = scope.now();
  const { caller, claims } = visitor;
  // A token that is made with another one ends with it, so no token renews itself.
  const ends = claims?.expires ?? caller?.expires ?? Number.POSITIVE_INFINITY;
  const expires = Math.min(issued.getTime() + LIFETIME_SECONDS * 1000, ends);
  const token = sealClaims(scope, {
    ...(caller && { caller }),
    access: asked.flatMap((each) => accessIn(each, scope, visitor)),
    catalog: caller !== undefined && !claims && asked.includes(CATALOG),
    expires,
    isFor: 'scope',
  });
  // Some clients read `token`, others read `access_token`.
  const both = { token, access_token: token };
  const expires_in = Math.floor((expires - issued.getTime()) / 1000);
  return replyJson(200, { ...both, expires_in, issued_at: issued.toISOString() });
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
    if (action === 'pull' && repository.isPublic) return true;
    return isOwn && covers(visitor, action, repository);
  });
  return actions.length === 0 ? [] : [{ workspaceId: repository.workspaceId, namespace, actions }];
}

/** Deletes a tag but not its manifest or, if `reference` is a digest, a manifest with all of its tags. */
function deleteManifest(scope: OpenScope, repository: Repository, reference: string): Reply {
  const { store } = scope;
  store.transaction(() => {
    if (!reference.includes(':')) return deleteTag(store, repository, reference);
    const revision = findRevision(store, repository, reference);
    if (!revision) throw new RegistryRefusal(404, 'MANIFEST_UNKNOWN', `manifest ${reference} not found`);
    const own = ofRepository(repository);
    for (const table of ['revisions', 'tags', 'referrers']) store.delete(table, { ...own, digest: reference });
    // The next read of a remote source merges its output again.
    store.delete('remote_outputs', own);
    for (const digest of manifestPartsOf(manifestIn(revision)).blobs)
      if (findBlob(store, repository, digest)) markLoose(store, repository, digest, scope.now());
  });
  return replyWith(202, {});
}

function deleteTag(store: Store, repository: Repository, name: string): void {
  if (store.delete('tags', { ...ofRepository(repository), name }) === 0)
    throw new RegistryRefusal(404, 'MANIFEST_UNKNOWN', `tag ${name} not found`);
}

/** Deletes a blob. Throws RegistryRefusal if a manifest refers to it, because the manifest needs the blob. */
async function deleteBlob(scope: OpenScope, repository: Repository, digest: string): Promise<Reply> {
  const { store, share, now } = scope;
  const { content_id } = requiredBlob(store, repository, digest);
  markLoose(store, repository, digest, now());
  if (!(await deleteLooseBlob(scope, repository, digest))) {
    // Another request may have deleted it meanwhile.
    requiredBlob(store, repository, digest);
    const text = `a manifest refers to the blob ${digest}: delete the manifest first`;
    throw new RegistryRefusal(405, 'UNSUPPORTED', text, { allow: 'GET, HEAD' });
  }
  do await share.turn();
  while (dropUpload(store, String(content_id)));
  return replyWith(202, {});
}
