/** Writes text to stdout or to the file of -O. */
import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { maskCommand, withoutCommands } from '../render/annotation.ts';
import type { Format } from '../render/formats.ts';
import type { Written } from '../render/index.ts';
import type { Output } from './choice.ts';
import { hasRunner } from './journal.ts';
import type { Log } from './log.ts';
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

/** Makes the runner of GitHub Actions mask these secrets. It must run before they are written. */
export function maskForRunner(context: Context, secrets: () => Iterable<string>): void {
  if (hasRunner(context)) for (const secret of secrets()) context.stderr.write(maskCommand(secret));
}

export async function writeText({ context, output, log }: TextDestination, text: Written): Promise<void> {
  if (typeof text !== 'string' && !hasRunner(context)) return writeTexts({ context, output, log }, text);
  const whole = typeof text === 'string' ? text : [...text].join('');
  if (output.file === undefined) return write(context, escapeForRunner(context, whole, output.format));
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
    for await (const text of texts) await write(context, escapeForRunner(context, text, output.format));
    return;
  }
  const bytes = (async function* () {
    for await (const text of texts) yield Buffer.from(text);
  })();
  await writeOutputFile(place, bytes);
}
