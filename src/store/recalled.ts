/** Remembers what a key press was answered, so that the same key press needs no settings, which take long to load. */
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configFolder, type Place, stateFolder } from '../system/folders.ts';

/** What the answer to `dtp __complete …` depends on, besides files. */
export interface KeyPress extends Place {
  readonly argv: readonly string[];
  readonly cwd: string;
}

/** The folder of all that is cached for completions. */
export const completionsFolder = (place: Place): string => join(stateFolder(place), 'completions');

/** How long a list is cached, in milliseconds. */
export const lifetime = 60_000;

/** Returns the same answer, if the list is less than a minute old and nothing that it depends on has changed. */
export function recallAnswer(press: KeyPress, now: number): string | undefined {
  try {
    const file = fileOf(press);
    if (file === undefined) return undefined;
    const { of, list, stamps, text } = JSON.parse(readFileSync(file, 'utf8'));
    if (of !== identityOf(press) || typeof text !== 'string') return undefined;
    const age = now - lstatSync(list).mtimeMs;
    return age >= 0 && age < lifetime && stamps === stampsOf(press, list) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers the answer that was made from `list`, the file of a cached list. Does nothing if it cannot. */
export function keepAnswer(press: KeyPress, list: string, text: string): void {
  try {
    const file = fileOf(press);
    const content = { of: identityOf(press), list, stamps: stampsOf(press, list), text };
    // A file that was only written in part is not valid JSON, so the next key press ignores it.
    if (file !== undefined) writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  } catch {}
}

/** Undefined for a key press that must not be remembered: it calls the service, or has a URL with a password. */
function fileOf(press: KeyPress): string | undefined {
  if (press.argv.includes('--fresh') || identityOf(press).includes('@')) return undefined;
  const name = Buffer.from(press.argv.join(' ')).toString('base64url').slice(-200);
  return join(completionsFolder(press), `answer-${name}.json`);
}

/** Everything except the files. Of a credential, only whether it is set, because secrets are never stored. */
function identityOf({ argv, cwd, home, env }: KeyPress): string {
  const names = Object.keys(env).filter((name) => /^(DTP_|XDG_|APPDATA$)/.test(name));
  const values = names
    .sort()
    .map((name) => [name, secrets.test(name) ? (env[name] ?? '') !== '' : env[name]]);
  return JSON.stringify([argv, cwd, home, values]);
}

const secrets = /^DTP_(API_KEY|TOKEN|WORKSPACE_IDENTIFIER)$/;

/** When the list and each file with settings was last changed, or that it does not exist. */
function stampsOf(press: KeyPress, list: string): string {
  const config = configFolder(press);
  const files = [list, config, join(config, 'config.json')];
  for (let folder = press.cwd; dirname(folder) !== folder; folder = dirname(folder))
    files.push(join(folder, '.dtp.json'), join(folder, '.git'));
  return files
    .map((file) => lstatSync(file, { throwIfNoEntry: false }))
    .map((found) => (found ? `${found.mtimeMs} ${found.size} ${found.ino}` : ''))
    .join();
}
