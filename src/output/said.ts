/** What somebody at a terminal reads besides the result: what was done, what to do next, and how long a list is. */
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
import type { Place } from './write-text.ts';

/** Whether somebody reads what was done. */
export const isSaid = ({ context }: Place): boolean => context.stderr.isTTY === true;

/** Tells somebody at a terminal what the command did. A script finds it in the result. */
export async function writeDone({ output, log }: Place, result: Result): Promise<void> {
  const { done } = result;
  if (!done || (output.format !== 'table' && output.file === undefined)) return;
  const next = done.next && commandLine(done.next);
  if (done.text === undefined) {
    // The next command belongs below a record. It is noise below a value that was picked from it.
    if (next !== undefined && isOnScreen(output)) log.next(next);
    return;
  }
  const isAlone = result.kind === 'answer' && result.alone !== undefined && isOnScreen(output);
  if (!isAlone) return log.done(done.text, next);
  if (done.advice !== undefined) log.note(`  ${done.advice}`);
  if (next !== undefined && !done.advice?.includes(next)) log.next(next);
}

/** A key or a URL stands alone on its line, unbroken, so that it can be copied. */
export async function writeAlone(
  { context, log }: Place,
  text: string,
  done: Done | undefined,
): Promise<void> {
  if (done?.text !== undefined) log.done(done.text);
  await write(context, `\n  ${visible(text)}\n\n`);
}

/** How many rows a list has, so that a person sees that it is complete, and the workspace that they belong to. */
export async function writeCount(
  { output, log }: Place,
  { operation, workspace }: AnswerResult,
  value: unknown,
): Promise<void> {
  const count = rowsOf(value, viewOf(output, operation, value))?.length ?? 0;
  if (count === 0 || (operation.result !== 'list' && operation.rows === undefined)) return;
  const { listNoun } = await import('../render/words.ts');
  log.aside(amount(count, listNoun(operation.command)) + placeOf(operation, workspace));
}

/** Which workspace a list belongs to. In a list of all workspaces, which one is selected. */
function placeOf({ id, command: [noun] }: Operation, workspace: string | undefined): string {
  if (!workspace || noun === 'orgs') return '';
  const name = visible(shortId(workspace));
  return id === 'getWorkspaces' ? `; ${name} is selected` : ` in workspace ${name}`;
}
