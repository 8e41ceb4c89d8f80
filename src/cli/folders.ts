/** Where things are kept on this machine: the XDG folders, %APPDATA% on Windows, or where a variable says. */
import { join } from 'node:path';
import type { Context } from '../context.ts';

type Place = Pick<Context, 'env' | 'home'>;

/** What `ask` says, or '/' for a user whom the system does not know, as in a container: nothing is kept there. */
export function homeFrom(ask: () => string): string {
  try {
    return ask();
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

function folderIn({ env, home }: Place, xdg: string, fallback: string): string {
  return join(env[xdg] || env.APPDATA || join(home, fallback), 'dtp');
}
