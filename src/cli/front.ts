/** Runs commands from the command line: opens the invocation, runs the command and writes its result. */

import { runWithService } from '../commands/init/offer.ts';
import { runWithPrompts } from '../commands/operation/asked.ts';
import type { Context } from '../context.ts';
import { checkOwnFolders } from '../files/own.ts';
import type { ParsedArguments } from '../input/read.ts';
import { type Invocation, openInvocation } from '../invocation/invocation.ts';
import type { LocalCommand } from '../local/command.ts';
import type { LocalInput } from '../local/flags.ts';
import type { Operation } from '../operations/operation.ts';
import { refuseNames } from '../output/choice.ts';
import { checkOutput, writeResult } from '../output/write-result.ts';
import type { Again } from '../output/write-text.ts';
import { promptsOf } from '../prompt/prompts.ts';
import type { Globals } from '../settings/global-flags.ts';
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
