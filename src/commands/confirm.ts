/** Confirmation prompts for commands that delete data or cost money. */
import { DtpError } from '../errors.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { WithIds } from '../invocation/names-input.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { visible } from '../render/sanitize.ts';
import { commandLine } from '../settings/command-line.ts';

/** Why an operation with this effect needs confirmation, as the end of a sentence. */
export const harms = {
  destroy: 'removes data or access',
  bill: 'may incur charges or be hard to undo',
} as const;

/**
 * Returns if the user agrees, or if no confirmation is needed. If an operation costs money, the user must type the name of
 * the thing. `find` runs before the prompt: it checks the workspace and looks up names, and its result is returned.
 * Throws `usage` if prompts are not possible, `cancelled` if the user declines.
 */
export async function confirm(
  { globals, openPrompts }: Invocation,
  operation: Operation,
  { input, argv }: { readonly input: Input; readonly argv: readonly string[] },
  find: () => Promise<Found>,
): Promise<Found | undefined> {
  const { effect } = operation;
  if ((effect !== 'destroy' && effect !== 'bill') || globals.yes) return undefined;
  const command = `dtp ${operation.command.join(' ')}`;
  const prompts = openPrompts();
  if (!prompts) throw unconfirmed(`${command} ${harms[effect]} and needs confirmation`, argv);
  const { questionFor } = await import('./questions.ts');
  const found = await find();
  const { text, type } = questionFor(operation.id)?.({ ...found, input }) ?? { text: `Run ${command}?` };
  if (type === undefined) {
    if (!(await prompts.agrees(text))) throw declined();
    return found;
  }
  const typed = await prompts.text(`${text} Type "${visible(type)}" to confirm:`);
  if (typed !== type)
    throw new DtpError(
      'cancelled',
      'cancelled',
      typed === '' ? {} : { hint: `"${typed}" is not "${type}".` },
    );
  return found;
}

const declined = (): DtpError => new DtpError('cancelled', 'cancelled. Nothing was changed');

/** What is known about the things that an operation acts on. */
export interface Found extends WithIds {
  readonly organization?: string | undefined;
  readonly host: string;
}

/** Confirms a local command. `question` has no question mark at its end. Throws like `confirm`. */
export async function agree({ globals, argv, openPrompts }: Invocation, question: string): Promise<void> {
  if (globals.yes) return;
  const prompts = openPrompts();
  if (!prompts) throw unconfirmed('this command needs confirmation', argv);
  if (!(await prompts.agrees(`${question}?`))) throw declined();
}

/** The suggested command does not include --yes: pasting it must not confirm anything. */
const unconfirmed = (why: string, argv: readonly string[]): DtpError =>
  new DtpError('usage', `${why}; pass --yes`, {
    hint: 'Add --yes to this command to confirm:',
    next: [commandLine(argv)],
  });
