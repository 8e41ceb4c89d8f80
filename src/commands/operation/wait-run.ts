/** `dtp codehost actions trigger --wait`: waits for the run that the command starts. */
import { changedError, DtpError, ExitCode } from '../../errors.ts';
import { waitFor } from '../../flows/wait.ts';
import { call } from '../../invocation/connection.ts';
import { fieldsOf, stringOf } from '../../json-object.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Input } from '../../operations/operation.ts';
import { withSpinner } from '../../output/progress.ts';
import type { Result } from '../../output/result.ts';
import { jsonBody } from '../../request/build.ts';
import { fieldsIn, type Value } from '../../request/read.ts';
import { commandLine, sameService } from '../../settings/command-line.ts';
import { rememberUrl } from './last-link.ts';
import { deedOfRun, doneOfRun, failureOfRun, runFlags, stateOfRun } from './run-end.ts';
import { checkTimes, openDeadlineRunner } from './wait.ts';
import type { Sending } from './work.ts';

const get = operationsFor('codehost').getCodehostAction;

/**
 * Triggers the action, then polls until its run has ended. The response of a trigger does not name its run, and the
 * service only shows the latest one. So the run is recognized by its URL: the first one that differs from that of the
 * run before.
 *
 * The result of a run that failed has a failure (`partial`). Throws `timeout` if the run has not ended in time, and
 * `pending` if a newer run hides it.
 */
export async function awaitRun(sending: Sending): Promise<Result> {
  const { invocation, operation, given, input, calls, ask } = sending;
  const { context, globals, log } = invocation;
  const target = targetOf(jsonBody(operation, input));
  const within = openDeadlineRunner(invocation, operation);
  const latest = (leftMs?: number) => within((signal) => call(calls.connection, get, target, signal), leftMs);
  const before = urlIn(await latest().catch(noRun));
  const start = context.clock.now();
  await within((signal) => ask({}, signal));
  let own: string | undefined;
  const poll = async (leftMs: number): Promise<Value> => {
    const value = await latest(leftMs).catch((error) => (own === undefined ? noRun(error) : Promise.reject(error)));
    const url = urlIn(value);
    if (url === undefined || url === before) throw new DtpError('pending', 'the run is not listed yet');
    if (own !== undefined && url !== own) return value;
    if (own === undefined) {
      own = url;
      log.note(`started run ${url}`);
      await rememberUrl(invocation, 'run', url);
    }
    const { run_status: status } = fieldsIn(value);
    if (stateOfRun(status) === 'running') throw new DtpError('pending', `the run is ${status ?? 'starting'}`);
    return value;
  };
  const resume = commandLine([...get.command, ...runFlags(target), ...sameService(globals)]);
  try {
    const value = await withSpinner(context, 'waiting for the run', (show) =>
      waitFor(poll, {
        clock: context.clock,
        signal: context.signal,
        subject: 'the run',
        ...checkTimes(given.flow),
        tell: (polls, why) => show(`${why.message} (poll ${polls})`),
      }),
    );
    const run = ownRun(value, own);
    const elapsedMs = context.clock.now() - start;
    context.journal?.did(deedOfRun(run, target, elapsedMs));
    const failure = await failureOfRun(invocation, run, target, fieldsOf(input.body).gen_lock_id);
    const done = failure ? undefined : doneOfRun(invocation, run, target, elapsedMs);
    const result = { kind: 'value', value: run, shape: get, failure, done } as const;
    return given.flow.open ? (await import('./last-link.ts')).withOpening(invocation, result, own) : result;
  } catch (error) {
    if (error instanceof ExitCode) log.note(`the run continues; show its status with: ${resume}`);
    if (!(error instanceof DtpError) || !(error.facts.retryable || error.code === 'timeout')) throw error;
    // Repeating the command would trigger another run.
    if (error.code !== 'timeout') throw changedError(error, { retryable: false });
    throw changedError(error, { hint: 'The action was triggered. Show the status of its run with:', next: [resume] });
  }
}

/** The fields of the run. Throws `pending` if they are those of a newer one. */
function ownRun(value: Value, own: string | undefined) {
  const run = fieldsIn(value);
  if (run.run_url === own) return run;
  throw new DtpError('pending', `another run has started: ${run.run_url}`, {
    hint: `The service only shows the latest run. See the run of this command at ${own}`,
  });
}

/** A service may answer with 404 if a repository has no run yet. */
function noRun(error: unknown): Value {
  if (error instanceof DtpError && error.facts.status === 404) return { kind: 'json', status: 404, value: {} };
  throw error;
}

const urlIn = (value: Value): string | undefined => stringOf(fieldsIn(value).run_url) || undefined;

/** The same repository and target, in the fields of `codehost actions get`. */
function targetOf(body: unknown): Input {
  const { org, repo_name: repo, target_name: targetName } = fieldsOf(body);
  return { org, repo, ...(targetName !== undefined && { targetName }) };
}
