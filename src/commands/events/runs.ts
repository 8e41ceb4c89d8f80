/** Finds runs of complete, valid events of one execution in lines, without parsing or copying them. */
import { isUtf8 } from 'node:buffer';
import type { EventBytes } from '../../flows/deliver.ts';
import type { FillValues } from './fill.ts';
import { allFields, type EventScan, scanEvent } from './scan.ts';
import { type Lines, lineStart } from './texts.ts';

/** How many more events, and bytes, fit in a window. The last event may be longer. */
export interface WindowCapacity {
  events: number;
  bytes: number;
}

export type EventRun = EventBytes & { readonly ends: readonly number[] };

/**
 * Returns a function that returns the run of events that begins with a line, or undefined if that line must be parsed:
 * the event may be invalid, or some of its fields must be filled in.
 */
export function openRuns(
  { bytes, ends }: Lines,
  filling: FillValues | undefined,
): (at: number, room: WindowCapacity) => EventRun | undefined {
  const isText = isUtf8(bytes);
  const found: EventScan = { fields: 0, start: 0, end: 0 };
  /** The line that `found` describes. */
  let scanned = -1;
  const isComplete = (at: number): boolean => {
    if (scanned === at) return true;
    const end = ends[at] as number;
    // The scan needs the line break.
    if (!isText || end === bytes.length || scanEvent(bytes, lineStart(ends, at), found) !== end) return false;
    // Without any of these fields, it may not be an event.
    if (found.fields === 0 || (filling && found.fields !== allFields)) return false;
    scanned = at;
    return true;
  };
  return (at, room) => {
    if (!isComplete(at)) return undefined;
    const { start, end } = found;
    const from = lineStart(ends, at);
    const run = [(ends[at] as number) - from];
    for (let next = at + 1; next < ends.length && run.length < room.events; next++) {
      // Without the line breaks between the events.
      const size = (ends[next - 1] as number) - from - (run.length - 1);
      if (size >= room.bytes || !isComplete(next)) break;
      if (!isSame(bytes, { start, end }, found)) break;
      run.push((ends[next] as number) - from);
    }
    // Empty without the field: with `filling`, such an event is not complete.
    const execution = bytes.toString('latin1', start, end);
    return { bytes: bytes.subarray(from, from + (run.at(-1) as number)), execution, ends: run };
  };
}

type Span = Pick<EventScan, 'start' | 'end'>;

/** Whether two events have the same execution. */
function isSame(bytes: Uint8Array, one: Span, other: Span): boolean {
  const length = one.end - one.start;
  if (length !== other.end - other.start) return false;
  for (let at = 0; at < length; at++) if (bytes[one.start + at] !== bytes[other.start + at]) return false;
  return true;
}
