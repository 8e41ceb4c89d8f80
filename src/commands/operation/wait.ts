/** `--wait`: polls a job until it is done and returns the job's result. */
import { durationOf } from '../../declarations/duration.ts';
import { changedError, DtpError, ExitCode } from '../../errors.ts';
import { waitFor } from '../../flows/wait.ts';
import { call } from '../../invocation/connection.ts';
import { timeoutOf, withDeadline } from '../../invocation/deadline.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { isRecord, stringOf } from '../../json-object.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Done } from '../../output/done.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { amount, durationText } from '../../render/amounts.ts';
import { hasHidden } from '../../render/sanitize.ts';
import { fieldsIn, type Value } from '../../request/read.ts';
import { commandLine, sameService } from '../../settings/command-line.ts';
import type { FlowValues } from '../../tree/flow-flags.ts';
import { answer, type Sending } from './work.ts';

/** In milliseconds. Throws `usage` for an invalid duration, even without --wait. */
export const checkTimes = ({ pollInterval = '', waitTimeout = '' }: FlowValues) => ({
  intervalMs: durationOf(pollInterval, '--poll-interval'),
  timeoutMs: durationOf(waitTimeout, '--wait-timeout'),
});

/** Gives each request a deadline, lowered by `leftMs`, so that a stuck one does not use up the wait timeout. */
export const openDeadlineRunner =
  ({ context, settings }: Invocation, operation: Operation) =>
  <T>(work: (signal: AbortSignal) => Promise<T>, leftMs = Number.POSITIVE_INFINITY): Promise<T> =>
    withDeadline(context, Math.min(timeoutOf(operation, settings), leftMs), context.signal, work);

/** Starts a job, or takes the id of one if the command reads a job. Then polls for its result. */
export async function awaitJob({ invocation, operation, given, calls, ask }: Sending): Promise<Result> {
  const { context, globals, log } = invocation;
  const result = operationsFor('code-samples').getCodeSamplePreviewAsync;
  const times = checkTimes(given.flow);
  const within = openDeadlineRunner(invocation, operation);
  const isStart = operation.id !== result.id;
  const start = context.clock.now();
  const id = isStart ? jobIn(await within((signal) => ask({}, signal))) : String(given.args[0]);
  if (isStart) log.note(`started job ${id}`);
  const poll = (leftMs: number) =>
    within((signal) => (isStart ? call(calls.connection, result, { jobID: id }, signal) : ask({}, signal)), leftMs);
  const resume = commandLine([...result.command, [id], '--wait', ...sameService(globals)]);
  try {
    const value = await withSpinner(context, `job ${id}`, (show) =>
      waitFor(poll, {
        clock: context.clock,
        signal: context.signal,
        subject: 'the job',
        ...times,
        tell: (polls, why) => {
          if (polls === 1 && !isStart) log.note(`waiting up to ${given.flow.waitTimeout} for job ${id}`);
          show(`job ${id}: ${why.message} (poll ${polls})`);
        },
      }),
    );
    const made = madeBy(value);
    context.journal?.did({ what: made.languages || `job ${id}`, amount: made.count });
    const done = isStart ? doneOfJob(made, context.clock.now() - start) : undefined;
    return { ...answer(result, value), done };
  } catch (error) {
    if (error instanceof ExitCode) log.note(`job ${id} is still running; wait for it with: ${resume}`);
    if (!(error instanceof DtpError) || !error.facts.retryable) throw error;
    // Repeating the command would start another job.
    const retryable = !isStart;
    throw changedError(error, { retryable, hint: 'The job may still be running. Wait for it with:', next: [resume] });
  }
}

/**
 * Returns the status of a running job as the result of `code-samples jobs get`, with the failure that sets the exit
 * code. Throws the error if it is another one, or if the output can only be the job's result: a file or names.
 */
export function pendingResultOf({ output }: Invocation, { outDir }: FlowValues, error: unknown): Result {
  if (!(error instanceof DtpError) || error.code !== 'pending') throw error;
  const { details: value } = error.facts;
  const isShown = outDir === undefined && output.file === undefined && output.format !== 'name';
  if (!isShown || !isRecord(value)) throw error;
  return { kind: 'value', value, failure: error };
}

/** `12 code samples` and `go, typescript` */
function madeBy(value: Value): { readonly count: string; readonly languages: string } {
  const { snippets } = fieldsIn(value);
  const made = Array.isArray(snippets) ? snippets.filter(isRecord) : [];
  const languages = [...new Set(made.flatMap(({ language }) => stringOf(language) || []))];
  return { count: amount(made.length, 'code sample'), languages: languages.join(', ') };
}

/** `Made 12 code samples  go, typescript  1.2 s` */
const doneOfJob = ({ count, languages }: ReturnType<typeof madeBy>, elapsedMs: number): Done => ({
  text: [`Made ${count}`, languages, durationText(elapsedMs)].filter(Boolean).join('  '),
});

function jobIn(value: Value): string {
  const { job_id: id } = fieldsIn(value);
  // The id becomes part of a path, so `..` is refused.
  if (typeof id === 'string' && id !== '' && !hasHidden(id) && !/^\.\.?$/.test(id)) return id;
  const message = 'the job was accepted, but the response has no valid job_id, so dtp cannot wait for it';
  throw new DtpError('bad_response', message);
}
