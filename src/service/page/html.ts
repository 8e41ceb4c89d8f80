/** Builds HTML. Every value in a template is escaped, unless it is HTML itself. */

/** A string of HTML, which templates do not escape again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | false | readonly Part[];

/** Matches characters that a browser hides or that change the order of a line, except tabs and line breaks. */
const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Escapes a string for an element or a quoted attribute. Hidden characters are shown as `\u{202e}`. */
const escaped = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(hidden, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return '';
  return typeof part === 'object' ? part.map(textOf).join('') : escaped(String(part));
}

/** The tag of templates: html`<p>${text}</p>`. Put values only between tags, or in attributes with quotes. */
export const html = (fixed: TemplateStringsArray, ...values: readonly Part[]): Html =>
  new Html(fixed.map((text, at) => text + textOf(values[at])).join(''));

/** How many characters of a name, of another value and of a box are shown, and how many rows of a list. */
export const LENGTHS = { name: 256, value: 1000, text: 16_000 } as const;
export const ROWS = 500;

export const shortened = (text: string, length: number = LENGTHS.name): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
export const cutPart = (part: Part, length?: number): Part =>
  typeof part === 'string' ? shortened(part, length) : part;
