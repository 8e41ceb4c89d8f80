/** Checks of this machine: Node, and the files and folders that the tool keeps. */
import { constants, type Stats } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from '../../context.ts';
import { shellLine } from '../../shell.ts';
import { configFolder, dataFolder, stateFolder } from '../../system/folders.ts';
import { supportedNode } from '../../version.ts';
import { type Finding, fail, ok, skip, warn } from './check.ts';

const numbersIn = (version: string) => version.split('.').map(Number);

function isBefore(version: string, other: string): boolean {
  const [ours, theirs] = [numbersIn(version), numbersIn(other)];
  const at = ours.findIndex((number, index) => number !== theirs[index]);
  return at >= 0 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

export function nodeCheck({ runtime }: Context): Finding {
  const version = runtime.version.replace(/^v/, '');
  const { least, lastMajor } = supportedNode;
  const range = `${least} to ${lastMajor}`;
  if (isBefore(version, least))
    return fail(
      'node',
      'config',
      `Node ${version} is older than is supported (${range})`,
      'Install a newer Node.',
    );
  if ((numbersIn(version)[0] ?? 0) > lastMajor)
    return warn(
      'node',
      `Node ${version} is newer than what this dtp was tried with (${range})`,
      'Update dtp, or use an older Node where something fails.',
    );
  return ok('node', `Node ${version} (supported: ${range})`);
}

const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);

/** Whether others than the owner may do anything with it. */
const isOpen = (found: Stats | undefined) => found !== undefined && (found.mode & 0o077) !== 0;

const modeOf = (found: Stats | undefined) => ((found?.mode ?? 0) & 0o777).toString(8).padStart(4, '0');

/** `chmod` for those of the paths that are open, in one line. */
const closing = (open: readonly (readonly [path: string, found: Stats | undefined])[]) =>
  open.map(([path, found]) => shellLine(['chmod', found?.isDirectory() ? '700' : '600', path])).join(' && ');

/** The configuration's file and folder. A file with a credential in it that others may read is a failure. */
export async function modesCheck(context: Context, hasSecret: boolean): Promise<Finding> {
  if (context.runtime.platform === 'win32')
    return skip('file-modes', 'Windows knows no modes; what may be read there the account decides');
  const folder = configFolder(context);
  const file = join(folder, 'config.json');
  const [ofFolder, ofFile] = [await statOf(folder), await statOf(file)];
  if (!ofFile) return skip('file-modes', `there is no ${file} yet`);
  const open = [[folder, ofFolder] as const, [file, ofFile] as const].filter(([, found]) => isOpen(found));
  if (open.length === 0)
    return ok('file-modes', `${file} is yours alone (${modeOf(ofFile)} in ${modeOf(ofFolder)})`);
  const what = open.map(([path, found]) => `${path} has the mode ${modeOf(found)}`).join(', and ');
  return hasSecret && isOpen(ofFile) && isOpen(ofFolder)
    ? fail('file-modes', 'config', `${what}: others may get at the credential in it`, closing(open))
    : warn('file-modes', `${what}: others may get at it`, closing(open));
}

/** The folder of the kept events. */
export const stateCheck = (context: Context): Promise<Finding> =>
  folderCheck(context, {
    check: 'state-folder',
    folder: stateFolder(context),
    files: [],
    variable: 'DTP_STATE_DIR',
    isUsed: true,
  });

/** The folder of the embedded service; where another service is used, nothing depends on it. */
export const dataCheck = (context: Context, isUsed: boolean): Promise<Finding> =>
  folderCheck(context, {
    check: 'data-folder',
    folder: dataFolder(context),
    files: ['service.db'],
    variable: 'DTP_DATA_DIR',
    isUsed,
  });

interface Kept {
  readonly check: string;
  readonly folder: string;
  /** Those that must be writable too, if they are there. */
  readonly files: readonly string[];
  /** What names another folder. */
  readonly variable: string;
  readonly isUsed: boolean;
}

async function folderCheck(
  context: Context,
  { check, folder, files, variable, isUsed }: Kept,
): Promise<Finding> {
  const found = await statOf(folder);
  const wrong = (message: string, mend: string) =>
    isUsed ? fail(check, 'config', message, mend) : warn(check, message, mend);
  const another = `Name another folder with ${variable}.`;
  if (!found) {
    const above = await nearest(folder);
    const isFolder = (await statOf(above))?.isDirectory() === true;
    if (isFolder && (await mayWrite(above))) return ok(check, `${folder} is made when it is needed`);
    return wrong(`${folder} is not there, and cannot be made in ${above}`, another);
  }
  if (!found.isDirectory()) return wrong(`${folder} is no folder`, another);
  if (!(await mayWrite(folder)))
    return wrong(`${folder} cannot be written to`, shellLine(['chmod', 'u+rwx', folder]));
  const paths = [folder, ...files.map((name) => join(folder, name))];
  const all = await Promise.all(paths.map(async (path) => [path, await statOf(path)] as const));
  const open = all.filter(([, one]) => isOpen(one));
  if (context.runtime.platform === 'win32' || open.length === 0)
    return ok(check, `${folder} can be written to`);
  const what = open.map(([path, one]) => `${path} has the mode ${modeOf(one)}`).join(', and ');
  return warn(check, `${what}: others may get at it`, closing(open));
}

const mayWrite = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

/** The nearest name above that is there, also where it is a link to nowhere. */
async function nearest(folder: string): Promise<string> {
  const above = dirname(folder);
  const isThere = await lstat(above).then(
    () => true,
    () => false,
  );
  return above === folder || isThere ? above : nearest(above);
}
