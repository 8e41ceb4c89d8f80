/** `--since` and `--until`: the events of a period, filtered here because the API cannot, or only the newest ones. */
import { DtpError } from '../../errors.ts';
import { instantMs } from '../../input/times.ts';
import { fieldsOf } from '../../json-object.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import { isOnScreen } from '../../output/choice.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { counted, instantOf } from '../../render/amounts.ts';
import type { Value } from '../../request/read.ts';
import { isUnsent } from '../../settings/global-flags.ts';
import { flowFlags } from '../../tree/flow-flags.ts';
import { chartOf } from './chart.ts';
import { firstRows, limitOf } from './limit.ts';
import { answer, type Sending, type Work } from './work.ts';

/** The first and the largest number of events to request. A search returns the newest ones, without pages. */
const [first, step, most] = [10_000, 4, 160_000];

/** Whether the user asked for the events of a period that the service cannot select. */
export const hasPeriod = ({ operation, given: { flow } }: Pick<Work, 'operation' | 'given'>): boolean =>
  (flow.until ?? flow.since) !== undefined &&
  'until' in flowFlags(operation) &&
  (flow.until !== undefined || operation.hasNewest === true);

/** Returns the input of the first request. Throws `usage` for an unreadable limit or time, or an empty period. */
export function withPeriod({ operation, given, invocation, input }: Omit<Work, 'calls'>): Input {
  if (!hasPeriod({ operation, given })) return input;
  const { context, globals, log } = invocation;
  periodIn(given.flow, context.date());
  limitOf(given.flow.limit);
  if (isUnsent(globals)) log.note('dtp selects the events of the period from the response');
  return operation.hasNewest ? { ...input, limit: first } : input;
}

/** Returns times in milliseconds since 1970. `since` belongs to the period, `until` does not. */
function periodIn(flow: { readonly since?: string | undefined; readonly until?: string | undefined }, now: Date) {
  const time = (flag: '--since' | '--until', text: string | undefined, usual: number) =>
    text === undefined ? usual : instantMs(flag, text, now);
  const since = time('--since', flow.since, Number.NEGATIVE_INFINITY);
  const until = time('--until', flow.until, Number.POSITIVE_INFINITY);
  if (since >= until) throw new DtpError('usage', '--since must be earlier than --until');
  return { since, until };
}

/** Requests more and more of the newest events until they go back far enough. */
export async function askPeriod(sending: Sending): Promise<Result> {
  const { invocation, operation, given, ask, deadline } = sending;
  const { context, output } = invocation;
  const period = periodIn(given.flow, context.date());
  const { events, isWhole } = await withSpinner(context, operation.summary, async () => {
    for (let limit = first; ; limit *= step) {
      const events = eventsIn(operation, await ask(operation.hasNewest ? { limit } : {}, deadline.signal));
      const isWhole = !operation.hasNewest || events.length < limit || goesBackTo(period.since, events);
      if (isWhole || limit >= most) return { events, isWhole };
    }
  });
  const kept = events
    .filter((event) => timeOf(event) >= period.since && timeOf(event) < period.until)
    .sort((one, other) => timeOf(other) - timeOf(one));
  const value = { kind: 'json', status: 200, value: kept } as const;
  const searched = isWhole ? [] : [`only the newest ${counted(most)} events were searched, not the whole period`];
  const result = given.flow.chart ? await chartOf(operation.id, value, output) : answer(operation, value);
  const bound = isBounded(sending) ? shown : Number.POSITIVE_INFINITY;
  const cut = firstRows(operation, result, limitOf(given.flow.limit) ?? bound, output);
  const notes = [...(cut.notes ?? []), ...searched];
  // A list without notes ends with the number of its rows.
  return notes.length === 0 ? cut : { ...cut, notes };
}

/** Whether a list that starts with the newest event ends before the period. */
function goesBackTo(since: number, events: readonly unknown[]): boolean {
  const last = timeOf(events.at(-1));
  return last < since && timeOf(events[0]) >= last;
}

/** The events of a response. A list may be null. Throws `bad_response` for anything else. */
function eventsIn({ command }: Operation, value: Value): readonly unknown[] {
  const list = value.kind === 'json' ? (value.value ?? []) : undefined;
  if (Array.isArray(list)) return list;
  throw new DtpError('bad_response', `the response of dtp ${command.join(' ')} is not a list`);
}

/** When an event was created. An event without a time is in no period. */
const timeOf = (event: unknown): number => instantOf(fieldsOf(event).created_at) ?? Number.NaN;

/** How many events a terminal shows without `--limit` or `--all`. */
const shown = 50;
/** How many events are counted. Counting more would take too long. */
const mostCounted = 1000;

/** Whether only the newest events are shown. A pipe gets what was asked for. */
export const isBounded = ({ operation, given, invocation }: Work): boolean =>
  operation.hasNewest === true && isOnScreen(invocation.output) && !given.flow.all && !given.flow.chart;

/** Shows the newest events, and notes that there are more. If the user set a limit, they are not counted. */
export async function newest({ operation, ask, deadline, input: { limit } }: Sending): Promise<Result> {
  const value = await ask(limit === undefined ? { limit: mostCounted + 1 } : {}, deadline.signal);
  const events = value.kind === 'json' && Array.isArray(value.value) ? value.value : undefined;
  const bound = typeof limit === 'number' ? limit : shown;
  if (events === undefined || events.length < bound || (limit === undefined && events.length === bound))
    return answer(operation, value);
  const count = events.length > mostCounted ? `more than ${counted(mostCounted)}` : counted(events.length);
  return {
    kind: 'value',
    value: events.toSorted((one, other) => time(other).localeCompare(time(one))).slice(0, bound),
    shape: operation,
    notes: [
      limit === undefined
        ? `${shown} of ${count} events; more with --limit or --all`
        : 'there may be more events: use a higher --limit, or --all',
    ],
  };
}

const time = (event: unknown): string => String(fieldsOf(event).created_at ?? '');
