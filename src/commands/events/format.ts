/** Detects the format of the input of `dtp events post` from its first bytes. */
import { attempt } from '../../caught.ts';
import { isRecord } from '../../json-object.ts';

export type InputFormat = 'empty' | 'array' | 'lines' | 'document';

/** How many lines after the first are searched for a valid event. */
const LINES_SEARCHED = 64;

/**
 * Returns a function that receives the chunks in order and returns the format, or undefined if more must be read. A
 * line with a complete object means NDJSON, even if other lines are invalid. In a document, such a line would be
 * indented. Each chunk is read once, so that blank input of any length is detected in linear time.
 */
export function formatFinder(): (chunk: Uint8Array, isLast: boolean) => InputFormat | undefined {
  // The decoder removes a byte order mark, and completes characters that two chunks share.
  const decoder = new TextDecoder();
  let isBlank = true;
  /** The parts of the last line, which is not complete yet. */
  let held: string[] = [];
  let isHeldBlank = true;
  /** The number of complete lines that are not blank. */
  let lines = 0;

  const formatOf = (line: string): InputFormat | undefined => {
    if (line.trim() === '') return undefined;
    if ((lines === 0 || line.startsWith('{')) && isObject(line)) return 'lines';
    return lines++ < LINES_SEARCHED ? undefined : 'document';
  };

  return (chunk, isLast) => {
    const text = decoder.decode(chunk, { stream: !isLast });
    const first = /\S/.exec(text)?.[0];
    if (isBlank && first === '[') return 'array';
    isBlank &&= first === undefined;
    // Skip the lines of a blank chunk at once, because there may be thousands.
    let from = first === undefined && isHeldBlank ? text.lastIndexOf('\n') + 1 : 0;
    if (from > 0) held = [];
    for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
      const format = formatOf([...held.splice(0), text.slice(from, end)].join(''));
      if (format) return format;
      from = end + 1;
    }
    const rest = text.slice(from);
    isHeldBlank = (isHeldBlank || held.length === 0) && rest.trim() === '';
    held.push(rest);
    if (!isLast) return undefined;
    return formatOf(held.join('')) ?? (isBlank ? 'empty' : 'document');
  };
}

export const isObject = (line: string): boolean =>
  /^\s*\{/.test(line) && attempt(() => isRecord(JSON.parse(line)), false);
