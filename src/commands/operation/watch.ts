/** `--watch` of operations. A run and a job have an end, which also ends the command. */
import { DtpError } from '../../errors.ts';
import type { ParsedArguments } from '../../input/read.ts';
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import type { Result } from '../../output/result.ts';
import { writeResult } from '../../output/write-result.ts';
import { fieldsIn } from '../../request/read.ts';
import { commandLine } from '../../settings/command-line.ts';
import { checkRepeating, repeatCommand } from '../watch.ts';
import { type InvocationSource, withPicked } from './asked.ts';
import { runOperation } from './run.ts';
import { deedOfRun, doneOfRun, failureOfRun, placeOf, runFlags, stateOfRun } from './run-end.ts';

/** Also ends when a run or a job has ended. Throws `partial` if a run failed, and what `repeat` throws. */
export async function watch(from: InvocationSource, operation: Operation, typed: ParsedArguments) {
  const { context } = from;
  const { watch: interval, wait: waits } = typed.flow;
  const asked = { context, globals: from.globals, words: operation.command.join(' '), interval, waits };
  checkRepeating(asked);
  const { given, globals } = await withPicked(from, operation, typed);
  const once = { ...given, flow: { ...given.flow, watch: undefined } };
  const start = context.clock.now();
  await repeatCommand({ ...asked, globals }, async (frame) => {
    const invocation = await openInvocation(frame.context, { argv: given.argv, globals });
    const result = await runOperation(invocation, operation, once);
    if (result.failure?.code === 'pending') {
      // Only the job's result is a frame.
      await result.calls?.end();
      throw result.failure;
    }
    const of = { org: once.flags.org, repo: once.flags.repo, targetName: once.flags['target-name'] };
    const ended = await endOf(invocation, { operation, of, result, elapsedMs: context.clock.now() - start });
    await writeResult(invocation, asked.words, result);
    const { text, next } = ended.done ?? {};
    if (text !== undefined) invocation.log.done(text, next && commandLine(next));
    return ended;
  });
}

interface Seen {
  readonly operation: Operation;
  /** The repository and the target, if the command has them. */
  readonly of: Input;
  readonly result: Result;
  /** Since the command began. */
  readonly elapsedMs: number;
}

/** In milliseconds. A run that was just triggered may not be listed at once. */
const listedWithin = 10_000;

/** The latest run of a workflow and a job have an end. Other results can change forever. */
async function endOf(invocation: Invocation, { operation, of, result, elapsedMs }: Seen) {
  if (operation.pending) return { isOver: true };
  if (!operation.isRun || result.kind !== 'answer') return { isOver: false };
  const run = fieldsIn(result.value);
  if (run.run_url === undefined && run.run_status === undefined)
    return elapsedMs < listedWithin ? { isOver: false } : { isOver: true, failure: noRun(of) };
  const state = stateOfRun(run.run_status);
  if (state === 'failed' || state === 'succeeded') invocation.context.journal?.did(deedOfRun(run, of, elapsedMs));
  if (state === 'failed') return { isOver: true, failure: await failureOfRun(invocation, run, of) };
  return state === 'succeeded' ? { isOver: true, done: doneOfRun(invocation, run, of) } : { isOver: false };
}

function noRun(of: Input): DtpError {
  const start = [...runFlags(of), '--lock-id', 'LOCK-ID', '--wait'];
  return new DtpError('not_found', `${placeOf(of)} has no run to watch`, {
    hint: 'Start a run and wait until it has ended with:',
    next: [commandLine([...operationsFor('codehost').codehostTriggerAction.command, ...start])],
  });
}
