/** Colors JSON text for a terminal: names bold, strings green, null dim: colors that every background shows. */
import { Chalk } from 'chalk';

/** A string with the colon that makes it a name, a number, or a word. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Above this number of characters, text stays without color: nobody reads it on the screen. */
const longest = 4 * 1024 * 1024;

/** Adds escape sequences to JSON, and changes nothing else. */
export function coloredJson(text: string): string {
  if (text.length > longest) return text;
  const { bold, green, yellow, dim } = new Chalk({ level: 1 });
  return text.replace(token, (whole, string: string | undefined, colon: string | undefined) => {
    if (string !== undefined) return colon === undefined ? green(string) : bold(string) + colon;
    return whole === 'null' ? dim(whole) : yellow(whole);
  });
}
