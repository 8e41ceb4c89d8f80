/** Prompts for an argument of a local command. */
import { DtpError } from '../errors.ts';
import type { Invocation, Prompts } from '../invocation/invocation.ts';
import { argvOf, asArguments, commandLine } from '../settings/command-line.ts';
import { isUnsent } from '../settings/global-flags.ts';

/** Returns the answer, and the command line with it. Throws `usage` if it cannot prompt, `cancelled` if it is empty. */
export async function askArgument(
  { argv, globals, openPrompts }: Invocation,
  missing: readonly [string, ...string[]],
  ask: (prompts: Prompts) => Promise<string>,
): Promise<{ readonly answer: string; readonly argv: readonly string[] }> {
  const prompts = isUnsent(globals) ? undefined : openPrompts();
  if (!prompts)
    throw new DtpError('usage', `missing argument: ${missing[0]}`, { next: [commandLine(argv, asArguments(missing))] });
  const answer = await ask(prompts);
  if (answer === '') throw new DtpError('cancelled', 'cancelled');
  return { answer, argv: argvOf(argv, [[answer]]) };
}
