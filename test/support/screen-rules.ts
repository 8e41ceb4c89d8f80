/** The rules of test/screens: what may differ between runs, what stays in one piece, and how wide lines are. */
import { plain } from './screen-colors.ts';
import { wholeValues } from './screen-commands.ts';

/** Replaces what differs between runs by something of the same width. `folder` is that of the terminal. */
export const fixed = (text: string, folder: string): string =>
  withHours(text)
    .replaceAll(folder, `${folder.slice(0, -6)}XXXXXX`)
    .replace(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:40100')
    .replace(/(Delivered 1 event +)\d+ bytes, [\d.]+ (?:ms|s|min)/g, '$1# bytes, # ms')
    .replace(/Node \d+\.\d+\.\d+/g, 'Node #');

/** The events of a tail, which are one hour apart, at fixed times of one day. */
function withHours(text: string): string {
  let hour = 8;
  return text
    .replace(/^(‹[\w ]+:)?\d{4}-\d\d-\d\d›?\n/gm, '')
    .replace(/\b\d\d:\d\d:\d\d(?= )/g, () => `${String(++hour).padStart(2, '0')}:30:00`)
    .replace(/(?<=followed for )[\d.]+ (?:ms|s|min)/, '1 s');
}

/** A URL, a path, a digest, a key or an id. */
const value = /https?:\/\/\S+|(?<![\w.])~?\/[\w./{}-]+|sha256:[0-9a-f]{12,}|[0-9a-f-]{32,}|dtp_\w{20,}/g;

/** The values on a screen that is wide enough for all of them. */
export const valuesOn = (text: string): readonly string[] => plain(text).match(value) ?? [];

/** Those values that a line break splits. */
export function brokenValues(text: string, values: readonly string[]): readonly string[] {
  const shown = plain(text);
  const joined = shown.replace(/\n\s*/g, '');
  const count = (where: string, one: string) => where.split(one).length;
  return [...new Set([...wholeValues, ...values])].filter((one) => count(joined, one) > count(shown, one));
}

/** A line that a person copies, or that a machine reads: a command, a request, a field of JSON, or code. */
const copied = /^\s*(?:"?dtp |# |(?:try|next|fix): |\(\d{3} from |"[^"]*": |(?:const|console)\b)/;

/** The lines that are wider than the terminal, although they could be broken between words. */
export const tooWide = (text: string, columns: number): readonly string[] =>
  plain(text)
    .split('\n')
    .filter((line) => line.length > columns && !copied.test(line) && /\S\s+\S/.test(line));

export interface Seen {
  readonly columns: number;
  readonly mode: string;
  readonly text: string;
}

/** The screens of a command as text. Equal ones are there once. */
export function formatScreens(line: string, code: number, seen: readonly Seen[]): string {
  const texts = [...new Set(seen.map(({ text }) => text))].map((text) => {
    const same = seen.filter((one) => one.text === text);
    const modes = [...new Set(same.map(({ mode }) => mode))];
    const widthsOf = (mode: string) => same.filter((one) => one.mode === mode).map(({ columns }) => columns);
    const titles = [...new Set(modes.map((mode) => widthsOf(mode).join(', ')))].map(
      (widths) => `${widths} columns: ${modes.filter((mode) => widthsOf(mode).join(', ') === widths).join(', ')}`,
    );
    return `── ${titles.join('; ')}\n${text}\n`;
  });
  return [`$ ${line}`, `exit code ${code}`, '', texts.join('\n')].join('\n');
}
