/** Implements `--watch`, which repeats a read-only command and shows its latest result. */
import { durationOf, durationWords, isDuration } from '../declarations/duration.ts';
import { DtpError, isCtrlC } from '../errors.ts';
import { type Invocation, openInvocation } from '../invocation/invocation.ts';
import type { LocalCommand } from '../local/command.ts';
import { isRetriedByFollowing, pollBackoff, waitAfter } from '../operations/retry-rules.ts';
import type { Done } from '../output/done.ts';
import { type Frame, openFrames } from '../output/frames.ts';
import { openLog } from '../output/log.ts';
import type { Result } from '../output/result.ts';
import { writeResult } from '../output/write-result.ts';
import { localText, timeText } from '../render/amounts.ts';
import { isUnsent } from '../settings/global-flags.ts';

/** How a run of the command ended. Undefined if the run failed but the command will be run again. */
export type WatchedRunEnd =
  | { readonly isOver: boolean; readonly failure?: DtpError | undefined; readonly done?: Done | undefined }
  | undefined;

export interface Repeating extends Pick<Invocation, 'context' | 'globals'> {
  /** The words of the command, without `dtp`. */
  readonly words: string;
  /** The interval as the user typed it. */
  readonly interval: string | undefined;
  /** Whether the command waits for something. Such a command cannot be repeated. */
  readonly waits?: boolean | undefined;
}

/** Throws `usage` for an invalid interval, and for flags that cannot be used with --watch. */
export function checkRepeating({ globals, interval, waits }: Repeating): void {
  intervalOf(interval);
  const flags = {
    '--dry-run or --curl': isUnsent(globals),
    '--wait': waits === true,
    '-O': globals.outputFile !== undefined && globals.outputFile !== '-',
  };
  for (const [flag, isUsed] of Object.entries(flags))
    if (isUsed) throw new DtpError('usage', `--watch and ${flag} cannot be used together`);
}

/**
 * Repeats a command until the user presses Ctrl-C, or until `runOnce` returns `isOver` or a failure. If the network or
 * the service fails, shows the failure and runs the command again, unless the first run failed. Throws all other
 * failures, and the failure that `runOnce` returns.
 */
export async function repeatCommand(
  { context, globals, words, interval }: Repeating,
  runOnce: (frame: Frame) => Promise<WatchedRunEnd>,
): Promise<void> {
  const intervalMs = intervalOf(interval);
  const heading = () =>
    `dtp ${words}, every ${timeText(intervalMs / 1000)}, at ${localText(context.date().getTime()).slice(11)}; press Ctrl-C to stop`;
  const frames = openFrames(context, heading, globals.output === 'ndjson');
  let last: Frame | undefined;
  try {
    for (let failures = 0; ; ) {
      const frame = frames.begin();
      const { note, warn } = openLog(frame.context, globals);
      let waitMs = intervalMs;
      const ended = await runOnce(frame).catch((error: unknown): WatchedRunEnd => {
        context.signal.throwIfAborted();
        if (!(error instanceof DtpError)) throw error;
        if (error.code === 'pending') {
          note(error.message);
          return { isOver: false };
        }
        if (!last || !isRetriedByFollowing(error.code, error.facts)) throw error;
        failures++;
        waitMs = waitAfter(pollBackoff(intervalMs), failures, context.random(), error.facts);
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

/** Repeats a local command. A failure in its result, such as a failed check, is shown but does not end the command. */
export async function watchLocal(
  repeating: Repeating,
  { way }: LocalCommand,
  run: (invocation: Invocation) => Promise<Result | undefined>,
): Promise<void> {
  checkRepeating(repeating);
  await repeatCommand(repeating, async (frame) => {
    const invocation = await openInvocation(frame.context, { globals: repeating.globals, way });
    const result = await run(invocation);
    if (result) await writeResult(invocation, repeating.words, { ...result, failure: undefined });
    return { isOver: false };
  });
}

/** Returns the interval in milliseconds. Throws `usage` if it is invalid, such as an argument after a bare --watch. */
function intervalOf(text = ''): number {
  if (isDuration(text)) return durationOf(text, '--watch');
  throw new DtpError('usage', `--watch must be ${durationWords}, not "${text}"`, {
    hint: 'If that is an argument, put it in front of --watch.',
  });
}
