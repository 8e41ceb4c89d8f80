/** The views of events: the newest ones with filters, and one event. */
import { fieldsOf } from '../../json-object.ts';
import { workspaceNumber } from '../data/events.ts';
import { Refusal } from '../handler.ts';
import type { JsonObject } from '../http/fields.ts';
import { recordOf } from '../tenancy/tenants.ts';
import { minuteChart } from './chart.ts';
import { type Html, html, shortened } from './html.ts';
import { boxOf, detailView, linkTo, outcomeOf, type PageView, ROOT, tableOf, timeElement } from './layout.ts';
import { fieldText, type Reading, readRecords } from './reading.ts';
import { failureReason } from './requests.ts';

const ROWS = 50;

/** The filters of the view, and the query parameters of the operation that they set. */
const filters = [
  ['type', 'interaction_type', 'Type'],
  ['run', 'execution_id', 'Run'],
  ['target', 'generate_gen_lock_id', 'Lock id of the target'],
] as const;

/** Searches the events of the workspace, the newest first. */
export async function searchEvents(
  { get, viewer, showing }: Reading,
  query: Readonly<Record<string, string | undefined>>,
): Promise<readonly JsonObject[]> {
  const path = `/v1/workspace/${encodeURIComponent(viewer.caller.workspaceId)}/events`;
  return (await readRecords(await get(path, query))).map((event) => fieldsOf(showing.body(event)));
}

export async function eventsView(reading: Reading, _: unknown, query: URLSearchParams): Promise<PageView> {
  const given = Object.fromEntries(filters.map(([name, field]) => [field, query.get(name) ?? '']));
  const success = { failed: 'false', succeeded: 'true' }[query.get('outcome') ?? ''];
  const events = await searchEvents(reading, { limit: String(ROWS), ...given, success });
  const empty =
    query.size > 0 ? 'No event fits the filters.' : html`No events yet. Send one: <code>dtp events post</code>`;
  const note = html`These are the newest ${ROWS}. For more, run <code>dtp events search</code>.`;
  return {
    title: 'Events',
    isLive: true,
    before: filterForm(query),
    content: html`${failedPost(reading)}${minuteChart(reading)}
${eventTable(events, empty)}
${events.length === ROWS && html`<p class="note">${note}</p>`}`,
  };
}

/** Says that the newest post of events failed, because its events are not in the list. */
function failedPost({ log, viewer }: Reading): Html | undefined {
  const post = log.visibleTo(viewer).find(({ operation }) => operation === 'postWorkspaceEvents');
  const reason = post && failureReason(post);
  if (!post || reason === undefined) return undefined;
  const link = linkTo(['requests', String(post.number)], 'See the request');
  return html`<p class="bad">✘ The newest post of events failed at ${timeElement(post.at)}: ${reason}. ${link}</p>`;
}

function filterForm(query: URLSearchParams): Html {
  const option = (value: string) =>
    html`<option value="${value}"${value === query.get('outcome') && html` selected`}>${value || 'all'}</option>`;
  const inputs = filters.map(
    ([name, , label]) => html`<label>${label} <input name="${name}" value="${query.get(name) ?? ''}"></label>\n`,
  );
  return html`<form class="filters" method="get" action="${ROOT}" role="search">
<label>Outcome <select name="outcome">${['', 'succeeded', 'failed'].map(option)}</select></label>
${inputs}
<button>Filter</button> <a href="${ROOT}">Show all</a>
</form>`;
}

/** The reason of a failure, or what an event is about. */
export const aboutOf = (event: JsonObject): string | undefined =>
  fieldText(event, 'error') ?? fieldText(event, 'generate_target_name') ?? fieldText(event, 'raw_command');

export const successOf = ({ success }: JsonObject): boolean | undefined =>
  typeof success === 'boolean' ? success : undefined;

export const eventTable = (events: readonly JsonObject[], empty: Html | string): Html =>
  tableOf({
    ...{ label: 'Events', columns: ['Time', 'Event', 'Outcome'], lesser: ['Run'], empty },
    rows: events.map((event) => {
      const run = fieldText(event, 'execution_id');
      const type = fieldText(event, 'interaction_type') ?? 'without a type';
      return [
        timeElement(event.created_at),
        html`${linkTo(['events', String(event.id)], shortened(type, 60))} ${shortened(aboutOf(event) ?? '', 120)}`,
        outcomeOf(successOf(event)),
        run && linkTo(['runs', run], shortened(run, 12)),
      ];
    }),
  });

export function eventView({ scope, viewer, showing }: Reading, [id = '']: readonly string[]): PageView {
  const workspace = workspaceNumber(scope.store, viewer.caller.workspaceId);
  const row = scope.store.find('events', { id, workspace });
  if (!row) throw new Refusal(404, 'no event of your workspace has this id');
  const event = fieldsOf(showing.body(recordOf(row)));
  const run = fieldText(event, 'execution_id');
  const target = fieldText(event, 'generate_gen_lock_id');
  return detailView(
    fieldText(event, 'interaction_type') ?? 'Event',
    [
      ['Outcome', outcomeOf(successOf(event))],
      ['Reason', fieldText(event, 'error')],
      ['Time', timeElement(event.created_at)],
      ['Milliseconds', fieldText(event, 'duration_ms')],
      ['Run', run && linkTo(['runs', run], run)],
      ['Target', target && html`<a href="${ROOT}?${new URLSearchParams({ target }).toString()}">${target}</a>`],
      ['Id', id],
    ],
    boxOf('All fields', JSON.stringify(event, undefined, 2)),
  );
}
