/** Escapes the characters of a program beyond ASCII. With a single one, V8 stores the whole source in twice the memory. */

const BEYOND = /[^\0-\x7f]/g;

const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The program in ASCII. Minified programs have such characters only in strings and regular expressions. */
export const inAscii = (code) => code.replace(BEYOND, escaped);

/** Returns a function that converts a column of a program to the column in `inAscii(code)`. Both count from 0. */
export function asciiColumns(code) {
  const lines = code.split('\n').map((line) => [...line.matchAll(BEYOND)].map(({ index }) => index));
  const more = escaped(' ').length - 1;
  return (line, column) => column + more * (lines[line]?.filter((at) => at < column).length ?? 0);
}
