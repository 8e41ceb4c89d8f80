/** Runs commands from the command line: opens the invocation and prompts, runs the command and writes its result. */
import { runWithPrompts } from '../commands/operation/asked.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { checkOwnFolders } from '../files/own.ts';
import type { ParsedArguments } from '../input/read.ts';
import {
  type Invocation,
  isInteractive,
  type OpenPrompts,
  openInvocation,
  type Prompts,
} from '../invocation/invocation.ts';
import type { LocalCommand } from '../local/command.ts';
import type { LocalInput } from '../local/flags.ts';
import type { Operation } from '../operations/operation.ts';
import { refuseNames } from '../output/choice.ts';
import { colorOf } from '../output/color.ts';
import { checkOutput, writeResult } from '../output/write-result.ts';
import type { Again } from '../output/write-text.ts';
import type { TerminalPrompts } from '../prompt/screen.ts';
import { hasPlainSigns } from '../render/signs.ts';
import { type Globals, isUnsent } from '../settings/global-flags.ts';
import type { CommandEntry } from '../tree/entry.ts';
import { loadLocal } from './local-code.ts';

/** Prompts for missing values, runs an operation and writes its result. With --watch, runs the operation repeatedly. */
export async function runTyped(context: Context, operation: Operation, typed: ParsedArguments, globals: Globals) {
  checkOwnFolders(context);
  const opening = { context, globals, openPrompts: promptsOf(context, globals) };
  if (typed.flow.watch !== undefined) {
    const { watch } = await import('../commands/operation/watch.ts');
    return watch(opening, operation, typed);
  }
  const { invocation, result } = await runWithService(opening, () => runWithPrompts(opening, operation, typed));
  await writeResult({ ...invocation, again: againOf(invocation) }, operation.command.join(' '), result);
}

/** Runs a local command and writes its result. With --watch, runs the command repeatedly. */
export async function runLocal(
  context: Context,
  command: LocalCommand,
  input: LocalInput,
  asked: { readonly argv: readonly string[]; readonly globals: Globals },
): Promise<void> {
  checkOwnFolders(context);
  const { argv, globals } = asked;
  const { way, ownsFile, words } = command;
  const { watch: interval } = input.flags;
  const run = await loadLocal(words);
  if (command.watches && typeof interval === 'string') {
    const { watchLocal } = await import('../commands/watch.ts');
    return watchLocal({ context, globals, words, interval }, command, (invocation) => run(invocation, input));
  }
  const openPrompts = promptsOf(context, globals);
  const { invocation, result } = await runWithService({ context, globals, openPrompts }, async () => {
    const invocation = await openInvocation(context, { argv, globals, way, ownsFile, openPrompts });
    const { output } = invocation;
    if (command.names === false) refuseNames(output, command.words);
    await checkOutput(context, output);
    return { invocation, result: await run(invocation, input) };
  });
  // The effect of dtp api depends on its method, so its result has an operation.
  const again = command.effect === 'read' || result?.kind === 'answer' ? againOf(invocation) : undefined;
  if (result) await writeResult({ ...invocation, again }, command.words, result);
}

/** Returns the function for the command that shows the rest of a result. A query applies to the result of this one. */
const againOf =
  ({ argv, globals }: Invocation): Again =>
  async (flag, value) => {
    if (flag === '--query' && globals.jq !== undefined) return 'select fewer rows with --jq; -o json has all of them';
    const { lineWith } = await import('../suggest/command-line.ts');
    const whole = flag === '--query' && globals.query !== undefined ? `${globals.query} | ${value}` : value;
    return lineWith(argv, { flag, value: whole });
  };

/** Prints the help page of a command, even if settings are invalid. With `isWhole`, the page shows every field. */
export async function runHelp(context: Context, globals: Globals, entry: CommandEntry, isWhole: boolean) {
  const way = { collectFaults: true, readOnly: true };
  const invocation = await openInvocation(context, { globals, way });
  await checkOutput(context, invocation.output);
  const { pageResult } = await import('../commands/help/pages.ts');
  await writeResult(invocation, 'help', await pageResult(invocation, entry, isWhole));
}

/** Returns the function that opens the prompts. It returns undefined if prompts are disabled or nobody can answer. */
const promptsOf =
  (context: Context, globals: Globals): OpenPrompts =>
  () =>
    isInteractive(context, globals) ? openPrompts(context, globals) : undefined;

function openPrompts(context: Context, globals: Globals): Prompts {
  const { env } = context;
  const asking = async (): Promise<TerminalPrompts> => {
    // The library draws with other characters than ASCII, except on the console of Linux.
    if (env.TERM !== 'linux' && hasPlainSigns(env))
      return (await import('../prompt/lines.ts')).openLinePrompts(context);
    return (await import('../prompt/screen.ts')).openScreenPrompts(context, colorOf(context, globals, true));
  };
  const text = async (question: string) => (await asking()).text(question);
  return {
    text,
    secret: async (question) => (await asking()).secret(question),
    agrees: async (question) => /^y(es)?$/i.test(await text(`${question} (y/N)`)),
    pick: async (question, choices) => (await asking()).pick(question, choices),
  };
}

/** Runs a command. If the base URL or the credential is missing, prompts for it, stores it and runs it again. */
async function runWithService<Done>(
  { context, globals, openPrompts }: Pick<Invocation, 'context' | 'globals' | 'openPrompts'>,
  run: () => Promise<Done>,
): Promise<Done> {
  try {
    return await run();
  } catch (error) {
    const missing = error instanceof DtpError ? error.facts.missing : undefined;
    // Whoever reads the output through a pipe does not expect a login.
    const isAsked =
      (missing === 'service' || missing === 'credential') && !isUnsent(globals) && context.stdout.isTTY === true;
    const prompts = isAsked ? openPrompts() : undefined;
    if (!(error instanceof DtpError) || !prompts) throw error;
    // The workspace and the output are those of the command, not of the login.
    const { profile, baseUrl, caCert, proxy, allowHttp } = globals;
    const all = { profile, baseUrl, caCert, proxy, allowHttp };
    const own = Object.fromEntries(Object.entries(all).filter(([, one]) => one));
    const invocation = await openInvocation(context, { globals: own, openPrompts, way: { login: true } });
    invocation.log.note(error.message);
    const given = { args: [], flags: {} };
    if (missing === 'service') {
      const { setUpService } = await import('../commands/init/service.ts');
      await setUpService({ invocation, given, prompts, did: () => undefined });
    } else {
      const { logIn } = await import('../commands/auth/auth.ts');
      await logIn(invocation, given);
    }
    return run();
  }
}
