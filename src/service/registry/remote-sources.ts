/** Reads and checks the remote source of a namespace: its documents, its overlays and its subscription. */
import type { DatabaseRow } from '../data/columns.ts';
import type { Store } from '../data/store.ts';
import type { OpenScope, Scope } from '../handler.ts';
import { checkCount, isRecord, type JsonObject, listOf } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';
import { parseRegistryUrl } from './names.ts';
import { findNamespace, findRepository, findRevision, ofRepository, type Repository } from './registry.ts';

/** The most documents and overlays of a remote source. */
const PARTS_LIMIT = 100;

export type SourcePart = ReturnType<typeof sourcePartsOf>['inputs'][number];

/** Finds the repository of a registry URL, and the tag or digest in it. A URL without an organization belongs to the workspace of the source. */
function locate(document: unknown, at: string, store: Store, workspaceId: string) {
  const url = isRecord(document) ? document.registry_url : undefined;
  const parsed = typeof url === 'string' ? parseRegistryUrl(url) : undefined;
  if (!parsed?.namespace) throw new Refusal(422, `${at}.registry_url is required and must name a namespace`);
  const { organization, workspace, namespace, reference } = parsed;
  if (!organization || !workspace) return { repository: { workspaceId, namespace }, reference };
  const repository = findRepository(store, organization, workspace, namespace);
  if (!repository) throw new Refusal(422, `${at}.registry_url: workspace ${organization}/${workspace} not found`);
  return { repository, reference };
}

/** Returns the parts of a remote source. Throws Refusal if a part does not exist or the workspace may not read it. */
export function sourcePartsOf({ inputs, overlays }: JsonObject, store: Store, workspaceId: string) {
  const part = (kind: string) => (document: unknown, index: number) => {
    /** The position in the remote source, such as `inputs[0]`. */
    const at = `${kind}[${index}]`;
    const { repository, reference } = locate(document, at, store, workspaceId);
    checkReadable(at, repository, store, workspaceId);
    // The output of another remote source is generated when it is read, so it need not exist yet.
    const isMade = findRemoteSource(store, repository) && (reference ?? 'latest') === 'latest';
    if (!isMade && !findRevision(store, repository, reference)) {
      const text = `${at}.registry_url: namespace ${repository.namespace} has no revision ${reference ?? 'yet'}`;
      throw new Refusal(422, text);
    }
    return { at, repository, reference };
  };
  return { inputs: listOf(inputs).map(part('inputs')), overlays: listOf(overlays).map(part('overlays')) };
}

function checkReadable(at: string, repository: Repository, store: Store, workspaceId: string): void {
  const { namespace } = repository;
  const found = findNamespace(store, repository);
  if (repository.workspaceId !== workspaceId && found?.public !== 1)
    throw new Refusal(403, `${at}.registry_url: ${namespace} belongs to another workspace`);
  if (!found) throw new Refusal(422, `${at}.registry_url: namespace ${namespace} not found`);
}

const isSame = (a: Repository, b: Repository): boolean =>
  a.workspaceId === b.workspaceId && a.namespace === b.namespace;

/** Returns the namespace of the output of a RemoteSource record. Throws Refusal if the record is invalid. */
export function checkRemoteSource(source: JsonObject, { store, caller }: Scope): string {
  const { inputs, overlays, output } = source;
  if (!Array.isArray(inputs) || inputs.length === 0)
    throw new Refusal(422, 'inputs must be an array with at least one element');
  if (overlays !== undefined && overlays !== null && !Array.isArray(overlays))
    throw new Refusal(422, 'overlays must be an array');
  checkCount([...inputs, ...listOf(overlays)], 'inputs and overlays', PARTS_LIMIT);
  const parts = sourcePartsOf(source, store, caller.workspaceId);
  const made = locate(output, 'output', store, caller.workspaceId).repository;
  if (made.workspaceId !== caller.workspaceId)
    throw new Refusal(403, `output.registry_url: ${made.namespace} belongs to another workspace`);
  const circular = [...parts.inputs, ...parts.overlays].find(({ repository }) => isSame(repository, made));
  if (circular) throw new Refusal(422, `output is the same namespace as ${circular.at}`);
  return made.namespace;
}

export const findRemoteSource = (store: Store, repository: Repository): DatabaseRow | undefined =>
  store.find('remote_sources', ofRepository(repository));

export const ignoredOf = (source: DatabaseRow): readonly string[] => JSON.parse(String(source.ignored));

/** Returns the namespaces of a subscription: those of the documents, and those of the overlays. */
export function namespacesOf(source: DatabaseRow) {
  const { inputs, overlays }: JsonObject = JSON.parse(String(source.record));
  const names = (list: unknown) =>
    listOf(list).map((one) => parseRegistryUrl(String(isRecord(one) ? one.registry_url : '')).namespace);
  return { base: names(inputs), overlays: names(overlays) };
}

/** Builds the composite_spec_metadata field of a namespace. */
export function subscriptionOf(source: DatabaseRow): unknown {
  const { base, overlays } = namespacesOf(source);
  return {
    subscription_id: source.subscription_id,
    subscription_settings: {
      base_spec_namespaces: base,
      overlay_namespaces: overlays,
      ignored_namespaces: ignoredOf(source),
      output_namespace: source.namespace,
    },
  };
}

export const remoteSourcesOf = ({ store }: OpenScope, workspaceId: string): readonly DatabaseRow[] =>
  store.list('remote_sources', { workspace_id: workspaceId }, 'namespace');
