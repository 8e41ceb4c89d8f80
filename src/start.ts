/** The entry point. It prints prebuilt output, such as help, and recent completions before loading anything else. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stillFiles } from './describe/help/prebuilt.ts';
import { shown } from './describe/help/print.ts';
import type { Page } from './describe/page.ts';
import { recallAnswer } from './store/recalled.ts';
import { findHome } from './system/folders.ts';
import { wholeStdout } from './system/stdout.ts';
import { version } from './version.ts';

/** The relative path is the same from src/ and from dist/. */
const made = join(import.meta.dirname, '../dist/still');

/** Returns prebuilt output by name, or undefined. */
type Held = (name: string) => string | undefined;

/** Runs the command line of this process and sets its exit code. An executable passes its embedded files as `held`. */
export async function start(held?: Held): Promise<void> {
  const { argv, env } = process;
  // DTP_OUTPUT_FILE needs a journal, which only main.ts writes.
  const words = argv.slice(2);
  const still = env.DTP_OUTPUT_FILE
    ? undefined
    : (recalled(words) ?? (await stillText(words, held ?? onDisk)));
  if (still === undefined) return runMain();
  const stdout = wholeStdout(process.stdout);
  // EPIPE means that the reader has closed the pipe. Other errors are reported by main.ts.
  stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') void runMain();
  });
  stdout.write(still);
}

/** The answer to a key press that has just been answered. Without it, the current directory need not exist. */
function recalled(argv: readonly string[]): string | undefined {
  if (argv[0] !== '__complete') return undefined;
  try {
    return recallAnswer({ argv, env: process.env, home: findHome(), cwd: process.cwd() }, Date.now());
  } catch {
    return undefined;
  }
}

async function runMain(): Promise<void> {
  const { main } = await import('./main.ts');
  await main();
}

const onDisk: Held = (name) => {
  const file = join(made, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

/** Returns the prebuilt output of a command line. Undefined if the command tree must produce the output. */
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
    // The installation is damaged. The command tree can produce the same output.
    return undefined;
  }
}
