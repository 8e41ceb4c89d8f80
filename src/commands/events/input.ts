/** Opens the events to post, from a stream, a document or flags. Checks them and fills in their missing fields. */
import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { type ByteStream, type InputFiles, parseDocument } from '../../input/files.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { passedOn } from '../../request/http.ts';
import type { Destination } from '../../store/spool.ts';
import { limitYoungObjects } from '../../system/young-objects.ts';
import { executionOf, type FillValues, type Instant, uuid7 } from './fill.ts';
import { openFieldCheck } from './known.ts';
import { batchBytes, type PostOptions } from './post-options.ts';
import { groupsOf } from './texts.ts';
import { type InputPosition, windowsOf } from './windows.ts';

export type EventInput = Awaited<ReturnType<typeof openInput>>;

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

export async function openInput({ context, log }: Invocation, { source, fields, files, to, options, signal }: Wanted) {
  const stream = source === undefined ? oneEvent() : await files.stream(source, label, signal);
  const place: InputPosition = { at: '' };
  let bytes = 0;
  let skipped = 0;
  const young = limitYoungObjects();
  const counted = passedOn(stream.bytes, {
    see: (piece) => {
      young.see(piece);
      bytes += piece.byteLength;
    },
    end: young.end,
  });
  const skip = (fault: Error) => {
    skipped++;
    if (skipped <= MOST_WARNINGS) log.warn(`skipped: ${fault.message}`);
    if (skipped === MOST_WARNINGS) log.warn('from here on, skipped events are only counted');
  };
  const groups = groupsOf(counted, label, (text) => parseDocument(text, label, true));
  const events = windowsOf(groups, place, {
    label: source === undefined ? '' : label,
    size: options.batchSize,
    bytes: batchBytes,
    filling: options.fill ? fillingOf(context, to.workspace) : undefined,
    fields,
    skip: options.skip ? skip : undefined,
    check: options.check,
    checkFields: openFieldCheck(log.warn),
  });
  return {
    events,
    place: source === undefined ? { at: '' } : place,
    /** The number of invalid events skipped so far. */
    skipped: () => skipped,
    /** Bytes read from the source so far, and its size if known. */
    read: () => ({ bytes, size: stream.size }),
  };
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
