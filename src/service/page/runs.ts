/** The views of runs: the newest ones, and one of them with its events, reports and pull request. */
import { ignoring } from '../../caught.ts';
import { waitingRuns } from '../codehost/runs.ts';
import { Refusal } from '../handler.ts';
import { fieldsOf, type JsonObject } from '../http/fields.ts';
import { aboutOf, eventTable, searchEvents, successOf } from './events.ts';
import { type Html, html, shortened } from './html.ts';
import { detailView, linkTo, listView, outcomeOf, type PageView, timeElement } from './layout.ts';
import { fieldText, type Reading, readRecord } from './reading.ts';
import { reportLink } from './reports.ts';

/** The number of newest events in which the view looks for runs. */
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
  timeElement(run.map((event) => event.local_started_at ?? event.created_at).sort()[0]);

const running = outcomeOf(undefined, 'running');

/** The runs of the code host that have not ended, the newest first. */
const waitingFor = ({ scope, viewer }: Reading) =>
  Array.from(waitingRuns(scope, viewer.caller.workspaceId), ({ run }) => run).reverse();

export async function runsView(reading: Reading): Promise<PageView> {
  const byRun = new Map<string, JsonObject[]>();
  for (const event of await searchEvents(reading, { limit: String(EVENTS) })) {
    const id = fieldText(event, 'execution_id');
    if (id !== undefined) byRun.set(id, [...(byRun.get(id) ?? []), event]);
  }
  const linkOf = (id: string) => linkTo(['runs', id], shortened(id, 12));
  const rows = [
    ...waitingFor(reading).map(({ id, startedAt, org, repo }) => [
      ...[linkOf(id), timeElement(startedAt), running, `${org}/${repo}`, ''],
    ]),
    ...[...byRun].map(([id, run]) => [
      ...[linkOf(id), startOf(run), outcomeOfRun(run)],
      ...[shortened(run.map(aboutOf).find(Boolean) ?? '', 120), String(run.length)],
    ]),
  ].slice(0, ROWS);
  const empty = html`No runs yet. Events with the same <code>execution_id</code> are a run.`;
  return listView(
    { label: 'Runs', columns: ['Run', 'Start', 'Outcome'], lesser: ['About', 'Events'], rows, empty },
    `These are the runs of the newest ${EVENTS} events.`,
  );
}

export async function runView(reading: Reading, [id = '']: readonly string[]): Promise<PageView> {
  const run = await searchEvents(reading, { execution_id: id, limit: String(EVENTS) });
  const waiting = waitingFor(reading).find((one) => one.id === id);
  if (run.length === 0 && !waiting) throw new Refusal(404, 'no run of your workspace has this id');
  const [org, repo] = [firstOf(run, 'gh_action_organization'), firstOf(run, 'gh_action_repository')];
  const facts = {
    Outcome: waiting ? running : outcomeOfRun(run),
    Reason: firstOf(run, 'error'),
    Start: waiting ? timeElement(waiting.startedAt) : startOf(run),
    Repository: waiting ? `${waiting.org}/${waiting.repo}` : org && repo && `${org}/${repo}`,
    Version: firstOf(run, 'generate_config_post_version'),
    Source: revisionOf(run),
    'Lint report': reportLink(reading, 'linting', firstOf(run, 'lint_report_digest')),
    'Change report': reportLink(reading, 'changes', firstOf(run, 'openapi_diff_report_digest')),
    'Pull request': await pullRequestOf(reading, id),
  };
  const events = html`<h2>Events</h2>\n${eventTable(run, 'No events yet.')}`;
  return { ...detailView(`Run ${shortened(id, 40)}`, facts, events), isLive: true };
}

function revisionOf(run: Run): Html | string | undefined {
  const namespace = firstOf(run, 'source_namespace_name');
  const digest = firstOf(run, 'source_revision_digest');
  if (namespace === undefined || digest === undefined) return namespace;
  return linkTo(['registry', namespace, digest], `${namespace}@${shortened(digest, 19)}`);
}

async function pullRequestOf({ get }: Reading, id: string): Promise<string | undefined> {
  const pull = get(`/runs/${encodeURIComponent(id)}/pull_request`).then(readRecord);
  const found = await pull.catch(ignoring((error) => error instanceof Refusal));
  return fieldText(fieldsOf(found?.pull_request_metadata), 'title');
}
