/** Formats a list on a terminal: a table with as many columns as fit, or records below each other if it is narrow. */
import { Chalk, type ChalkInstance } from 'chalk';
import { isRecord, type JsonObject } from '../json-object.ts';
import { amount } from './amounts.ts';
import { mapInBlocks } from './blocks.ts';
import { amountText, countText, isEmpty, listCell, painter, sentText } from './cells.ts';
import { fieldNamesOf, memberAt, nameFields, type View } from './fields.ts';
import { checkCells, checkLength, visible } from './sanitize.ts';
import { hasShort, shortener } from './short.ts';
import { type State, signOf, stateColors, stateOf } from './signs.ts';
import { cut, widthOf, wrapWords } from './width.ts';
import { headerOf, labelOfTitle } from './words.ts';

interface Column {
  readonly title: string;
  readonly from: readonly string[];
  readonly isLesser: boolean;
}

type Shown = Awaited<ReturnType<typeof shownOf>>;

/** The width below which records are shown below each other, and the width of the widest column. */
const [narrow, widest] = [60, 60];
/** A wider column may shrink to this width. Others are left out rather than cut. */
const least = 16;
const gap = '  ';

/** Ends with a line break. Empty for no rows. */
export async function list(all: readonly unknown[], view: View): Promise<string> {
  if (!all.every(isRecord)) return scalars(all, view);
  if (all.length === 0) return '';
  const shown = await shownOf(all, view);
  return !view.wide && shown.columns.length > 1 && (view.width ?? narrow) < narrow
    ? stacked(shown, view)
    : tabled(shown, view);
}

/** Each value on its own line, unbroken. */
async function scalars(all: readonly unknown[], view: View): Promise<string> {
  checkCells(all.length);
  const lines = await mapInBlocks(all, (one) => `${listCell(one, view)}\n`, view.signal);
  return lines.join('');
}

async function shownOf(all: readonly JsonObject[], view: View) {
  const chosen = columnsOf(all, view);
  // An event that is not sent yet has neither succeeded nor failed.
  const state = view.fields || view.asSent ? undefined : chosen.find(({ from }) => isState(from));
  const columns = chosen.filter((one) => one !== state || !state.from.includes('success'));
  checkCells(all.length * Math.max(1, columns.length));
  const values = await mapInBlocks(all, (row) => columns.map((column) => fieldOf(row, column)), view.signal);
  const valuesAt = (at: number) => values.map((row) => row[at]);
  const cells = columns.map((column, at) => textsOf(column, valuesAt(at), view));
  return {
    columns,
    /** The cells of each row, without color. */
    rows: all.map((_, row) => cells.map((column) => column[row] ?? '')),
    /** The state of each row, or `none` for a row without a sign. Absent if no row has one. */
    states: state ? all.map((row) => stateIn(fieldOf(row, state))) : marksOf(all, view),
    /** Whether all values of a column are numbers. */
    numbers: columns.map(
      (_, at) =>
        values.some((row) => isNumber(row[at])) && values.every((row) => isNumber(row[at]) || isEmpty(row[at])),
    ),
  };
}

/** A check mark in front of the selected row, and nothing in front of the others. */
function marksOf(
  rows: readonly JsonObject[],
  { selected, fields, width }: View,
): readonly (State | 'none' | undefined)[] | undefined {
  if (selected === undefined || fields || width === undefined) return undefined;
  const isSelected = ({ id, slug, name }: JsonObject) => [id, slug, name].includes(selected);
  return rows.some(isSelected) ? rows.map((row) => (isSelected(row) ? 'good' : 'none')) : undefined;
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

const isState = ([name = '']: readonly string[]): boolean => /^(success|status|state|run_status)$/.test(name);

export function stateIn(value: unknown): State | undefined {
  if (typeof value === 'boolean') return value ? 'good' : 'bad';
  return typeof value === 'string' ? stateOf(value) : undefined;
}

const firstFields = [...nameFields, 'id'];

/** The columns of the operation, or else every field. A column without any value is left out. */
function columnsOf(rows: readonly JsonObject[], view: View): readonly Column[] {
  if (view.fields) return view.fields.map((path) => ({ ...columnOf(path), title: headerOf(path) }));
  const declared = view.screen ?? view.columns;
  if (declared) {
    const all = declared.map(columnOf);
    const isShown = (column: Column) => rows.some((row) => !isEmpty(fieldOf(row, column)));
    if (!view.wide) return view.allFields ? all : all.filter((one, at) => at === 0 || isShown(one));
    const taken = new Set(all.flatMap(({ from }) => from));
    return [...all, ...(view.columns ?? []).filter((name) => !taken.has(name)).map(columnOf)];
  }
  const names = fieldNamesOf(rows, Number.POSITIVE_INFINITY);
  // No real row has more fields. Without a limit, a service could make the table take long.
  const some = view.wide ? names : names.slice(0, 200);
  const filled = view.allFields || view.asSent ? some : some.filter((name) => rows.some((row) => !isEmpty(row[name])));
  const rank = (name: string) => (firstFields.includes(name) ? firstFields.indexOf(name) : firstFields.length);
  return (filled.length > 0 ? filled : some.slice(0, 1))
    .toSorted((one, other) => rank(one) - rank(other))
    .map((name) => (view.asSent ? { ...columnOf(name), title: visible(name) } : columnOf(name)));
}

const columnOf = (one: NonNullable<View['screen']>[number]): Column =>
  typeof one === 'string'
    ? { title: headerOf(one), from: [one], isLesser: false }
    : { title: one.title, from: one.from, isLesser: one.isLesser === true };

/** The first of the column's fields that has a value. `a/b` joins two fields. */
export function fieldOf(row: JsonObject, { from }: { readonly from: readonly string[] }): unknown {
  if (from.length === 1) return memberAt(row, from[0] ?? '');
  for (const path of from) {
    const parts = path.split('/').map((name) => memberAt(row, name));
    if (!parts.some(isEmpty)) return parts.length === 1 ? parts[0] : parts.join('/');
  }
  return undefined;
}

/** Whether a column has lock ids, of which no command accepts the beginning. */
const hasLockIds = ({ from }: Column): boolean => from.some((name) => name.endsWith('gen_lock_id'));

/** The cells of a column. Ids and digests are short, but still different from each other. */
function textsOf(column: Column, values: readonly unknown[], view: View): readonly string[] {
  if (view.asSent) return values.map((value) => (value === undefined ? '' : sentText(value)));
  const [name = ''] = column.from;
  const texts = values.map((value) => amountText(name, value) ?? countText(value) ?? listCell(value, view));
  if (view.wide || view.wholeIds || hasLockIds(column)) return texts;
  const shorten = shortener(texts);
  return texts.map(shorten);
}

/** Returns the columns that fit, and all widths. Omits lesser columns first, then the last ones, then cuts values. */
function fitOf({ columns, rows, states }: Shown, view: View) {
  const head = view.headers === false ? [] : [columns.map(({ title }) => title)];
  const natural = columns.map((_, at) => {
    let most = 1;
    for (const row of [...head, ...rows]) most = Math.max(most, widthOf(row[at] ?? ''));
    return view.wide ? most : Math.min(most, widest);
  });
  const isWhole = columns.map(
    (column, at) => (view.wholeIds === true || hasLockIds(column)) && rows.some((row) => hasShort(row[at] ?? '')),
  );
  const smallest = natural.map((width, at) => (isWhole[at] ? width : Math.min(width, least)));
  let places = columns.map((_, at) => at);
  if (view.wide || view.width === undefined) return { places, widths: natural };
  const room = view.width - (states === undefined ? 0 : signWidth(view));
  const total = (widths: readonly number[], some: readonly number[]) =>
    some.reduce((sum, at) => sum + (widths[at] ?? 0) + gap.length, -gap.length);
  const without = (out: readonly number[]) => places.filter((at) => !out.includes(at));
  while (places.length > 1 && total(smallest, places) > room) {
    const out = places.findLast((at) => columns[at]?.isLesser) ?? places.at(-1);
    places = places.filter((at) => at !== out);
  }
  // Dropping lesser columns is better than cutting values, if the row then fits.
  const lesser = places.filter((at) => columns[at]?.isLesser).toReversed();
  const enough = lesser.findIndex((_, at) => total(natural, without(lesser.slice(0, at + 1))) <= room);
  if (total(natural, places) > room && enough >= 0) places = without(lesser.slice(0, enough + 1));
  const widths = [...natural];
  while (total(widths, places) > room) {
    const some = places.filter((one) => !isWhole[one]);
    const at = some.reduce((wide, one) => ((widths[one] ?? 0) > (widths[wide] ?? 0) ? one : wide), some[0] ?? 0);
    if (some.length === 0 || (widths[at] ?? 0) <= 1) break;
    widths[at] = (widths[at] ?? 0) - 1;
  }
  return { places, widths };
}

const signWidth = (view: View): number => Math.max(...stateNames.map((one) => signOf(one, view).length)) + 1;
const stateNames = ['good', 'bad', 'open'] as const;

async function tabled(shown: Shown, view: View): Promise<string> {
  const chalk = new Chalk({ level: view.color ? 1 : 0 });
  const { columns, rows, states, numbers } = shown;
  const paint = painter(view);
  const { places, widths } = fitOf(shown, view);
  const lineOf = (cells: readonly string[], sign: string, draw: (text: string) => string) => {
    const texts = places.map((at) => {
      const width = widths[at] ?? 0;
      const text = cut(cells[at] ?? '', width);
      const space = ' '.repeat(Math.max(0, width - widthOf(text)));
      return numbers[at] ? space + draw(text) : draw(text) + space;
    });
    return `${sign}${texts.join(gap)}`.trimEnd();
  };
  const room = states === undefined ? 0 : signWidth(view);
  const titles = columns.map(({ title }) => title);
  const lines = view.headers === false ? [] : [lineOf(titles, ' '.repeat(room), chalk.bold)];
  const signAt = (row: number) => (states === undefined ? '' : signText(states[row], view, chalk));
  const rest = await mapInBlocks(rows, (cells, row) => lineOf(cells, signAt(row), paint), view.signal);
  const left = columns.length - places.length;
  const more = left === 0 ? [] : [chalk.dim(`+${amount(left, 'column')}: --wide`)];
  return [...lines, ...rest, ...more].map((line) => `${line}\n`).join('');
}

function signText(state: State | 'none' | undefined, view: View, chalk: ChalkInstance): string {
  if (state === 'none') return ' '.repeat(signWidth(view));
  const sign = signOf(state, view);
  const space = ' '.repeat(signWidth(view) - sign.length);
  return (state === undefined ? sign : chalk[stateColors[state]](sign)) + space;
}

const indent = '  ';

/** A title and its value, as lines. The value starts on the next line if there is too little room next to the title. */
function entry(title: string, text: string, width: number): readonly (readonly [name: string, line: string])[] {
  const name = cut(`${indent}${labelOfTitle(title)}: `, width);
  const left = widthOf(name);
  const beside = wrapWords(text, width - left);
  if (width - left < least || beside.some((line) => widthOf(line) > width - left))
    return [[name, ''], ...wrapWords(text, width - 4).map((line) => ['', indent + indent + line] as const)];
  const [first = '', ...more] = beside;
  return [[name, first], ...more.map((line) => ['', ' '.repeat(left) + line] as const)];
}

/** A block for each row: its first column, and the other columns that have a value, each with its title. */
async function stacked({ columns, rows, states }: Shown, view: View): Promise<string> {
  const chalk = new Chalk({ level: view.color ? 1 : 0 });
  const paint = painter(view);
  const width = view.width ?? narrow;
  const blockOf = (cells: readonly string[], row: number) => {
    const hasSign = states !== undefined && states[row] !== 'none';
    const sign = hasSign ? signText(states[row], view, chalk) : '';
    const room = width - (hasSign ? signWidth(view) : 0);
    const [first = '', ...others] = cells;
    const lines = others.flatMap((text, index) =>
      text === ''
        ? []
        : entry(columns[index + 1]?.title ?? '', text, width).map(([name, line]) =>
            name === '' ? line : chalk.dim(name) + paint(line),
          ),
    );
    const heads = wrapWords(first === '' ? '-' : first, Math.max(1, room)).map((line) => chalk.bold(line));
    const head = `${sign}${heads.join(`\n${' '.repeat(width - room)}`)}`;
    return `${[head, ...lines].map((line) => line.trimEnd()).join('\n')}\n`;
  };
  const blocks = await mapInBlocks(rows, blockOf, view.signal);
  return blocks.join('\n');
}

export const areSnippets = (rows: readonly unknown[]): rows is readonly JsonObject[] =>
  rows.length > 0 && rows.every((row) => isRecord(row) && 'language' in row && typeof row.code === 'string');

/** Formats each code sample as a heading, such as `GET /pets  listPets  go`, and its code. */
export async function snippets(rows: readonly JsonObject[], view: View): Promise<string> {
  const { bold, dim } = new Chalk({ level: view.color ? 1 : 0 });
  checkLength(rows.map(({ code }) => code));
  const texts: string[] = [];
  for (const { method, path, operationId, language, code } of rows) {
    view.signal?.throwIfAborted();
    const words = [operationId, language].filter((one) => typeof one === 'string' && one !== '');
    const place = [typeof method === 'string' ? method.toUpperCase() : '', path].filter(Boolean).join(' ');
    const names = words.map((one) => visible(String(one))).join('  ');
    const isWide = widthOf(`${visible(place)}  ${names}`) > (view.width ?? Number.POSITIVE_INFINITY);
    const head = [bold(visible(place)), dim(names)].filter((one) => one !== '');
    const text = visible(String(code).trimEnd(), { lines: true });
    const shown = view.color ? await (await import('./highlight.ts')).highlighted(text, String(language)) : text;
    texts.push(`${head.join(isWide ? '\n  ' : '  ')}\n\n${shown}\n`);
  }
  return texts.join('\n');
}
