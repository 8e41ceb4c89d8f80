/** The registry for ordinary OCI clients, as the OCI Distribution Specification defines it. */
import type { Caller, OpenScope, Reply } from '../handler.ts';
import { Refusal, replyJson, replyWith } from '../handler.ts';
import { callerOf } from '../tenancy/credentials.ts';
import { putManifest } from './manifests.ts';
import { isPreflight, preflightCaller } from './preflight.ts';
import {
  blobReply,
  failureReply,
  findNamespace,
  findRepository,
  manifestReply,
  RegistryRefusal,
  type Repository,
  readableRepository,
} from './registry.ts';
import { continueUpload, startUpload } from './uploads.ts';

export interface DistributionRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

type DistributionScope = OpenScope & { readonly caller: Caller | undefined };
type Names = readonly [organization: string, workspace: string, namespace: string];

const KINDS = ['blobs', 'manifests', 'tags', 'referrers'];
const PAGE_LIMIT = 10_000;
const NAMESPACE = /^[a-zA-Z0-9]+([._-]+[a-zA-Z0-9]+)*$/;

const unauthorized = (): RegistryRefusal =>
  new RegistryRefusal(401, 'UNAUTHORIZED', 'a credential or a preflight bearer token is required');

/** The token for clients without a credential. They take an empty token for an error. */
const ANONYMOUS = 'anonymous';

/** The bearer token, or the password of Basic. A client with a user name and a password may use either scheme. */
function secretOf(headers: DistributionRequest['headers']): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const [, scheme = '', value = ''] = /^(bearer|basic)\s+(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return value === ANONYMOUS ? undefined : value;
  return /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8'))?.[1] ?? '';
}

/** A preflight bearer is valid for its namespace only, even if the request has another credential too. */
function callerFor(
  { headers }: DistributionRequest,
  scope: DistributionScope,
  namespace?: string,
): Caller | undefined {
  const secret = secretOf(headers);
  if (secret === undefined || !isPreflight(secret)) {
    if (scope.caller || secret === undefined) return scope.caller;
    const caller = callerOf({ scheme: 'Bearer', value: secret }, scope);
    if (!caller) throw new RegistryRefusal(401, 'UNAUTHORIZED', 'the credential is invalid or has expired');
    return caller;
  }
  if (!preflightCaller(scope, secret)) throw unauthorized();
  const caller = preflightCaller(scope, secret, namespace);
  if (!caller)
    throw new RegistryRefusal(403, 'DENIED', `this bearer token is not for namespace ${namespace}`);
  return caller;
}

/** Every valid password is also a valid bearer, so the token is the secret of the request. */
function tokenReply(request: DistributionRequest, scope: DistributionScope): Reply {
  callerFor(request, scope);
  const token = secretOf(request.headers) ?? ANONYMOUS;
  // Some clients read one field, some the other.
  return replyJson(200, { token, access_token: token });
}

/** The caller's own repository, which need not exist yet. */
function writableRepository(scope: OpenScope, caller: Caller | undefined, names: Names): Repository {
  if (!caller) throw unauthorized();
  const repository = findRepository(scope.store, ...names);
  if (!repository)
    throw new RegistryRefusal(404, 'NAME_UNKNOWN', `workspace ${names[0]}/${names[1]} not found`);
  if (repository.workspaceId !== caller.workspaceId)
    throw new RegistryRefusal(403, 'DENIED', `${names[0]}/${names[1]} is not your workspace`);
  if (!NAMESPACE.test(names[2]))
    throw new RegistryRefusal(400, 'NAME_INVALID', `invalid namespace name ${names[2]}`);
  return repository;
}

function listTags(
  { query, path }: DistributionRequest,
  { store }: OpenScope,
  repository: Repository,
  names: Names,
) {
  if (!findNamespace(store, repository))
    throw new RegistryRefusal(404, 'NAME_UNKNOWN', `namespace ${names[2]} not found`);
  const last = query.get('last') ?? '';
  const limit = pageSize(query.get('n'));
  // The specification's order ignores case. `last` needs a total order, so the name itself comes second.
  const found = store
    .all(
      `SELECT name FROM tags WHERE workspace_id = ? AND namespace = ? AND (lower(name), name) > (lower(?), ?)
       ORDER BY lower(name), name LIMIT ?`,
      repository.workspaceId,
      repository.namespace,
      last,
      last,
      limit === undefined ? -1 : limit + 1,
    )
    .map((row) => String(row.name));
  const tags = found.slice(0, limit);
  const reply = replyJson(200, { name: names.join('/'), tags });
  if (tags.length === found.length || tags.length === 0) return reply;
  const next = new URLSearchParams({ n: String(limit), last: tags.at(-1) ?? '' });
  return { ...reply, headers: { ...reply.headers, link: `<${path}?${next}>; rel="next"` } };
}

/** Undefined if the request has no page size. Then all tags are on one page. */
function pageSize(n: string | null): number | undefined {
  if (n === null) return undefined;
  if (!/^\d+$/.test(n))
    throw new RegistryRefusal(400, 'PAGINATION_NUMBER_INVALID', `n must be a whole number, not ${n}`);
  return Math.min(Number(n), PAGE_LIMIT);
}

function answer(request: DistributionRequest, scope: DistributionScope): Reply | Promise<Reply> {
  const { method, path, query, headers, body } = request;
  const [, prefix = '', rest = ''] = /^(\/v1\/oci\/v2|\/v2)(?:\/(.*))?$/.exec(path) ?? [];
  if (rest === 'token' && method === 'GET') return tokenReply(request, scope);
  if (rest === '') {
    if (!callerFor(request, scope)) throw unauthorized();
    return replyJson(200, {});
  }
  const segments = rest.split('/').map(decode);
  const [organization = '', workspace = '', namespace = '', kind = '', item = '', upload] = segments;
  const names: Names = [organization, workspace, namespace];
  const caller = callerFor(request, scope, namespace);
  const isRead = method === 'GET' || method === 'HEAD';
  const isHead = method === 'HEAD';

  if (kind === 'blobs' && item === 'uploads') {
    const repository = writableRepository(scope, caller, names);
    const root = `${prefix}/${names.map(encodeURIComponent).join('/')}`;
    const uploading = { store: scope.store, now: scope.now(), repository, root, query, headers, body };
    if (upload) return continueUpload(method, uploading, upload);
    if (method === 'POST') return startUpload(uploading);
  }
  if (kind === 'manifests' && method === 'PUT')
    return withLocation(
      putManifest(scope, writableRepository(scope, caller, names), item, {
        type: headers['content-type'],
        body,
      }),
      path,
    );
  if (isRead && ['blobs', 'manifests', 'tags'].includes(kind)) {
    const repository = readableRepository(scope, caller, names);
    if (kind === 'manifests') return manifestReply(scope.store, repository, item, isHead);
    if (kind === 'blobs') return blobReply(scope.store, repository, item, isHead);
    if (item === 'list') return listTags(request, scope, repository, names);
  }
  if (!caller) throw unauthorized();
  if (!KINDS.includes(kind) && segments.some((segment) => KINDS.includes(segment)))
    throw new RegistryRefusal(
      404,
      'NAME_UNKNOWN',
      'the name of a repository must be organization/workspace/namespace',
    );
  throw new RegistryRefusal(isRead ? 404 : 405, 'UNSUPPORTED', `${method} ${path} is not supported`);
}

async function withLocation(reply: Promise<Reply>, location: string): Promise<Reply> {
  const made = await reply;
  return { ...made, headers: { ...made.headers, location } };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new RegistryRefusal(400, 'NAME_INVALID', `invalid percent-encoding in the path: ${segment}`);
  }
}

/** Old clients recognize a registry by this header. */
const VERSION = { 'docker-distribution-api-version': 'registry/2.0' };

/** Handles requests under `/v1/oci/v2/` and `/v2/`. Failures have the specification's error body. */
export async function distribution(request: DistributionRequest, scope: DistributionScope): Promise<Reply> {
  try {
    const reply = await answer(request, scope);
    return { ...reply, headers: { ...VERSION, ...reply.headers } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { headers, body } = failureReply(error);
    const challenge = `Bearer realm="${scope.base}/v2/token",service="dtp"`;
    return replyWith(
      error.status,
      { ...VERSION, ...headers, ...(error.status === 401 && { 'www-authenticate': challenge }) },
      request.method === 'HEAD' ? '' : body,
    );
  }
}
