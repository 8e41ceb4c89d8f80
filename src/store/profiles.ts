/** Stores profiles (base URLs, credentials and defaults) in one private file. Only this module imports conf. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { chmod, lstat, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Conf from 'conf';
import { attempt, ignoring, orThrow, systemCode } from '../caught.ts';
import { guardedKeys } from '../declarations/settings.ts';
import type { Profile } from '../declarations/types.ts';
import { DtpError } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import { checkRootOwns, smallLimit } from '../system/owner.ts';
import { type Exposed, exposedBy, type User } from './exposure.ts';
import { makeFolders, reasonOf, suffix, syncFolder, writeFileWhole } from './files.ts';
import { type LockHolder, sweepLocks, withLock } from './lock.ts';
import { narrowMode } from './modes.ts';
import { rename } from './rename.ts';

export type { Profile } from '../declarations/types.ts';

export interface Configuration {
  /** The profile to use if none is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The name of the built-in profile. A stored profile with this name can be deleted, but not changed. */
export const builtInProfile = 'local';

export type Profiles = ReturnType<typeof openProfiles>;

/** Opens the profiles of a folder. Does not read or create anything until a function of the result is called. */
export function openProfiles(folder: string, holder: LockHolder & User) {
  const file = join(folder, 'config.json');
  const { exposed, refuse, refuseNow } = guardOf(folder, holder);
  return {
    file,
    /** Whether other users could have written the file. Never fails. */
    exposed,
    /**
     * Reads the file. Returns no profiles if the file does not exist: conf would create the folder. Throws `config` if
     * the file cannot be read.
     */
    read: (): Configuration => (existsSync(file) ? storedIn(folder) : { profiles: {} }),
    /**
     * Restricts the permissions of the file. Also restricts those of its folder, if the folder contains only files of
     * this tool. Returns a warning for each of the two whose permissions were too open. Never fails. Changes nothing if
     * other users could have written the file, because the user must check its content first.
     */
    narrow: async (): Promise<readonly string[]> => {
      if (exposed() || attempt(() => checkRootOwns(folder), '') === '') return [];
      const hasSecrets = () => attempt(() => Object.values(storedIn(folder).profiles).some(isSecret), true);
      const found = [narrowMode(file, 0o600, hasSecrets), isOurs(folder) && narrowMode(folder, 0o700, hasSecrets)];
      return found.filter((one) => typeof one === 'string');
    },
    /** Throws `config` if profiles cannot be stored. Call it before creating something that must be stored. */
    check: async () => {
      refuseNow();
      const place = await madePlace(folder, file);
      const probe = join(dirname(place), `.dtp-${suffix()}`);
      try {
        await writeFile(probe, 'probe', { flag: 'wx', mode: 0o600 });
      } catch (error) {
        throw notWritten(file, error);
      } finally {
        await rm(probe, { force: true }).catch(() => undefined);
      }
      if (existsSync(file)) await readOrSetAside(folder, place);
      const after = exposed();
      if (after?.isFolder) throw exposedFile(file, after);
    },
    /**
     * Replaces the file atomically with the result of `change`, which receives the current configuration. Throws `config`
     * if other users could have written settings in it: they are ignored now, but would be used in the new file.
     */
    update: async (change: (now: Configuration) => Configuration) => {
      const before = refuseNow();
      const place = await madePlace(folder, file);
      const after = exposed();
      const checked = (now: Configuration) => {
        refuse(before, now);
        const next = change(now);
        if (after?.isFolder) refuse(after, next);
        return next;
      };
      // Hold a lock, because conf loses updates if several processes write at the same time.
      await withLock(`${place}.lock`, () => write(folder, place, checked), holder);
      await sweepLocks(dirname(place), await readdir(dirname(place)).catch(() => []), holder);
    },
  };
}

const isSecret = (one: Profile): boolean => 'credential' in one || 'credential_command' in one;

/** Refuses to write settings that other users could have written, because the new file would be used. */
function guardOf(folder: string, user: User) {
  const file = join(folder, 'config.json');
  const exposed = () => exposedBy(file, user);
  /** Throws `config` for settings that would be used after the next write, but are not used now. */
  const refuse = (found: Exposed | undefined, { profiles }: Configuration) => {
    const isGuarded = (one: Profile) => guardedKeys.some((key) => Object.hasOwn(one, key));
    if (found && Object.values(profiles).some(isGuarded)) throw exposedFile(file, found);
  };
  /** Checks the file before its folder is restricted, because the folder would then look safe. */
  const refuseNow = () => {
    const found = exposed();
    try {
      if (found && existsSync(file)) refuse(found, storedIn(folder));
    } catch (error) {
      // A file that is not a configuration is saved under another name later.
      if (!(error instanceof Unreadable)) throw error;
    }
    checkRootOwns(folder);
    return found;
  };
  return { exposed, refuse, refuseNow };
}

/** Creates the folder and returns the path of the file. Throws `config` if that fails. */
const madePlace = (folder: string, file: string): Promise<string> =>
  makePrivate(folder)
    .then(() => placeOf(file))
    .catch((error) => Promise.reject(notWritten(file, error)));

/** Resolves symbolic links, so that a user can store the file elsewhere. The target does not have to exist yet. */
async function placeOf(file: string): Promise<string> {
  const found = await lstat(file).catch(ignoring((error) => systemCode(error) === 'ENOENT'));
  if (!found?.isSymbolicLink()) return file;
  return realpath(file).catch(async (error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    return placeOf(resolve(await realpath(dirname(file)), await readlink(file)));
  });
}

async function makePrivate(folder: string): Promise<void> {
  await makeFolders(folder, 0o700);
  if (isOurs(folder)) await chmod(folder, 0o700);
}

/** Whether all files in the folder are ours. Else its permissions must stay: it may be shared or the home folder. */
const isOurs = (folder: string): boolean =>
  attempt(() => {
    // Synchronous, because every command checks this, and node:fs/promises takes milliseconds to load.
    return readdirSync(folder).every((name) => /^(config\.(json|new)|\.dtp-|trusted$)/.test(name));
  }, false);

/** Opens a file with conf, which reads it at once. Passes on errors thrown by `deserialize`. */
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
    // conf would block on a pipe and read a device forever.
    if (found && !found.isFile() && !found.isDirectory())
      throw new DtpError('config', `${file} cannot be read: it is a pipe or a device, not a file`, advice);
    if (found && found.size > smallLimit.bytes)
      throw new DtpError('config', `${file} is larger than ${smallLimit.text}`, advice);
    return { profiles: {}, ...openConf(folder, 'json').store };
  } catch (error) {
    if (error instanceof DtpError) throw error;
    throw new DtpError('config', `${file} cannot be read: ${reasonOf(error)}`, { ...advice, cause: error });
  }
}

const serialize = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

/** Parses the file. Accepts a byte order mark and an empty file, because text editors may write them. */
function parse(text: string, file: string): Record<string, unknown> {
  const json = text.replace(/^\ufeff/, '');
  if (json.trim() === '') return {};
  // The parser's message quotes the file, which may contain a credential.
  const wrong = () => new Unreadable(`${file} is not JSON`);
  const value: unknown = orThrow(() => JSON.parse(json), wrong);
  const profiles = isRecord(value) && 'profiles' in value ? value.profiles : {};
  if (!isRecord(value) || !isRecord(profiles) || !Object.values(profiles).every(isRecord))
    throw new Unreadable(`${file} is not a valid configuration`);
  return value;
}

const advice = { hint: 'Fix the file or delete it.', next: ['dtp config path'] };
class Unreadable extends DtpError {
  constructor(message: string) {
    super('config', message, advice);
  }
}

/**
 * Writes a second file with conf, checks it and renames it to `file`. The check is necessary because conf reports
 * success on a full disk, although it wrote only part of the file. `file` may be in another folder or on another disk.
 */
async function write(folder: string, file: string, change: (now: Configuration) => Configuration): Promise<void> {
  const now = await readOrSetAside(folder, file);
  const next = change(now);
  if (
    Object.hasOwn(next.profiles, builtInProfile) &&
    !isDeepStrictEqual(next.profiles[builtInProfile], now.profiles[builtInProfile])
  )
    throw new DtpError('usage', `profile "${builtInProfile}" is built in and cannot be changed`);
  const beside = join(folder, 'config.new');
  try {
    await sweep(folder);
    openConf(folder, 'new').store = { ...next };
    if ((await readFile(beside, 'utf8')) !== serialize(next)) throw new Error('only part of it was written');
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
    throw new DtpError('config', `${file} was written, but may be lost in a power failure: ${reasonOf(error)}`, {
      hint: 'Check the disk.',
      cause: error,
    });
  });
}

/** Deletes unfinished files, including the temporary files of conf that a killed process left. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith('config.new')) await rm(join(folder, name), { force: true });
}

/** Reads the file. Renames an invalid one, which may have the only copy of a credential, and throws `config`. */
async function readOrSetAside(folder: string, file: string): Promise<Configuration> {
  try {
    return storedIn(folder);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const aside = `${file}.unreadable-${randomBytes(3).toString('hex')}`;
    await rename(file, aside).catch((failure: unknown) => {
      throw new DtpError('config', `${error.message}, and it cannot be renamed: ${reasonOf(failure)}`, {
        ...advice,
        cause: failure,
      });
    });
    throw new DtpError('config', `${error.message}. It was renamed to ${aside}, and nothing was stored`, {
      hint: 'Run the command again to start a new configuration, or fix the file and move it back.',
      cause: error,
    });
  }
}

const exposedFile = (file: string, { why, advice, next }: Exposed): DtpError =>
  new DtpError('config', `nothing is stored in ${file}, ${why}`, {
    hint: advice.replace(/^[a-z]/, (first) => first.toUpperCase()),
    next,
  });

function notWritten(file: string, error: unknown): DtpError {
  const first = error instanceof DtpError ? (error.facts.cause ?? new Error(error.message)) : error;
  const why = first instanceof Error && !('code' in first) ? first.message : reasonOf(first);
  return new DtpError('config', `cannot write ${file}: ${why}. The previous configuration is unchanged`, {
    hint:
      systemCode(first) === 'EBUSY'
        ? 'Close the other program, or run the command again.'
        : 'Check the disk space and the permissions of the folder.',
    cause: error,
  });
}
