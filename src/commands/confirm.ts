/** Confirmation prompts for commands that delete data or cost money. */
import { DtpError } from '../errors.ts';
import type { Given } from '../input/read.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { Operation } from '../operations/operation.ts';
import { visible } from '../render/sanitize.ts';
import { commandLine } from '../settings/command-line.ts';

/** Why an operation with this effect needs confirmation, as the end of a sentence. */
export const harms = {
  destroy: 'removes data or access',
  bill: 'may incur charges or be hard to undo',
} as const;

/**
 * Returns if the user agrees. If a command costs money, the user must type its arguments, or its noun if it takes no
 * arguments. `check` runs before the prompt. Throws `usage` if prompts are not possible, `cancelled` if the user declines.
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
  const prompts = openPrompts();
  if (!prompts) throw unconfirmed(`${command} ${harms[effect]} and needs confirmation`, argv);
  await check();
  const name = args.length === 0 ? operation.command.slice(0, -1).join(' ') : args.join(' ');
  const agreed =
    effect === 'bill'
      ? (await prompts.text(
          `${operation.summary}. This may incur charges. Type "${visible(name)}" to confirm:`,
        )) === name
      : await prompts.agrees(questionOf(operation, visible(name)));
  if (!agreed) throw new DtpError('cancelled', 'cancelled');
}

/** Such as `Delete publishing token "ci"? This cannot be undone.` */
function questionOf({ summary }: Operation, name: string): string {
  const action = summary.replace(/, .*/, '').replace(/^(\w+) an? (?!\S+'s)/, '$1 ');
  return `${action} "${name}"?${action.startsWith('Delete ') ? ' This cannot be undone.' : ''}`;
}

/** Confirms a local command. `question` has no question mark at its end. Throws like `confirm`. */
export async function agree({ globals, argv, openPrompts }: Invocation, question: string): Promise<void> {
  if (globals.yes) return;
  const prompts = openPrompts();
  if (!prompts) throw unconfirmed('this command needs confirmation', argv);
  if (!(await prompts.agrees(`${question}?`))) throw new DtpError('cancelled', 'cancelled');
}

/** The suggested command does not include --yes: pasting it must not confirm anything. */
const unconfirmed = (why: string, argv: readonly string[]): DtpError =>
  new DtpError('usage', `${why}; pass --yes`, {
    hint: 'Add --yes to this command to confirm:',
    next: [commandLine(argv)],
  });
