/** Asks before what destroys or costs. */
import { DtpError } from '../errors.ts';
import type { Given } from '../input/read.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { Operation } from '../operations/operation.ts';
import { visible } from '../render/sanitize.ts';
import { commandLine } from '../settings/command-line.ts';

/** Why one is asked before an operation of an effect, as the end of a sentence. */
export const harms = {
  destroy: 'takes something away',
  bill: 'costs money or is hard to undo',
} as const;

/**
 * Returns if the user agrees. If a command costs money, the user types the subject, or the noun if it has no subject.
 * `check` runs before the question. Throws `usage` if nobody can be prompted, `cancelled` if the user declines.
 */
export async function confirm(
  { globals, openPrompts }: Invocation,
  operation: Operation,
  { args, argv }: Given,
  check: () => Promise<void>,
): Promise<void> {
  const { effect } = operation;
  if ((effect !== 'destroy' && effect !== 'bill') || globals.yes) return;
  const command = `dtp ${operation.command.join(' ')}`;
  const costs = harms[effect];
  const prompts = openPrompts();
  if (!prompts) throw unconfirmed(`${command} ${costs} and needs confirmation`, argv);
  await check();
  const name = args.length === 0 ? operation.command.slice(0, -1).join(' ') : args.join(' ');
  const agreed =
    effect === 'bill'
      ? (await prompts.text(`${operation.summary}: ${costs}. Type ${visible(name)} to go on:`)) === name
      : await prompts.agrees(`${operation.summary} (${visible(name)}): ${costs}. Go on?`);
  if (!agreed) throw new DtpError('cancelled', 'nothing was done');
}

/** For a local command that takes something away; `question` ends without a mark. Throws as `confirm` does. */
export async function agree({ globals, argv, openPrompts }: Invocation, question: string): Promise<void> {
  if (globals.yes) return;
  const prompts = openPrompts();
  if (!prompts) throw unconfirmed(`${question}? This needs confirmation`, argv);
  if (!(await prompts.agrees(`${question}?`))) throw new DtpError('cancelled', 'nothing was done');
}

/** The flag is named in words: pasting a suggested command must agree to nothing. */
const unconfirmed = (why: string, argv: readonly string[]): DtpError =>
  new DtpError('usage', `${why}; pass --yes`, {
    hint: 'Add --yes to this command to confirm:',
    next: [commandLine(argv)],
  });
