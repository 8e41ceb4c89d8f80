/** Draws the events of an hour by minute and outcome. */
import { countOutcomes, type EventCounts, newestEventTime } from '../data/activity.ts';
import type { Store } from '../data/store.ts';
import { type Html, html } from './html.ts';
import { outcomeOf } from './layout.ts';

const MINUTE = 60_000;
const MINUTES = 60;

/** The time that one drawing may spend on counting, in milliseconds. A million events an hour take more than that. */
const BUDGET_MS = 8;

/** After this time, a minute is counted again, in milliseconds. Its events may come late. */
const FRESH_MS = 10_000;

/** The counts of the minutes of one workspace. Those that are not counted yet are counted in the next drawings. */
export class MinuteCounts {
  readonly #counts = new Map<number, { readonly counts: EventCounts; readonly at: number }>();

  /** Returns the counts of the hour that ends with the newest event, the oldest minute first. */
  read(store: Store, workspaceId: string, clock: () => number = () => performance.now()): HourOfEvents | undefined {
    const newest = newestEventTime(store, workspaceId);
    if (newest === undefined) return undefined;
    const start = clock();
    const last = Math.floor(newest / MINUTE);
    const first = last - MINUTES + 1;
    for (const minute of this.#counts.keys()) if (minute < first || minute > last) this.#counts.delete(minute);
    const isDue = (minute: number) => {
      const known = this.#counts.get(minute);
      return minute >= last - 1 || !known || start - known.at > FRESH_MS;
    };
    for (let minute = last; minute >= first && clock() - start < BUDGET_MS; minute--)
      if (isDue(minute)) {
        const counts = countOutcomes(store, workspaceId, minute * MINUTE, (minute + 1) * MINUTE);
        this.#counts.set(minute, { counts, at: start });
      }
    return {
      from: new Date(first * MINUTE),
      to: new Date((last + 1) * MINUTE),
      minutes: Array.from({ length: MINUTES }, (_, at) => this.#counts.get(first + at)?.counts),
    };
  }
}

export interface HourOfEvents {
  readonly from: Date;
  readonly to: Date;
  /** Undefined for a minute that is not counted yet. */
  readonly minutes: readonly (EventCounts | undefined)[];
}

/** Whether all minutes are counted. */
export const isComplete = ({ minutes }: HourOfEvents): boolean => minutes.every((one) => one !== undefined);

const WIDTH = 720;
const HEIGHT = 80;
const STEP = WIDTH / MINUTES;

const totalOf = (counts: EventCounts | undefined): number => (counts ? counts.good + counts.bad + counts.other : 0);

/** Draws bars: succeeded at the bottom, then failed, then events without an outcome. */
export function minuteChart(hour: HourOfEvents): Html {
  const { minutes, from, to } = hour;
  const most = Math.max(...minutes.map(totalOf), 1);
  const sum = (part: keyof EventCounts) => minutes.reduce((all, counts) => all + (counts?.[part] ?? 0), 0);
  const clock = (time: Date) => time.toLocaleTimeString('sv-SE', { hour: '2-digit', minute: '2-digit' });
  const about = `Events per minute from ${clock(from)} to ${clock(to)}`;
  return html`<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img"
aria-label="${about}, at most ${most}">
${minutes.map((counts, at) => counts && barOf(counts, at, most))}
</svg><figcaption>${about}: ${outcomeOf(true, `${sum('good')} succeeded`)},
${outcomeOf(false, `${sum('bad')} failed`)}, ${outcomeOf(undefined, `${sum('other')} without an outcome`)}${!isComplete(hour) && ' (still counting)'}</figcaption></figure>
`;
}

function barOf({ good, bad, other }: EventCounts, at: number, most: number): Html {
  const scale = (count: number) => Math.round((count / most) * HEIGHT * 10) / 10;
  let top = HEIGHT;
  return html`${[good, bad, other].map((count, kind) => {
    if (count === 0) return undefined;
    // One failure among thousands must be visible.
    const height = Math.max(scale(count), 1.5);
    top -= height;
    const x = Math.round(at * STEP * 10) / 10;
    return html`<rect class="${'abc'[kind] ?? ''}" x="${x}" y="${top.toFixed(1)}" width="${STEP - 1}" height="${height}"/>`;
  })}`;
}
