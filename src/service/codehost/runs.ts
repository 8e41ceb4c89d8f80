/** Starts runs of the workflow action, reports their status and outcome, and serves the pages that show them. */
import { randomUUID } from 'node:crypto';
import { codehostTriggerAction } from '../../operations/codehost.ts';
import type { DatabaseRow } from '../data/columns.ts';
import { type OpenScope, Refusal, type Reply, replyJson, type Scope } from '../handler.ts';
import type { JsonObject } from '../http/fields.ts';
import type { RepositoryRef } from './codehost.ts';

/**
 * A run is queued for QUEUED_MS and is due after DONE_MS, both counted from its start. The first request that reads it
 * after that does its work, so no process has to keep running.
 */
export const QUEUED_MS = 500;
export const DONE_MS = 1500;

export type ActionRun = ReturnType<typeof runOf>;

/** The result of a run, as its page shows it. */
export interface RunOutcome {
  readonly status: 'completed' | 'failure';
  readonly error?: string;
  readonly version?: string;
  /** False if nothing was generated, because the source has not changed. */
  readonly has_changes?: boolean;
  readonly [field: string]: unknown;
}

const RUNS = `SELECT codehost_runs.*, codehost_outcomes.record AS outcome
  FROM codehost_runs LEFT JOIN codehost_outcomes ON run_id = id`;

/** Starts a run. With `injected`, the run fails with that message, so that people can test their scripts. */
export function startRun(
  { store, caller, now, injected }: Scope,
  { org, repo }: RepositoryRef,
  genLockId: string,
  request: JsonObject,
): void {
  const id = randomUUID();
  store.transaction(() => {
    const about = { org, repo, target: String(request.target_name ?? ''), gen_lock_id: genLockId };
    const made = { created_at: now().toISOString(), record: JSON.stringify(request) };
    store.insert('codehost_runs', { id, workspace_id: caller.workspaceId, ...about, ...made });
    store.insert('codehost_outcomes', { run_id: id, injected: injected ?? null });
  });
}

function runOf(row: DatabaseRow, base: string) {
  const request: JsonObject = JSON.parse(String(row.record));
  /** Undefined until the run has ended. */
  const outcome: RunOutcome | undefined = JSON.parse(String(row.outcome ?? null)) ?? undefined;
  return {
    id: String(row.id),
    workspaceId: String(row.workspace_id),
    org: String(row.org),
    repo: String(row.repo),
    genLockId: String(row.gen_lock_id),
    url: `${base}/runs/${row.id}`,
    startedAt: Date.parse(String(row.created_at)),
    request,
    outcome,
  };
}

function findRun(scope: Scope, condition: string, ...values: readonly string[]): ActionRun | undefined {
  const sql = `${RUNS} WHERE workspace_id = ? AND org = ? AND repo = ? ${condition} ORDER BY seq DESC LIMIT 1`;
  const row = scope.store.get(sql, scope.caller.workspaceId, ...values);
  return row && runOf(row, scope.base);
}

export const latestRun = (scope: Scope, org: string, repo: string, target?: string): ActionRun | undefined =>
  target ? findRun(scope, 'AND target = ?', org, repo, target) : findRun(scope, '', org, repo);

/** Returns the runs of a workspace without an outcome, the oldest first, and the error that ends a run, if any. */
export const waitingRuns = ({ store, base }: Pick<OpenScope, 'store' | 'base'>, workspaceId: string) =>
  store
    .all(
      `SELECT codehost_runs.*, injected FROM codehost_outcomes JOIN codehost_runs ON run_id = id
       WHERE codehost_outcomes.record IS NULL AND workspace_id = ? ORDER BY seq`,
      workspaceId,
    )
    .map((row) => ({ run: runOf(row, base), injected: row.injected === null ? undefined : String(row.injected) }));

export function statusOf({ startedAt, outcome }: ActionRun, now: Date) {
  if (outcome) return outcome.status;
  return now.getTime() - startedAt < QUEUED_MS ? 'queued' : 'in_progress';
}

/** Returns the pull request of the target's latest run that generated something, or `{}` if no run did. */
export function pullRequest(scope: Scope, org: string, repo: string, genLockId: string): JsonObject {
  const generated = "AND gen_lock_id = ? AND codehost_outcomes.record ->> '$.version' IS NOT NULL";
  const run = findRun(scope, generated, org, repo, genLockId);
  return run ? pullRequestOf(run) : {};
}

function pullRequestOf({ url, request, repo, startedAt, outcome }: ActionRun): JsonObject {
  const version = outcome?.version;
  return {
    pull_request: `${url}/pull_request`,
    pending_version: version,
    pull_request_metadata: {
      status: 'open',
      title: `Release ${version} of ${request.target_name ?? repo}`,
      created_at: new Date(startedAt + DONE_MS).toISOString(),
      description: `Created by the run ${url}.`,
      head_branch: `release/${version}`,
      base_branch: 'main',
      can_merge: true,
      labels: [],
      requested_reviewers: [],
    },
  };
}

/** Returns the workspace id of the run that a page shows. Undefined if the run does not exist. */
export function workspaceOfRun(path: string, { store }: OpenScope): string | undefined {
  const [, id = ''] = /^\/runs\/([^/]+)/.exec(path) ?? [];
  const row = store.find('codehost_runs', { id });
  return row && String(row.workspace_id);
}

/** Serves `/runs/{id}` and, once the run has generated something, `/runs/{id}/pull_request`. */
export function serveRun(path: string, { store, base, now }: OpenScope): Reply {
  const [, id = '', pull] = /^\/runs\/([^/]+)(\/pull_request)?$/.exec(path) ?? [];
  const row = store.get(`${RUNS} WHERE id = ?`, id);
  const run = row && runOf(row, base);
  if (!run || (pull && run.outcome?.version === undefined)) throw new Refusal(404, `${path} not found`);
  const { status: _, ...outcome } = run.outcome ?? {};
  const page = pull
    ? pullRequestOf(run)
    : { ...run.request, ...outcome, run_url: run.url, run_status: statusOf(run, now()), created_at: row.created_at };
  return replyJson(200, page, { 'dtp-simplified': codehostTriggerAction.simplified });
}
