/** Checks this machine: the Node version, the files and folders that dtp uses, and the queue. */
import { constants, type Stats } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Agent, Context } from '../../context.ts';
import { amount } from '../../render/amounts.ts';
import { shellLine } from '../../shell.ts';
import type { Entry } from '../../store/spool.ts';
import { configFolder, folderOf, stateFolder } from '../../system/folders.ts';
import { supportedNode } from '../../version.ts';
import { type Finding, fail, failed, ok, skip, warn } from './check.ts';

export function nodeCheck({ runtime }: Context): Finding {
  const version = runtime.version.replace(/^v/, '');
  const { least, lastMajor } = supportedNode;
  const range = `${least} to ${lastMajor}`;
  if (version.localeCompare(least, 'en', { numeric: true }) < 0) {
    const text = `Node ${version} is too old (supported: ${range})`;
    return fail('node', 'config', text, 'Install a newer version of Node.');
  }
  if (Number.parseInt(version, 10) > lastMajor)
    return warn('node', `Node ${version} is newer than the versions dtp is tested with (${range})`, otherNode);
  return ok('node', `Node ${version} (supported: ${range})`);
}

const otherNode = 'Update dtp, or use an older version of Node if something fails.';

/** Reports the agent that runs this command, because it changes how commands behave. */
export const agentCheck = ({ name, isAsked }: Agent): Finding =>
  ok(
    'agent',
    isAsked
      ? '--agent or DTP_AGENT is set: short results as TOON, errors as JSON, no prompts'
      : `${name} runs dtp: errors as JSON, no prompts, no color (DTP_AGENT=0 turns this off)`,
  );

const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);

/** Whether users other than the owner have any permission. */
const isOpen = (found: Stats | undefined) => found !== undefined && (found.mode & 0o077) !== 0;

const modeOf = (found: Stats | undefined) => ((found?.mode ?? 0) & 0o777).toString(8).padStart(4, '0');

/** Describes the paths that other users have permissions for. `fix` allows only the owner to access them. */
async function openOf(paths: readonly string[]) {
  const all = await Promise.all(paths.map(async (path) => [path, await statOf(path)] as const));
  const open = all.filter(([, found]) => isOpen(found));
  return {
    count: open.length,
    what: open.map(([path, found]) => `${path} has mode ${modeOf(found)}`).join(', and '),
    fix: open.map(([path, found]) => shellLine(['chmod', found?.isDirectory() ? '700' : '600', path])).join(' && '),
  };
}

/** Checks the permissions of the configuration file and its folder. Other users must not read a stored credential. */
export async function modesCheck(context: Context, hasSecret: boolean): Promise<Finding> {
  if (context.runtime.platform === 'win32') return skip('file-modes', 'not checked on Windows');
  const folder = configFolder(context);
  const file = join(folder, 'config.json');
  const [ofFolder, ofFile] = [await statOf(folder), await statOf(file)];
  if (!ofFile) return skip('file-modes', `${file} does not exist yet`);
  const { count, what, fix } = await openOf([folder, file]);
  if (count === 0) return ok('file-modes', `only you can read ${file} (${modeOf(ofFile)}, folder ${modeOf(ofFolder)})`);
  return hasSecret && isOpen(ofFile) && isOpen(ofFolder)
    ? fail('file-modes', 'config', `${what}, so other users can read your credential`, fix)
    : warn('file-modes', `${what}, which is too open`, fix);
}

/** Checks the folder with the queued events. The check fails if other users can write to it. */
export async function stateCheck(context: Context): Promise<Finding> {
  const folder = stateFolder(context);
  const finding = await folderCheck(context, 'state', true);
  const exposed = finding.status === 'fail' ? undefined : (await context.openSpool(folder)).exposed();
  if (!exposed) return finding;
  const message = `${folder} ${exposed.why}, so events are not queued in it, and compiled code in it is not used`;
  return fail('state-folder', 'config', message, exposed.next.join(' && ') || exposed.advice);
}

/** Checks a folder. If this command does not use it, a problem is only a warning. */
export async function folderCheck(context: Context, kind: 'state' | 'data', isUsed: boolean): Promise<Finding> {
  const [check, folder] = [`${kind}-folder`, folderOf(context, kind)];
  const files = kind === 'data' ? ['service.db'] : [];
  const found = await statOf(folder);
  const wrong = (why: string, fix: string) => (isUsed ? fail(check, 'config', why, fix) : warn(check, why, fix));
  const another = `Set DTP_${kind.toUpperCase()}_DIR to another folder.`;
  if (!found) {
    const above = await nearest(folder);
    const isFolder = (await statOf(above))?.isDirectory() === true;
    if (isFolder && (await mayWrite(above))) return ok(check, `${folder} will be created when needed`);
    return wrong(`${folder} does not exist and cannot be created in ${above}`, another);
  }
  if (!found.isDirectory()) return wrong(`${folder} is not a folder`, another);
  if (!(await mayWrite(folder))) return wrong(`${folder} is not writable`, shellLine(['chmod', 'u+rwx', folder]));
  const { count, what, fix } = await openOf([folder, ...files.map((name) => join(folder, name))]);
  if (context.runtime.platform === 'win32' || count === 0) return ok(check, `${folder} is writable`);
  return warn(check, `${what}, which is too open`, fix);
}

const succeeds = (work: Promise<unknown>): Promise<boolean> => work.then(() => true).catch(() => false);

const mayWrite = (folder: string): Promise<boolean> => succeeds(access(folder, constants.W_OK | constants.X_OK));

/** Returns the nearest parent path that exists, even if it is a broken link. */
async function nearest(folder: string): Promise<string> {
  const above = dirname(folder);
  return above === folder || (await succeeds(lstat(above))) ? above : nearest(above);
}

export async function spoolCheck(context: Context): Promise<Finding> {
  try {
    const spool = await context.openSpool(stateFolder(context));
    return queueFinding(await spool.list());
  } catch (error) {
    return failed('queue', error, 'Set DTP_STATE_DIR to another folder.');
  }
}

function queueFinding(entries: readonly Entry[]): Finding {
  const first = entries.find(({ state }) => state === 'unreadable');
  if (first) return fail('queue', 'config', String(first.reason), 'Give your user access to it, or delete it.');
  const counts = (['pending', 'busy', 'rejected', 'corrupt'] as const).map(
    (state) => [state, entries.filter((one) => one.state === state).length] as const,
  );
  const queued = counts.filter(([, count]) => count > 0);
  if (queued.length === 0) return ok('queue', 'no pending events');
  const total = queued.reduce((sum, [, count]) => sum + count, 0);
  const batches = amount(total, 'event batch is', 'event batches are');
  const states = queued.map(([state, count]) => `${count} ${state}`).join(', ');
  const isPending = queued.some(([state]) => state === 'pending');
  const fix = isPending ? 'dtp events queue flush' : 'dtp events queue list';
  return warn('queue', `${batches} in the queue: ${states}`, fix);
}
