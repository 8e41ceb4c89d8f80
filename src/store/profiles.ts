/** Profiles: addresses, credentials and defaults, kept by conf in one private file. The only importer of conf. */

import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, lstat, readdir, readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Conf from 'conf';
import { systemCode } from '../caught.ts';
import type { Profile } from '../declarations/types.ts';
import { DtpError } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import { makeFolders, reasonOf, suffix, syncFolder, writeFileWhole } from './files.ts';
import { type LockHolder, sweepLocks, withLock } from './lock.ts';
import { narrow } from './modes.ts';

export type { Profile } from '../declarations/types.ts';

export interface Configuration {
  /** The profile that is used where none is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The built-in profile. Nothing is stored under its name; an entry that is there all the same may only be deleted. */
export const reserved = 'local';

export interface Profiles {
  readonly file: string;
  /** No profiles where there is no file, and none is made. Throws `config` where it cannot be read. */
  readonly read: () => Configuration;
  /**
   * Narrows the modes of the file, and of its folder where that is for profiles alone; a sentence for each that was wider.
   * Never fails.
   */
  readonly narrow: () => Promise<readonly string[]>;
  /** Throws `config` where nothing could be stored, before there is anything to lose. */
  readonly check: () => Promise<void>;
  /** `change` gets what is stored at the time; after it the new configuration is on the disk, or the old one stands. */
  readonly update: (change: (now: Configuration) => Configuration) => Promise<void>;
}

/** The profiles of a folder. Nothing is read or made until it is asked for. */
export function openProfiles(folder: string, holder: LockHolder): Profiles {
  const file = join(folder, 'config.json');
  return {
    file,
    // conf would make the folder.
    read: () => (existsSync(file) ? storedIn(folder) : { profiles: {} }),
    narrow: async () => {
      const found = [narrow(file, 0o600), (await isOurs(folder)) && narrow(folder, 0o700)];
      return found.filter((one) => typeof one === 'string');
    },
    check: async () => {
      const place = await madePlace(folder, file);
      const probe = join(dirname(place), `.dtp-${suffix()}`);
      try {
        await writeFile(probe, 'probe', { flag: 'wx', mode: 0o600 });
      } catch (error) {
        throw notWritten(file, error);
      } finally {
        await rm(probe, { force: true }).catch(() => undefined);
      }
      if (existsSync(file)) await readOrKeepAside(folder, place);
    },
    update: async (change) => {
      const place = await madePlace(folder, file);
      // conf loses updates of processes that write at once, so it is opened, read and written under a lock.
      await withLock(`${place}.lock`, () => write(folder, place, change), holder);
      await sweepLocks(dirname(place), await readdir(dirname(place)).catch(() => []), holder);
    },
  };
}

/** Makes the folder, and gives where the file lies. Throws `config` if that cannot be done. */
const madePlace = (folder: string, file: string): Promise<string> =>
  makePrivate(folder)
    .then(() => placeOf(file))
    .catch((error: unknown) => {
      throw notWritten(file, error);
    });

/**
 * Where a file lies: a link to it stays, as somebody may keep it among other files of his. What it leads to need not be
 * there yet.
 */
async function placeOf(file: string): Promise<string> {
  const found = await lstat(file).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
  });
  if (!found?.isSymbolicLink()) return file;
  return realpath(file).catch(async (error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    return placeOf(resolve(await realpath(dirname(file)), await readlink(file)));
  });
}

async function makePrivate(folder: string): Promise<void> {
  await makeFolders(folder, 0o700);
  if (await isOurs(folder)) await chmod(folder, 0o700);
}

/** A folder that DTP_CONFIG_DIR names may be the home folder, or everybody's: its mode is its owner's to set. */
const isOurs = (folder: string): Promise<boolean> =>
  readdir(folder).then(
    (names) => names.every((name) => /^(config\.(json|new)|\.dtp-|trusted$)/.test(name)),
    () => false,
  );

/** conf reads the file when it is opened, and lets through what its `deserialize` throws. */
const openConf = (folder: string, extension: 'json' | 'new') =>
  new Conf<Record<string, unknown>>({
    projectName: 'dtp',
    cwd: folder,
    configName: 'config',
    fileExtension: extension,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    serialize,
    deserialize: (text) => parse(text, join(folder, `config.${extension}`)),
  });

function storedIn(folder: string): Configuration {
  const file = join(folder, 'config.json');
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    // conf would wait for a pipe, and read a device without end.
    if (found && !found.isFile() && !found.isDirectory())
      throw new DtpError('config', `${file} cannot be read: it is a pipe or a device, not a file`, mend);
    return { profiles: {}, ...openConf(folder, 'json').store };
  } catch (error) {
    if (error instanceof DtpError) throw error;
    throw new DtpError('config', `${file} cannot be read: ${reasonOf(error)}`, { ...mend, cause: error });
  }
}

const serialize = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

/** What a text editor leaves is forgiven: a BOM, an empty file. */
function parse(text: string, file: string): Record<string, unknown> {
  const json = text.replace(/^\ufeff/, '');
  if (json.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Without the parser's words, which quote the file and may hold a credential.
    throw new Unreadable(`${file} is not JSON`);
  }
  const profiles = isRecord(value) && 'profiles' in value ? value.profiles : {};
  if (!isRecord(value) || !isRecord(profiles) || !Object.values(profiles).every(isRecord))
    throw new Unreadable(`${file} is not a configuration`);
  return value;
}

const mend = { hint: 'Mend the file or remove it.', next: ['dtp config path'] };

/** The file is there, and what it holds is no configuration. */
class Unreadable extends DtpError {
  constructor(message: string) {
    super('config', message, mend);
  }
}

/**
 * conf writes a file beside, which takes the name when it is whole: on a full disk conf ends well and leaves half of it.
 * `file` may lie in another folder, and on another disk.
 */
async function write(
  folder: string,
  file: string,
  change: (now: Configuration) => Configuration,
): Promise<void> {
  const now = await readOrKeepAside(folder, file);
  const next = change(now);
  if (
    Object.hasOwn(next.profiles, reserved) &&
    !isDeepStrictEqual(next.profiles[reserved], now.profiles[reserved])
  )
    throw new DtpError('usage', `profile "${reserved}" is built in and cannot be changed`);
  const beside = join(folder, 'config.new');
  try {
    await sweep(folder);
    openConf(folder, 'new').store = { ...next };
    if ((await readFile(beside, 'utf8')) !== serialize(next)) throw new Error('only a part of it was taken');
    await chmod(beside, 0o600);
    if (dirname(file) === dirname(beside)) await rename(beside, file);
    else {
      await writeFileWhole(file, serialize(next), { replace: true });
      await rm(beside);
    }
  } catch (error) {
    await sweep(folder).catch(() => undefined);
    throw notWritten(file, error);
  }
  await syncFolder(dirname(file)).catch((error: unknown) => {
    throw new DtpError(
      'config',
      `${file} is written, but a power cut may undo that: ${reasonOf(error)}; check the disk`,
      { cause: error },
    );
  });
}

/** Removes what was to become the file: of one who was killed, conf's own temporary file too. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith('config.new')) await rm(join(folder, name), { force: true });
}

/** A file that is no configuration is never overwritten: it may hold the only copy of a credential. */
async function readOrKeepAside(folder: string, file: string): Promise<Configuration> {
  try {
    return storedIn(folder);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const aside = `${file}.unreadable-${randomBytes(3).toString('hex')}`;
    await rename(file, aside).catch((failure: unknown) => {
      throw new DtpError('config', `${error.message}, and cannot be moved aside: ${reasonOf(failure)}`, {
        ...mend,
        cause: failure,
      });
    });
    throw new DtpError('config', `${error.message}; it is kept as ${aside}, and nothing was stored`, {
      hint: 'Run the command again to begin a new configuration, or mend the file and move it back.',
      cause: error,
    });
  }
}

function notWritten(file: string, error: unknown): DtpError {
  const first = error instanceof DtpError ? (error.facts.cause ?? new Error(error.message)) : error;
  const why = first instanceof Error && !('code' in first) ? first.message : reasonOf(first);
  return new DtpError('config', `${file} could not be written: ${why}; what was stored before still is`, {
    hint: 'Check the space on the disk and the permissions of the folder.',
    cause: error,
  });
}
