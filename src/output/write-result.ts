/** Writes the results of commands to stdout or a file. */
import { attempt } from '../caught.ts';
import { type Context, changeContext } from '../context.ts';
import { afterCommand, DtpError, rawHint } from '../errors.ts';
import { answerLimit } from '../limits.ts';
import { effectOf, type Operation } from '../operations/operation.ts';
import { yieldTurn } from '../render/blocks.ts';
import { renderPieces, rowsOf, type Written } from '../render/index.ts';
import { visible } from '../render/sanitize.ts';
import { checkWeight } from '../request/decoded.ts';
import { readAll } from '../request/http.ts';
import { parseJson, UnrepresentableNumberError } from '../request/json.ts';
import type { BytesValue } from '../request/read.ts';
import { secretsIn } from '../request/redact.ts';
import { isOnScreen, type Output, type Shape, viewOf } from './choice.ts';
import type { AnswerResult, Result } from './result.ts';
import { write } from './write.ts';
import { isMissing, noFieldText, writeList, writeRows } from './write-list.ts';
import {
  escapeForRunner,
  isReportShown,
  maskForRunner,
  type TextDestination,
  writeAlone,
  writeCount,
  writeDone,
  writeOutputFile,
  writeText,
} from './write-text.ts';

/** Writes a result and its notes, then runs `after`. `command` is without `dtp` and flags. Throws `result.failure`. */
export async function writeResult({ context, output, log, again }: TextDestination, command: string, result: Result) {
  const { calls, notes = [], after, failure } = result;
  const place: TextDestination = {
    context: calls ? changeContext(context, { signal: calls.signal }) : context,
    output: result.output ? { ...output, ...result.output } : output,
    log,
    again,
  };
  try {
    await writeKind(place, command, result);
    await writeDone(place, result);
    for (const note of notes) log.note(note);
    await after?.();
    if (failure) throw failure;
  } catch (error) {
    throw calls ? calls.explain(typed(error)) : typed(error);
  } finally {
    if (result.kind === 'list') result.list.close();
    await calls?.end();
  }
}

function writeKind(place: TextDestination, command: string, result: Result): Promise<void> {
  switch (result.kind) {
    case 'value':
      if (isSaidWhole(result) && isOnScreen(place.output) && isReportShown(place)) return Promise.resolve();
      return isForPeople(place.output) && result.text
        ? writeText(place, result.text(place.output))
        : writeValue(place, result.value, result.shape);
    case 'answer':
      return writeAnswer(place, result);
    case 'list':
      return writeList(place, result, (whole) => writeAnswer(place, whole));
    case 'rows':
      return writeRows(place, result);
    case 'text':
      return writeText(
        { ...place, output: { ...place.output, format: 'raw' } },
        place.output.model?.showSecrets === false ? place.log.masked(result.text) : result.text,
      );
    case 'done':
      // If a format was requested, stdout must not be empty.
      if ((place.output.asked ?? 'table') === 'table') return writeNothing(place);
      return writeValue(place, { ok: true, command });
  }
}

const isForPeople = ({ format, query, fields }: Output) => format === 'table' && !query && !fields;

/** Whether the last line says everything: what was done, or how the work failed. */
const isSaidWhole = ({ done, failure }: Result): boolean =>
  done?.isWhole === true || failure?.facts.verdict !== undefined;

async function writeAnswer(destination: TextDestination, result: AnswerResult): Promise<void> {
  const { operation, value, alone, done } = result;
  // A command that changes something must not run again for the rest of its result.
  const place = { ...destination, again: effectOf(operation) === 'read' ? destination.again : undefined };
  if (alone !== undefined && isOnScreen(place.output)) return writeAlone(place, alone, done);
  if (value.kind === 'bytes') return writeBytes(place, operation, value);
  const isMissing = value.kind === 'none' && isRecordOfWrite(operation);
  if (isMissing) warnOfNoRecord(place, operation);
  // A missing record has no name, so nothing is printed. With `dtp api`, this is an error, as the user expects a name.
  if (value.kind === 'none' && operation.result !== 'bytes' && place.output.format === 'name')
    return writeNothing(place);
  if (value.kind === 'none' && place.output.format === 'table') {
    if (!done || !isReportShown(place)) place.log.note(`ok: ${operation.command.join(' ')}`);
    return writeNothing(place);
  }
  const shown =
    value.kind === 'none'
      ? { ok: true, operation: operation.id, status: value.status }
      : value.kind === 'text'
        ? value.text
        : value.value;
  maskForRunner(place.context, () => secretsIn(shown));
  const selected = operation.areWorkspaces ? result.workspace : undefined;
  await writeValue(place, shown, selected === undefined ? operation : { ...operation, selected });
  if (isOnScreen(place.output) && isReportShown(place) && !result.notes) await writeCount(place, result, shown);
}

/** A file must not keep the result of an earlier command. */
const writeNothing = (place: TextDestination): Promise<void> =>
  place.output.file === undefined ? Promise.resolve() : writeText(place, '');

/** Whether an operation changes something and should return a record or a list. */
const isRecordOfWrite = (operation: Operation): boolean =>
  effectOf(operation) !== 'read' && ['record', 'list'].includes(operation.result);

const warnOfNoRecord = ({ log }: TextDestination, { command }: Operation): void =>
  log.warn(`dtp ${command.join(' ')} succeeded, but the service returned no record`);

async function writeValue(place: TextDestination, value: unknown, shape: Shape = {}): Promise<void> {
  const { context, output, log } = place;
  const { masked } = log;
  const choice = output.model && { ...output.model, masked, ...(shape.secrets === 'none' && { showSecrets: true }) };
  const model = choice && (await import('./model.ts')).openModel(choice, value, shape.secrets === 'all');
  const open = model ? model.value : value;
  // Services may send null for an empty list.
  const queried = open === null && shape.result === 'list' ? [] : open;
  const { signal } = context;
  const values = output.query ? await output.query([queried], { signal, note: log.note }) : [open];
  const shown = { ...output, bare: output.bare && (!model || values.every(isPlain)) };
  const parts = partsOf(values, shown).map((part) => ({ part, view: viewOf(shown, shape, part) }));
  const rows = parts.flatMap(({ part, view }) => rowsOf(part, view) ?? [part]);
  for (const field of output.fields ?? []) if (isMissing(field, rows)) log.warn(noFieldText(field, rows));
  // Parsing may have taken a long time, so check for interrupts and the deadline now.
  await yieldTurn(signal);
  const all: Written[] = [];
  for (const { part, view } of parts)
    all.push(
      model && !view.bare
        ? await renderPieces(await model.pageOf(part, view, place.again), output.format, { color: false, signal })
        : await renderPieces(part, output.format, { ...view, signal }),
    );
  const written =
    all.length === 1 ? (all[0] ?? '') : all.flatMap((text) => (typeof text === 'string' ? text : [...text])).join('');
  if (shown.bare && model?.secrets && String(written).includes('***')) log.note(`secrets are ${model.secrets}`);
  await yieldTurn(context.signal);
  const isEmpty = output.format === 'name' ? written === '' : rows.length === 0;
  const isBlank = written === '' && output.width !== undefined;
  if ((isEmpty || isBlank) && (output.format === 'table' || output.format === 'name')) log.note('no results');
  // A string without quotes is not JSON, so write it unchanged.
  const isBare = parts.some(({ view }) => view.bare === true);
  await writeText({ context, output: isBare ? { ...output, format: 'raw' } : output, log }, written);
}

/** Whether a value has only scalars. For a model, others are not written without quotes, but as a page. */
const isPlain = (value: unknown): boolean => ![value].flat().some((one) => typeof one === 'object' && one !== null);

/**
 * The parts of a result that are written one after another. --jq may return several values. As JSON, or without quotes,
 * each of them is written by itself, as jq does. In the other formats, they are the rows of a list.
 */
const partsOf = (values: readonly unknown[], { format, bare }: Output): readonly unknown[] =>
  values.length < 2 || bare || format === 'json' || format === 'raw' ? values : [values];

/** Returns the error for a response that is nested too deeply: what reads values calls itself for each level. */
const typed = (error: unknown): unknown =>
  error instanceof RangeError
    ? new DtpError('bad_response', 'the response is nested too deeply to be shown', { hint: rawHint, cause: error })
    : error;

/** Throws `usage` if the file cannot be written. Called before any request, so that no result is lost. */
export async function checkOutput(context: Context, { file, replace }: Output): Promise<void> {
  if (file === undefined) return;
  const { checkNamedTarget } = await import('../files/output.ts');
  await checkNamedTarget(context, file, replace);
}

/** Writes bytes unchanged or, if a format was requested, as JSON, a string or base64, depending on their content. */
async function writeBytes(place: TextDestination, operation: Operation, { body, status }: BytesValue): Promise<void> {
  const { context, output } = place;
  const before = effectOf(operation) === 'read' ? '' : afterCommand;
  const isValue = (output.asked ?? 'raw') !== 'raw' || Boolean(output.query ?? output.fields ?? output.model);
  if (output.file !== undefined && !isValue) return writeOutputFile(place, body);
  const bytes = await readAll(body, answerLimit.bytes);
  if (!bytes)
    throw new DtpError('usage', `the result is larger than ${answerLimit.text}`, {
      hint: `${before}Write it to a file with ${isValue ? '-o raw -O FILE' : '-O FILE'}.`,
    });
  if (isValue && bytes.byteLength === 0)
    return writeAnswer(place, { kind: 'answer', operation, value: { kind: 'none', status } });
  if (isValue) checkWeight(bytes, badAnswer);
  if (bytes.byteLength === 0 && isRecordOfWrite(operation)) warnOfNoRecord(place, operation);
  const text = textOf(bytes);
  // The body of another operation is a document, whose fields have any name.
  if (operation.id === 'api' && text !== undefined) maskForRunner(context, () => secretsInText(text));
  if (isValue)
    return writeValue(place, text === undefined ? { base64: Buffer.from(bytes).toString('base64') } : jsonOr(text));
  if (context.stdout.isTTY !== true) {
    escapeForRunner(context, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), 'raw');
    if (text === undefined || !output.alwaysColor) return write(context, bytes);
  }
  if (text === undefined)
    throw new DtpError('usage', 'the result is binary', { hint: `${before}Write it to a file with -O FILE.` });
  const shown = visible(text.endsWith('\n') ? text : `${text}\n`, { lines: true });
  const { highlightedDocument } = output.color ? await import('../render/highlight.ts') : {};
  await write(context, (await highlightedDocument?.(shown)) ?? shown);
}

const badAnswer = (what: string): DtpError => new DtpError('bad_response', `the response ${what}`, { hint: rawHint });

/** Decodes UTF-8. Returns undefined for binary data. With `isHead`, the last character may be incomplete. */
export const textOf = (bytes: Uint8Array, isHead = false): string | undefined =>
  attempt(() => {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isHead });
    return text.includes('\0') ? undefined : text;
  }, undefined);

/** The secrets of JSON, which may have numbers that cannot be represented. */
const secretsInText = (text: string): Iterable<string> => attempt(() => secretsIn(JSON.parse(text)), []);

function jsonOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof UnrepresentableNumberError) throw badAnswer(error.message);
    return text;
  }
}
