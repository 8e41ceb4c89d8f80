/** Updates what an operation is about to read: finishes due runs and refreshes the outputs of remote sources. */
import { ignoring } from '../caught.ts';
import type { OperationId } from '../operations/index.ts';
import { endRuns } from './codehost/run-work.ts';
import { type Caller, type OpenScope, Refusal } from './handler.ts';
import { fieldsOf } from './http/fields.ts';
import { parseRegistryUrl } from './registry/names.ts';
import { findNamespace, findRepository, type Repository } from './registry/registry.ts';
import { refreshOutput } from './registry/remote-merge.ts';
import { remoteSourcesOf } from './registry/remote-sources.ts';

const ofNamespace: ReadonlySet<string> = new Set([
  'getRevisions',
  'getTags',
  'suggestOpenAPIRegistry',
] satisfies readonly OperationId[]);

/** The operations that read the results of runs: events, targets, revisions and outcomes. */
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

/** Returns the repository whose current state an operation reads. The content of a digest never changes. */
function repositoryOf(id: string, input: unknown, { store }: OpenScope, caller: Caller): Repository | undefined {
  const { namespace_name: namespace, registry_url: url } = fieldsOf(input);
  if (ofNamespace.has(id)) return { workspaceId: caller.workspaceId, namespace: String(namespace) };
  if (id !== 'getCodeSamples') return undefined;
  const parsed = parseRegistryUrl(String(url));
  const { organization = '', workspace = '' } = parsed;
  return parsed.reference?.includes(':') ? undefined : findRepository(store, organization, workspace, parsed.namespace);
}

/** Whether the caller may read the repository. Other callers must not start work in a private namespace. */
const mayRead = ({ store }: OpenScope, repository: Repository, caller: Caller): boolean =>
  repository.workspaceId === caller.workspaceId || findNamespace(store, repository)?.public === 1;

/** Updates what the operation reads. Call it before the handler. Throws Refusal if the output cannot be generated. */
export async function bringUpToDate(id: string, input: unknown, scope: OpenScope, caller: Caller | undefined) {
  if (!caller) return;
  const { workspace_id: workspaceId = caller.workspaceId } = fieldsOf(input);
  if (ofRuns.has(id)) await endRuns(scope, String(workspaceId));
  if (id === 'getNamespaces') return refreshAll(scope, caller.workspaceId);
  const repository = repositoryOf(id, input, scope, caller);
  if (repository && mayRead(scope, repository, caller)) await refreshOutput(scope, repository);
}

/** Refreshes the outputs of all remote sources. If that fails for one, requests for its namespace get the error. */
async function refreshAll(scope: OpenScope, workspaceId: string): Promise<void> {
  for (const { namespace } of remoteSourcesOf(scope, workspaceId))
    await refreshOutput(scope, { workspaceId, namespace: String(namespace) }).catch(
      ignoring((error) => error instanceof Refusal),
    );
}

/** Does the same before an OCI client reads a manifest by tag or a list of tags. */
export async function bringRepositoryUpToDate(scope: OpenScope, repository: Repository, caller: Caller | undefined) {
  if (caller) await endRuns(scope, caller.workspaceId);
  await refreshOutput(scope, repository);
}
