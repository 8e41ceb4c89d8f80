/** Prints prebuilt help and recent completions directly, and loads main.ts for every other command line. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prebuiltHelpFiles } from './describe/help/prebuilt.ts';
import type { HelpPage } from './describe/page.ts';
import { agentOf } from './output/agent.ts';
import { findHome } from './system/folders.ts';
import { isClosed, isPlainStdout, wholeStdout, writePlain } from './system/stdout.ts';
import { version } from './version.ts';

/** The folder of the prebuilt output. The relative path is the same from src/ and from dist/. */
const made = join(import.meta.dirname, '../dist/still');

/** Returns the content of a prebuilt file, or undefined if the file does not exist. */
type Held = (name: string) => string | undefined;

/**
 * Runs the command line of this process and sets its exit code. `held` reads prebuilt files. By default they are read
 * from the disk. A single executable reads its embedded files instead.
 */
export async function start(held?: Held): Promise<void> {
  const { argv, env } = process;
  // DTP_OUTPUT_FILE needs a journal, which only main.ts writes.
  const words = argv.slice(2);
  const isPlain = isPlainStdout();
  const still = env.DTP_OUTPUT_FILE
    ? undefined
    : ((await recalled(words)) ?? (await stillText(words, held ?? onDisk, isPlain ? {} : process.stdout)));
  if (still === undefined || !print(still, isPlain)) await runMain();
}

/** Prints the output. If that fails, main.ts runs the command again and reports the error. */
function print(text: string, isPlain: boolean): boolean {
  let rest: Uint8Array | string = text;
  try {
    if (isPlain) rest = writePlain(text);
  } catch (error) {
    return isClosed(error);
  }
  if (rest.length === 0) return true;
  const stdout = wholeStdout(process.stdout);
  stdout.once('error', (error) => {
    if (!isClosed(error)) void runMain();
  });
  stdout.write(rest);
  return true;
}

/** Returns the stored answer to an identical, recent completion request. Undefined if this fails. */
async function recalled(argv: readonly string[]): Promise<string | undefined> {
  if (argv[0] !== '__complete') return undefined;
  try {
    const { recallAnswer } = await import('./store/recalled.ts');
    return recallAnswer(
      { argv, env: process.env, home: findHome(), cwd: process.cwd(), uid: process.geteuid?.() },
      Date.now(),
    );
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

/** Returns the prebuilt output of a command line. Undefined if main.ts must produce the output. */
async function stillText(
  argv: readonly string[],
  held: Held,
  terminal: Pick<NodeJS.WriteStream, 'columns' | 'isTTY'> | Record<string, never>,
): Promise<string | undefined> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) return `${version}\n`;
  try {
    const text = prebuiltHelpFiles(argv)
      ?.map(held)
      .find((one) => one !== undefined);
    if (text === undefined) return undefined;
    const { shownHelp } = await import('./describe/help/print.ts');
    const { env } = process;
    const findAgent = async () => (await import('./system/agent.ts')).detectedAgent();
    const agent = terminal.isTTY ? await agentOf({ env, findAgent }, {}) : undefined;
    return await shownHelp({ env, agent }, {}, terminal, JSON.parse(text) as HelpPage);
  } catch {
    // The prebuilt file is damaged. main.ts can produce the same output.
    return undefined;
  }
}
