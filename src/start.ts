/** The first file of a start: what the build has made is printed from its file, before anything else is loaded. */
import { existsSync, readFileSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';
import { stillFiles } from './describe/help/prebuilt.ts';
import { shown } from './describe/help/print.ts';
import type { Page } from './describe/page.ts';
import { compiledFolder } from './system/compile-cache.ts';
import { findHome } from './system/folders.ts';
import { wholeStdout } from './system/stdout.ts';
import { version } from './version.ts';

/** From src/ and from dist/ the way is the same. */
const made = join(import.meta.dirname, '../dist/still');

/** What the build has made under a name; undefined where it has not. */
type Held = (name: string) => string | undefined;

/**
 * Runs the command line of this process and sets its exit code. An executable hands in what it `held`, and it holds
 * what was compiled too.
 */
export async function start(held?: Held): Promise<void> {
  const { argv, env } = process;
  // What keeps a journal is more than its text.
  const still = env.DTP_OUTPUT_FILE ? undefined : await stillText(argv.slice(2), held ?? onDisk);
  if (still === undefined) return runMain(held);
  const stdout = wholeStdout(process.stdout);
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

/** Undefined where the tree of commands is to say it. */
async function stillText(argv: readonly string[], held: Held): Promise<string | undefined> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) return `${version}\n`;
  try {
    const text = stillFiles(argv)
      ?.map(held)
      .find((one) => one !== undefined);
    return text === undefined
      ? undefined
      : await shown(process, {}, process.stdout, JSON.parse(text) as Page);
  } catch {
    // A damaged installation: the tree has it too.
    return undefined;
  }
}

/** What the types of the oldest Node leave out. */
interface Compiler {
  readonly isBuiltin: typeof module.isBuiltin;
  readonly enableCompileCache?: (folder: string) => unknown;
}

/** Has Node keep what it compiles, where it can (22.8 on). */
function keepCompiled(): void {
  const { enableCompileCache }: Compiler = module;
  const { env, getuid } = process;
  if (!enableCompileCache || env.NODE_DISABLE_COMPILE_CACHE) return;
  const folder = compiledFolder({ env, home: findHome() }, getuid?.());
  if (folder !== undefined) enableCompileCache(folder);
}
