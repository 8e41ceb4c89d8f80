/** Whether there is color. */
import type { Context } from '../context.ts';
import type { Globals } from '../settings/global-flags.ts';

/** `--color`, then NO_COLOR, FORCE_COLOR, then whether it is a terminal that shows colours, and not that of a CI system. */
export function colorOf({ env }: Pick<Context, 'env'>, { color }: Globals, terminal: boolean): boolean {
  if (color === 'always') return true;
  if (color === 'never' || env.NO_COLOR) return false;
  if (env.FORCE_COLOR && env.FORCE_COLOR !== '0') return true;
  return terminal && !env.CI && env.TERM !== 'dumb';
}
