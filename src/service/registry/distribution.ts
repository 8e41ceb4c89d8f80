/** Answers the requests of OCI clients to the registry, as the OCI Distribution Specification 1.1 defines them. */
import { attempt } from '../../caught.ts';
import { type Caller, headOf, type OpenScope, Refusal, type Reply, replyJson, replyWith } from '../handler.ts';
import { inactiveRefusal, isInactive } from '../tenancy/permissions.ts';
import { deleteBlob, deleteManifest } from './deletion.ts';
import { listReferrers, listRepositories, listTags } from './lists.ts';
import { delayDeletion } from './loose-blobs.ts';
import { putManifest } from './manifests.ts';
import { type Names, type RegistryPath, registryPathOf } from './names.ts';
import { failureReply, RegistryRefusal, ScopeRefusal, unauthorized } from './refusals.ts';
import { blobReply, manifestReply, type Repository } from './registry.ts';
import { tokenReply } from './token-endpoint.ts';
import type { Action } from './tokens.ts';
import { continueUpload, startUpload } from './uploads.ts';
import { isPublisher, repositoryFor, repositoryToMount, type Visitor, visitorOf } from './visitors.ts';

export interface DistributionRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

interface DistributionScope extends OpenScope {
  /** The caller of the request's API credentials, or the user in whose name the service itself publishes. */
  readonly caller: Caller | undefined;
  /** Called before a request reads tags or a manifest by tag. Throws Refusal if the content cannot be generated. */
  readonly refresh?: (repository: Repository, caller: Caller | undefined) => Promise<void>;
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

async function answer(request: DistributionRequest, scope: DistributionScope): Promise<Reply> {
  const { method, path, query, headers } = request;
  const at = registryPathOf(path);
  const visitor = visitorOf(headers, scope, scope.caller);
  if (at.names) {
    const reply = await inRepository(request, scope, visitor, at as RegistryPath & { readonly names: Names });
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
  scope: DistributionScope,
  visitor: Visitor,
  at: RegistryPath & { readonly names: Names },
): Promise<Reply> {
  const { method, path, query, headers, body } = request;
  const { kind, names, prefix, items } = at;
  const { store } = scope;
  const [item = '', upload] = items;
  const action = actionOf(request, at);
  const repository = repositoryFor(scope, visitor, action, names);
  if (isInactive(store, repository.workspaceId)) throw inactiveRefusal();
  if (action === 'pull') {
    // The content of a digest never changes, so only tags need a refresh.
    if (kind === 'tags' || (kind === 'manifests' && !item.includes(':')))
      await scope.refresh?.(repository, visitor.caller);
    return read(request, scope, repository, at);
  }
  if (kind === 'blobs' && item === 'uploads') {
    const root = `${prefix}/${names.map(encodeURIComponent).join('/')}`;
    const uploading = { store, now: scope.now(), repository, root, query, headers, body };
    if (upload) return continueUpload(method, uploading, upload);
    const mounted = query.get('mount');
    const from = mounted === null ? undefined : repositoryToMount(scope, visitor, mounted, query.get('from'));
    if (method === 'POST') return startUpload(uploading, from);
  }
  if (kind === 'manifests' && method === 'PUT')
    return withLocation(putManifest(scope, repository, item, { type: headers['content-type'], body }), path);
  if (kind === 'manifests' && method === 'DELETE') return deleteManifest(scope, repository, item);
  if (kind === 'blobs' && method === 'DELETE') return deleteBlob(scope, repository, item);
  throw unsupported(request);
}

function read(
  request: DistributionRequest,
  { store, now }: OpenScope,
  repository: Repository,
  { prefix, kind, names, items }: RegistryPath & { readonly names: Names },
): Reply {
  const { query, headers } = request;
  const [item = ''] = items;
  // api.md, getManifest: Accept is required, except under /v2. OCI clients always send it.
  if (request.method === 'GET' && kind === 'manifests' && prefix !== '/v2' && headers.accept === undefined)
    throw new Refusal(400, 'Accept is required');
  if (kind === 'manifests') return manifestReply(store, repository, item);
  if (kind === 'blobs') {
    delayDeletion(store, repository, item, now());
    return blobReply(store, repository, item, request.method === 'GET' ? headers.range : undefined);
  }
  if (kind === 'referrers') return listReferrers(query, store, repository, item);
  if (item === 'list') return listTags(request, store, repository, names);
  throw unsupported(request);
}

async function withLocation(reply: Promise<Reply>, location: string): Promise<Reply> {
  const made = await reply;
  return { ...made, headers: { ...made.headers, location } };
}

/** Old clients recognize a registry by this header. */
const VERSION = { 'docker-distribution-api-version': 'registry/2.0' };

/** Handles requests under `/v1/oci/v2/` and `/v2/`. Error responses have the body that the specification defines. */
export async function distribution(request: DistributionRequest, scope: DistributionScope): Promise<Reply> {
  const sent = (reply: Reply) => (request.method === 'HEAD' ? headOf(reply) : reply);
  try {
    const reply = await answer(request, scope);
    return sent({ ...reply, headers: { ...VERSION, ...reply.headers } });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { headers, body } = failureReply(error);
    const challenge = error.status === 401 && { 'www-authenticate': challengeOf(request, scope, error) };
    return sent(replyWith(error.status, { ...VERSION, ...headers, ...challenge }, body));
  }
}

/** Returns the challenge of a 401 response: the URL for a token and the scope to request (RFC 6750 §3). */
function challengeOf(request: DistributionRequest, { base }: OpenScope, error: Refusal): string {
  const scope = scopeOf(request);
  return [
    `Bearer realm="${base}/v2/token"`,
    'service="dtp"',
    ...(scope === undefined ? [] : [`scope="${scope}"`]),
    ...(error instanceof ScopeRefusal ? ['error="insufficient_scope"'] : []),
  ].join(',');
}

/** Returns the scope that a request needs. A client that pushes or deletes must also be allowed to pull. */
function scopeOf(request: DistributionRequest): string | undefined {
  const at = pathOf(request.path);
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

const pathOf = (path: string): RegistryPath | undefined => attempt(() => registryPathOf(path), undefined);
