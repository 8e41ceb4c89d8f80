/** Caches the answers to shell completions, so that pressing Tab again does not load the settings, which is slow. */
import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../caught.ts';
import { configFolder, type FolderEnvironment, stateFolder } from '../system/folders.ts';
import { checkRootOwns, readPrivate } from '../system/owner.ts';

/** Everything that the answer to `dtp __complete …` depends on, except files. */
export interface CompletionRequest extends FolderEnvironment {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Undefined on Windows, which has no numeric user ids. */
  readonly uid?: number | undefined;
}

/** Returns the folder for all files that are cached for completions. */
export const completionsFolder = (place: FolderEnvironment): string => join(stateFolder(place), 'completions');

/** How long a list is cached, in milliseconds. */
export const lifetime = 60_000;

/** Returns the cached answer, if its list is less than a minute old and no file that it depends on has changed. */
export function recallAnswer(press: CompletionRequest, now: number): string | undefined {
  return attempt(() => {
    const file = fileOf(press);
    if (file === undefined) return undefined;
    const { of, list, stamps, text } = JSON.parse(readPrivate(file, press.uid).toString());
    if (of !== identityOf(press) || typeof text !== 'string') return undefined;
    const age = now - lstatSync(list).mtimeMs;
    return age >= 0 && age < lifetime && stamps === stampsOf(press, list) ? text : undefined;
  }, undefined);
}

/** Caches an answer that was made from `list`, the path of a cached list. Does nothing if that fails. */
export function keepAnswer(press: CompletionRequest, list: string, text: string): void {
  try {
    const file = fileOf(press);
    const content = { of: identityOf(press), list, stamps: stampsOf(press, list), text };
    // A file that was only partly written is not valid JSON, so the next key press ignores it.
    if (file === undefined) return;
    checkRootOwns(dirname(file), stateFolder(press));
    // A new file, because opening a pipe in its place would block.
    rmSync(file, { force: true });
    writeFileSync(file, JSON.stringify(content), { mode: 0o600, flag: 'wx' });
  } catch {}
}

/** Returns undefined for an answer that must not be cached: it needs a request, or may have a URL with a password. */
function fileOf(press: CompletionRequest): string | undefined {
  if (press.argv.includes('--fresh') || identityOf(press).includes('@')) return undefined;
  const name = Buffer.from(press.argv.join(' ')).toString('base64url').slice(-200);
  return join(completionsFolder(press), `answer-${name}.json`);
}

/** Identifies a key press. Only includes whether a credential is set, not its value: the cache has no secrets. */
function identityOf({ argv, cwd, home, env }: CompletionRequest): string {
  const names = Object.keys(env).filter((name) => /^(DTP_|XDG_|(LOCAL)?APPDATA$)/.test(name));
  const values = names.sort().map((name) => [name, secrets.test(name) ? (env[name] ?? '') !== '' : env[name]]);
  return JSON.stringify([argv, cwd, home, values]);
}

const secrets = /^DTP_(API_KEY|TOKEN|WORKSPACE_IDENTIFIER)$/;

/** Returns when the list and each settings file last changed. A file that does not exist is an empty entry. */
function stampsOf(press: CompletionRequest, list: string): string {
  const config = configFolder(press);
  const files = [list, config, join(config, 'config.json')];
  for (let folder = press.cwd; dirname(folder) !== folder; folder = dirname(folder))
    files.push(join(folder, '.dtp.json'), join(folder, '.git'));
  return files
    .map((file) => lstatSync(file, { throwIfNoEntry: false }))
    .map((found) => (found ? `${found.mtimeMs} ${found.size} ${found.ino}` : ''))
    .join();
}
