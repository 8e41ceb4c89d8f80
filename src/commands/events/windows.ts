/** Checks and fills in events and groups them into windows: a full batch, or the events before a pause. */
import { isUtf8 } from 'node:buffer';
import { messageOf } from '../../caught.ts';
import { DtpError } from '../../errors.ts';
import type { EventBytes } from '../../flows/deliver.ts';
import { refuseInexact } from '../../input/files.ts';
import { isRecord } from '../../json-object.ts';
import { isDeeper } from '../../request/http.ts';
import { type Filling, filled } from './fill.ts';
import { eventFault } from './known.ts';
import { withPauses } from './pauses.ts';
import { type Piece, placeOf } from './texts.ts';

export interface WindowOptions {
  readonly label: string;
  /** The number of events and of bytes that complete a window. */
  readonly size: number;
  readonly bytes: number;
  /** Undefined with --no-fill. */
  readonly filling: Filling | undefined;
  /** Fields that flags set in each event. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  /** Called for each invalid event that is skipped. Undefined if the first invalid event stops the command. */
  readonly skip: ((fault: DtpError) => void) | undefined;
  /** Whether an object without any known event field is invalid. */
  readonly check: boolean;
}

/** How far the input was read. */
export interface Place {
  /** The end of the last window that was yielded, such as `line 500`, or '' before the first one. */
  at: string;
}

/**
 * In milliseconds: how long an event waits here until its batch is full. It then waits as long in its lane. The total
 * is under a second.
 */
const WAIT = 300;

/** The deepest nesting that services accept. */
const DEPTH = 500;

/**
 * Yields windows of events. An empty window is a pause in the input. Throws `usage` with the place and the reason at the
 * first invalid event, and yields nothing of its window.
 */
export async function* windowsOf(
  pieces: AsyncIterable<readonly Piece[]>,
  place: Place,
  options: WindowOptions,
): AsyncGenerator<readonly EventBytes[]> {
  let events: EventBytes[] = [];
  let size = 0;
  let last: Piece | undefined;
  for await (const some of withPauses(pieces, WAIT)) {
    if (!some) {
      if (last) place.at = placeOf(last);
      if (events.length > 0) yield events;
      events = [];
      size = 0;
      yield [];
      continue;
    }
    for (const piece of some) {
      const event = read(piece, options);
      last = piece;
      if (!event) continue;
      events.push(event);
      size += event.bytes.byteLength;
      if (events.length < options.size && size < options.bytes) continue;
      place.at = placeOf(piece);
      yield events;
      events = [];
      size = 0;
    }
  }
  if (last) place.at = placeOf(last);
  if (events.length > 0) yield events;
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

const badHint = 'Fix it, or leave out invalid events with --on-error skip.';
const unknownHint = `${badHint} To send it anyway, add --no-check. See the event fields with: dtp events post --skeleton`;

function eventOf(piece: Piece, { label, filling, fields, check }: WindowOptions): EventBytes {
  const bad = (why: string, hint = badHint) =>
    new DtpError('usage', `${label}: ${placeOf(piece)} ${why}`, { hint });
  if (!isUtf8(piece.bytes)) throw bad('is not UTF-8 text');
  const text = piece.bytes.toString();
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (error) {
    throw bad(`is not JSON: ${messageOf(error)}`);
  }
  if (!isRecord(event))
    throw bad(`is ${Array.isArray(event) ? 'an array' : JSON.stringify(event)}, not a JSON object`);
  const fault = check ? eventFault(event, fields) : undefined;
  if (fault !== undefined) throw bad(fault, unknownHint);
  if (text.length > 2 * DEPTH && isDeeper(event, DEPTH)) throw bad(`is nested deeper than ${DEPTH} levels`);
  if (fields) refuseInexact(text, `${label}: ${placeOf(piece)}`);
  const given = fields ? { ...event, ...fields } : event;
  const bytes = fields ? Buffer.from(JSON.stringify(given)) : piece.bytes;
  const execution = given.execution_id ?? filling?.execution;
  return {
    bytes: filling ? filled(bytes, given, filling) : bytes,
    execution: typeof execution === 'string' ? execution : '',
  };
}
