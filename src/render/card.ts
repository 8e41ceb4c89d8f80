/** Shows a record as a card on a terminal: a title, its main fields, and a section for each inner record. */
import { stripVTControlCharacters } from 'node:util';
import { Chalk } from 'chalk';
import { isRecord, isStrings, type JsonObject } from '../json-object.ts';
import { ageText, amount, claimTime, instantOf } from './amounts.ts';
import { isEmpty, linesOf, longest, oneLineText, painter, sentText, shownTimeOf } from './cells.ts';
import { isTable, memberAt, nameFields, type View } from './fields.ts';
import { list } from './list.ts';
import { checkCells, checkLength, visible } from './sanitize.ts';
import { shortId } from './short.ts';
import { type State, signOf, stateColors } from './signs.ts';
import { cut, hangText, widthOf, wrapWords } from './width.ts';
import { label } from './words.ts';

/** How deep inner records have sections. Deeper ones are shown as JSON. */
const deepest = 4;
/** The width of labels, and the minimum widths of a word and of a sentence next to them, in columns. */
const [widestLabel, leastRoom, sentenceRoom] = [30, 8, 16];
const indent = '  ';

type Field = readonly [name: string, value: unknown];

/** Formats a record, one field per line, with a line break at the end. A word wider than the terminal is not broken. */
export async function card(value: JsonObject, view: View): Promise<string> {
  const { rows: _, columns: __, screen: ___, fields: chosen, ...rest } = view;
  const title = chosen ? undefined : titleOf(value);
  const all: readonly Field[] =
    chosen?.map((path) => [path, memberAt(value, path)] as const) ??
    fieldsOf(value).filter(([name, one]) => name !== title?.field && !(name === 'id' && one === title?.id));
  const isWhole = view.allFields === true || chosen !== undefined;
  const shown = isWhole || view.asSent ? all : all.filter((field) => !isSecondary(field, value));
  const body = await sectionOf(shown, { ...rest, allFields: isWhole }, 1);
  const { dim } = new Chalk({ level: view.color ? 1 : 0 });
  const left = all.filter((field) => !shown.includes(field) && !isEmpty(field[1])).length;
  const more = left === 0 ? '' : `${dim(`+${amount(left, 'field')}: --all-fields`)}\n`;
  return `${title === undefined ? '' : headOf(title, value, view)}${body}${more}`;
}

type Title = NonNullable<ReturnType<typeof titleOf>>;

/** The field that people know a record by, and its short id. Undefined if it has no such field. */
function titleOf(value: JsonObject) {
  for (const field of nameFields) {
    const name = value[field];
    if (typeof name !== 'string' || name === '' || name.length > 80 || name.includes('\n')) continue;
    return { field, name, id: typeof value.id === 'string' ? shortId(value.id) : undefined };
  }
  return undefined;
}

/** The title, with its short id next to it or below it, and the state of the record if it has one. */
function headOf(title: Title, value: JsonObject, view: View): string {
  const chalk = new Chalk({ level: view.color ? 1 : 0 });
  const width = view.width ?? Number.POSITIVE_INFINITY;
  const lines = wrapWords(visible(title.name), width);
  const id = title.id === undefined ? '' : `(${visible(title.id)})`;
  const isBeside = widthOf(`${lines.at(-1)} ${id}`) <= width;
  const name = lines.map((line) => chalk.bold(line)).join('\n');
  const [state, text] = standingOf(value, view) ?? [];
  const standing = state && text ? stateLine(state, text, view) : '';
  return `${name}${id && `${isBeside ? ' ' : '\n'}${chalk.dim(id)}`}\n${standing}`;
}

/** `✔ expires in 90 days`, with a line break. */
export function stateLine(state: State, text: string, view: Pick<View, 'color' | 'plainSigns' | 'width'>): string {
  const chalk = new Chalk({ level: view.color ? 1 : 0 });
  const sign = signOf(state, view);
  return `${chalk[stateColors[state]](sign)} ${hangText(text, sign.length + 1, view.width)}\n`;
}

/** Whether a record can be used, and until when: `expires in 90 days`, `expired 2 days ago`, `inactive`. */
function standingOf(value: JsonObject, { now }: View): readonly [State, string] | undefined {
  if (value.inactive === true) return ['bad', 'inactive'];
  if (!isEmpty(value.archived_at)) return ['bad', 'archived'];
  const end = instantOf(value.valid_until);
  if (end === undefined || now === undefined) return undefined;
  const age = ageText(end, now).replace(/^(?=\d{4}-)/, 'on ');
  return end > now ? ['good', `expires ${age}`] : ['bad', `expired ${age}`];
}

/** The fields of a record, its id first: commands take it. */
function fieldsOf(value: JsonObject): readonly Field[] {
  const all = Object.entries(value);
  return [...all.filter(([name]) => name === 'id'), ...all.filter(([name]) => name !== 'id')];
}

/** Whether a field says nothing new to a person: the id of a user, the same time again, or a false `inactive`. */
const isSecondary = ([name, one]: Field, { created_at }: JsonObject): boolean =>
  /^(created|updated)_by$/.test(name) || (name === 'updated_at' && one === created_at) || isUsual([name, one]);

/** Whether a field has its usual value (`inactive: false`), which need not be shown. */
const isUsual = ([name, value]: Field): boolean => value === false && /^(inactive|archived)$|_disabled$/.test(name);

/** The fields of a record, then its sections, each below the other. */
async function sectionOf(all: readonly Field[], view: View, depth: number): Promise<string> {
  const { bold } = new Chalk({ level: view.color ? 1 : 0 });
  const isWhole = view.allFields || (view.asSent && depth > 1);
  const fields = all.filter((field) => isWhole || !(isEmpty(field[1]) || isUsual(field)));
  checkCells(fields.length);
  checkLength(fields.map(([, one]) => one));
  const isInner = ([, one]: Field) => isTable(one) || (isRecord(one) && !isEmpty(one) && depth < deepest);
  const plain = fields.filter((one) => !isInner(one));
  const texts = [rowsText(plain, view, depth)];
  const inner = narrower(view);
  for (const [name, one] of fields.filter(isInner)) {
    const only = view.asSent && isTable(one) && one.length === 1 ? one[0] : one;
    const text = isTable(only)
      ? await list(only, inner)
      : await sectionOf(Object.entries(only as JsonObject), inner, depth + 1);
    if (text !== '')
      texts.push(
        `${bold(cut(nameOf(name, view, depth), view.width ?? Number.POSITIVE_INFINITY))}\n${text.replace(/^(?=.)/gm, indent)}`,
      );
  }
  return texts.filter((text) => text !== '').join('\n');
}

const narrower = (view: View): View =>
  view.width === undefined ? view : { ...view, width: Math.max(leastRoom, view.width - indent.length) };

/** Returns the label of a field. `depth` is 1 for the fields of the record itself. */
const nameOf = (name: string, { asSent }: View, depth: number) => (asSent && depth > 1 ? visible(name) : label(name));

function rowsText(fields: readonly Field[], view: View, depth: number): string {
  const { dim } = new Chalk({ level: view.color ? 1 : 0 });
  const paint = painter(view);
  const labels = fields.map(([name]) => cut(nameOf(name, view, depth), widestLabel));
  const wide = labels.reduce((most, one) => Math.max(most, widthOf(one)), 0);
  const [column, width] = [wide + 2, view.width ?? Number.POSITIVE_INFINITY];
  const rows = fields.map(([name, value], index) => {
    const text = labels[index] ?? '';
    const beside = valueLines(name, value, view, Math.max(leastRoom, width - column));
    const isBelow = hasLines(value) || !fits(beside, width - column);
    const lines = isBelow ? valueLines(name, value, view, width - indent.length) : beside;
    const [first = '', ...more] = isBelow ? ['', ...lines] : lines;
    const head = `${dim(text)}${' '.repeat(column - widthOf(text))}${paint(first)}`;
    const space = isBelow ? indent : ' '.repeat(column);
    return [head, ...more.map((line) => space + line)];
  });
  return rows
    .flat()
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Whether a value has room next to its label. Else it is below, to keep ids and URLs whole and sentences readable. */
const fits = (lines: readonly string[], room: number): boolean =>
  lines.every((line) => widthOf(stripVTControlCharacters(line)) <= room) &&
  (lines.length === 1 || room >= sentenceRoom);

/** Fields whose strings are documents or code. Their lines are not wrapped, because a line break has a meaning. */
const documents: ReadonlySet<string> = new Set(['spec', 'code', 'overlay']);

/** Whether a value contains line breaks, so that its lines belong together below the label. */
const hasLines = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim().includes('\n') : isStrings(value) && value.some(hasLines);

/** Shown instead of a secret, because others may see the screen. */
const hiddenText = '(hidden; shown with --all-fields)';

/** The lines of a value. Sentences wrap between words. In a list, a URL or a long string has a line to itself. */
function valueLines(name: string, value: unknown, view: View, room: number): readonly string[] {
  if (view.asSent && (typeof value !== 'string' || value === '')) return wrapWords(sentText(value), room);
  if (isEmpty(value)) return ['-'];
  const time = view.asSent ? undefined : shownTimeOf(claimTime(name, value), view);
  if (time !== undefined) return [time];
  if (isStrings(value) && value.some((one) => isUrl(one) || hasLines(one)))
    return value.flatMap((one) => stringLines(name, one, view, room));
  return typeof value === 'string' ? stringLines(name, value, view, room) : wrapWords(oneLineText(name, value), room);
}

function stringLines(name: string, value: string, view: View, room: number): readonly string[] {
  if (name === 'token' && !view.asSent && !view.allFields) return wrapWords(hiddenText, room);
  if (isUrl(value)) return [view.links ? linked(value) : value];
  const isCut = value.length > longest.record;
  const shown = linesOf(value.slice(0, longest.record)).map((line) => visible(line.replaceAll('\t', '  ')));
  const lines = documents.has(name) ? shown : shown.flatMap((line) => wrapWords(line, room));
  return isCut ? [...lines, '…'] : lines;
}

/** Only visible ASCII, so that the link cannot contain the end of an escape sequence. */
const isUrl = (text: string): boolean => /^https?:\/\/[\x21-\x7e]+$/.test(text);

/** OSC 8, which ends with ST. */
const linked = (url: string): string => `\u001b]8;;${url}\u001b\\${url}\u001b]8;;\u001b\\`;
