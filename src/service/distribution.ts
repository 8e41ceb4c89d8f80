/** The registry as ordinary OCI clients know it: the OCI Distribution Specification's part of the service. */
import type { Caller, OpenScope, Reply } from './handler.ts';
import { Refusal, replyJson, replyWith } from './handler.ts';
import { putManifest } from './manifests.ts';
import { isPreflight, preflightCaller } from './preflight.ts';
import {
  blobReply,
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

const NAMESPACE = /^[a-zA-Z0-9]+([._-]+[a-zA-Z0-9]+)*$/;

const unauthorized = (): RegistryRefusal =>
  new RegistryRefusal(401, 'UNAUTHORIZED', 'a credential is required, or the bearer that preflight gives');

const bearerOf = (headers: DistributionRequest['headers']): string =>
  /^bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';

/** A preflight bearer counts for its own namespace, whatever else came with it. */
function callerFor(
  { headers }: DistributionRequest,
  scope: DistributionScope,
  namespace?: string,
): Caller | undefined {
  const bearer = bearerOf(headers);
  if (!isPreflight(bearer)) return scope.caller;
  if (!preflightCaller(scope, bearer)) throw unauthorized();
  const caller = preflightCaller(scope, bearer, namespace);
  if (!caller)
    throw new RegistryRefusal(403, 'DENIED', `this bearer is for another namespace than ${namespace}`);
  return caller;
}

/** The caller's own repository, there already or not. */
function writableRepository(scope: OpenScope, caller: Caller | undefined, names: Names): Repository {
  if (!caller) throw unauthorized();
  const repository = findRepository(scope.store, ...names);
  if (!repository)
    throw new RegistryRefusal(404, 'NAME_UNKNOWN', `there is no workspace ${names[0]}/${names[1]}`);
  if (repository.workspaceId !== caller.workspaceId)
    throw new RegistryRefusal(403, 'DENIED', `${names[0]}/${names[1]} is another workspace`);
  if (!NAMESPACE.test(names[2])) throw new RegistryRefusal(400, 'NAME_INVALID', `${names[2]} is no name`);
  return repository;
}

function listTags(
  { query, path }: DistributionRequest,
  { store }: OpenScope,
  repository: Repository,
  names: Names,
) {
  if (!findNamespace(store, repository))
    throw new RegistryRefusal(404, 'NAME_UNKNOWN', `there is no namespace ${names[2]}`);
  const limit = Number(query.get('n') ?? -1);
  const found = store
    .all(
      'SELECT name FROM tags WHERE workspace_id = ? AND namespace = ? AND name > ? ORDER BY name LIMIT ?',
      repository.workspaceId,
      repository.namespace,
      query.get('last') ?? '',
      Number.isInteger(limit) && limit >= 0 ? limit + 1 : -1,
    )
    .map((row) => String(row.name));
  const isCut = limit >= 0 && found.length > limit;
  const tags = isCut ? found.slice(0, limit) : found;
  const reply = replyJson(200, { name: names.join('/'), tags });
  if (!isCut || tags.length === 0) return reply;
  const next = new URLSearchParams({ n: String(limit), last: tags.at(-1) ?? '' });
  return { ...reply, headers: { ...reply.headers, link: `<${path}?${next}>; rel="next"` } };
}

function answer(request: DistributionRequest, scope: DistributionScope): Reply | Promise<Reply> {
  const { method, path, query, headers, body } = request;
  const [, prefix = '', rest = ''] = /^(\/v1\/oci\/v2|\/v2)(?:\/(.*))?$/.exec(path) ?? [];
  // What a client presents for a token comes back as the token: it is checked where it is used.
  if (rest === 'token' && method === 'GET') {
    const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    const [, token = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
    return replyJson(200, { token });
  }
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
    const uploading = { store: scope.store, repository, root, query, headers, body };
    if (upload) return continueUpload(method, uploading, upload);
    if (method === 'POST') return startUpload(uploading);
  }
  if (kind === 'manifests' && method === 'PUT')
    return withLocation(
      putManifest(scope, writableRepository(scope, caller, names), item, headers['content-type'], body),
      path,
    );
  if (isRead && ['blobs', 'manifests', 'tags'].includes(kind)) {
    const repository = readableRepository(scope, caller, names);
    if (kind === 'manifests') return manifestReply(scope.store, repository, item, isHead);
    if (kind === 'blobs') return blobReply(scope.store, repository, item, isHead);
    if (item === 'list') return listTags(request, scope, repository, names);
  }
  if (!caller) throw unauthorized();
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
    throw new RegistryRefusal(400, 'NAME_INVALID', `${segment} is not percent-encoded as it should be`);
  }
}

/** Answers what lies under `/v1/oci/v2/` or `/v2/`, failures with the specification's error body. */
export async function distribution(request: DistributionRequest, scope: DistributionScope): Promise<Reply> {
  try {
    return await answer(request, scope);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const code = error instanceof RegistryRefusal ? error.code : 'UNKNOWN';
    const body = JSON.stringify({ errors: [{ code, message: error.message, detail: {} }] });
    const challenge = `Bearer realm="${scope.base}/v2/token",service="dtp"`;
    return replyWith(
      error.status,
      {
        'content-type': 'application/json',
        ...(error.status === 401 && { 'www-authenticate': challenge }),
      },
      request.method === 'HEAD' ? '' : body,
    );
  }
}
