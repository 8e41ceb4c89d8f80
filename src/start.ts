/** The first file of a start: what the build has made is printed from its file, before anything else is loaded. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import * as module from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { homeFrom, stateFolder } from './cli/folders.ts';
import { shown } from './cli/help/shown.ts';
import { stillFiles } from './cli/help/still.ts';
import { version } from './cli/version.ts';
import type { Page } from './generate/page.ts';

/** From src/ and from dist/ the way is the same. */
const made = join(import.meta.dirname, '../dist/still');

/** What the build has made under a name; undefined where it has not. */
type Held = (name: string) => string | undefined;

/**
 * Runs the command line of this process and sets its exit code. An executable hands in what it `held`, and it holds
 * what was compiled too.
 */
export async function start(held?: Held): Promise<void> {
  const { argv, env, stdout } = process;
  // What keeps a journal is more than its text.
  const still = env.DTP_OUTPUT_FILE ? undefined : await stillText(argv.slice(2), held ?? onDisk);
  if (still === undefined) return runMain(held);
  // A reader that has seen enough is no failure; of what is one, main.ts knows how to tell.
  stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') void runMain(held);
  });
  stdout.write(still);
}

async function runMain(held?: Held): Promise<void> {
  if (!held) keepCompiled();
  const { main } = await import('./main.ts');
  await main();
}

const onDisk: Held = (name) => {
  const file = join(made, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

async function stillText(argv: readonly string[], held: Held): Promise<string | undefined> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) return `${version}\n`;
  const text = stillFiles(argv)
    ?.map(held)
    .find((one) => one !== undefined);
  if (text === undefined) return undefined;
  const page = JSON.parse(text) as Page;
  return shown(process, {}, process.stdout, page);
}

/** Has Node keep what it compiles, where it can (22.8 on): in a folder that nobody else may write to. */
function keepCompiled(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  if (!enableCompileCache) return;
  const state = stateFolder({ env: process.env, home: homeFrom(homedir) });
  const folder = join(state, 'compiled');
  if (!existsSync(folder))
    // One by one: all at once, Node never ends where a folder that is there takes no other, as in /proc.
    for (const one of [dirname(dirname(state)), dirname(state), state, folder])
      try {
        mkdirSync(one, { mode: 0o700 });
      } catch {}
  if (existsSync(folder)) enableCompileCache(folder);
}
