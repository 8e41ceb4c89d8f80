/** Locates the tool's folders: from DTP_… variables, XDG variables, %APPDATA% on Windows, or the home folder. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { DtpError } from '../errors.ts';

/** The environment variables and the home folder, which determine the locations. */
export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Returns the home folder of the user, or '/' if the user has no home folder, as in some containers. */
export function findHome(ask = askSystem): string {
  try {
    return ask() || '/';
  } catch {
    return '/';
  }
}

/** HOME comes first in `homedir` too, except on Windows. Reading it here does not load node:os. */
const askSystem = () => (process.platform !== 'win32' && process.env.HOME) || homedir() || userInfo().homedir;

/** Returns the folder for profiles. */
export const configFolder = (place: Place): string =>
  folderOf(place, 'DTP_CONFIG_DIR', 'XDG_CONFIG_HOME', '.config');

/** Returns the folder for the data of the embedded service. */
export const dataFolder = (place: Place): string =>
  folderOf(place, 'DTP_DATA_DIR', 'XDG_DATA_HOME', join('.local', 'share'));

/** Returns the folder for the spool, caches and other files that dtp writes by itself. */
export const stateFolder = (place: Place): string =>
  folderOf(place, 'DTP_STATE_DIR', 'XDG_STATE_HOME', join('.local', 'state'));

function folderOf(place: Place, variable: string, xdg: string, fallback: string): string {
  const own = place.env[variable];
  if (own) return readable(variable, own);
  const { APPDATA } = place.env;
  return join(APPDATA && !isGiven(place, xdg) ? APPDATA : xdgFolder(place, xdg, fallback), 'dtp');
}

/**
 * Whether an XDG variable is set. A relative path is ignored (XDG Base Directory Specification), because it would
 * depend on the current directory.
 */
const isGiven = ({ env }: Place, xdg: string): boolean => isAbsolute(env[xdg] ?? '');

/**
 * Returns the folder of an XDG variable, or else a subfolder of the home folder. Throws `config` if it cannot be used.
 */
export const xdgFolder = (place: Place, xdg: string, fallback: string): string =>
  isGiven(place, xdg) ? readable(xdg, place.env[xdg] ?? '') : join(homeFolder(place), fallback);

/** Returns the home folder. Throws `config` if it is relative or is not valid UTF-8. */
export function homeFolder({ home }: Place): string {
  if (isAbsolute(home)) return readable('the home folder', home);
  throw new DtpError('config', `the home folder is not an absolute path: "${home}"`, hint);
}

/**
 * Throws `config` for a path that is not UTF-8. Node replaces invalid bytes with U+FFFD, so it would use another
 * folder.
 */
function readable(name: string, path: string): string {
  if (!path.includes('\ufffd')) return path;
  throw new DtpError('config', `${name} is not valid UTF-8: "${path}"`, hint);
}

const hint = {
  hint: 'Set HOME, or set DTP_CONFIG_DIR, DTP_STATE_DIR and DTP_DATA_DIR.',
};
