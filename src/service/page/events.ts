/** The views of events: the newest ones with filters, and one event. */
import { fieldsOf } from '../../json-object.ts';
import type { DatabaseRow } from '../data/columns.ts';
import { Refusal } from '../handler.ts';
import type { JsonObject } from '../http/fields.ts';
import { WORKSPACE } from '../schema/events.ts';
import { recordOf } from '../tenancy/tenants.ts';
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

/** Returns a note if the newest post of events failed, because its events are not in the list. */
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

/** Returns why an event failed, or else what it is about. */
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

const BY_ID = `SELECT record FROM events WHERE workspace = ${WORKSPACE} AND id = ?`;

export function eventView({ scope, viewer, showing }: Reading, [id = '']: readonly string[]): PageView {
  const row = scope.store.get(BY_ID, viewer.caller.workspaceId, id);
  if (!row) throw new Refusal(404, 'no event of your workspace has this id');
  const event = fieldsOf(showing.body(recordOf(row)));
  const run = fieldText(event, 'execution_id');
  const target = shortened(fieldText(event, 'generate_gen_lock_id') ?? '') || undefined;
  const facts = {
    Outcome: outcomeOf(successOf(event)),
    Reason: fieldText(event, 'error'),
    Time: timeElement(event.created_at),
    Milliseconds: fieldText(event, 'duration_ms'),
    Run: run && linkTo(['runs', run], run),
    Target: target && html`<a href="${ROOT}?${new URLSearchParams({ target }).toString()}">${target}</a>`,
    Id: id,
  };
  const box = boxOf('All fields', event, 'dtp events search');
  return detailView(fieldText(event, 'interaction_type') ?? 'Event', facts, box);
}

const MINUTE = 60_000;
const MINUTES = 60;

/** The maximum number of events to count, which takes milliseconds. If an hour has more, the chart starts later. */
const EVENTS = 5000;

const COUNTS = `SELECT created_at / ${MINUTE} AS minute, count(*) AS n, total(success = 1) AS good,
    total(success = 0) AS bad, total(success IS NULL) AS other
  FROM (SELECT created_at, success FROM events
    WHERE workspace = ${WORKSPACE} AND created_at >= ${MINUTE} *
      (SELECT max(created_at) / ${MINUTE} - ${MINUTES - 1} FROM events WHERE workspace = ${WORKSPACE})
    ORDER BY created_at DESC LIMIT ${EVENTS})
  GROUP BY minute ORDER BY minute`;

const kinds = [
  ['good', true, 'succeeded'],
  ['bad', false, 'failed'],
  ['other', undefined, 'without an outcome'],
] as const;

const WIDTH = 720;
const HEIGHT = 80;
const STEP = WIDTH / MINUTES;

/** Draws the events of the hour that ends with the newest event. Undefined without events. */
export function minuteChart({ scope, viewer }: Pick<Reading, 'scope' | 'viewer'>): Html | undefined {
  const rows = scope.store.all(COUNTS, viewer.caller.workspaceId);
  const [first] = rows;
  if (!first) return undefined;
  const sum = (column: string) => rows.reduce((all, row) => all + Number(row[column]), 0);
  const most = Math.max(...rows.map(({ n }) => Number(n)));
  const end = Number(rows.at(-1)?.minute) + 1;
  const start = end - MINUTES;
  const isWhole = sum('n') < EVENTS;
  const about = `Events per minute from ${clockOf(isWhole ? start : Number(first.minute))} to ${clockOf(end)}`;
  return html`<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img"
aria-label="${about}, at most ${most}">
${rows.map((row) => barOf(row, (Number(row.minute) - start) * STEP, HEIGHT / most))}
</svg><figcaption>${about}: ${kinds.map(([kind, isGood, words]) => outcomeOf(isGood, `${sum(kind)} ${words} `))}
${!isWhole && `(the newest ${EVENTS})`}</figcaption></figure>
`;
}

const clockOf = (minute: number): string =>
  new Date(minute * MINUTE).toLocaleTimeString('sv-SE', { hour: '2-digit', minute: '2-digit' });

/** Draws one minute, from the bottom: succeeded events, failed events, events without an outcome. */
function barOf(row: DatabaseRow, x: number, scale: number): Html {
  let top = HEIGHT;
  return html`${kinds.map(([kind]) => {
    if (row[kind] === 0) return undefined;
    // One failure among thousands must be visible.
    const height = Math.max(Number(row[kind]) * scale, 1.5).toFixed(1);
    top -= Number(height);
    return html`<rect class="${kind}" x="${x}" y="${top.toFixed(1)}" width="${STEP - 1}" height="${height}"/>`;
  })}`;
}
