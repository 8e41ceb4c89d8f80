/** On Windows, moves what earlier versions stored next to the profiles to the folder of this machine. */
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { configFolder, type FolderEnvironment, folderVariable, stateFolder } from './folders.ts';

const ofProfiles = /^(config\.|trusted$|\.dtp-)/;

/** Moves everything but the profiles, and replaces nothing. A later command moves what is in use now. */
export function moveFromRoaming(place: FolderEnvironment): void {
  // Folders that variables name are never moved.
  if ((['config', 'data', 'state'] as const).some((kind) => folderVariable(place, kind) !== undefined)) return;
  const [from, to] = [configFolder(place), stateFolder(place)];
  const names = existsSync(from) ? readdirSync(from).filter((name) => !ofProfiles.test(name)) : [];
  if (names.length === 0) return;
  mkdirSync(to, { recursive: true });
  for (const name of names)
    try {
      if (!existsSync(join(to, name))) renameSync(join(from, name), join(to, name));
    } catch {
      // Another process uses it.
    }
}
