/** `--watch`: runs a reading command again and again and shows its latest result. */
import { durationOf, isDuration } from '../../declarations/duration.ts';
import { DtpError, isCtrlC } from '../../errors.ts';
import { mayPass, waitAfter } from '../../flows/polls.ts';
import { stateOfRun } from '../../flows/run-status.ts';
import type { Given } from '../../input/read.ts';
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import { operations } from '../../operations/index.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import type { Done } from '../../output/done.ts';
import { type Frame, openFrames } from '../../output/frames.ts';
import { openLog } from '../../output/log.ts';
import type { Result } from '../../output/result.ts';
import { timeText } from '../../render/amounts.ts';
import { localText } from '../../render/dates.ts';
import { fieldsIn } from '../../request/read.ts';
import { commandLine } from '../../settings/command-line.ts';
import { type Globals, isUnsent } from '../../settings/global-flags.ts';
import { type Opening, withPicked } from './asked.ts';
import { runOperation } from './run.ts';
import { doneOfRun, failureOfRun, placeOf } from './run-end.ts';

/** Writes the result of one run. */
type WriteOne = (invocation: Invocation, result: Result) => Promise<void>;

/**
 * Ends at Ctrl-C, or when a run or a job has ended. Failures of the network and the service are shown, and the command is
 * run again, unless the first run fails. Throws `usage` for flags that are not compatible, other failures, and `partial`
 * if a run failed.
 */
export async function watch(
  from: Opening,
  operation: Operation,
  typed: Given,
  writeOne: WriteOne,
): Promise<void> {
  const { context } = from;
  const intervalMs = intervalOf(typed.flow.watch);
  checkFlags(from.globals, typed);
  const { given, globals } = await withPicked(from, operation, typed);
  const heading = () =>
    `dtp ${operation.command.join(' ')}, every ${timeText(intervalMs / 1000)}, at ${localText(context.date().getTime()).slice(11)}; press Ctrl-C to stop`;
  const frames = openFrames(context, heading, globals.output === 'ndjson');
  const once = { ...given, flow: { ...given.flow, watch: undefined } };
  const runOnce = async (frame: Frame): Promise<Ended> => {
    const invocation = await openInvocation(frame.context, { argv: given.argv, globals });
    const result = await runOperation(invocation, operation, once);
    const of = repositoryIn(once);
    const ended = await endOf(invocation, { operation, of, result, elapsedMs: context.clock.now() - start });
    await writeOne(invocation, result);
    if (ended.done) invocation.log.done(ended.done.text);
    return ended;
  };
  const start = context.clock.now();
  let last: Frame | undefined;
  try {
    for (let failures = 0; ; ) {
      const frame = frames.begin();
      const { note, warn } = openLog(frame.context, globals);
      let waitMs = intervalMs;
      const ended = await runOnce(frame).catch((error: unknown): Ended => {
        context.signal.throwIfAborted();
        if (!(error instanceof DtpError)) throw error;
        if (error.code === 'pending') {
          note(error.message);
          return { isOver: false };
        }
        if (!last || !mayPass(error)) throw error;
        failures++;
        waitMs = waitAfter({ intervalMs, failures, why: error, random: context.random() });
        warn(`no new result: ${error.message}; trying again`);
        return undefined;
      });
      await frames.show(frame, ended ? frame : last);
      if (ended) [last, failures] = [frame, 0];
      if (ended?.failure) throw ended.failure;
      if (ended?.isOver) return;
      await context.clock.sleep(waitMs, context.signal);
    }
  } catch (error) {
    if (!isCtrlC(context.signal)) throw error;
  }
}

/** How a run of the command ended. Undefined if it failed. */
type Ended =
  | { readonly isOver: boolean; readonly failure?: DtpError | undefined; readonly done?: Done | undefined }
  | undefined;

/** Throws `usage` for an invalid interval, which may be an argument that followed the flag. */
function intervalOf(text = ''): number {
  if (isDuration(text)) return durationOf(text, '--watch');
  throw new DtpError('usage', `--watch must be a time such as 500ms, 5s or 1m, not "${text}"`, {
    hint: 'If that is an argument, put it in front of --watch.',
  });
}

function checkFlags(globals: Globals, { flow }: Given): void {
  const flags = {
    '--dry-run or --curl': isUnsent(globals),
    '--wait': flow.wait === true,
    '-O': globals.outputFile !== undefined && globals.outputFile !== '-',
  };
  for (const [flag, isUsed] of Object.entries(flags))
    if (isUsed) throw new DtpError('usage', `--watch and ${flag} cannot be used together`);
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
async function endOf(
  invocation: Invocation,
  { operation: { id }, of, result, elapsedMs }: Seen,
): Promise<NonNullable<Ended>> {
  if (id === 'getCodeSamplePreviewAsync') return { isOver: true };
  if (id !== 'getCodehostAction' || result.kind !== 'answer') return { isOver: false };
  const run = fieldsIn(result.value);
  if (run.run_url === undefined && run.run_status === undefined)
    return elapsedMs < listedWithin ? { isOver: false } : { isOver: true, failure: noRun(of) };
  const state = stateOfRun(run.run_status);
  if (state === 'failed') return { isOver: true, failure: await failureOfRun(invocation, run) };
  return state === 'succeeded' ? { isOver: true, done: doneOfRun(run, of) } : { isOver: false };
}

const repositoryIn = ({ flags }: Given): Input => ({
  org: flags.org,
  repo: flags.repo,
  targetName: flags['target-name'],
});

function noRun(of: Input): DtpError {
  const { org, repo } = of;
  return new DtpError('not_found', `${placeOf(of)} has no run to watch`, {
    hint: 'Start one, and wait until it has ended, with:',
    next: [
      commandLine([
        ...operations.codehostTriggerAction.command,
        ...['--org', String(org), '--repo-name', String(repo), '--gen-lock-id', 'LOCK-ID', '--wait'],
      ]),
    ],
  });
}
