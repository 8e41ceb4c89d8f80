/** What the user gives → events: a stream or a document, members from flags, and what is filled in. */
import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { EventBytes } from '../../flows/deliver.ts';
import { type ByteStream, type Files, parseDocument } from '../../input/files.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { Destination } from '../../store/spool.ts';
import { executionOf, type Filling, uuid7 } from './fill.ts';
import { batchBytes, type PostOptions } from './post-options.ts';
import { piecesOf } from './texts.ts';
import { type Place, windowsOf } from './windows.ts';

export interface EventInput {
  readonly events: AsyncIterable<readonly EventBytes[]>;
  readonly place: Place;
  /** Bad events that were left out until now. */
  readonly skipped: () => number;
  /** Of the source: bytes read until now, and in all where that is known. */
  readonly read: () => { readonly bytes: number; readonly size: number | undefined };
}

const label = '--body';

/** Bad events that are told one by one. */
const TOLD = 20;

interface Wanted {
  /** The text of `--body`; without one the event is what `members`, from flags, say. */
  readonly source: string | undefined;
  readonly members: Readonly<Record<string, unknown>> | undefined;
  readonly files: Files;
  readonly to: Destination;
  readonly options: PostOptions;
  readonly signal: AbortSignal;
}

export async function openInput(
  { context, log }: Invocation,
  { source, members, files, to, options, signal }: Wanted,
): Promise<EventInput> {
  const stream = source === undefined ? oneEvent() : await files.stream(source, label, signal);
  const place: Place = { at: '' };
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
    if (skipped <= TOLD) log.warn(`left out: ${fault.message}`);
    if (skipped === TOLD) log.warn('more that are left out are only counted');
  };
  const pieces = piecesOf(counted, label, (text) => parseDocument(text, label));
  const events = windowsOf(pieces, place, {
    label,
    size: options.batchSize,
    bytes: batchBytes,
    filling: options.fill ? fillingOf(context, to.workspace) : undefined,
    members,
    skip: options.skip ? skip : undefined,
    check: options.check,
  });
  return { events, place, skipped: () => skipped, read: () => ({ bytes, size: stream.size }) };
}

const oneEvent = (): ByteStream => ({ bytes: Readable.from([Buffer.from('{}')]), size: undefined });

function fillingOf(context: Context, workspace: string): Filling {
  const { date, uuid } = context;
  return {
    workspace,
    execution: executionOf(context),
    now: () => date().toISOString(),
    id: () => uuid7(date().getTime(), uuid()),
  };
}
