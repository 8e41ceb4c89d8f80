/** Opens the invocation of a command: its settings, its output, its log and its prompts. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { type Output, outputOf } from '../output/choice.ts';
import { openLog } from '../output/log.ts';
import { withProgress } from '../output/progress.ts';
import type { Globals } from '../settings/global-flags.ts';
import { resolveSettings, type SettingsPurpose } from '../settings/resolve.ts';
import { isOn } from '../settings/switches.ts';
import { configFolder } from '../system/folders.ts';
import type { Connection, ConnectOptions } from './connection.ts';

export interface Invocation extends Pick<ConnectOptions, 'context' | 'globals' | 'settings' | 'log'> {
  /** The words after `dtp`, for suggested commands in errors. */
  readonly argv: readonly string[];
  readonly output: Output;
  readonly openPrompts: OpenPrompts;
  /** Replaces the default `connect`, for example so that a server can reuse its connections. */
  readonly connect?: (wanted: ConnectOptions) => Promise<Connection>;
}

export interface InvocationOptions extends Pick<ConnectOptions, 'argv' | 'globals'> {
  readonly way?: SettingsPurpose | undefined;
  /** Whether the command itself handles -O. The result then goes to stdout. */
  readonly ownsFile?: boolean | undefined;
  /** By default, the command shows no prompts. */
  readonly openPrompts?: OpenPrompts;
}

/** Throws `config` if the configuration file cannot be changed. A file that is not a configuration is renamed first. */
async function checkStored(context: Context): Promise<void> {
  const folder = configFolder(context);
  if (existsSync(join(folder, 'config.json'))) await (await context.openProfiles(folder)).check();
}

/** The parts of an invocation that looking up names needs. */
export type LookupContext = Pick<Invocation, 'context' | 'settings' | 'globals' | 'argv'>;

/** Resolves the settings and warns about the invalid ones. Throws like resolveSettings and outputOf. */
export async function openInvocation(
  outside: Context,
  { argv = [], globals, way = {}, ownsFile = false, openPrompts = () => undefined }: InvocationOptions,
): Promise<Invocation> {
  const context = withProgress(outside, globals);
  const log = openLog(context, globals);
  if (way.stores) await checkStored(context);
  const settings = await resolveSettings(context, globals, way, log.warnOnce);
  if (!way.collectFaults) for (const fault of settings.faults) log.warnOnce(fault.message);
  const { outputFile: _, ...toStdout } = globals;
  const output = await outputOf(context, ownsFile ? toStdout : globals, settings);
  return { context, argv, globals, settings, output, log, openPrompts };
}

/** Whether a person can answer prompts. Checks standard input last, because opening it takes time. */
export const isInteractive = (context: Context, { input }: Globals): boolean =>
  input !== false &&
  !isOn(context.env.CI) &&
  !context.agent &&
  !isOn(context.env.DTP_NO_INPUT) &&
  context.stderr.isTTY === true &&
  context.stdin.isTTY === true;

export interface PromptChoice {
  readonly value: string;
  /** The name that a person recognizes. */
  readonly label: string;
  /** More details, printed dimmed. */
  readonly hint: string;
  /** Whether this value is currently in use. The choice is marked, and it is preselected in a list. */
  readonly isCurrent?: true;
}

/** Returns undefined for an agent or a script. Call it only right before a prompt, because it opens standard input. */
export type OpenPrompts = () => Prompts | undefined;

/** Each prompt throws `cancelled` if the person declines, and an ExitCode of 130 after Ctrl-C. */
export interface Prompts {
  /** Returns one line, trimmed. */
  readonly text: (question: string) => Promise<string>;
  /** Returns one line, which is not shown while it is typed. */
  readonly secret: (question: string) => Promise<string>;
  /** Whether the answer is yes. An empty answer means no. */
  readonly agrees: (question: string) => Promise<boolean>;
  /** Returns the value of the chosen item. */
  readonly pick: (question: string, choices: readonly PromptChoice[]) => Promise<string>;
}
