/** What every command of an invocation works with: opened once, before anything else is done. */
import type { Context } from '../context.ts';
import { type Output, outputOf } from '../output/choice.ts';
import { type Log, openLog } from '../output/log.ts';
import { withProgress } from '../output/progress.ts';
import type { Globals } from '../settings/global-flags.ts';
import { resolveSettings, type Settings, type SettingsWay } from '../settings/resolve.ts';
import type { Connection, Wanted } from './connect.ts';
import type { OpenPrompts } from './prompts.ts';

export interface Invocation {
  readonly context: Context;
  /** The words after `dtp`, for the commands that errors suggest. */
  readonly argv: readonly string[];
  readonly globals: Globals;
  readonly settings: Settings;
  readonly output: Output;
  readonly log: Log;
  readonly openPrompts: OpenPrompts;
  /** Instead of a connection of its own: a server keeps them from call to call. */
  readonly connect?: (wanted: Wanted) => Promise<Connection>;
}

export interface InvocationOptions {
  readonly argv?: readonly string[];
  readonly globals: Globals;
  readonly way?: SettingsWay | undefined;
  /** What -O names is the command's own matter: the result goes to stdout. */
  readonly ownsFile?: boolean | undefined;
  /** Without it nobody is asked. */
  readonly openPrompts?: OpenPrompts;
}

/**
 * Resolves the settings, and warns of those that cannot be used. Throws `config` and `usage` as resolveSettings and
 * outputOf do.
 */
export async function openInvocation(
  outside: Context,
  { argv = [], globals, way = {}, ownsFile = false, openPrompts = () => undefined }: InvocationOptions,
): Promise<Invocation> {
  const context = withProgress(outside, globals);
  const log = openLog(context, globals);
  const settings = await resolveSettings(context, globals, way, log.warn);
  if (!way.mending) for (const fault of settings.faults) log.warnOnce(fault.message);
  const { outputFile: _, ...toStdout } = globals;
  const output = await outputOf(context, ownsFile ? toStdout : globals, settings);
  return { context, argv, globals, settings, output, log, openPrompts };
}
