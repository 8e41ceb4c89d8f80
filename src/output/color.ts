/** When to use color. */
import type { Context } from '../context.ts';
import type { Globals } from '../settings/global-flags.ts';

/** `--color` comes first, then NO_COLOR and FORCE_COLOR. By default, color is used on terminals outside CI. */
export function colorOf({ env }: Pick<Context, 'env'>, { color }: Globals, terminal: boolean): boolean {
  if (color === 'always') return true;
  if (color === 'never' || env.NO_COLOR) return false;
  if (env.FORCE_COLOR && env.FORCE_COLOR !== '0') return true;
  return terminal && !env.CI && env.TERM !== 'dumb';
}
