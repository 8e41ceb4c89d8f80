/** Writes lists: row by row where the format allows it, so that a list of any length needs little memory. */
import { DtpError } from '../errors.ts';
import { fieldsOf, isRecord } from '../json-object.ts';
import type { Operation } from '../operations/operation.ts';
import { counted } from '../render/amounts.ts';
import { memberAt } from '../render/fields.ts';
import { type RowWriter, renderPieces, rowWriter } from '../render/index.ts';
import { headerOf } from '../render/words.ts';
import type { Value } from '../request/read.ts';
import { secretsIn } from '../request/redact.ts';
import { kebab, wordOf } from '../tree/vocabulary.ts';
import { isOnScreen, type Output, viewOf } from './choice.ts';
import type { AnswerResult, ListResult, RowsResult } from './result.ts';
import { maskForRunner, type TextDestination, writeTexts } from './write-text.ts';

/** How many characters are held before the first ones are written, so that an early failure leaves stdout empty. */
const HELD = 64 * 1024;

/** Writes a list row by row, or else as a whole with `writeAnswer`. Throws `partial` if it is too long for that. */
export async function writeList(
  place: TextDestination,
  result: ListResult,
  writeAnswer: (whole: AnswerResult) => Promise<void>,
): Promise<void> {
  const { operation, workspace, notes } = result;
  const writer = await writerFor(place.output, operation);
  if (writer) return writeTexts(place, textsOf(place, result, writer));
  const { value, count } = await wholeOf(result, isOnScreen(place.output)).catch((error: unknown) => {
    if (!(error instanceof DtpError && error.facts.isTooLong)) throw error;
    throw new DtpError('partial', error.message, { ...error.facts, cause: error });
  });
  const isCut = result.most !== undefined && count > result.most;
  const more =
    isCut && isOnScreen(place.output)
      ? [`${counted(result.most ?? 0)} of ${counted(count)}; more with a higher --limit`]
      : [];
  // A list without notes ends with the number of its rows.
  const all = [...(notes ?? []), ...more];
  await writeAnswer({ kind: 'answer', operation, value, workspace, ...(all.length > 0 && { notes: all }) });
  for (const note of more) place.log.note(note);
}

/** Undefined if the whole list is needed: for a table, a query or a page of a model, or because of its other fields. */
async function writerFor(output: Output, operation: Operation): Promise<RowWriter | undefined> {
  const { format, query, model, bare, color } = output;
  if (query || model || bare || (format === 'json' && (operation.rows !== undefined || color))) return undefined;
  return rowWriter(format, viewOf(output, operation));
}

/** The value of a list with at most `most` rows, and how many there are, which is only exact if it `isCounted`. */
async function wholeOf({ operation, list, most }: ListResult, isCounted: boolean) {
  const field = operation.rows;
  if (most === undefined || field !== undefined) {
    const value = await list.whole();
    const whole = value.kind === 'json' ? value.value : undefined;
    const rows = field === undefined ? whole : fieldsOf(whole)[field];
    if (!Array.isArray(rows) || most === undefined || rows.length <= most) return { value, count: 0 };
    const first = rows.slice(0, most);
    return { value: jsonOf(field === undefined ? first : { ...fieldsOf(whole), [field]: first }), count: rows.length };
  }
  const first: unknown[] = [];
  let count = 0;
  const groups = list.rows();
  let group = await groups.next();
  for (; !group.done && (isCounted || count < most); group = await groups.next()) {
    for (const row of group.value) if (first.length < most) first.push(row);
    count += group.value.length;
  }
  if (!group.done) await groups.return(undefined);
  return { value: jsonOf(group.done && group.value ? group.value.value : first), count };
}

const jsonOf = (value: unknown): Value => ({ kind: 'json', status: 200, value });

/** A list as text, in pieces. */
async function* textsOf(
  { context, output, log }: TextDestination,
  { operation, list, most }: ListResult,
  writer: RowWriter,
) {
  const { look, write, end } = writer;
  const missing = new Set(output.fields);
  let [count, held]: [number, string | undefined] = [0, output.format === 'ndjson' ? undefined : ''];
  let sample: readonly unknown[] = [];
  if (look) for await (const rows of firstOf(list, most, true)) look(rows);
  const groups = firstOf(list, most, false);
  let group = await groups.next();
  for (; !group.done; group = await groups.next()) {
    const rows = group.value;
    maskForRunner(context, () => secretsIn(rows));
    if (sample.length === 0) sample = rows.slice(0, 100);
    count += rows.length;
    for (const field of missing) if (!isMissing(field, rows)) missing.delete(field);
    const written = await write(rows);
    const text = typeof written === 'string' ? written : [...written].join('');
    if (held !== undefined && held.length + text.length < HELD) held += text;
    else {
      yield (held ?? '') + text;
      held = undefined;
    }
  }
  if (group.value) {
    const written = await renderPieces(group.value.value, output.format, viewOf(output, operation, group.value.value));
    yield typeof written === 'string' ? written : [...written].join('');
  } else {
    // An interrupt may have come with the last byte.
    context.signal.throwIfAborted();
    yield (held ?? '') + end();
  }
  if (count > 0) for (const field of missing) log.warn(noFieldText(field, sample));
  if (count === 0 && output.format === 'name') log.note('no results');
}

/** Yields the first rows of a list, in groups. Returns what its source returns. */
async function* firstOf({ rows }: ListResult['list'], most: number | undefined, again: boolean) {
  const groups = rows(again);
  let left = most ?? Number.POSITIVE_INFINITY;
  let group = await groups.next();
  for (; !group.done; group = await groups.next()) {
    yield group.value.slice(0, left);
    left -= group.value.length;
    if (left <= 0) {
      await groups.return(undefined);
      return undefined;
    }
  }
  return group.value;
}

/** Writes rows as they arrive. If reading fails, the earlier rows are already written. */
export async function writeRows({ context, output, log }: TextDestination, result: RowsResult): Promise<void> {
  const { rows, shape } = result;
  const choice = output.model && { ...output.model, masked: log.masked };
  const model = choice && (await import('./model.ts'));
  const text = output.format === 'table' && !output.query && !output.fields ? result.text : undefined;
  const view = viewOf(output, shape);
  const missing = new Set(output.fields);
  let count = 0;
  let first: readonly unknown[] = [];
  const texts = (async function* () {
    for await (const arrived of rows) {
      const open = model ? arrived.map((row) => model.openValue(row, choice)) : arrived;
      const block = output.query ? await output.query(open, { signal: context.signal, note: log.note }) : open;
      count += block.length;
      if (first.length === 0) first = block.slice(0, 1);
      for (const field of missing) if (block.some((row) => memberAt(row, field) !== undefined)) missing.delete(field);
      const shown = model ? block.map(model.withShortStrings) : block;
      // Without quotes, each row is written by itself, because an expression may return strings and records.
      for (const part of output.bare ? shown.map((row) => [row]) : [shown]) {
        const written = text?.(part) ?? (await renderPieces(part, 'ndjson', view));
        if (typeof written === 'string') yield written;
        else yield* written;
      }
    }
  })();
  await writeTexts({ context, output, log }, texts);
  if (count > 0) for (const field of missing) log.warn(noFieldText(field, first));
}

/** Whether no row has the field, whose name may be misspelled. */
export const isMissing = (field: string, rows: readonly unknown[]): boolean =>
  rows.length > 0 && rows.every((row) => memberAt(row, field) === undefined);

const mostNames = 20;

/** The error for a field that no row has. It lists the fields of the first 100 rows. */
export function noFieldText(field: string, rows: readonly unknown[]): string {
  const names = [...new Set(rows.slice(0, 100).flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))];
  const meant = names.find((name) => headerOf(name) === headerOf(field) || wordOf(name) === kebab(field));
  if (meant !== undefined) return `no field "${field}" in the result; did you mean "${meant}"?`;
  const list = [...names.slice(0, mostNames), ...(names.length > mostNames ? ['…'] : [])].join(', ');
  return `no field "${field}" in the result${list === '' ? '' : `; its fields are: ${list}`}`;
}
