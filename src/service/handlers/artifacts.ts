/** Handles the operations of the Artifacts area. */
import { randomUUID } from 'node:crypto';
import type * as area from '../../operations/artifacts.ts';
import type { DatabaseRow } from '../data/columns.ts';
import { checkRoom } from '../data/room.ts';
import type { Store } from '../data/store.ts';
import { type DistributionOperation, type Handlers, type IdsOf, Refusal, type Scope } from '../handler.ts';
import { jsonObject, requiredString, requiredStrings } from '../http/fields.ts';
import { makeNamespace, setTag } from '../registry/manifests.ts';
import { faultOfName } from '../registry/names.ts';
import { fullRepositoryName } from '../registry/publish.ts';
import {
  checkNotArchived,
  findNamespace,
  findRevision,
  isArchived,
  ofRepository,
  type Repository,
  TAG,
} from '../registry/registry.ts';
import { checkRemoteSource, findRemoteSource, subscriptionOf } from '../registry/remote-sources.ts';
import { preflightToken } from '../registry/tokens.ts';

const PAGE = 50;

/** Returns a namespace of the caller's workspace. Throws Refusal if it does not exist. */
function ownNamespace(name: string, { store, caller }: Scope): Repository {
  const repository = { workspaceId: caller.workspaceId, namespace: name };
  if (!findNamespace(store, repository)) throw new Refusal(404, `namespace ${name} not found`);
  return repository;
}

/** Changes a namespace of the caller's workspace. Throws Refusal if it does not exist. */
function change(name: string, scope: Scope, columns: Parameters<Store['update']>[2]): void {
  const { workspaceId } = ownNamespace(name, scope);
  scope.store.update('namespaces', { workspace_id: workspaceId, name }, columns);
}

const parsed = (cell: unknown): unknown => (cell === null ? undefined : JSON.parse(String(cell)));

// Each list takes one statement, because a database server takes long for one.
const NAMESPACES = `SELECT namespaces.*, remote_sources.*,
    (SELECT metadata FROM revisions WHERE workspace_id = namespaces.workspace_id AND namespace = namespaces.name
     ORDER BY seq DESC LIMIT 1) AS metadata
  FROM namespaces LEFT JOIN remote_sources
    ON remote_sources.workspace_id = namespaces.workspace_id AND namespace = namespaces.name
  WHERE namespaces.workspace_id = ? ORDER BY namespaces.name`;

const REVISIONS = `SELECT seq, id, digest, namespace, metadata, created_at, updated_at,
    (SELECT json_group_array(name) FROM (SELECT name FROM tags WHERE workspace_id = revisions.workspace_id
       AND namespace = revisions.namespace AND digest = revisions.digest ORDER BY name)) AS tags
  FROM revisions WHERE workspace_id = ? AND namespace = ? AND seq < ? ORDER BY seq DESC LIMIT ?`;

const namespaceRecord = (row: DatabaseRow): unknown => ({
  id: row.id,
  name: row.name,
  created_at: row.created_at,
  updated_at: row.updated_at,
  public: row.public === 1,
  ...(row.archived_at !== null && { archived_at: row.archived_at }),
  ...(row.metadata !== null && { latest_revision_metadata: parsed(row.metadata) }),
  ...(row.record !== null && { composite_spec_metadata: subscriptionOf(row) }),
});

const revisionRecord = ({ id, digest, namespace, tags, metadata, created_at, updated_at }: DatabaseRow): unknown => ({
  id,
  digest,
  namespace_name: namespace,
  tags: parsed(tags),
  ...(metadata !== null && { contents_metadata: parsed(metadata) }),
  created_at,
  updated_at,
});

const tokenOf = (seq: unknown): string => Buffer.from(String(seq)).toString('base64url');

function seqOf(token: string): number {
  const seq = Buffer.from(token, 'base64url').toString('utf8');
  if (/^\d{1,15}$/.test(seq) && tokenOf(seq) === token) return Number(seq);
  throw new Refusal(400, 'next_page_token was not issued by this service');
}

export const artifacts = {
  preflight: ({ body }, scope) => {
    const name = requiredString(jsonObject(body), 'namespace_name');
    const repository = { workspaceId: scope.caller.workspaceId, namespace: name };
    const [organization = '', workspace = ''] = fullRepositoryName(scope, repository).split('/');
    const fault = faultOfName([organization, workspace, name]);
    if (fault !== undefined) throw new Refusal(422, `namespace_name: ${fault}`);
    const known = findNamespace(scope.store, repository);
    return { auth_token: preflightToken(scope, name), ...(known && { namespace_id: known.id }) };
  },

  getNamespaces: (_input, { store, caller }) => ({
    items: store.all(NAMESPACES, caller.workspaceId).map(namespaceRecord),
  }),

  archiveNamespace: ({ namespace_name, archived }, scope) => {
    const now = scope.now().toISOString();
    change(namespace_name, scope, { archived_at: (archived ?? true) ? now : null, updated_at: now });
  },

  getRevisions: ({ namespace_name, next_page_token: token }, scope) => {
    const { workspaceId } = ownNamespace(namespace_name, scope);
    const before = token ? seqOf(token) : Number.MAX_SAFE_INTEGER;
    const rows = scope.store.all(REVISIONS, workspaceId, namespace_name, before, PAGE + 1);
    const page = rows.slice(0, PAGE);
    return { items: page.map(revisionRecord), next_page_token: rows.length > PAGE ? tokenOf(page.at(-1)?.seq) : '' };
  },

  getTags: ({ namespace_name }, scope) => {
    const { workspaceId } = ownNamespace(namespace_name, scope);
    const sql = `SELECT id, name, namespace AS namespace_name, digest AS revision_digest FROM tags
      WHERE workspace_id = ? AND namespace = ? ORDER BY name`;
    return { items: scope.store.all(sql, workspaceId, namespace_name) };
  },

  postTags: ({ namespace_name, body }, scope) => {
    const repository = ownNamespace(namespace_name, scope);
    checkNotArchived({ ...repository, isArchived: isArchived(scope.store, repository) });
    const request = jsonObject(body);
    const digest = requiredString(request, 'revision_digest');
    const tags = requiredStrings(request, 'tags');
    if (tags.length === 0) throw new Refusal(422, 'tags must be an array of strings');
    const bad = tags.find((tag) => !TAG.test(tag));
    if (bad !== undefined) throw new Refusal(422, `tags: ${JSON.stringify(bad)} is not a valid tag`);
    if (!digest.includes(':') || !findRevision(scope.store, repository, digest))
      throw new Refusal(404, `no revision with revision_digest ${digest}`);
    const now = scope.now().toISOString();
    scope.store.transaction(() => {
      for (const tag of tags) setTag(scope.store, repository, tag, digest);
      scope.store.update('revisions', { ...ofRepository(repository), digest }, { updated_at: now });
    });
  },

  setVisibility: ({ namespace_name, public: isPublic }, scope) =>
    change(namespace_name, scope, { public: Number(isPublic), updated_at: scope.now().toISOString() }),

  listRemoteSources: ({ namespace_name }, { store, caller }) => {
    const source = findRemoteSource(store, { workspaceId: caller.workspaceId, namespace: namespace_name });
    if (!source) throw new Refusal(404, `namespace ${namespace_name} has no remote source`);
    return parsed(source.record);
  },

  createRemoteSource: ({ body }, scope) => {
    const { store, caller, now } = scope;
    store.transaction(() => {
      const namespace = checkRemoteSource(jsonObject(body), scope);
      const output = { workspaceId: caller.workspaceId, namespace };
      if (!findRemoteSource(store, output)) checkRoom(store, 'sources', caller.workspaceId);
      makeNamespace(store, output, now().toISOString());
      // If the source already exists, its subscription id and its ignored namespaces stay the same.
      const source = { workspace_id: caller.workspaceId, namespace, subscription_id: randomUUID() };
      store.insert('remote_sources', { ...source, record: JSON.stringify(body) }, 'update record');
    });
  },
} satisfies Handlers<Exclude<IdsOf<typeof area>, DistributionOperation>>;
