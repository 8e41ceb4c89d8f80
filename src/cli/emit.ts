/** A result → stdout or a file. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { withoutCommands } from '../render/annotation.ts';
import { memberAt } from '../render/fields.ts';
import type { Format } from '../render/formats.ts';
import { renderPieces, rowsOf, type Written } from '../render/index.ts';
import { visible } from '../render/sanitize.ts';
import { readAll } from '../request/http.ts';
import { BeyondError, parseJson } from '../request/json.ts';
import type { Value } from '../request/read.ts';
import type { Globals } from './globals.ts';
import { hasRunner } from './journal.ts';
import { type Log, openLog } from './log.ts';
import { type Output, outputOf, refuseNames, type Shape, viewOf } from './output.ts';
import { resolveSettings } from './settings.ts';
import { write } from './write.ts';

/** Bytes of an answer that are held before they are shown, so that a broken one shows nothing. */
const heldLimit = 64 * 1024 * 1024;

/** Writes the result of an operation. */
export async function emitValue(
  context: Context,
  operation: Operation,
  value: Value,
  output: Output,
  log: Log,
): Promise<void> {
  if (value.kind === 'bytes') return emitBytes(context, operation, value, output, log);
  if (value.kind === 'none' && output.format === 'table')
    return log.note(`ok: ${operation.command.join(' ')}`);
  const result =
    value.kind === 'none'
      ? { ok: true, operation: operation.id, status: value.status }
      : value.kind === 'text'
        ? value.text
        : value.value;
  await emitResult(context, result, output, operation, log);
}

/** Writes any result that is a value, such as a local command's. */
export async function emitResult(
  context: Context,
  result: unknown,
  output: Output,
  list: Shape,
  log: Log,
): Promise<void> {
  const shown = output.query ? output.query(result) : result;
  const view = viewOf(output, list, shown);
  for (const field of output.fields ?? [])
    if (isLacking(field, rowsOf(shown, view) ?? [shown])) log.warn(lackingText(field));
  const written = await rendered(output.format, () =>
    renderPieces(shown, output.format, { ...view, signal: context.signal }),
  );
  const isEmpty = output.format === 'name' ? written === '' : rowsOf(shown, view)?.length === 0;
  if (isEmpty && (output.format === 'table' || output.format === 'name')) log.note('no results');
  // Without its quotes, a string is no JSON.
  await emitText(context, written, view.bare ? { ...output, format: 'raw' } : output);
}

/**
 * Does the work of a command without a result. If a format is asked for, stdout says that it is done and is not empty; what
 * cannot be written in that format is refused before the work begins.
 */
export async function emitDone(
  context: Context,
  globals: Globals,
  command: string,
  work: () => Promise<void>,
): Promise<void> {
  const settings = await resolveSettings(context, globals, { mending: true, looking: true });
  const output = await outputOf(context, globals, settings);
  refuseNames(output, command);
  await work();
  if (output.asked === undefined || output.asked === 'table') return;
  await emitResult(context, { ok: true, command }, output, {}, openLog(context, globals));
}

/** Whether no row has a member: its name may be misspelt. */
const isLacking = (field: string, rows: readonly unknown[]): boolean =>
  rows.length > 0 && rows.every((row) => memberAt(row, field) === undefined);

export const lackingText = (field: string): string => `nothing in the result has ${field}`;

/** The text that `make` makes of an answer, which may be nested deeper than a stack is. */
export async function rendered<Text>(format: Format, make: () => Promise<Text>): Promise<Text> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DtpError('bad_response', `the answer is nested too deeply for -o ${format}`, { cause: error });
  }
}

/** Throws `usage` for a file that could not be written, before there is anything to write and to lose. */
export async function checkOutput({ file, replace }: Output): Promise<void> {
  if (file === undefined) return;
  const { checkTarget } = await import('../store/files.ts');
  await checkTarget(file, replace);
}

/** Formats in which a character may be written another way: JSON has escapes, and a table is for people. */
const escapable: readonly Format[] = ['json', 'ndjson', 'table'];

/**
 * A text for stdout without what a CI runner that reads it would take for its own command, whoever wrote the value. Where
 * another character would be another value, throws `bad_response`.
 */
function forRunner(context: Context, text: string, format: Format): string {
  if (!hasRunner(context) || context.stdout.isFile) return text;
  const harmless = withoutCommands(text);
  if (harmless === text || escapable.includes(format)) return harmless;
  throw new DtpError(
    'bad_response',
    'a line of the result would be a command to GitHub Actions, and is not printed',
    { hint: 'Use -o json, or write the result to a file with -O FILE.' },
  );
}

/** Writes a text that needs no rendering, or the pieces of one. */
export async function emitText(context: Context, text: Written, output: Output): Promise<void> {
  if (typeof text !== 'string' && !hasRunner(context)) return emitTexts(context, text, output);
  const whole = typeof text === 'string' ? text : [...text].join('');
  if (output.file === undefined) return write(context, forRunner(context, whole, output.format));
  const { writeFileWhole } = await import('../store/files.ts');
  await writeFileWhole(output.file, whole, { replace: output.replace });
}

/** Writes texts as they come; a file is whole at the end, or not there. */
export async function emitTexts(
  context: Context,
  texts: AsyncIterable<string> | Iterable<string>,
  output: Output,
): Promise<void> {
  if (output.file === undefined) {
    for await (const text of texts) await write(context, forRunner(context, text, output.format));
    return;
  }
  const bytes = (async function* () {
    for await (const text of texts) yield Buffer.from(text);
  })();
  const { writeFileWhole } = await import('../store/files.ts');
  await writeFileWhole(output.file, bytes, { replace: output.replace });
}

/** Bytes go out as they came, unless a format was asked for: then as JSON, as text, or as base64, whichever they can be. */
async function emitBytes(
  context: Context,
  operation: Operation,
  { body, status }: Extract<Value, { readonly kind: 'bytes' }>,
  output: Output,
  log: Log,
): Promise<void> {
  const isValue =
    (output.asked ?? 'raw') !== 'raw' || output.query !== undefined || output.fields !== undefined;
  if (output.file !== undefined && !isValue) {
    const { writeFileWhole } = await import('../store/files.ts');
    return writeFileWhole(output.file, body, { replace: output.replace });
  }
  const bytes = await readAll(body, heldLimit);
  if (!bytes)
    throw new DtpError(
      'usage',
      `the result is longer than 64 MiB: write it to a file ${isValue ? 'as it is, with -o raw -O FILE' : 'with -O FILE'}`,
    );
  if (isValue && bytes.byteLength === 0)
    return emitValue(context, operation, { kind: 'none', status }, output, log);
  const text = textOf(bytes);
  if (isValue) {
    const value = text === undefined ? { base64: Buffer.from(bytes).toString('base64') } : jsonOr(text);
    return emitResult(context, value, output, {}, log);
  }
  if (context.stdout.isTTY !== true) {
    forRunner(
      context,
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
      'raw',
    );
    return write(context, bytes);
  }
  if (text === undefined)
    throw new DtpError('usage', 'the result is binary: write it to a file with -O FILE');
  await write(context, visible(text.endsWith('\n') ? text : `${text}\n`, { lines: true }));
}

/** Bytes as the text that they are; undefined for what is none. With `isHead` the last character may be half. */
export function textOf(bytes: Uint8Array, isHead = false): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isHead });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function jsonOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof BeyondError)
      throw new DtpError('bad_response', `the answer ${error.message}`, { hint: 'As it came: -o raw' });
    return text;
  }
}
