/** Decides whether a command runs for an agent. */

import { type Context, changeContext } from '../context.ts';
import type { Globals } from '../settings/global-flags.ts';
import { isOn } from '../settings/switches.ts';

/** Returns the agent, if any. --agent overrides DTP_AGENT, which overrides the detection. */
export async function agentOf({ env, findAgent }: Pick<Context, 'env' | 'findAgent'>, { agent }: Globals) {
  if (agent || isOn(env.DTP_AGENT)) return { isAsked: true };
  return env.DTP_AGENT ? undefined : findAgent?.();
}

/**
 * Returns the context for a command. By default, agents are only detected on a terminal, because elsewhere it changes
 * nothing. A browser opens only for a person.
 */
export async function withAgent(context: Context, globals: Globals, isSeen = hasTerminal(context)): Promise<Context> {
  const openBrowser = async (url: string) => {
    if (await agentOf(context, globals)) throw new Error('an agent runs dtp');
    return context.openBrowser(url);
  };
  return changeContext(context, {
    agent: await agentOf(isSeen ? context : { env: context.env }, globals),
    openBrowser,
  });
}

const hasTerminal = ({ stdout, stderr }: Context) => stdout.isTTY === true || stderr.isTTY === true;
