/** The user's input → events: from a stream or a document, with fields from flags and filled-in fields. */
import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { EventBytes } from '../../flows/deliver.ts';
import { type ByteStream, type InputFiles, parseDocument } from '../../input/files.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { isRecord, type JsonObject } from '../../json-object.ts';
import type { Destination } from '../../store/spool.ts';
import { executionOf, type FillValues, type Instant, uuid7 } from './fill.ts';
import { eventFault, meantField } from './known.ts';
import { batchBytes, type PostOptions } from './post-options.ts';
import { eventPositionOf, groupsOf, type Lines, type Piece, piecesIn } from './texts.ts';
import { type InputPosition, windowsOf } from './windows.ts';

export interface EventInput {
  readonly events: AsyncIterable<readonly EventBytes[]>;
  readonly place: InputPosition;
  /** The number of invalid events skipped so far. */
  readonly skipped: () => number;
  /** Bytes read from the source so far, and its size if known. */
  readonly read: () => { readonly bytes: number; readonly size: number | undefined };
}

const label = '--body';

/** How many skipped events are reported one by one. Further ones are only counted. */
const MOST_WARNINGS = 20;

interface Wanted {
  /** The value of `--body`. Without it, the event consists of `fields`, which come from flags. */
  readonly source: string | undefined;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  readonly files: InputFiles;
  readonly to: Destination;
  readonly options: PostOptions;
  readonly signal: AbortSignal;
}

export async function openInput(
  { context, log }: Invocation,
  { source, fields, files, to, options, signal }: Wanted,
): Promise<EventInput> {
  const stream = source === undefined ? oneEvent() : await files.stream(source, label, signal);
  const place: InputPosition = { at: '' };
  let bytes = 0;
  let skipped = 0;
  const counted = (async function* () {
    for await (const chunk of stream.bytes) {
      bytes += chunk.byteLength;
      yield chunk;
    }
  })();
  const skip = (fault: Error) => {
    skipped++;
    if (skipped <= MOST_WARNINGS) log.warn(`skipped: ${fault.message}`);
    if (skipped === MOST_WARNINGS) log.warn('from here on, skipped events are only counted');
  };
  const groups = groupsOf(counted, label, (text) => parseDocument(text, label));
  const isSent = (event: JsonObject) => !options.check || eventFault(event, fields) === undefined;
  const events = windowsOf(withNamesChecked(groups, fields, isSent, log.warn), place, {
    label: source === undefined ? '' : label,
    size: options.batchSize,
    bytes: batchBytes,
    filling: options.fill ? fillingOf(context, to.workspace) : undefined,
    fields,
    skip: options.skip ? skip : undefined,
    check: options.check,
  });
  return {
    events,
    place: source === undefined ? { at: '' } : place,
    skipped: () => skipped,
    read: () => ({ bytes, size: stream.size }),
  };
}

/** How many events are searched for misspelt names, and how many different names. Programs repeat the same names. */
const mostChecked = { events: 100, names: 200 };

/** Warns once about each unknown field that probably means a known one. The event is sent anyway. */
async function* withNamesChecked(
  groups: AsyncIterable<readonly Piece[] | Lines>,
  fields: Readonly<Record<string, unknown>> = {},
  isSent: (event: JsonObject) => boolean,
  warn: (text: string) => void,
): AsyncGenerator<readonly Piece[] | Lines> {
  const seen = new Set<string>();
  const check = (names: readonly string[], place: string) => {
    for (const name of names.filter((one) => !seen.has(one)).slice(0, mostChecked.names - seen.size)) {
      seen.add(name);
      const meant = meantField(name);
      if (meant !== '') warn(`${place}unknown field "${name}"${meant}; sending it anyway`);
    }
  };
  let left = mostChecked.events;
  for await (const group of groups) {
    const pieces = left <= 0 ? [] : 'ends' in group ? piecesIn(group) : group;
    for (const piece of pieces.slice(0, left)) {
      const event = parsedEvent(piece.bytes);
      if (!event || !isSent(event)) continue;
      check(Object.keys(fields), '');
      check(Object.keys(event), `${eventPositionOf(piece)}: `);
    }
    left -= pieces.length;
    yield group;
  }
}

/** Undefined if the event is invalid, which is reported later. */
function parsedEvent(bytes: Buffer): JsonObject | undefined {
  try {
    const event: unknown = JSON.parse(bytes.toString());
    return isRecord(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

const oneEvent = (): ByteStream => ({ bytes: Readable.from([Buffer.from('{}')]), size: undefined });

function fillingOf(context: Context, workspace: string): FillValues {
  const { date, uuid } = context;
  let last = instantOf(date());
  return {
    workspace,
    execution: executionOf(context),
    now: () => {
      const now = date();
      // Many events get the same time, and formatting takes longer than comparing.
      if (now.getTime() !== last.ms) last = instantOf(now);
      return last;
    },
    id: () => uuid7(date().getTime(), uuid()),
  };
}

const instantOf = (date: Date): Instant => ({ ms: date.getTime(), text: date.toISOString() });
