/** Writes the table about a command that GitHub Actions shows on the page of a run. */
import { visible } from './sanitize.ts';

/** What a command did, how much of it, and where that can be seen. The strings may come from anybody. */
export interface Deed {
  readonly what: string;
  readonly amount?: string;
  readonly url?: unknown;
}

/** Whether the command succeeded, failed, or failed although it exits with 0. */
const signs = { done: '✔', failed: '✘', allowed: '⚠' } as const;

/** Returns a table with one row. The blank line in front of it ends whatever the file contains before. */
export function summaryTable(outcome: keyof typeof signs, command: string, { what, amount = '', url }: Deed): string {
  const row = [`${signs[outcome]} dtp ${command}`, asCode(what), asCode(amount), linkTo(url)];
  return `\n\n| Command | Result | Amount | Link |\n| --- | --- | --- | --- |\n| ${row.join(' | ')} |\n`;
}

/** The most characters of a cell, and of a URL. A whole summary may have 1 MiB. */
const most = { cell: 300, url: 4000 };

/**
 * Returns the first line of a string as code. The string may come from anybody, but Markdown, HTML, links and mentions
 * mean nothing in code. A backquote could end the code, and a pipe the cell, so both are escaped as in JSON.
 */
function asCode(text: string): string {
  const [line = ''] = text.trim().split(/[\r\n]/);
  const chars = [...line.trimEnd()];
  const short = chars.length > most.cell ? `${chars.slice(0, most.cell).join('')}…` : chars.join('');
  const safe = visible(short).replaceAll('`', '\\u0060').replaceAll('|', '\\u007c');
  return safe === '' ? '' : `\`${safe}\``;
}

/** Returns a link to a web page. Empty for any other URL, and for one with a user name, which hides the host. */
function linkTo(url: unknown): string {
  if (typeof url !== 'string' || url.length > most.url || !URL.canParse(url)) return '';
  const { protocol, username, password, href } = new URL(url);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return '';
  // The rest means nothing in the target of a link. An ampersand could begin an entity.
  const target = href.replace(/[^\w\-.~:/?#@!$&*+,;=%]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `[open](${target.replaceAll('&', '&amp;')})`;
}
