/** `dtp events post`: events of any number, from flags, a document or a stream, delivered over the spool. */
import type { Context } from '../../context.ts';
import { ExitCode } from '../../errors.ts';
import { type Delivery, deliver } from '../../flows/deliver.ts';
import type { Operation } from '../../operations/operation.ts';
import { pathOf } from '../../request/url.ts';
import type { Destination, Keep } from '../../store/spool.ts';
import { commandLine, sameService } from '../advice.ts';
import { checkInput } from '../check.ts';
import { type Connection, connect } from '../connection.ts';
import { openDeadline, timeoutOf } from '../deadline.ts';
import { emitUnsent, isUnsent } from '../dry-run.ts';
import { checkOutput, emitResult } from '../emit.ts';
import { advise } from '../explain.ts';
import { openFiles } from '../files.ts';
import { withPlaceholders, withSettings } from '../filled.ts';
import { stateFolder } from '../folders.ts';
import type { Globals } from '../globals.ts';
import { type Given, readInput } from '../input.ts';
import { type Log, openLog } from '../log.ts';
import { checkNames, outputOf } from '../output.ts';
import { resolveSettings } from '../settings.ts';
import { withSpinner } from '../spinner.ts';
import { openBatches } from './batches.ts';
import { catchUp, LONGEST } from './catch-up.ts';
import { firstBatch } from './dry-run.ts';
import { type EventInput, openInput } from './input.ts';
import { failureOf, interruptedText, type Outcome, resultOf } from './outcome.ts';
import { batchBytes, type PostOptions, postOptions, spoolLimits } from './post-options.ts';
import { progressText } from './progress.ts';

export async function runPost(
  context: Context,
  operation: Operation,
  given: Given,
  globals: Globals,
): Promise<void> {
  const log = openLog(context, globals);
  const settings = await resolveSettings(context, globals);
  for (const fault of settings.faults) log.warn(fault.message);
  const output = await outputOf(context, globals, settings);
  if (!isUnsent(globals)) checkNames(output, operation);
  const options = postOptions(given.flow);
  const files = openFiles(context);
  const { body, ...flags } = given.flags;
  const source = typeof body === 'string' ? body : undefined;
  const fromFlags = await readInput(operation, { ...given, flags }, context, files);
  const asked = source === undefined ? fromFlags : { body: [] };
  checkInput(operation, withPlaceholders(operation, asked), given.argv);
  await checkOutput(output);

  const connection = await connect({ context, settings, globals, operation, log });
  // A time that the user gives is for the whole; without one, each request has its own.
  const deadline = settings.values.timeout && openDeadline(context, operation, settings);
  const signal = deadline?.signal ?? context.signal;
  try {
    const known = await withSettings(operation, { body: [] }, settings, connection, undefined);
    pathOf(operation.path, known);
    const to = { base: connection.target.base, workspace: String(known.workspace_id) };
    const [members] = (fromFlags.body ?? []) as readonly Record<string, unknown>[];
    const input = await openInput(context, source, members, files, to.workspace, options, signal, log);
    if (isUnsent(globals)) {
      const first = await firstBatch(known, input);
      return await emitUnsent(context, operation, first, settings, connection, globals, output, log);
    }
    // Of the user's own time the new events have the larger part.
    const longest = deadline ? Math.min(LONGEST, timeoutOf(operation, settings) / 3) : LONGEST;
    const flush = commandLine(['events', 'spool', 'flush', ...sameService(globals)]);
    const posted = await post(context, operation, connection, to, input, options, longest, signal, log);
    const outcome = { ...posted, flush };
    const { ended, tally } = outcome.delivery;
    // Also where the input was taken in to its end before.
    const interrupt = ended ?? (tally.pending > 0 ? context.signal.reason : undefined);
    if (interrupt instanceof ExitCode) {
      log.note(interruptedText(outcome));
      throw interrupt;
    }
    const failure = failureOf(outcome);
    if (failure) throw failure;
    if (tally.accepted === 0) log.note('no events in the input: nothing was sent');
    await emitResult(context, resultOf(outcome), output, {}, log);
  } catch (error) {
    throw advise(error, { context, operation, input: {}, settings, globals, connection });
  } finally {
    deadline?.end();
    await connection.close();
  }
}

/** First what an earlier post has kept, then the input. */
async function post(
  context: Context,
  operation: Operation,
  connection: Connection,
  to: Destination,
  input: EventInput,
  options: PostOptions,
  longest: number,
  signal: AbortSignal,
  log: Log,
): Promise<Omit<Outcome, 'flush'>> {
  const { clock, random } = context;
  const start = clock.now();
  const limits = spoolLimits(context);
  const send = await openBatches(context, operation, connection);
  const spool = options.spool ? await context.openSpool(stateFolder(context)) : undefined;
  const delivery = await withSpinner(context, operation.summary, async (show) => {
    if (spool)
      await catchUp(context, spool, to, limits, send, longest, signal, log).catch((error: unknown) => {
        // An interrupt is told below, with what became of the input.
        if (!signal.aborted) log.warn(`what an earlier command has kept: ${(error as Error).message}`);
      });
    const work = (keep: Keep | undefined): Promise<Delivery> =>
      deliver(input.events, {
        keep,
        send: (body, again) => send(body, to.workspace, again, signal),
        batchSize: options.batchSize,
        batchBytes,
        concurrency: options.concurrency,
        clock,
        random,
        signal,
        tell: (tally, isOut) => {
          const { bytes: read, size } = input.read();
          show(progressText({ tally, isOut, elapsedMs: clock.now() - start, read, size }));
        },
      });
    return spool ? spool.open(to, limits.bytes, work) : work(undefined);
  });
  return {
    delivery,
    skipped: input.skipped(),
    place: input.place.at,
    isKept: spool !== undefined,
    elapsedMs: Math.round(clock.now() - start),
  };
}
