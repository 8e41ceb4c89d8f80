/** Locates the tool's folders: from DTP_… variables, XDG variables, %APPDATA% on Windows, or the home folder. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { DtpError } from '../errors.ts';

/** The environment variables and the home folder, which determine the locations. */
export interface FolderEnvironment {
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

/** The variables that select each folder, and where it is in the home folder otherwise. */
const folders = {
  /** Profiles. */
  config: { own: 'DTP_CONFIG_DIR', xdg: 'XDG_CONFIG_HOME', fallback: '.config' },
  /** The data of the embedded service. */
  data: { own: 'DTP_DATA_DIR', xdg: 'XDG_DATA_HOME', fallback: join('.local', 'share') },
  /** The queue, caches and other files that dtp writes by itself. */
  state: { own: 'DTP_STATE_DIR', xdg: 'XDG_STATE_HOME', fallback: join('.local', 'state') },
} as const;

export type FolderKind = keyof typeof folders;
export const folderKinds: readonly FolderKind[] = ['config', 'data', 'state'];

export const configFolder = (place: FolderEnvironment): string => folderOf(place, 'config');
export const dataFolder = (place: FolderEnvironment): string => folderOf(place, 'data');
export const stateFolder = (place: FolderEnvironment): string => folderOf(place, 'state');

/** Returns the path of one of dtp's own folders, which may be relative if its DTP_… variable is. */
export function folderOf(place: FolderEnvironment, kind: FolderKind): string {
  const { own, xdg, fallback } = folders[kind];
  const typed = place.env[own];
  if (typed) return readable(own, typed);
  const { APPDATA } = place.env;
  return join(APPDATA && !isGiven(place, xdg) ? APPDATA : xdgFolder(place, xdg, fallback), 'dtp');
}

/**
 * Returns the name of the DTP_… or XDG_… variable that selects a folder. Undefined for the default folder, also if a
 * variable names it, as on some desktops.
 */
export function folderVariable(place: FolderEnvironment, kind: FolderKind): string | undefined {
  const { own, xdg, fallback } = folders[kind];
  const variable = place.env[own] ? own : isGiven(place, xdg) && xdg;
  if (!variable || folderOf(place, kind) === join(place.home, fallback, 'dtp')) return undefined;
  return variable;
}

/**
 * Whether an XDG variable is set. A relative path is ignored (XDG Base Directory Specification), because it would
 * depend on the current directory.
 */
const isGiven = ({ env }: FolderEnvironment, xdg: string): boolean => isAbsolute(env[xdg] ?? '');

/**
 * Returns the folder of an XDG variable, or else a subfolder of the home folder. Throws `config` if it cannot be used.
 */
export const xdgFolder = (place: FolderEnvironment, xdg: string, fallback: string): string =>
  isGiven(place, xdg) ? readable(xdg, place.env[xdg] ?? '') : join(homeFolder(place), fallback);

/** Returns the home folder. Throws `config` if it is relative or is not valid UTF-8. */
export function homeFolder({ home }: FolderEnvironment): string {
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
