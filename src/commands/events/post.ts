/** `dtp events post`: queues and sends events from flags, a document or a stream, after those of earlier posts. */
import { messageOf, orThrow } from '../../caught.ts';
import { DtpError, ExitCode } from '../../errors.ts';
import { splitEvents } from '../../flows/body.ts';
import { type Delivery, deliver } from '../../flows/deliver.ts';
import { flush } from '../../flows/flush.ts';
import { checkInput } from '../../input/check.ts';
import { openFiles } from '../../input/files.ts';
import { type ParsedArguments, readInput } from '../../input/read.ts';
import { type Deadline, deadlineIn, timeoutOf } from '../../invocation/deadline.ts';
import { withPlaceholders, withSettings } from '../../invocation/fill.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { isNamedWorkspace } from '../../invocation/names-shape.ts';
import { resultWithConnection } from '../../invocation/over.ts';
import { isRecord } from '../../json-object.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import { checkNames } from '../../output/choice.ts';
import { withSpinner } from '../../output/progress.ts';
import { checkOutput } from '../../output/write-result.ts';
import { amount } from '../../render/amounts.ts';
import { parseJson, UnrepresentableNumberError } from '../../request/json.ts';
import { pathOf } from '../../request/url.ts';
import { commandLine, sameService } from '../../settings/command-line.ts';
import { isUnsent } from '../../settings/global-flags.ts';
import type { Destination, Head, Keep, Spool } from '../../store/spool.ts';
import { stateFolder } from '../../system/folders.ts';
import { unsentRequest } from '../operation/dry-run.ts';
import { queuePortOf } from '../service/queued.ts';
import { openBatches, type SendBatch } from './batches.ts';
import { type EventInput, openInput } from './input.ts';
import { deliveredText, failureOf, interruptedText, postResultOf, tallyText } from './outcome.ts';
import { batchBytes, type PostOptions, postOptions, spoolLimits } from './post-options.ts';
import { progressOf } from './progress.ts';

export async function postEvents(invocation: Invocation, operation: Operation, given: ParsedArguments) {
  const { context, settings, globals, output, log } = invocation;
  if (!isUnsent(globals)) checkNames(output, operation);
  const options = postOptions(given.flow);
  const files = openFiles(context);
  const { body, ...flags } = given.flags;
  const source = typeof body === 'string' ? body : undefined;
  const fromFlags = await readInput(operation, { ...given, flags }, context, files);
  const asked = source === undefined ? fromFlags : { body: [] };
  checkInput(operation, withPlaceholders(operation, asked), given.argv);
  await checkOutput(context, output);

  return resultWithConnection(invocation, { operation, input: {} }, async ({ connection, beginWhole }) => {
    const signal = beginWhole();
    const { workspace } = settings.values;
    // Events are queued by the id of their workspace. Only if that is not known yet, a request is sent first.
    const isLookedUp = settings.isOwnWorkspace || (workspace && isNamedWorkspace(workspace));
    const asking = !isUnsent(globals) && isLookedUp ? signal : undefined;
    const known = await withSettings(operation, { body: [] }, { settings, connection, signal: asking });
    pathOf(operation.path, known);
    const to = { base: connection.target.base, workspace: String(known.workspace_id) };
    const [fields] = Array.isArray(fromFlags.body) ? fromFlags.body.filter(isRecord) : [];
    const input = await openInput(invocation, { source, fields, files, to, options, signal });
    if (isUnsent(globals)) {
      const first = await firstBatch(input);
      return unsentRequest(invocation, operation, { input: first }, connection);
    }
    // If the user sets --timeout, most of it is left for the new events.
    const longest = settings.values.timeout ? Math.min(CATCH_UP_MS, timeoutOf(operation, settings) / 3) : CATCH_UP_MS;
    const flush = commandLine(['events', 'queue', 'flush', ...sameService(globals)]);
    const send = await openBatches(context, operation, connection);
    const posted = await post(invocation, { send, to, longest, signal }, input, options);
    const outcome = { ...posted, flush, isEmbedded: queuePortOf(to.base) !== undefined };
    const { ended, tally } = outcome.delivery;
    context.journal?.did({ what: 'events', amount: tallyText(outcome) });
    // An interrupt is reported even if the whole input was already accepted.
    const interrupt = ended ?? (tally.pending > 0 ? context.signal.reason : undefined);
    if (interrupt instanceof ExitCode) {
      log.note(interruptedText(outcome));
      throw interrupt;
    }
    const failure = failureOf(outcome);
    if (failure) throw failure;
    if (tally.accepted === 0) log.warn('the input has no events; nothing was sent');
    const next = ['events', 'search', ...sameService(globals)];
    return {
      kind: 'value',
      value: postResultOf(outcome),
      ...(tally.delivered > 0 && { done: { text: deliveredText(outcome), next, isWhole: true } }),
    };
  });
}

/** Sends queued events of earlier posts before those of the input. */
async function post(invocation: Invocation, sending: BatchSending, input: EventInput, options: PostOptions) {
  const { context, log } = invocation;
  const { send, to, signal } = sending;
  const { clock, random } = context;
  const start = clock.now();
  const limits = spoolLimits(context);
  const spool = options.spool ? await context.openSpool(stateFolder(context)) : undefined;
  const delivery = await withSpinner(context, operationsFor('events').postWorkspaceEvents.summary, async (show) => {
    const caughtUp =
      spool &&
      catchUp(invocation, spool, sending).catch((error: unknown) => {
        // An interrupt is reported below, together with the state of the input.
        if (!signal.aborted) log.warn(`cannot send the queued events of an earlier command: ${messageOf(error)}`);
      });
    const work = (keep: Keep | undefined): Promise<Delivery> =>
      deliver(input.events, {
        keep,
        // New events are read and queued meanwhile, so that an interrupt loses none of them.
        send: async (body, again) => {
          await caughtUp;
          return send(body, to.workspace, again, signal);
        },
        batchSize: options.batchSize,
        batchBytes,
        concurrency: options.concurrency,
        clock,
        random,
        signal,
        tell: (tally, isOut) => {
          const { bytes: read, size } = input.read();
          show(progressOf({ tally, isOut, elapsedMs: clock.now() - start, read, size }));
        },
      });
    return (spool ? spool.open(to, limits.bytes, work) : work(undefined)).finally(() => caughtUp);
  });
  return {
    delivery,
    skipped: input.skipped(),
    place: input.place.at,
    isQueued: spool !== undefined,
    elapsedMs: Math.round(clock.now() - start),
  };
}

/** The first batch, which `--dry-run` and `--curl` show. The whole input is read, so that every event is checked. */
async function firstBatch({ events }: EventInput): Promise<Input> {
  let body: readonly unknown[] | undefined;
  for await (const some of events)
    body ??= some.flatMap(splitEvents).map((one) => shownEvent(Buffer.from(one).toString()));
  return { body: body ?? [] };
}

/** The service gets the bytes of the event, so its integers must be shown exactly. */
function shownEvent(event: string): unknown {
  const hint = 'Without --dry-run or --curl, it is sent unchanged.';
  return orThrow(
    () => parseJson(event),
    (cause) =>
      cause instanceof UnrepresentableNumberError
        ? new DtpError('usage', `an event ${cause.message}, so it cannot be shown`, { hint, cause })
        : cause,
  );
}

/** The time limit in milliseconds, because new events must not wait for a large backlog. */
const CATCH_UP_MS = 10_000;

const DAY = 86_400_000;

interface BatchSending {
  readonly send: SendBatch;
  readonly to: Destination;
  /** In milliseconds, for events that an earlier command queued. */
  readonly longest: number;
  readonly signal: AbortSignal;
}

/** Reports the result in notes and warnings. A failure here does not fail the command. */
async function catchUp({ context, log }: Invocation, spool: Spool, { send, to, longest, signal }: BatchSending) {
  const { days } = spoolLimits(context);
  let deadline: Deadline | undefined;
  const oldest = context.date().getTime() - days * DAY;
  let old = 0;
  const wanted = ({ base, workspace, created_at, events }: Head) => {
    if (base !== to.base || workspace !== to.workspace) return false;
    if (Date.parse(created_at) >= oldest) return true;
    old += events;
    return false;
  };
  const { flushed, failure, unreadable } = await flush(spool, {
    state: 'pending',
    wanted,
    send: (body, workspace) => {
      deadline ??= deadlineIn(context, longest, signal);
      return send(body, workspace, true, deadline.signal);
    },
    isOver: () => (deadline?.signal ?? signal).aborted,
    tell: () => undefined,
  }).finally(() => deadline?.end());
  if (flushed.delivered > 0) log.note(`delivered ${amount(flushed.delivered, 'queued event')} of an earlier command`);
  if (failure) log.note(`events of an earlier command are still queued: ${failure.message}`);
  if (flushed.rejected > 0)
    log.warn(
      `${amount(flushed.rejected, 'queued event of an earlier command was', 'queued events of an earlier command were')} rejected. List them with: dtp events queue list`,
    );
  if (flushed.corrupt > 0)
    log.warn(
      `${amount(flushed.corrupt, 'queued batch is damaged and was', 'queued batches are damaged and were')} set aside. List them with: dtp events queue list`,
    );
  for (const why of unreadable) log.warn(`queued events of an earlier command were not sent: ${why}`);
  if (old > 0)
    log.warn(
      `${amount(old, 'event has', 'events have')} been queued for more than ${days} days. Send them with: dtp events queue flush. To delete them, see: dtp events queue drop --help`,
    );
}
