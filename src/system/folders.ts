/** Locates the tool's folders: from DTP_… variables, XDG variables, those of Windows, or the home folder. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { attempt } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { isSamePath } from './paths.ts';

/** The environment variables and the home folder, which determine the locations. */
export interface FolderEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The default is the platform of this process. */
  readonly runtime?: { readonly platform: string };
}

/** Returns the home folder of the user, or '/' if the user has no home folder, as in some containers. */
export const findHome = (ask = askSystem): string => attempt(ask, '/') || '/';

/** HOME comes first in `homedir` too, except on Windows. Reading it here does not load node:os. */
const askSystem = () => (process.platform !== 'win32' && process.env.HOME) || homedir() || userInfo().homedir;

/** Where Windows keeps what follows the user to other machines, and what stays on this machine. */
const [roaming, local] = [
  { variable: 'APPDATA', usual: join('AppData', 'Roaming') },
  { variable: 'LOCALAPPDATA', usual: join('AppData', 'Local') },
];

/** The variables that select each folder, and where it is in the home folder otherwise. */
const folders = {
  /** Profiles. */
  config: { own: 'DTP_CONFIG_DIR', xdg: 'XDG_CONFIG_HOME', usual: '.config', windows: roaming },
  /** The data of the embedded service. */
  data: { own: 'DTP_DATA_DIR', xdg: 'XDG_DATA_HOME', usual: join('.local', 'share'), windows: local },
  /** The queue, caches and other files that dtp writes by itself. */
  state: { own: 'DTP_STATE_DIR', xdg: 'XDG_STATE_HOME', usual: join('.local', 'state'), windows: local },
} as const;

export type FolderKind = keyof typeof folders;
export const folderKinds: readonly FolderKind[] = ['config', 'data', 'state'];

export const configFolder = (place: FolderEnvironment): string => folderOf(place, 'config');
export const dataFolder = (place: FolderEnvironment): string => folderOf(place, 'data');
export const stateFolder = (place: FolderEnvironment): string => folderOf(place, 'state');

/** Returns the path of one of dtp's own folders, which may be relative if its DTP_… variable is. */
export function folderOf(place: FolderEnvironment, kind: FolderKind): string {
  const { own, xdg, usual, windows } = folders[kind];
  const typed = place.env[own];
  if (typed) return readable(own, typed);
  const isWindows = (place.runtime?.platform ?? process.platform) === 'win32';
  if (isWindows && !isGiven(place, xdg)) return join(xdgFolder(place, windows.variable, windows.usual), 'dtp');
  return join(xdgFolder(place, xdg, usual), 'dtp');
}

/** Returns the DTP_… or XDG_… variable that selects a folder. Undefined for the default folder, even if it is named. */
export function folderVariable(place: FolderEnvironment, kind: FolderKind): string | undefined {
  const { own, xdg, usual } = folders[kind];
  const variable = place.env[own] ? own : isGiven(place, xdg) && xdg;
  if (!variable || isSamePath(folderOf(place, kind), join(place.home, usual, 'dtp'))) return undefined;
  return variable;
}

/** Whether a variable names a folder. A relative path would depend on the current folder, so it is ignored (XDG). */
const isGiven = ({ env }: FolderEnvironment, name: string): boolean => isAbsolute(env[name] ?? '');

/** Returns the folder of a variable, or else a subfolder of the home folder. Throws `config` if it is unusable. */
export const xdgFolder = (place: FolderEnvironment, name: string, fallback: string): string =>
  isGiven(place, name) ? readable(name, place.env[name] ?? '') : join(homeFolder(place), fallback);

/** Returns the home folder. Throws `config` if it is relative or is not valid UTF-8. */
export function homeFolder({ home }: FolderEnvironment): string {
  if (isAbsolute(home)) return readable('the home folder', home);
  throw new DtpError('config', `the home folder is not an absolute path: "${home}"`, hint);
}

/** Throws `config` for a path that is not UTF-8. Node replaces invalid bytes, so it would use another folder. */
function readable(name: string, path: string): string {
  if (!path.includes('\ufffd')) return path;
  throw new DtpError('config', `${name} is not valid UTF-8: "${path}"`, hint);
}

const hint = { hint: 'Set HOME, or set DTP_CONFIG_DIR, DTP_STATE_DIR and DTP_DATA_DIR.' };
