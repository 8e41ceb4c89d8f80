/** Does the work of a run: generates code samples instead of an SDK, publishes them as an overlay, records events. */
import { codeLanguages } from '../../operations/records.ts';
import { insertEvents } from '../data/events.ts';
import { overlayJson } from '../documents/overlay.ts';
import type { Snippet } from '../documents/snippets.ts';
import { storedNames } from '../documents/stored-names.ts';
import { type OpenScope, Refusal } from '../handler.ts';
import type { JsonObject } from '../http/fields.ts';
import { publish } from '../registry/publish.ts';
import { findNamespace, findRevision, revisionDocument } from '../registry/registry.ts';
import { refreshOutput } from '../registry/remote-merge.ts';
import { accessOf } from '../tenancy/plans.ts';
import { findOrganization, findWorkspace, safeName } from '../tenancy/tenants.ts';
import { hasStoredSecrets } from './publishing-secrets.ts';
import { type ActionRun, DONE_MS, QUEUED_MS, type RunOutcome, waitingRuns } from './runs.ts';
import { findTarget, noTargetText } from './targets.ts';

/** Finishes the runs of a workspace that are due: does their work and stores their outcomes. */
export async function endRuns(scope: OpenScope, workspaceId: string): Promise<void> {
  const due = scope.now().getTime() - DONE_MS;
  for (const { run, injected } of waitingRuns(scope, workspaceId).filter((one) => one.run.startedAt <= due))
    await scope.worker.once(`run ${run.id}`, async () => {
      const { outcome, events } = await workOf(scope, run, injected);
      end(scope, run, outcome, events);
    });
}

/** Stores the outcome and the events of a run, unless another process has already done so. */
function end({ store, now }: OpenScope, run: ActionRun, outcome: RunOutcome, events: readonly JsonObject[]): void {
  store.transaction(() => {
    const sql = 'UPDATE codehost_outcomes SET record = ? WHERE run_id = ? AND record IS NULL';
    if (store.run(sql, JSON.stringify(outcome), run.id) > 0) insertEvents(store, run.workspaceId, events, now());
  });
}

interface Work {
  readonly outcome: RunOutcome;
  readonly events: readonly JsonObject[];
}

async function workOf(scope: OpenScope, run: ActionRun, injected: string | undefined): Promise<Work> {
  const target = findTarget(scope.store, run.workspaceId, run.genLockId);
  try {
    if (injected !== undefined) throw new Refusal(422, injected);
    if (!target && !hasStoredSecrets(scope.store, run.workspaceId, run.genLockId))
      throw new Refusal(404, noTargetText(scope.store, run.workspaceId, run.genLockId));
    return await generate(scope, run, target ?? {});
  } catch (error) {
    // Any other error is not the fault of the run. The run stays unfinished, so the next request tries again.
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    const { message } = error;
    const about = target && { generate_gen_lock_id: run.genLockId };
    return {
      outcome: { status: 'failure', error: message },
      events: [eventOf(run, 'CI_EXEC', { ...about, success: false, error: message })],
    };
  }
}

type SourceRevision = Awaited<ReturnType<typeof sourceOf>>;

/** Reads the latest revision of the target's source. Throws Refusal if the source does not exist or is archived. */
async function sourceOf(scope: OpenScope, run: ActionRun, target: JsonObject) {
  const { store } = scope;
  const namespace = String(target.source_namespace_name ?? defaultSource(run.repo));
  const repository = { workspaceId: run.workspaceId, namespace };
  await refreshOutput(scope, repository);
  const found = findNamespace(store, repository);
  const revision = findRevision(store, repository);
  if (!found || !revision) throw new Refusal(404, `the source ${namespace} does not exist: push a document to it`);
  if (found.archived_at !== null) throw new Refusal(409, `the source ${namespace} is archived`);
  const digest = String(revision.digest);
  return { ...revisionDocument(store, repository, digest), namespace, digest };
}

export const defaultSource = (repo: string): string => safeName(`${repo}-source`);
export const samplesNamespace = (repo: string, target: string): string => safeName(`${repo}-${target}-code-samples`);

function languageFor(run: ActionRun, target: JsonObject): string {
  const named = String(run.request.target_name ?? '');
  const language = target.generate_target || codeLanguages.find((one) => one === named);
  if (language) return String(language);
  const message = `the language of the target ${run.genLockId} is not known: post an event with its generate_target`;
  throw new Refusal(422, message);
}

function nextVersion(version: string): string {
  // The parts at odd indexes are numbers.
  const parts = version.split(/(\d+)/);
  const last = parts.length - 2;
  return parts.map((part, at) => (at === last ? String(Number(part) + 1) : part)).join('');
}

async function generate(scope: OpenScope, run: ActionRun, target: JsonObject): Promise<Work> {
  const { request, repo, workspaceId } = run;
  const language = languageFor(run, target);
  const source = await sourceOf(scope, run, target);
  const isKnown = codeLanguages.some((one) => one === language);
  const snippets = await snippetsOf(scope, run, source, isKnown ? language : 'curl');
  await checkLimits(scope, workspaceId, language, snippets.length);
  const about = {
    generate_gen_lock_id: run.genLockId,
    generate_target: language,
    generate_target_name: String(request.target_name ?? target.generate_target_name ?? language),
    source_namespace_name: source.namespace,
    source_revision_digest: source.digest,
    source_blob_digest: source.layer,
  };
  const isNew = target.source_revision_digest !== source.digest;
  if (!isNew && request.force !== true && !request.set_version) {
    const outcome: RunOutcome = { status: 'completed', has_changes: false };
    return { outcome, events: [eventOf(run, 'CI_EXEC', { ...about, success: true })] };
  }
  const before = String(target.generate_config_post_version ?? '0.0.0');
  const version = String(request.set_version || nextVersion(before));
  const namespace = samplesNamespace(repo, about.generate_target_name);
  const task = { make: 'bundle', name: 'overlay.json' } as const;
  const bundle = () => scope.worker.run(task, overlayOf(snippets, language, version));
  const digest = isKnown ? await publish(scope, { workspaceId, namespace }, await bundle()) : undefined;
  const generated = {
    ...about,
    success: true,
    generate_number_of_operations_used: snippets.length,
    generate_config_pre_version: before,
    generate_config_post_version: version,
    generate_published: false,
  };
  return {
    outcome: {
      status: 'completed',
      has_changes: true,
      version,
      operations: snippets.length,
      ...(digest && { code_samples: { namespace, revision_digest: digest } }),
    },
    events: [eventOf(run, 'TARGET_GENERATE', generated), eventOf(run, 'CI_EXEC', { ...about, success: true })],
  };
}

async function snippetsOf(
  { worker, store }: OpenScope,
  { workspaceId }: ActionRun,
  { namespace, layer, bytes }: SourceRevision,
  language: string,
): Promise<readonly Snippet[]> {
  const stored = storedNames(store, workspaceId);
  const task = { make: 'snippets', name: namespace, layer, choice: { languages: [language] }, stored } as const;
  return JSON.parse(String(await worker.run(task, bytes))).snippets;
}

async function checkLimits(scope: OpenScope, workspaceId: string, language: string, operations: number): Promise<void> {
  const { store, now } = scope;
  const organization = findOrganization(store, String(findWorkspace(store, workspaceId).organization_id));
  const access = await accessOf(scope, organization, now(), { language, operations });
  if (access.generation_allowed !== true) throw new Refusal(403, String(access.message));
}

/** An overlay that adds a code sample to each operation. */
function overlayOf(snippets: readonly Snippet[], language: string, version: string): string {
  const actions = snippets.map(({ path, method, operationId, code }) => ({
    target: `$["paths"][${JSON.stringify(path)}][${JSON.stringify(method)}]`,
    update: { 'x-codeSamples': [{ lang: language, label: operationId, source: code }] },
  }));
  return overlayJson({ title: `Code samples in ${language}`, version }, actions);
}

function eventOf(run: ActionRun, interaction: 'TARGET_GENERATE' | 'CI_EXEC', more: JsonObject): JsonObject {
  const time = (ms: number) => new Date(run.startedAt + ms).toISOString();
  return {
    id: `${run.id}-${interaction.toLowerCase()}`,
    execution_id: run.id,
    interaction_type: interaction,
    local_started_at: time(QUEUED_MS),
    local_completed_at: time(DONE_MS),
    created_at: time(DONE_MS),
    duration_ms: DONE_MS - QUEUED_MS,
    gh_action_organization: run.org,
    gh_action_repository: run.repo,
    gh_action_run_link: run.url,
    ...more,
  };
}
