/** Formats a value as TOON without hidden characters. Lists of records with the same fields become tables. */
import { encodeLines, escapeString, rawString } from '@toon-format/toon';
import { isRecord } from '../json-object.ts';
import { blockSize, yieldTurn } from './blocks.ts';
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
