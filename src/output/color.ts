/** Decides when to use color and links. */

import type { Context } from '../context.ts';
import type { Globals } from '../settings/global-flags.ts';
import { isOn } from '../settings/switches.ts';

type Seen = Pick<Context, 'env' | 'agent'>;

/**
 * Whether to use color. `--color` overrides NO_COLOR (its standard: any value that is not empty), which
 * overrides FORCE_COLOR. By default, color is used on terminals, but not in CI or for an agent.
 */
export function colorOf({ env, agent }: Seen, { color }: Globals, terminal: boolean): boolean {
  if (color === 'always') return true;
  if (color === 'never' || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return isOn(env.FORCE_COLOR);
  return terminal && !agent && !isOn(env.CI) && env.TERM !== 'dumb';
}

/** Whether the terminal is known to support links. Inside tmux or screen, this is not known. */
export function supportsLinks({ env, agent }: Seen): boolean {
  if (agent || isOn(env.CI) || /^(screen|tmux|dumb)/.test(env.TERM ?? '')) return false;
  return (
    ['iTerm.app', 'WezTerm', 'vscode', 'ghostty'].includes(env.TERM_PROGRAM ?? '') ||
    env.TERM === 'xterm-kitty' ||
    Boolean(env.WT_SESSION) ||
    Number(env.VTE_VERSION) >= 5000
  );
}
