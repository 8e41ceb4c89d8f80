/** Finishes what a read depends on: runs whose time is over, and outputs of remote sources. */
import type { OperationId } from '../operations/index.ts';
import { endRuns } from './codehost/run-work.ts';
import type { Caller, OpenScope } from './handler.ts';
import { Refusal } from './handler.ts';
import { isRecord } from './http/fields.ts';
import { findNamespace, findRepository, type Repository } from './registry/registry.ts';
import { parseRegistryUrl } from './registry/registry-url.ts';
import { refreshOutput } from './registry/remote-merge.ts';
import { remoteSourcesOf } from './registry/remote-sources.ts';

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
] satisfies readonly OperationId[]);

/** The repository that an operation reads by a name that can change its meaning. A digest always means the same. */
function repositoryOf(
  id: string,
  input: unknown,
  { store }: OpenScope,
  caller: Caller,
): Repository | undefined {
  const given = isRecord(input) ? input : {};
  const { namespace_name: namespace, registry_url: url } = given;
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

/** The same for a manifest by tag and a list of tags, which OCI clients read. */
export const bringRepositoryUpToDate =
  (scope: OpenScope) =>
  async (repository: Repository, caller: Caller | undefined): Promise<void> => {
    if (caller) await endRuns(scope, caller.workspaceId);
    await refreshOutput(scope, repository);
  };
