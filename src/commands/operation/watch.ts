/** `--watch`: runs a reading command again and again and shows its latest result. */
import { durationOf, isDuration } from '../../declarations/duration.ts';
import { DtpError, isCtrlC } from '../../errors.ts';
import { mayPass, waitAfter } from '../../flows/polls.ts';
import { stateOfRun } from '../../flows/run-status.ts';
import type { Given } from '../../input/read.ts';
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import type { Operation } from '../../operations/operation.ts';
import { type Frame, openFrames } from '../../output/frames.ts';
import { openLog } from '../../output/log.ts';
import type { Result } from '../../output/result.ts';
import { timeText } from '../../render/amounts.ts';
import { localText } from '../../render/dates.ts';
import { fieldsIn } from '../../request/read.ts';
import { type Globals, isUnsent } from '../../settings/global-flags.ts';
import { type Opening, withPicked } from './asked.ts';
import { runOperation } from './run.ts';

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
    await writeOne(invocation, result);
    return endOf(operation, result);
  };
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
type Ended = { readonly isOver: boolean; readonly failure?: DtpError } | undefined;

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

/** The latest run of a workflow and a job have an end. Other results can change forever. */
function endOf({ id }: Operation, result: Result): Ended {
  if (id === 'getCodeSamplePreviewAsync') return { isOver: true };
  if (id !== 'getCodehostAction' || result.kind !== 'answer') return { isOver: false };
  const { run_status: status } = fieldsIn(result.value);
  const state = stateOfRun(status);
  if (state === 'failed')
    return { isOver: true, failure: new DtpError('partial', `the run ended with status ${status}`) };
  return { isOver: state === 'succeeded' };
}
