/** Checks and fills in events and groups them into windows: a full batch, or the events before a pause. */
import { isUtf8 } from 'node:buffer';
import { messageOf } from '../../caught.ts';
import { DtpError } from '../../errors.ts';
import type { EventBytes } from '../../flows/body.ts';
import { refuseInexact } from '../../input/files.ts';
import { isRecord } from '../../json-object.ts';
import { isDeeper } from '../../request/http.ts';
import { type FillValues, fillEvent } from './fill.ts';
import { eventFault } from './known.ts';
import { openRuns, type WindowCapacity } from './scan.ts';
import { eventInLine, eventPositionOf, type Lines, type Piece } from './texts.ts';

export interface WindowOptions {
  /** The flag of the input, or '' if the event consists of flags. */
  readonly label: string;
  /** The number of events and of bytes that complete a window. */
  readonly size: number;
  readonly bytes: number;
  /** Undefined with --no-fill. */
  readonly filling: FillValues | undefined;
  /** Fields that flags set in each event. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  /** Called for each invalid event that is skipped. Undefined if the first invalid event stops the command. */
  readonly skip: ((fault: DtpError) => void) | undefined;
  /** Whether an object without any known event field is invalid. */
  readonly check: boolean;
  /** Checks the fields of the first events. */
  readonly checkFields?: (event: object, place: string) => void;
}

/** How far the input was read. */
export interface InputPosition {
  /** The end of the last window that was yielded, such as `line 500`, or '' before the first one. */
  at: string;
}

/** How long an event waits for its batch to fill, in milliseconds. In its lane, it waits up to as long again. */
const WAIT = 300;

/** The memory for the events of an unfinished window at first, in bytes. */
const SHELF = 64 * 1024;

/** The deepest nesting that services accept. */
const DEPTH = 500;

/** The number of events whose fields are checked. In a million events, it would take too long. */
const NAMED = 100;

/**
 * Yields windows of events, which are only valid until the next one is requested. An empty window is a pause in the
 * input. Throws `usage` with the place and the reason at the first invalid event, and yields nothing of its window.
 */
export async function* windowsOf(
  groups: AsyncIterable<readonly Piece[] | Lines>,
  place: InputPosition,
  options: WindowOptions,
): AsyncGenerator<readonly EventBytes[]> {
  let events: EventBytes[] = [];
  let room = { events: options.size, bytes: options.bytes };
  let last: Taken['place'] | undefined;
  const shelf = openShelf();
  const take = () => {
    if (last) place.at = eventPositionOf(last);
    const all = events;
    events = [];
    room = { events: options.size, bytes: options.bytes };
    shelf.clear();
    return all;
  };
  for await (const group of withPauses(groups, WAIT)) {
    if (!group) {
      const all = take();
      if (all.length > 0) yield all;
      yield [];
      continue;
    }
    const next = 'ends' in group ? takeLines(group, options) : takePieces(group, options);
    for (let taken = next(room); taken; taken = next(room)) {
      last = taken.place;
      if (!taken.event) continue;
      events.push(taken.event);
      const count = taken.event.ends?.length ?? 1;
      room.events -= count;
      room.bytes -= taken.event.bytes.length - (count - 1);
      if (room.events <= 0 || room.bytes <= 0) yield take();
    }
    // The next group may overwrite these lines.
    if ('ends' in group) shelf.putAll(events);
  }
  const all = take();
  if (all.length > 0) yield all;
}

/** Memory for the events of an unfinished window. It is used again for the next window. */
function openShelf() {
  let all = Buffer.alloc(0);
  let used = 0;
  /** The number of events that are there. */
  let count = 0;
  return {
    /** Copies those events of a window that are not copies. */
    putAll: (events: EventBytes[]) => {
      for (const event of events.slice(count)) {
        const { length } = event.bytes;
        if (used + length > all.length) {
          // The events that are already there stay in the old memory.
          all = Buffer.allocUnsafeSlow(Math.max(SHELF, 2 * all.length, length));
          used = 0;
        }
        all.set(event.bytes, used);
        events[count++] = { ...event, bytes: all.subarray(used, used + length) };
        used += length;
      }
    },
    clear: () => {
      [used, count] = [0, 0];
    },
  };
}

/** The next event of a group, or the next events of one execution. */
interface Taken {
  /** Of the last event. */
  readonly place: Pick<Piece, 'line' | 'element'>;
  /** Undefined if it was skipped. */
  readonly event: EventBytes | undefined;
}

/** Takes events of a group until nothing is left. */
type Take = (room: WindowCapacity) => Taken | undefined;

function takePieces(pieces: readonly Piece[], options: WindowOptions): Take {
  let at = 0;
  return () => {
    const piece = pieces[at++];
    return piece && { place: piece, event: read(piece, options) };
  };
}

function takeLines(lines: Lines, options: WindowOptions): Take {
  const runAt = options.fields ? undefined : openRuns(lines, options.filling);
  let at = 0;
  return (room) => {
    while (at < lines.ends.length) {
      const run = options.checkFields && lines.first + at <= NAMED ? undefined : runAt?.(at, room);
      at += run?.ends.length ?? 1;
      if (run) return { place: { line: lines.first + at - 1 }, event: run };
      const piece = eventInLine(lines, at - 1);
      if (piece) return { place: piece, event: read(piece, options) };
    }
    return undefined;
  };
}

function read(piece: Piece, options: WindowOptions): EventBytes | undefined {
  try {
    return eventOf(piece, options);
  } catch (error) {
    if (!options.skip || !(error instanceof DtpError)) throw error;
    options.skip(error);
    return undefined;
  }
}

const badHint = 'Fix it, or skip invalid events with --on-error skip.';
const unknownHint = `${badHint} To send it anyway, add --no-check. See the event fields with: dtp events post --skeleton`;

function eventOf(piece: Piece, { label, filling, fields, check, checkFields }: WindowOptions): EventBytes {
  const place = () => (label === '' ? 'the input' : `${label}: ${eventPositionOf(piece)}`);
  const bad = (why: string, hint = badHint) => new DtpError('usage', `${place()} ${why}`, { hint });
  if (!isUtf8(piece.bytes)) throw bad('is not UTF-8 text');
  const text = piece.bytes.toString();
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (error) {
    throw bad(`is not JSON: ${messageOf(error)}`);
  }
  if (!isRecord(event)) throw bad(`is ${Array.isArray(event) ? 'an array' : JSON.stringify(event)}, not a JSON object`);
  const fault = check ? eventFault(event, fields) : undefined;
  if (fault !== undefined) throw bad(fault, unknownHint);
  if (text.length > 2 * DEPTH && isDeeper(event, DEPTH)) throw bad(`is nested deeper than ${DEPTH} levels`);
  if ((piece.element ?? piece.line) <= NAMED) {
    checkFields?.(fields ?? {}, '');
    checkFields?.(event, `${eventPositionOf(piece)}: `);
  }
  if (fields) refuseInexact(text, place());
  const given = fields ? { ...event, ...fields } : event;
  const bytes = fields ? Buffer.from(JSON.stringify(given)) : piece.bytes;
  const execution = given.execution_id ?? filling?.execution;
  return {
    bytes: filling ? fillEvent(bytes, given, filling) : bytes,
    execution: typeof execution === 'string' ? execution : '',
  };
}

/**
 * Yields the items of `source`, and `undefined` every `ms` milliseconds while items arrive, so that a reader who
 * collects them knows when to stop waiting. After the last item, `undefined` comes within two such intervals.
 */
export async function* withPauses<T>(source: AsyncIterable<T>, ms: number): AsyncGenerator<T | undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<T>> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let hasCome = false;
  let wake: () => void = () => undefined;
  const wait = () => {
    timer = setTimeout(() => {
      isOver = true;
      wake();
    }, ms);
  };
  try {
    for (;;) {
      const coming = next ?? iterator.next();
      next = coming;
      // Not Promise.race, which would hold the received items in memory until the timer ends.
      await new Promise((done: (value?: unknown) => void) => {
        wake = done;
        coming.then(done, done);
        if (isOver) done();
      });
      if (isOver) {
        isOver = false;
        timer = undefined;
        if (hasCome) wait();
        hasCome = false;
        yield undefined;
        continue;
      }
      const found = await coming;
      next = undefined;
      if (found.done) return;
      hasCome = true;
      if (!timer) wait();
      yield found.value;
    }
  } finally {
    clearTimeout(timer);
    const ended = iterator.return?.();
    // A pending read may never finish.
    if (next) ended?.catch(() => undefined);
    else await ended;
  }
}
