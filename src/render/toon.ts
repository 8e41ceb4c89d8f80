/** Formats a value as TOON without hidden characters. Lists of records with the same fields become tables. */
import { encodeLines, escapeString, rawString } from '@toon-format/toon';
import { fieldsOf, isRecord, type JsonObject } from '../json-object.ts';
import { blockSize, yieldTurn } from './blocks.ts';
import { type View, withFields } from './fields.ts';
import { hasHidden, replaceHidden, visible } from './sanitize.ts';

/** Formats TOON that parses to the same value, with integers of any length. Throws the reason of an aborted signal. */
export async function toon(value: unknown, signal?: AbortSignal): Promise<readonly string[]> {
  const texts: string[] = [];
  let lines: string[] = [];
  for (const line of encodeLines(encodable(value))) {
    // The hidden characters that are left are in quotes.
    lines.push(`${visible(line)}\n`);
    if (lines.length < blockSize) continue;
    texts.push(lines.join(''));
    lines = [];
    await yieldTurn(signal);
  }
  return [...texts, texts.length + lines.length === 0 ? '\n' : lines.join('')];
}

/**
 * Writes a list row by row, as `toon` writes all rows at once: as a table if all rows are records with the same fields and
 * without lists or records in them, on one line if no row is a record or a list, and else item by item.
 */
export function openToon(view: View) {
  let [count, isTable, isLine, isFirst] = [0, true, true, true];
  let names: readonly string[] | undefined;
  const shownRows = (rows: readonly unknown[]) => withFields(rows, view) as readonly unknown[];
  const look = (rows: readonly unknown[]) => {
    for (const row of shownRows(rows)) {
      count++;
      isLine &&= isPlain(row);
      names ??= Object.keys(fieldsOf(row));
      isTable &&= isRecord(row) && names.length > 0 && isRowOf(names, row);
    }
  };
  const write = (rows: readonly unknown[]): string => {
    if (rows.length === 0) return '';
    const all = shownRows(rows);
    const cells = (row: unknown) => Object.fromEntries((names ?? []).map((name) => [name, fieldsOf(row)[name]]));
    // With a list as the last item, it is neither a table nor one line.
    const shown = isTable ? all.map(cells) : isLine ? all : [...all, []];
    const [head = '', ...items] = Array.from(encodeLines(encodable(shown)), (line) => visible(line));
    const first = isFirst ? head.replace(/^\[\d+/, `[${count}`) : '';
    const text = isLine ? lineOf(head, first) : linesOf(isTable ? items : items.slice(0, -1), first);
    isFirst = false;
    return text;
  };
  return { look, write, end: () => (count === 0 ? '[]\n' : isLine ? '\n' : '') };
}

/** The values in a line such as `[2]: a,b`, after the start of the first one, or a comma. */
const lineOf = (line: string, first: string): string => first || `,${line.slice(line.indexOf(': ') + 2)}`;

const linesOf = (items: readonly string[], first: string): string =>
  [...(first === '' ? [] : [first]), ...items].map((line) => `${line}\n`).join('');

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

const isRowOf = (names: readonly string[], row: JsonObject): boolean =>
  Object.keys(row).length === names.length && names.every((name) => Object.hasOwn(row, name) && isPlain(row[name]));

/** Returns the value with the strings that need quotes for their escapes, and the integers that the library changes. */
function encodable(value: unknown): unknown {
  if (typeof value === 'bigint') return rawString(String(value));
  if (typeof value === 'string') {
    const text = escapableText(value);
    return hasHidden(text) ? rawString(`"${escapeString(text)}"`) : text;
  }
  if (Array.isArray(value)) return value.map(encodable);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[escapableText(key), encodable(one)]])),
  );
}

/** Makes visible what TOON cannot escape: half of a surrogate pair, and hidden characters above U+FFFF. */
const escapableText = (text: string): string =>
  replaceHidden(text, (char) => (/[\ud800-\udfff]/.test(char) ? visible(char) : char));
