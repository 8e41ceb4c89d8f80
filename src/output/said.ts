/** Writes notes for a person at a terminal: what a command did, which command comes next, the length of a list. */
import type { Operation } from '../operations/operation.ts';
import { amount } from '../render/amounts.ts';
import { rowsOf } from '../render/index.ts';
import { visible } from '../render/sanitize.ts';
import { shortId } from '../render/short.ts';
import { commandLine } from '../settings/command-line.ts';
import { isOnScreen, viewOf } from './choice.ts';
import type { Done } from './done.ts';
import type { AnswerResult, Result } from './result.ts';
import { write } from './write.ts';
import type { TextDestination } from './write-text.ts';

/** Whether stderr is a terminal, so that a person reads what was done. */
export const isReportShown = ({ context }: TextDestination): boolean => context.stderr.isTTY === true;

/** Reports on a terminal what the command did. Scripts find this in the result. */
export async function writeDone({ output, log }: TextDestination, result: Result): Promise<void> {
  const { done } = result;
  if (!done || (output.format !== 'table' && output.file === undefined)) return;
  const next = done.next && commandLine(done.next);
  if (done.text === undefined) {
    // Show the next command below a record, but not below a value that was selected from it.
    if (next !== undefined && isOnScreen(output)) log.next(next);
    return;
  }
  const isAlone = result.kind === 'answer' && result.alone !== undefined && isOnScreen(output);
  if (!isAlone) return log.done(done.text, next);
  if (done.advice !== undefined) log.note(`  ${done.advice}`);
  if (next !== undefined) log.next(next);
}

/** Writes a key or a URL on a separate line, without line breaks in it, so that it can be copied. */
export async function writeAlone({ context, log }: TextDestination, text: string, done: Done | undefined) {
  if (done?.text !== undefined) log.done(done.text);
  await write(context, `\n  ${visible(text)}\n\n`);
}

/** Reports how many rows a list has, and which workspace they belong to. The count shows that the list is complete. */
export async function writeCount(
  { output, log }: TextDestination,
  { operation, workspace }: AnswerResult,
  value: unknown,
): Promise<void> {
  const count = rowsOf(value, viewOf(output, operation, value))?.length ?? 0;
  if (count === 0 || (operation.result !== 'list' && operation.rows === undefined)) return;
  const { nounOfRow } = await import('../operations/resources.ts');
  log.aside(amount(count, nounOfRow(operation)) + placeOf(operation, workspace));
}

/** Returns the words that name the workspace of a list. In a list of all workspaces, it is the selected one. */
function placeOf({ command: [noun], areWorkspaces }: Operation, workspace: string | undefined): string {
  if (!workspace || noun === 'orgs') return '';
  const name = visible(shortId(workspace));
  return areWorkspaces ? `; ${name} is selected` : ` in workspace ${name}`;
}
