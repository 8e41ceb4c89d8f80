/** Lists the tags of a repository, the referrers of a manifest, and the repositories of the registry. */
import { bytesIn, type DatabaseRow } from '../data/columns.ts';
import type { Store } from '../data/store.ts';
import { type OpenScope, type Reply, replyJson, replyList } from '../handler.ts';
import type { DistributionRequest, Names } from './names.ts';
import { RegistryRefusal, ScopeRefusal, unauthorized } from './refusals.ts';
import { descriptionOf, findNamespace, findRevision, manifestIn, type Repository } from './registry.ts';
import type { Visitor } from './visitors.ts';

const PAGE_LIMIT = 10_000;
const INDEX_TYPE = 'application/vnd.oci.image.index.v1+json';

/** Returns the requested page size. Undefined if the request does not set it, and then there is only one page. */
function pageSize(n: string | null): number | undefined {
  if (n === null) return undefined;
  if (!/^\d+$/.test(n))
    throw new RegistryRefusal(400, 'PAGINATION_NUMBER_INVALID', `n must be a whole number, not ${n}`);
  return Math.min(Number(n), PAGE_LIMIT);
}

/** Returns one page of a list. `find` returns up to `limit` rows (-1: all) with a name after `last`, in order. */
function paged(
  { path, query }: DistributionRequest,
  find: (last: string, limit: number) => readonly DatabaseRow[],
  replyOf: (names: readonly string[]) => Reply,
): Reply {
  const limit = pageSize(query.get('n'));
  const found = find(query.get('last') ?? '', limit === undefined ? -1 : limit + 1);
  const names = found.slice(0, limit).map((row) => String(row.name));
  const reply = replyOf(names);
  if (names.length === found.length || names.length === 0) return reply;
  const next = new URLSearchParams({ n: String(limit), last: names.at(-1) ?? '' });
  return { ...reply, headers: { ...reply.headers, link: `<${path}?${next}>; rel="next"` } };
}

export function listTags(request: DistributionRequest, store: Store, repository: Repository, names: Names): Reply {
  if (!findNamespace(store, repository))
    throw new RegistryRefusal(404, 'NAME_UNKNOWN', `namespace ${names[2]} not found`);
  const { workspaceId, namespace } = repository;
  // The specification's order ignores case. `last` needs a total order, so the exact name decides then.
  const sql = `SELECT name FROM tags WHERE workspace_id = ? AND namespace = ? AND (lower(name), name) > (lower(?), ?)
    ORDER BY lower(name), name LIMIT ?`;
  return paged(
    request,
    (last, limit) => store.all(sql, workspaceId, namespace, last, last, limit),
    (tags) => replyJson(200, { name: names.join('/'), tags }),
  );
}

const REPOSITORIES = `SELECT organizations.slug || '/' || workspaces.slug || '/' || namespaces.name AS name
  FROM namespaces JOIN workspaces ON workspaces.id = namespaces.workspace_id
    JOIN organizations ON organizations.id = workspaces.organization_id
  WHERE archived_at IS NULL
    AND (public = 1 OR (namespaces.workspace_id = ?1 AND coalesce(?4, namespaces.name) = namespaces.name))
    AND organizations.slug || '/' || workspaces.slug || '/' || namespaces.name > ?2
  ORDER BY 1 LIMIT ?3`;

/** Lists the repositories that the visitor may pull from: those of its workspace and public ones, if not archived. */
export function listRepositories(request: DistributionRequest, { store }: OpenScope, visitor: Visitor): Reply {
  const { caller, claims, only } = visitor;
  if (!caller) throw unauthorized();
  if (claims && claims.catalog !== true) {
    if (claims.isFor === 'scope') throw new ScopeRefusal('this token cannot list repositories');
    throw new RegistryRefusal(403, 'DENIED', 'this bearer token cannot list repositories');
  }
  return paged(
    request,
    (last, limit) => store.all(REPOSITORIES, caller.workspaceId, last, limit, only ?? null),
    (repositories) => replyJson(200, { repositories }),
  );
}

const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

const REFERRERS = `FROM referrers JOIN revisions USING (workspace_id, namespace, digest)
  WHERE workspace_id = ? AND namespace = ? AND subject = ?`;
const DIGESTS = `SELECT revisions.digest AS digest ${REFERRERS} ORDER BY seq`;
const LARGEST = `SELECT max(length(manifest)) AS size ${REFERRERS}`;

/** Lists the manifests that name `digest` as their subject. The subject itself need not exist. */
export function listReferrers(
  query: URLSearchParams,
  { store, share }: OpenScope,
  repository: Repository,
  digest: string,
): Reply {
  if (!DIGEST.test(digest))
    throw new RegistryRefusal(400, 'DIGEST_INVALID', `${digest} is not a sha256 or sha512 digest`);
  const type = query.get('artifactType');
  const keys = [repository.workspaceId, repository.namespace, digest];
  // Piece by piece, because each manifest can have 4 MiB. While it is read, it is in memory as bytes, text and a value.
  share.hold(4 * Number(store.get(LARGEST, ...keys)?.size ?? 0));
  const pieces = function* () {
    for (const row of store.all(DIGESTS, ...keys)) {
      const found = findRevision(store, repository, String(row.digest));
      const { artifactType, ...about } = found ? descriptionOf(manifestIn(found)) : {};
      const size = found && bytesIn(found.manifest).byteLength;
      const descriptor = { mediaType: found?.media_type, digest: row.digest, size, artifactType, ...about };
      yield found && (type === null || artifactType === type) ? [JSON.stringify(descriptor)] : [];
    }
  };
  const around = [`{"schemaVersion":2,"mediaType":"${INDEX_TYPE}","manifests":[`, ']}'];
  const filtered = type === null ? {} : { 'oci-filters-applied': 'artifactType' };
  return { ...replyList(pieces(), share, around), headers: { 'content-type': INDEX_TYPE, ...filtered } };
}
