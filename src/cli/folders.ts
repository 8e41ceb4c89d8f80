/** Where things are kept on this machine: the XDG folders, %APPDATA% on Windows, or where a variable says. */
import { isAbsolute, join } from 'node:path';
import type { Context } from '../context.ts';

type Place = Pick<Context, 'env' | 'home'>;

/** What `ask` says, or '/' for a user who has none, as in a container: nothing is kept there. */
export function homeFrom(ask: () => string): string {
  try {
    return ask() || '/';
  } catch {
    return '/';
  }
}

/** Profiles. */
export const configFolder = (place: Place): string =>
  place.env.DTP_CONFIG_DIR || folderIn(place, 'XDG_CONFIG_HOME', '.config');

/** The embedded service's store. */
export const dataFolder = (place: Place): string =>
  place.env.DTP_DATA_DIR || folderIn(place, 'XDG_DATA_HOME', join('.local', 'share'));

/** The spool. */
export const stateFolder = (place: Place): string =>
  place.env.DTP_STATE_DIR || folderIn(place, 'XDG_STATE_HOME', join('.local', 'state'));

/** A path that is not absolute is none (XDG Base Directory Specification): it would be another in each folder. */
function folderIn({ env, home }: Place, xdg: string, fallback: string): string {
  const given = env[xdg] ?? '';
  return join(isAbsolute(given) ? given : env.APPDATA || join(home, fallback), 'dtp');
}
