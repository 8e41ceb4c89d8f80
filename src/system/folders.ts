/** Where things are kept on this machine: the XDG folders, %APPDATA% on Windows, or where a variable says. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { DtpError } from '../errors.ts';

/** What says where they are. */
export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The home folder of this process's user; '/' for a user without one, as in a container: nothing is kept there. */
export function findHome(ask = () => homedir() || userInfo().homedir): string {
  try {
    return ask() || '/';
  } catch {
    return '/';
  }
}

/** Profiles. */
export const configFolder = (place: Place): string =>
  folderOf(place, 'DTP_CONFIG_DIR', 'XDG_CONFIG_HOME', '.config');

/** The embedded service's store. */
export const dataFolder = (place: Place): string =>
  folderOf(place, 'DTP_DATA_DIR', 'XDG_DATA_HOME', join('.local', 'share'));

/** The spool. */
export const stateFolder = (place: Place): string =>
  folderOf(place, 'DTP_STATE_DIR', 'XDG_STATE_HOME', join('.local', 'state'));

function folderOf(place: Place, variable: string, xdg: string, fallback: string): string {
  const own = place.env[variable];
  if (own) return readable(variable, own);
  const { APPDATA } = place.env;
  return join(APPDATA && !isGiven(place, xdg) ? APPDATA : xdgFolder(place, xdg, fallback), 'dtp');
}

/** A path that is not absolute is ignored (XDG Base Directory Specification): it would be another one in each folder. */
const isGiven = ({ env }: Place, xdg: string): boolean => isAbsolute(env[xdg] ?? '');

/** The folder of an XDG variable, without one a folder of the home folder. Throws `config` for one that cannot be used. */
export const xdgFolder = (place: Place, xdg: string, fallback: string): string =>
  isGiven(place, xdg) ? readable(xdg, place.env[xdg] ?? '') : join(homeFolder(place), fallback);

/** The home folder. Throws `config` for one that would be another one in each folder, or that Node cannot read. */
export function homeFolder({ home }: Place): string {
  if (isAbsolute(home)) return readable('the home folder', home);
  throw new DtpError('config', `the home folder must be an absolute path; "${home}" is not`, hint);
}

/** Node reads what is not UTF-8 as U+FFFD, which is the name of another folder. */
function readable(name: string, path: string): string {
  if (!path.includes('\ufffd')) return path;
  throw new DtpError('config', `${name} is not valid UTF-8: "${path}"`, hint);
}

const hint = {
  hint: 'Set HOME, or name the folders with DTP_CONFIG_DIR, DTP_STATE_DIR and DTP_DATA_DIR.',
};
