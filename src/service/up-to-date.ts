/** Finishes what a read depends on: runs whose time is over, and outputs of remote sources. */
import type { OperationId } from '../operations/index.ts';
import type { HttpRequest } from '../request/http.ts';
import { endRuns } from './codehost/run-work.ts';
import type { Caller, OpenScope } from './handler.ts';
import { Refusal } from './handler.ts';
import { isRecord } from './http/fields.ts';
import { preflightCaller } from './registry/preflight.ts';
import { findNamespace, findRepository, type Repository } from './registry/registry.ts';
import { parseRegistryUrl } from './registry/registry-url.ts';
import { refreshOutput } from './registry/remote-merge.ts';
import { remoteSourcesOf } from './registry/remote-sources.ts';
import { callerOf } from './tenancy/credentials.ts';

const ofNamespace: ReadonlySet<string> = new Set([
  'getRevisions',
  'getTags',
  'suggestOpenAPIRegistry',
] satisfies readonly OperationId[]);

/** The operations that read what a run leaves: events, targets, revisions, and its outcome. */
const ofRuns: ReadonlySet<string> = new Set([
  'getCodehostAction',
  'codehostCheckPublishingPRs',
  'codehostCheckPublishingSecrets',
  'getCodehostSetupState',
  'searchWorkspaceEvents',
  'getWorkspaceEventsByTarget',
  'getWorkspaceTargets',
  'getWorkspaceTargetsDeprecated',
  'getWorkspaceAccess',
  'getOrganizationUsage',
  'getNamespaces',
  'getRevisions',
  'getTags',
  'getManifest',
] satisfies readonly OperationId[]);

/** The repository that an operation reads by a name that can change its meaning. A digest always means the same. */
function repositoryOf(
  id: string,
  input: unknown,
  { store }: OpenScope,
  caller: Caller,
): Repository | undefined {
  const given = isRecord(input) ? input : {};
  const { namespace_name: namespace, registry_url: url, revision_reference: reference = '' } = given;
  if (String(reference).includes(':')) return undefined;
  if (id === 'getManifest')
    return findRepository(
      store,
      String(given.organization_slug),
      String(given.workspace_slug),
      String(namespace),
    );
  if (ofNamespace.has(id)) return { workspaceId: caller.workspaceId, namespace: String(namespace) };
  if (id !== 'getCodeSamples') return undefined;
  const parsed = parseRegistryUrl(String(url));
  const { organization = '', workspace = '' } = parsed;
  return parsed.reference?.includes(':')
    ? undefined
    : findRepository(store, organization, workspace, parsed.namespace);
}

const workspaceIn = (input: unknown): string | undefined =>
  isRecord(input) && typeof input.workspace_id === 'string' ? input.workspace_id : undefined;

/** Others cannot start work in a private namespace. */
function mayRead({ store }: OpenScope, repository: Repository, caller: Caller | undefined): boolean {
  return repository.workspaceId === caller?.workspaceId || findNamespace(store, repository)?.public === 1;
}

/** Call before an operation reads what it returns. Throws Refusal if the current output cannot be made. */
export async function bringUpToDate(
  id: string,
  input: unknown,
  scope: OpenScope,
  caller: Caller | undefined,
): Promise<void> {
  if (!caller) return;
  if (ofRuns.has(id)) await endRuns(scope, workspaceIn(input) ?? caller.workspaceId);
  if (id === 'getNamespaces') return refreshAll(scope, caller.workspaceId);
  const repository = repositoryOf(id, input, scope, caller);
  if (repository && mayRead(scope, repository, caller)) await refreshOutput(scope, repository);
}

/** A list also has the namespaces whose output cannot be made. Reading these says why. */
async function refreshAll(scope: OpenScope, workspaceId: string): Promise<void> {
  for (const { namespace } of remoteSourcesOf(scope, workspaceId))
    try {
      await refreshOutput(scope, { workspaceId, namespace: String(namespace) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
}

/** The same for the requests of an OCI client: `/v2/ORGANIZATION/WORKSPACE/NAMESPACE/manifests/TAG` and `…/tags/list`. */
export async function bringRegistryUpToDate(
  { method, headers }: HttpRequest,
  path: string,
  scope: OpenScope,
  caller: Caller | undefined,
): Promise<void> {
  const [, organization = '', workspace = '', namespace = '', kind, item = ''] =
    /\/v2\/([^/]+)\/([^/]+)\/([^/]+)\/(manifests|tags)\/([^/]+)$/.exec(path) ?? [];
  const isRead = method === 'GET' || method === 'HEAD';
  if (kind === undefined || !isRead || /:|%3a/i.test(item)) return;
  const repository = findRepository(scope.store, organization, workspace, namespace);
  const reader = caller ?? readerOf(headers.authorization ?? '', namespace, scope);
  if (repository && mayRead(scope, repository, reader)) await refreshOutput(scope, repository);
}

/** The owner of a preflight token, or of a key that is sent as a password. */
function readerOf(authorization: string, namespace: string, scope: OpenScope): Caller | undefined {
  const [, scheme = '', value = ''] = /^(bearer|basic)\s+(\S+)$/i.exec(authorization) ?? [];
  const isBasic = scheme.toLowerCase() === 'basic';
  const secret = isBasic
    ? Buffer.from(value, 'base64')
        .toString('utf8')
        .replace(/^[^:]*:/, '')
    : value;
  if (secret === '') return undefined;
  return preflightCaller(scope, secret, namespace) ?? callerOf({ scheme: 'Bearer', value: secret }, scope);
}
