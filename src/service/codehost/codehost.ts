/** The state of the code host integration: links, repository settings, and runs of the workflow action. */
import { randomUUID } from 'node:crypto';
import { codehostTriggerAction } from '../../operations/codehost.ts';
import type { Row, Store } from '../data/store.ts';
import { type OpenScope, Refusal, type Reply, replyJson, type Scope } from '../handler.ts';
import { isRecord, type JsonObject } from '../http/fields.ts';
import { findTarget } from './targets.ts';

const QUEUED_MS = 1000;
const DONE_MS = 3000;

type Setting = 'target' | 'docsite' | 'code-samples';

interface Run {
  readonly id: string;
  readonly workspaceId: string;
  readonly repo: string;
  readonly genLockId: string;
  readonly url: string;
  readonly startedAt: number;
  readonly request: JsonObject;
}

/** The owner that the OIDC token (RFC 7519) of a CI run names: of the repository, or of a group of projects. */
export function ownerOf(token: string): string {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token)?.[1] ?? '';
  const { repository_owner, namespace_path } = claimsOf(payload);
  const owner = repository_owner ?? String(namespace_path ?? '').split('/')[0];
  if (typeof owner === 'string' && owner !== '') return owner;
  // The token is a secret, so the message does not repeat it.
  throw new Refusal(
    422,
    'codehost_oidc_token must be a JSON Web Token with a repository_owner or namespace_path',
  );
}

function claimsOf(payload: string): JsonObject {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return isRecord(claims) ? claims : {};
  } catch {
    return {};
  }
}

/** Links an org to the workspace. An empty `org` matches every org. */
export function link({ store, caller, now }: Scope, org: string, record: JsonObject): void {
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

interface RepositoryRef {
  readonly org: string;
  readonly repo: string;
  readonly target?: string;
}

export function storeSetting(
  { store, caller }: Scope,
  { org, repo, target = '' }: RepositoryRef,
  kind: Setting,
  record: JsonObject,
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
): JsonObject | undefined {
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
  { org, repo }: RepositoryRef,
  genLockId: string,
  request: JsonObject,
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
    `SELECT * FROM codehost_runs WHERE workspace_id = ? AND org = ? AND repo = ? ${condition}
     ORDER BY seq DESC LIMIT 1`,
    scope.caller.workspaceId,
    ...values,
  );
  return row && runOf(row, scope.base);
}

const runOf = (row: Row, base: string): Run => ({
  id: String(row.id),
  workspaceId: String(row.workspace_id),
  repo: String(row.repo),
  genLockId: String(row.gen_lock_id),
  url: `${base}/runs/${row.id}`,
  startedAt: Date.parse(String(row.created_at)),
  request: JSON.parse(String(row.record)),
});

export const latestRun = (scope: Scope, org: string, repo: string, target?: string): Run | undefined =>
  target ? findRun(scope, 'AND target = ?', org, repo, target) : findRun(scope, '', org, repo);

/** Runs are simulated: the status depends only on the time since the start. */
export function statusOf({ startedAt }: Run, now: Date): 'queued' | 'in_progress' | 'completed' {
  const age = now.getTime() - startedAt;
  if (age < QUEUED_MS) return 'queued';
  return age < DONE_MS ? 'in_progress' : 'completed';
}

/** Increments the last number of the version. */
const nextVersion = (version: string): string =>
  version.replace(/\d+(?=\D*$)/, (last) => String(Number(last) + 1));

/** The pull request of the latest completed run. Empty if no run is completed. */
export function pullRequest(scope: Scope, org: string, repo: string, genLockId: string): JsonObject {
  const completed = new Date(scope.now().getTime() - DONE_MS).toISOString();
  const run = findRun(scope, 'AND gen_lock_id = ? AND created_at <= ?', org, repo, genLockId, completed);
  return run ? pullRequestOf(run, scope.store) : {};
}

function pullRequestOf(run: Run, store: Store): JsonObject {
  const published = findTarget(store, run.workspaceId, run.genLockId)?.generate_config_post_version;
  const version = String(run.request.set_version ?? nextVersion(String(published ?? '0.0.0')));
  const title = `Release ${version} of ${run.request.target_name ?? run.repo}`;
  return {
    pull_request: `${run.url}/pull_request`,
    pending_version: version,
    pull_request_metadata: {
      status: 'open',
      title,
      created_at: new Date(run.startedAt + DONE_MS).toISOString(),
      description: `Created by the run ${run.url}.`,
      head_branch: `release/${version}`,
      base_branch: 'main',
      can_merge: true,
      labels: [],
      requested_reviewers: [],
    },
  };
}

/** Serves `/runs/{id}` and, once the run is completed, `/runs/{id}/pull_request`. */
export function serveRun(path: string, { store, base, now }: OpenScope): Reply {
  const [, id = '', pull] = /^\/runs\/([^/]+)(\/pull_request)?$/.exec(path) ?? [];
  const row = store.get('SELECT * FROM codehost_runs WHERE id = ?', id);
  const run = row && runOf(row, base);
  const status = run && statusOf(run, now());
  if (!run || (pull && status !== 'completed')) throw new Refusal(404, `${path} not found`);
  const page = pull
    ? pullRequestOf(run, store)
    : { ...run.request, run_url: run.url, run_status: status, created_at: row.created_at };
  return replyJson(200, page, { 'dtp-simplified': codehostTriggerAction.simplified });
}
