/** Prompts the user to confirm a command that deletes data, costs money or publishes something. */
import { DtpError } from '../errors.ts';
import type { Invocation } from '../invocation/invocation.ts';
import { type Harm, harmOf, type Input, isHarmless, type Operation } from '../operations/operation.ts';
import { visible } from '../render/sanitize.ts';
import { jsonBody } from '../request/build.ts';
import type { QuestionDetails } from './questions.ts';

/** Why an operation needs confirmation. Each reason completes a sentence about the operation. */
export const harmReasons: Readonly<Record<Harm, string>> = {
  destroy: 'removes data or access',
  bill: 'may incur charges or be hard to undo',
  publish: 'makes something public',
};

/**
 * Prompts the user to confirm a harmful operation. If it costs money, the user must type a name, such as the name of
 * the organization. `find` checks the workspace and looks up names before the prompt. Returns the result of `find`, or
 * undefined if no confirmation is needed. Throws `usage` if prompts are not possible, and `cancelled` if the user
 * declines.
 */
export async function confirm(
  { globals, openPrompts }: Invocation,
  operation: Operation,
  input: Input,
  find: () => Promise<QuestionDetails>,
): Promise<QuestionDetails | undefined> {
  const harm = harmOf(operation);
  if (harm === undefined || globals.yes || isHarmless(operation, jsonBody(operation, input))) return undefined;
  const command = `dtp ${operation.command.join(' ')}`;
  const prompts = openPrompts();
  if (!prompts) throw unconfirmed(`${command} ${harmReasons[harm]} and needs confirmation`);
  const { questionFor } = await import('./questions.ts');
  const found = await find();
  const question = questionFor(operation.id)?.({ ...found, input }) ?? `Run ${command}?`;
  if (typeof question === 'string') {
    if (!(await prompts.agrees(question))) throw declined();
    return found;
  }
  const { text, type } = question;
  const typed = await prompts.text(`${text} Type "${visible(type)}" to confirm:`);
  if (typed !== type)
    throw new DtpError('cancelled', 'cancelled', typed === '' ? {} : { hint: `"${typed}" is not "${type}".` });
  return found;
}

const declined = (): DtpError => new DtpError('cancelled', 'cancelled. Nothing was changed');

/** Prompts to confirm a local command. Throws `usage` if prompts are not possible, and `cancelled` if declined. */
export async function confirmLocal({ globals, openPrompts }: Invocation, question: string): Promise<void> {
  if (globals.yes) return;
  const prompts = openPrompts();
  if (!prompts) throw unconfirmed('this command needs confirmation');
  if (!(await prompts.agrees(`${question}?`))) throw declined();
}

/** Suggests no command: with --yes, pasting it would confirm something, and without --yes, it fails again. */
const unconfirmed = (why: string): DtpError => new DtpError('usage', `${why}; pass --yes`);
