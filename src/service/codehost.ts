/** The state of the code host's integration: links, settings of repositories, runs of the workflow action. */
import { randomUUID } from 'node:crypto';
import type { Scope } from './handler.ts';
import type { Members } from './members.ts';
import { latestEvent } from './targets.ts';

const QUEUED_MS = 1000;
const DONE_MS = 3000;

type Setting = 'target' | 'docsite' | 'code-samples';

interface Run {
  readonly id: string;
  readonly url: string;
  readonly startedAt: number;
  readonly request: Members;
}

/** An empty org stands for any. */
export function link({ store, caller, now }: Scope, org: string, record: Members): void {
  store.run(
    'INSERT OR REPLACE INTO codehost_links (workspace_id, org, record) VALUES (?, ?, ?)',
    caller.workspaceId,
    org,
    JSON.stringify({ ...record, linked_at: now().toISOString() }),
  );
}

export const isLinked = ({ store, caller }: Scope, org: string): boolean =>
  store.get(
    "SELECT org FROM codehost_links WHERE workspace_id = ? AND org IN (?, '')",
    caller.workspaceId,
    org,
  ) !== undefined;

export function storeSetting(
  { store, caller }: Scope,
  org: string,
  repo: string,
  kind: Setting,
  record: Members,
  target = '',
): void {
  store.run(
    `INSERT OR REPLACE INTO codehost_settings (workspace_id, org, repo, kind, target, record)
     VALUES (?, ?, ?, ?, ?, ?)`,
    caller.workspaceId,
    org,
    repo,
    kind,
    target,
    JSON.stringify(record),
  );
}

export function setting(
  { store, caller }: Scope,
  org: string,
  repo: string,
  kind: Setting,
): Members | undefined {
  const row = store.get(
    'SELECT record FROM codehost_settings WHERE workspace_id = ? AND org = ? AND repo = ? AND kind = ?',
    caller.workspaceId,
    org,
    repo,
    kind,
  );
  return row && JSON.parse(String(row.record));
}

export function startRun(
  { store, caller, now }: Scope,
  org: string,
  repo: string,
  genLockId: string,
  request: Members,
): void {
  store.run(
    `INSERT INTO codehost_runs (id, workspace_id, org, repo, target, gen_lock_id, created_at, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    randomUUID(),
    caller.workspaceId,
    org,
    repo,
    String(request.target_name ?? ''),
    genLockId,
    now().toISOString(),
    JSON.stringify(request),
  );
}

function findRun(scope: Scope, condition: string, ...values: readonly string[]): Run | undefined {
  const row = scope.store.get(
    `SELECT id, created_at, record FROM codehost_runs WHERE workspace_id = ? AND org = ? AND repo = ? ${condition}
     ORDER BY seq DESC LIMIT 1`,
    scope.caller.workspaceId,
    ...values,
  );
  return (
    row && {
      id: String(row.id),
      url: `${scope.base}/runs/${row.id}`,
      startedAt: Date.parse(String(row.created_at)),
      request: JSON.parse(String(row.record)),
    }
  );
}

export const latestRun = (scope: Scope, org: string, repo: string, target?: string): Run | undefined =>
  target ? findRun(scope, 'AND target = ?', org, repo, target) : findRun(scope, '', org, repo);

/** A run comes to its end by the clock. */
export function statusOf({ startedAt }: Run, now: Date): 'queued' | 'in_progress' | 'completed' {
  const age = now.getTime() - startedAt;
  if (age < QUEUED_MS) return 'queued';
  return age < DONE_MS ? 'in_progress' : 'completed';
}

/** The version after one that was published: the last number goes up. */
const following = (version: string): string =>
  version.replace(/\d+(?=\D*$)/, (last) => String(Number(last) + 1));

/** What a completed run of a target has to be published; nothing before. */
export function pullRequest(scope: Scope, org: string, repo: string, genLockId: string): Members {
  const completed = new Date(scope.now().getTime() - DONE_MS).toISOString();
  const run = findRun(scope, 'AND gen_lock_id = ? AND created_at <= ?', org, repo, genLockId, completed);
  if (!run) return {};
  const published = latestEvent(
    scope.store,
    scope.caller.workspaceId,
    genLockId,
  )?.generate_config_post_version;
  const version = String(run.request.set_version ?? following(String(published ?? '0.0.0')));
  const title = `Release ${version} of ${run.request.target_name ?? repo}`;
  return {
    pull_request: `${run.url}/pull_request`,
    pending_version: version,
    pull_request_metadata: {
      status: 'open',
      title,
      created_at: new Date(run.startedAt + DONE_MS).toISOString(),
      description: `Made by the run ${run.url}.`,
      head_branch: `release/${version}`,
      base_branch: 'main',
      can_merge: true,
      labels: [],
      requested_reviewers: [],
    },
  };
}
