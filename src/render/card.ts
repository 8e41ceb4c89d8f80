/** A record as a card on a terminal: a title, a line for each field with a value, and a section for each inner record. */
import { Chalk } from 'chalk';
import { isRecord, type JsonObject } from '../json-object.ts';
import { linesOf, longest, painter } from './cells.ts';
import { memberAt } from './fields.ts';
import { list } from './list.ts';
import { checkCells, checkLength } from './most.ts';
import { visible } from './sanitize.ts';
import { shortId } from './short.ts';
import { isEmpty, plainText, timeOf } from './shown.ts';
import type { View } from './view.ts';
import { cut, widthOf, words } from './width.ts';
import { label } from './words.ts';

/** How deep inner records have sections. Deeper ones are shown as JSON. */
const deepest = 4;
/** The width of labels, and the minimum width of values, in columns. */
const [widestLabel, leastRoom] = [30, 8];
const indent = '  ';

type Field = readonly [name: string, value: unknown];

/** Ends with a line break. Values are never broken: a long word goes beyond the width, and the terminal wraps it. */
export async function card(value: JsonObject, view: View): Promise<string> {
  const { bold, dim } = new Chalk({ level: view.color ? 1 : 0 });
  const title = view.fields ? undefined : titleOf(value);
  const all: readonly Field[] =
    view.fields?.map((path) => [path, memberAt(value, path)] as const) ??
    Object.entries(value).filter(([name]) => name !== title?.field);
  const { rows: _, columns: __, screen: ___, fields, ...rest } = view;
  const body = await sectionOf(
    all,
    { ...rest, allFields: view.allFields === true || fields !== undefined },
    1,
  );
  if (title === undefined) return body;
  const id = title.id === undefined ? '' : ` ${dim(`(${visible(title.id)})`)}`;
  return `${bold(visible(title.name))}${id}\n${body}`;
}

/** The field that people know a record by, and its short id. Undefined if it has no such field. */
function titleOf(value: JsonObject): { field: string; name: string; id: string | undefined } | undefined {
  for (const field of ['name', 'token_name', 'display_name', 'title', 'slug', 'email']) {
    const name = value[field];
    if (typeof name !== 'string' || name === '' || name.length > 80 || name.includes('\n')) continue;
    return { field, name, id: typeof value.id === 'string' ? shortId(value.id) : undefined };
  }
  return undefined;
}

/** The fields of a record, then its sections, each below the other. */
async function sectionOf(all: readonly Field[], view: View, depth: number): Promise<string> {
  const { bold } = new Chalk({ level: view.color ? 1 : 0 });
  const fields = all.filter(([, one]) => view.allFields || !isEmpty(one));
  checkCells(fields.length);
  checkLength(fields.map(([, one]) => one));
  const isInner = ([, one]: Field) => isTable(one) || (isRecord(one) && !isEmpty(one) && depth < deepest);
  const texts = [
    rowsText(
      fields.filter((one) => !isInner(one)),
      view,
    ),
  ];
  const inner = narrower(view);
  for (const [name, one] of fields.filter(isInner)) {
    const text = isTable(one)
      ? await list(one, inner)
      : await sectionOf(Object.entries(one as JsonObject), inner, depth + 1);
    if (text !== '') texts.push(`${bold(label(name))}\n${text.replace(/^(?=.)/gm, indent)}`);
  }
  return texts.filter((text) => text !== '').join('\n');
}

const isTable = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord);

const narrower = (view: View): View =>
  view.width === undefined ? view : { ...view, width: Math.max(leastRoom, view.width - indent.length) };

function rowsText(fields: readonly Field[], view: View): string {
  const { dim } = new Chalk({ level: view.color ? 1 : 0 });
  const paint = painter(view);
  const labels = fields.map(([name]) => cut(label(name), widestLabel));
  const wide = Math.max(0, ...labels.map(widthOf));
  const room = Math.max(leastRoom, (view.width ?? Number.POSITIVE_INFINITY) - wide - 2);
  return fields
    .map(([name, value], index) => {
      const text = labels[index] ?? '';
      const [first = '', ...more] = valueLines(name, value, view, room);
      const head = `${dim(text)}${' '.repeat(wide - widthOf(text) + 2)}${paint(first)}`;
      return [head, ...more.map((line) => ' '.repeat(wide + 2) + line)]
        .map((line) => `${line.trimEnd()}\n`)
        .join('');
    })
    .join('');
}

/** The lines of a value. Sentences wrap between words. */
function valueLines(name: string, value: unknown, view: View, room: number): readonly string[] {
  if (isEmpty(value)) return ['-'];
  const time = timeOf(value, view);
  if (time !== undefined) return [time];
  if (typeof value !== 'string') return words(plainText(name, value), room);
  if (view.links && isUrl(value)) return [linked(value)];
  const isCut = value.length > longest.record;
  const lines = linesOf(value.slice(0, longest.record)).flatMap((line) => words(visible(line), room));
  return isCut ? [...lines, '…'] : lines;
}

/** Only visible ASCII, so that the link cannot contain the end of an escape sequence. */
const isUrl = (text: string): boolean => /^https?:\/\/[\x21-\x7e]+$/.test(text);

/** OSC 8, which ends with ST. */
const linked = (url: string): string => `\u001b]8;;${url}\u001b\\${url}\u001b]8;;\u001b\\`;
