/** The views of runs: the newest ones, and what one of them left. */
import { fieldsOf } from '../../json-object.ts';
import { newestReports, waitingRuns } from '../data/activity.ts';
import { Refusal } from '../handler.ts';
import type { JsonObject } from '../http/fields.ts';
import { aboutOf, eventTable, searchEvents, successOf } from './events.ts';
import { type Html, html, shortened } from './html.ts';
import { factsOf, linkTo, outcomeOf, type PageView, tableOf, timeElement } from './layout.ts';
import { fieldText, jsonOf, type Reading } from './reading.ts';

/** The newest events in which the view looks for runs. */
const EVENTS = 500;
const ROWS = 50;

/** The events of a run, the newest first. */
type Run = readonly JsonObject[];

/** A run failed if one of its events failed. */
function outcomeOfRun(run: Run): Html {
  const all = run.map(successOf);
  return outcomeOf(all.includes(false) ? false : all.includes(true) || undefined);
}

const firstOf = (run: Run, field: string): string | undefined =>
  run.map((event) => fieldText(event, field)).find((value) => value !== undefined);

const startOf = (run: Run): Html =>
  timeElement(new Date(run.map((event) => String(event.local_started_at ?? event.created_at)).sort()[0] ?? ''));

const running = outcomeOf(undefined, 'running');

export async function runsView(reading: Reading): Promise<PageView> {
  const { scope, viewer } = reading;
  const events = await searchEvents(reading, { limit: String(EVENTS) });
  const byRun = new Map<string, JsonObject[]>();
  for (const event of events) {
    const id = fieldText(event, 'execution_id');
    if (id !== undefined) byRun.set(id, [...(byRun.get(id) ?? []), event]);
  }
  const waiting = waitingRuns(scope.store, viewer.caller.workspaceId, ROWS);
  const rows = [
    ...waiting.map(({ id, repository, createdAt }) => [id, timeElement(new Date(createdAt)), running, repository, '']),
    ...[...byRun].map(([id, run]) => [
      ...[id, startOf(run), outcomeOfRun(run)],
      ...[shortened(run.map(aboutOf).find(Boolean) ?? '', 120), String(run.length)],
    ]),
  ].map(([id, ...cells]) => [linkTo(['runs', String(id)], shortened(String(id), 12)), ...cells]);
  const columns = { columns: ['Run', 'Start', 'Outcome'], lesser: ['About', 'Events'] };
  const none = html`No runs yet. Events with the same <code>execution_id</code> are a run.`;
  return {
    title: 'Runs',
    isLive: true,
    content: html`${tableOf('Runs', columns, rows.slice(0, ROWS), none)}
<p class="note">These are the runs of the newest ${EVENTS} events.</p>`,
  };
}

export async function runView(reading: Reading, id: string): Promise<PageView> {
  const { scope, viewer } = reading;
  const run = await searchEvents(reading, { execution_id: id, limit: String(EVENTS) });
  const waiting = waitingRuns(scope.store, viewer.caller.workspaceId, EVENTS).find((one) => one.id === id);
  if (run.length === 0 && !waiting) throw new Refusal(404, 'no run of your workspace has this id');
  const content = html`${factsOf([
    ['Outcome', waiting ? running : outcomeOfRun(run)],
    ['Reason', firstOf(run, 'error')],
    ['Start', waiting ? timeElement(new Date(waiting.createdAt)) : startOf(run)],
    ['Repository', waiting?.repository ?? repositoryOf(run)],
    ['Version', firstOf(run, 'generate_config_post_version')],
    ['Source', revisionOf(run)],
    ...reportsOf(run, reading),
    ['Pull request', await pullRequestOf(reading, id)],
  ])}
<h2>Events</h2>
${eventTable(run, 'No events yet.')}`;
  return { title: `Run ${shortened(id, 40)}`, content, isLive: true };
}

function repositoryOf(run: Run): string | undefined {
  const names = ['gh_action_organization', 'gh_action_repository'].map((name) => firstOf(run, name));
  return names.every(Boolean) ? names.join('/') : undefined;
}

/** The revision that the run read. */
function revisionOf(run: Run): Html | string | undefined {
  const namespace = firstOf(run, 'source_namespace_name');
  const digest = firstOf(run, 'source_revision_digest');
  if (namespace === undefined || digest === undefined) return namespace;
  return linkTo(['registry', namespace, digest], `${namespace}@${shortened(digest, 19)}`);
}

const reportFields = [
  ['Lint report', 'linting', 'lint_report_digest'],
  ['Change report', 'changes', 'openapi_diff_report_digest'],
] as const;

/** The reports that the events of the run name. A report that was not uploaded here has no link. */
function reportsOf(run: Run, { scope, viewer }: Reading): readonly (readonly [string, Html | string | undefined])[] {
  const stored = newestReports(scope.store, viewer.caller.workspaceId, 1000);
  return reportFields.map(([name, type, field]) => {
    const digest = firstOf(run, field);
    const report = stored.find((one) => one.type === type && digest?.endsWith(one.checksum));
    return [name, report ? linkTo(['reports', type, report.checksum], report.name || report.checksum) : digest];
  });
}

/** The title of the pull request that a run of the code host left. */
async function pullRequestOf({ get }: Reading, id: string): Promise<string | undefined> {
  try {
    const pull = fieldsOf(await jsonOf(await get(`/runs/${encodeURIComponent(id)}/pull_request`)));
    return fieldText(fieldsOf(pull.pull_request_metadata), 'title');
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
