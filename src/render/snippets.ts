/** Formats code samples on a terminal: a heading for each, and its code in color. */
import { Chalk } from 'chalk';
import { isRecord, type JsonObject } from '../json-object.ts';
import type { View } from './fields.ts';
import { checkLength, visible } from './sanitize.ts';
import { widthOf } from './width.ts';

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
