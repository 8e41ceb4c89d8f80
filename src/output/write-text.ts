/** Writes text to stdout or to the file of -O, and notes for a person at a terminal. */
import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { amount } from '../render/amounts.ts';
import { maskCommand, withoutCommands } from '../render/annotation.ts';
import type { Format } from '../render/formats.ts';
import { rowsOf, type Written } from '../render/index.ts';
import { visible } from '../render/sanitize.ts';
import { shortId } from '../render/short.ts';
import { signsFor } from '../render/signs.ts';
import { commandLine } from '../settings/command-line.ts';
import { isOnScreen, type Output, viewOf } from './choice.ts';
import type { Done } from './done.ts';
import { hasRunner } from './journal.ts';
import type { Log } from './log.ts';
import type { AnswerResult, Result } from './result.ts';
import { write } from './write.ts';

/** Returns the command line with another value of a flag. Its result is the part that was left out. */
export type Again = (flag: '--query' | '--page-token', value: string) => Promise<string>;

export interface TextDestination {
  readonly context: Context;
  readonly output: Output;
  readonly log: Log;
  readonly again?: Again | undefined;
}

/** The formats in which characters may be escaped. JSON and TOON have escapes, and tables are for people. */
const escapable: readonly Format[] = ['json', 'ndjson', 'toon', 'table'];

/** Escapes what GitHub Actions would execute. Throws `bad_response` if the format does not allow escapes. */
export function escapeForRunner(context: Context, text: string, format: Format): string {
  if (!hasRunner(context) || context.stdout.isFile) return text;
  const harmless = withoutCommands(text);
  if (harmless === text || escapable.includes(format)) return harmless;
  const message = 'the result has a line that GitHub Actions would run as a workflow command, so it is not printed';
  throw new DtpError('bad_response', message, { hint: 'Use -o json, or write the result to a file with -O FILE.' });
}

/** Returns what is written to stdout. Formats for programs keep every character. */
const printed = ({ context, output: { format } }: Pick<TextDestination, 'context' | 'output'>, text: string): string =>
  escapeForRunner(context, format === 'table' ? signsFor(context.stdout, context.env)(text) : text, format);

/** Makes the runner of GitHub Actions mask these secrets, each once. It must run before they are written. */
export function maskForRunner(context: Context, secrets: () => Iterable<string>): void {
  if (!hasRunner(context)) return;
  for (const command of new Set(Array.from(secrets(), maskCommand)))
    if (!context.warned.has(command)) {
      context.warned.add(command);
      context.stderr.write(command);
    }
}

export async function writeText({ context, output, log }: TextDestination, text: Written): Promise<void> {
  if (typeof text !== 'string' && !hasRunner(context)) return writeTexts({ context, output, log }, text);
  const whole = typeof text === 'string' ? text : [...text].join('');
  if (output.file === undefined) return write(context, printed({ context, output }, whole));
  await writeOutputFile({ context, output, log }, whole);
}

/** Writes the file of -O, and reports it on a terminal. The file only appears once it is complete. */
export async function writeOutputFile(
  { context, output: { file = '', replace }, log }: TextDestination,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const { writeNamedFile } = await import('../files/output.ts');
  await writeNamedFile(context, file, content, { replace });
  if (context.stderr.isTTY !== true) return;
  const { sizeText } = await import('../render/amounts.ts');
  const { size } = await stat(file);
  const path = relative(context.cwd, file);
  log.done(`Wrote ${path.startsWith('..') ? file : path} (${sizeText(size)})`);
}

/** Writes pieces of text as they arrive. A file only appears once it is complete. */
export async function writeTexts(place: TextDestination, texts: AsyncIterable<string> | Iterable<string>) {
  const { context, output } = place;
  if (output.file === undefined) {
    for await (const text of texts) await write(context, printed({ context, output }, text));
    return;
  }
  const bytes = (async function* () {
    for await (const text of texts) yield Buffer.from(text);
  })();
  await writeOutputFile(place, bytes);
}

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
