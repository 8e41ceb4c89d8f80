/** `events search` on a terminal: shows only the newest events, and how many there are. */
import { fieldsOf } from '../../json-object.ts';
import { isOnScreen } from '../../output/choice.ts';
import type { Result } from '../../output/result.ts';
import { counted } from '../../render/amounts.ts';
import { answer, type Sending, type Work } from './work.ts';

/** How many events a terminal shows without `--limit` or `--all`. */
export const shown = 50;
/** How many events are counted. Counting more would take too long. */
const most = 1000;

/** Whether only the newest events are shown. A pipe gets what was asked for. */
export const isBounded = ({ operation, given, invocation }: Work): boolean =>
  operation.hasNewest === true && isOnScreen(invocation.output) && !given.flow.all && !given.flow.chart;

/** Shows the newest events, and notes that there are more. If the user set a limit, they are not counted. */
export async function newest({ operation, ask, deadline, input: { limit } }: Sending): Promise<Result> {
  const value = await ask(limit === undefined ? { limit: most + 1 } : {}, deadline.signal);
  const events = value.kind === 'json' && Array.isArray(value.value) ? value.value : undefined;
  const bound = typeof limit === 'number' ? limit : shown;
  if (events === undefined || events.length < bound || (limit === undefined && events.length === bound))
    return answer(operation, value);
  const count = events.length > most ? `more than ${counted(most)}` : counted(events.length);
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
