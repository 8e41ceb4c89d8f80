/** Draws the events of an hour by minute and outcome. */
import { workspaceNumber } from '../data/events.ts';
import type { DatabaseRow } from '../data/store.ts';
import { type Html, html } from './html.ts';
import { outcomeOf } from './layout.ts';
import type { Reading } from './reading.ts';

const MINUTE = 60_000;
const MINUTES = 60;

/** The most events that are counted, which takes milliseconds. If an hour has more, the chart starts later. */
const EVENTS = 5000;

const COUNTS = `SELECT created_at / ${MINUTE} AS minute, count(*) AS n, total(success = 1) AS good,
    total(success = 0) AS bad, total(success IS NULL) AS other
  FROM (SELECT created_at, success FROM events
    WHERE workspace = ?1 AND created_at >= ${MINUTE} *
      (SELECT max(created_at) / ${MINUTE} - ${MINUTES - 1} FROM events WHERE workspace = ?1)
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

/** The chart of the hour that ends with the newest event. Undefined without events. */
export function minuteChart({ scope, viewer }: Pick<Reading, 'scope' | 'viewer'>): Html | undefined {
  const rows = scope.store.all(COUNTS, workspaceNumber(scope.store, viewer.caller.workspaceId));
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

/** Succeeded at the bottom, then failed, then events without an outcome. */
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
