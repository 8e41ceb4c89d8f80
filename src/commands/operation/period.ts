/** `--since` and `--until`: the events of a period, filtered here because the API cannot, or only the newest ones. */
import { DtpError } from '../../errors.ts';
import { instantMs } from '../../input/times.ts';
import { fieldsOf } from '../../json-object.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import { isOnScreen } from '../../output/choice.ts';
import { type Show, withSpinner } from '../../output/progress.ts';
import type { ListSource, Result } from '../../output/result.ts';
import { amount, counted, instantOf } from '../../render/amounts.ts';
import { elementsIn } from '../../request/elements.ts';
import { passedOn } from '../../request/http.ts';
import { elementsOf, type Value } from '../../request/read.ts';
import { rowGroupsIn } from '../../request/rows.ts';
import { isUnsent } from '../../settings/global-flags.ts';
import type { KeptBytes } from '../../system/kept-bytes.ts';
import { limitYoungObjects } from '../../system/young-objects.ts';
import { flowFlags } from '../../tree/flow-flags.ts';
import { chartOf } from './chart.ts';
import { limitOf } from './limit.ts';
import { keptIn, listIn } from './list.ts';
import { firstSearch, searchBack } from './search-back.ts';
import { answer, type Sending, type Work } from './work.ts';

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
  return operation.hasNewest ? { ...input, limit: firstSearch } : input;
}

type Period = ReturnType<typeof periodIn>;

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
  const { invocation, operation, given } = sending;
  const { context, output } = invocation;
  const period = periodIn(given.flow, context.date());
  const found = await withSpinner(context, operation.summary, (show) => searched(sending, period, show));
  const notes = unreadable(found.undated);
  const list = found.isSorted ? found.list : await sorted(found.list);
  if (given.flow.chart) return chartOf(operation.id, await list.whole(), output);
  const bound = isBounded(sending) ? shown : undefined;
  const most = limitOf(given.flow.limit) ?? bound;
  return { kind: 'list', operation, list, most, notes, failure: found.failure };
}

/** Reads the newest events into a list of those in the period. */
async function searched(sending: Sending, period: Period, show: Show) {
  const { invocation, operation, ask, deadline } = sending;
  let kept = keptIn(invocation.context);
  const look = async (input: Input) => {
    kept.close();
    kept = keptIn(invocation.context);
    return selected(operation, await ask(input, deadline.signal), { period, kept, show });
  };
  const found = operation.hasNewest
    ? await searchBack((limit) => look({ limit }))
    : { ...(await look({})), isCut: false };
  return { ...found, failure: found.isCut ? cutOff(found) : undefined };
}

interface Selection {
  readonly period: Period;
  readonly kept: KeptBytes;
  readonly show: Show;
}

/** Keeps the events of a response that are in the period. Throws `bad_response` unless it is a list or null. */
async function selected(operation: Operation, response: Value, { period, kept, show }: Selection) {
  if (response.kind !== 'bytes') throw new Error('the response was read at once');
  const { since, until } = period;
  const body = passedOn(response.body, limitYoungObjects());
  let [count, keptCount, undated] = [0, 0, 0];
  let [isSorted, isNewestFirst] = [true, true];
  let [last, lastKept] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for await (const { rows, bytes } of rowGroupsIn({ ...response, body }, operation.rows)) {
    const isKept = rows.map((row) => {
      const time = timeOf(row);
      if (Number.isNaN(time)) undated++;
      else {
        isNewestFirst &&= time <= last;
        last = time;
      }
      if (!(time >= since && time < until)) return false;
      isSorted &&= time <= lastKept;
      lastKept = time;
      return true;
    });
    const texts = isKept.every(Boolean)
      ? [bytes]
      : elementsIn(Buffer.concat([OPEN, bytes, CLOSE])).filter((_, at) => isKept[at]);
    if (texts.length > 0) kept.add(Buffer.concat(texts.flatMap((text) => [keptCount++ === 0 ? OPEN : COMMA, text])));
    count += rows.length;
    show({ done: count, facts: [amount(count, 'event')] });
  }
  kept.add(keptCount === 0 ? EMPTY : CLOSE);
  const list = listIn(undefined, response, kept, true);
  return { list, count, undated, isSorted, last, isWhole: isNewestFirst && last < since };
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');
const EMPTY = Buffer.from('[]');

/** The failure of a search that the service has cut off, although the whole period was asked for. */
const cutOff = ({ count, last }: { readonly count: number; readonly last: number }): DtpError =>
  new DtpError(
    'partial',
    `only the newest ${counted(count)} events were searched, back to ${new Date(last).toISOString()}, because the service returns no more at once`,
    { hint: 'Use filters such as --execution-id, or a shorter period.' },
  );

const unreadable = (count: number): readonly string[] =>
  count === 0 ? [] : [`${amount(count, 'event')} without a readable created_at, which may be in the period, left out`];

/** Sorts a list that does not start with the newest event. Throws `bad_response` if it is too long for memory. */
async function sorted({ whole, close }: ListSource): Promise<ListSource> {
  const response = await whole();
  const rows = elementsOf(response).toSorted((one, other) => timeOf(other) - timeOf(one));
  return {
    rows: async function* () {
      yield rows;
      return undefined;
    },
    whole: async () => ({ kind: 'json', status: response.status, value: rows }),
    close,
  };
}

/** When an event was created. An event without a readable time is in no period. */
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
