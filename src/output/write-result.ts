/** A result → stdout or a file: the one writer of results. */
import { type Context, changed } from '../context.ts';
import { DtpError } from '../errors.ts';
import { answerLimit } from '../limits.ts';
import type { Operation } from '../operations/operation.ts';
import { withoutCommands } from '../render/annotation.ts';
import { othersTurn } from '../render/blocks.ts';
import { memberAt } from '../render/fields.ts';
import type { Format } from '../render/formats.ts';
import { renderPieces, rowsOf, type Written } from '../render/index.ts';
import { visible } from '../render/sanitize.ts';
import { checkWeight } from '../request/decoded.ts';
import { readAll } from '../request/http.ts';
import { BeyondError, parseJson } from '../request/json.ts';
import type { Value } from '../request/read.ts';
import { type Output, type Shape, viewOf } from './choice.ts';
import { hasRunner } from './journal.ts';
import type { Log } from './log.ts';
import type { AnswerResult, Result, RowsResult } from './result.ts';
import { write } from './write.ts';

/** What a result is written with. */
export interface Place {
  readonly context: Context;
  readonly output: Output;
  readonly log: Log;
}

/**
 * Writes a result, and does what is left to do after it. `command` are the words of the command. Throws the failure that
 * the result ends with.
 */
export async function writeResult(
  { context, output, log }: Place,
  command: string,
  result: Result,
): Promise<void> {
  const { calls, notes = [], after, failure } = result;
  const place: Place = {
    context: calls ? changed(context, { signal: calls.signal }) : context,
    output: result.output ? { ...output, ...result.output } : output,
    log,
  };
  try {
    await writeKind(place, command, result);
    for (const note of notes) log.note(note);
    await after?.();
    if (failure) throw failure;
  } catch (error) {
    throw calls ? calls.explain(error) : error;
  } finally {
    await calls?.end();
  }
}

function writeKind(place: Place, command: string, result: Result): Promise<void> {
  switch (result.kind) {
    case 'value':
      return isForPeople(place.output) && result.text
        ? writeText(place, result.text(place.output))
        : writeValue(place, result.value, result.shape);
    case 'answer':
      return writeAnswer(place, result);
    case 'rows':
      return writeRows(place, result);
    case 'text':
      return writeText({ ...place, output: { ...place.output, format: 'raw' } }, result.text);
    case 'done':
      return writeDone(place, command);
  }
}

const isForPeople = ({ format, query, fields }: Output) => format === 'table' && !query && !fields;

async function writeAnswer(place: Place, { operation, value }: AnswerResult): Promise<void> {
  if (value.kind === 'bytes') return writeBytes(place, operation, value);
  if (value.kind === 'none' && place.output.format === 'table')
    return place.log.note(`ok: ${operation.command.join(' ')}`);
  const result =
    value.kind === 'none'
      ? { ok: true, operation: operation.id, status: value.status }
      : value.kind === 'text'
        ? value.text
        : value.value;
  await writeValue(place, result, operation);
}

async function writeValue({ context, output, log }: Place, value: unknown, shape: Shape = {}): Promise<void> {
  const shown = output.query ? output.query(value) : value;
  const view = viewOf(output, shape, shown);
  for (const field of output.fields ?? [])
    if (isLacking(field, rowsOf(shown, view) ?? [shown])) log.warn(lackingText(field));
  // What was parsed in one piece may have taken long: an interrupt or the deadline of meanwhile counts.
  await othersTurn(context.signal);
  const written = await rendered(output.format, () =>
    renderPieces(shown, output.format, { ...view, signal: context.signal }),
  );
  await othersTurn(context.signal);
  const isEmpty = output.format === 'name' ? written === '' : rowsOf(shown, view)?.length === 0;
  if (isEmpty && (output.format === 'table' || output.format === 'name')) log.note('no results');
  // Without its quotes, a string is no JSON.
  const isBare = view.bare === true;
  await writeText({ context, output: isBare ? { ...output, format: 'raw' } : output }, written);
}

/** If a format is asked for, stdout says that the work is done and is not empty. */
async function writeDone(place: Place, command: string): Promise<void> {
  const { asked } = place.output;
  if (asked !== undefined && asked !== 'table') await writeValue(place, { ok: true, command });
}

/** Each block as it arrives. Throws what reading throws, after the rows before it. */
async function writeRows({ context, output, log }: Place, { rows, shape }: RowsResult): Promise<void> {
  const view = viewOf(output, shape);
  const lacking = new Set(output.fields);
  let count = 0;
  const texts = (async function* () {
    for await (const block of rows) {
      count += block.length;
      for (const field of lacking)
        if (block.some((row) => memberAt(row, field) !== undefined)) lacking.delete(field);
      const written = await rendered('ndjson', () => renderPieces(block, 'ndjson', view));
      if (typeof written === 'string') yield written;
      else yield* written;
    }
  })();
  await writeTexts(context, texts, output);
  if (count > 0) for (const field of lacking) log.warn(lackingText(field));
}

/** Whether no row has a member: its name may be misspelt. */
const isLacking = (field: string, rows: readonly unknown[]): boolean =>
  rows.length > 0 && rows.every((row) => memberAt(row, field) === undefined);

const lackingText = (field: string): string => `nothing in the result has ${field}`;

/** The text that `make` makes of an answer, which may be nested deeper than a stack is. */
async function rendered<Text>(format: Format, make: () => Promise<Text>): Promise<Text> {
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
async function writeText({ context, output }: Omit<Place, 'log'>, text: Written): Promise<void> {
  if (typeof text !== 'string' && !hasRunner(context)) return writeTexts(context, text, output);
  const whole = typeof text === 'string' ? text : [...text].join('');
  if (output.file === undefined) return write(context, forRunner(context, whole, output.format));
  const { writeFileWhole } = await import('../store/files.ts');
  await writeFileWhole(output.file, whole, { replace: output.replace });
}

/** Writes texts as they come; a file is whole at the end, or not there. */
async function writeTexts(
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
async function writeBytes(
  place: Place,
  operation: Operation,
  { body, status }: Extract<Value, { readonly kind: 'bytes' }>,
): Promise<void> {
  const { context, output } = place;
  const isValue =
    (output.asked ?? 'raw') !== 'raw' || output.query !== undefined || output.fields !== undefined;
  if (output.file !== undefined && !isValue) {
    const { writeFileWhole } = await import('../store/files.ts');
    return writeFileWhole(output.file, body, { replace: output.replace });
  }
  const bytes = await readAll(body, answerLimit.bytes);
  if (!bytes)
    throw new DtpError(
      'usage',
      `the result is longer than ${answerLimit.text}: write it to a file ${isValue ? 'as it is, with -o raw -O FILE' : 'with -O FILE'}`,
    );
  if (isValue && bytes.byteLength === 0)
    return writeAnswer(place, { kind: 'answer', operation, value: { kind: 'none', status } });
  if (isValue) checkWeight(bytes, badAnswer);
  const text = textOf(bytes);
  if (isValue)
    return writeValue(
      place,
      text === undefined ? { base64: Buffer.from(bytes).toString('base64') } : jsonOr(text),
    );
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

const badAnswer = (what: string): DtpError =>
  new DtpError('bad_response', `the answer ${what}`, { hint: 'Save it as it is with -o raw -O FILE.' });

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
    if (error instanceof BeyondError) throw badAnswer(error.message);
    return text;
  }
}
