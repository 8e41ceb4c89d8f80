/** The parts that all views of the page share: the document, its headers, tables, times and commands to copy. */
import { isDeeper } from '../../request/http.ts';
import { type Reply, replyWith } from '../handler.ts';
import { cutPart, type Html, html, LENGTHS, ROWS, shortened } from './html.ts';

/** The folder of all paths of the page. No operation is below it, and the cookie is sent only there. */
export const ROOT = '/-/';

export interface PageView {
  readonly title: string;
  readonly content: Html;
  /** The part above the content. It stays when a live view replaces the content. */
  readonly before?: Html;
  /** Whether the browser gets the content again when something changes. */
  readonly isLive?: boolean;
}

const places = [
  ['', 'Events'],
  ['runs', 'Runs'],
  ['reports', 'Reports'],
  ['registry', 'Registry'],
  ['requests', 'Requests'],
] as const;

/** The page loads only its own files and runs only its script file. No other site may embed it. */
const own = ['script', 'style', 'connect', 'img', 'frame'].map((kind) => `${kind}-src 'self'`).join('; ');
const POLICY = `default-src 'none'; ${own}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

export const secureHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  // With no-referrer, browsers send the origin `null` with forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** A whole document. `path` is the path of the view, below ROOT. It is undefined if nobody is logged in. */
export function documentOf({ title, content, before, isLive }: PageView, path: string | undefined, status = 200) {
  const [here = ''] = (path ?? '').split(/[/?]/);
  const section = here === 'events' ? '' : here;
  const link = ([place, name]: (typeof places)[number]) =>
    html`<a href="${ROOT}${place}"${place === section && html` aria-current="page"`}>${name}</a>`;
  const text = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · dtp</title>
<link rel="icon" href="${ROOT}icon.svg">
<link rel="stylesheet" href="${ROOT}style.css">
<script src="${ROOT}script.js" defer></script>
<a class="skip" href="#main">Skip to the content</a>
<header>
<strong>dtp</strong>
${
  path !== undefined &&
  html`<nav aria-label="Sections">${places.map(link)}</nav>
<form method="post" action="${ROOT}logout"><button>Log out</button></form>`
}
</header>
<main id="main" tabindex="-1">
${isLive && html`<p class="state"><span id="state" role="status"></span> <button id="pause" hidden>Pause</button></p>`}
<h1>${title}</h1>
${before}
<div id="view"${isLive && html` data-live="${ROOT}live?view=${encodeURIComponent(path ?? '')}"`}>${content}</div>
</main>
</html>
`;
  return pageReply(status, 'text/html; charset=utf-8', text.text);
}

export const pageReply = (status: number, type: string, text: string): Reply =>
  replyWith(status, { ...secureHeaders, 'content-type': type }, text);

/** Leads the browser to a path below ROOT. */
export const redirect = (path: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  replyWith(303, { ...secureHeaders, ...headers, location: `${ROOT}${path}` });

/** A path of the page from its decoded segments. */
export const pathTo = (...segments: readonly string[]): string => ROOT + segments.map(encodeURIComponent).join('/');

/** A link, or only its text if the path is very long, or if a browser would take a name for a relative path. */
export function linkTo(segments: readonly string[], text: string): Html {
  const path = html`${pathTo(...segments)}`;
  const isUnfit = path.text.length > 512 || segments.some((one) => /^\.{1,2}$/.test(one));
  return isUnfit ? html`${shortened(text)}` : html`<a href="${path}">${shortened(text)}</a>`;
}

export interface Table {
  readonly label: string;
  readonly columns: readonly string[];
  /** The last columns, which narrow windows leave out. */
  readonly lesser?: readonly string[];
  readonly rows: readonly (readonly (Html | string | undefined)[])[];
  /** The sentence that replaces an empty table. */
  readonly empty: Html | string;
  /** The command that gets all rows, for a table that may have more than ROWS. */
  readonly whole?: string;
}

export function tableOf({ label, columns, lesser = [], rows, empty, whole }: Table): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const classOf = (at: number) => at >= columns.length && html` class="lesser"`;
  const titles = [...columns, ...lesser].map((title, at) => html`<th scope="col"${classOf(at)}>${title}</th>`);
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${titles}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell, at) => html`<td${classOf(at)}>${cutPart(cell)}</td>`)}</tr>\n`)}</tbody>
</table></div>${whole !== undefined && rows.length >= ROWS && html`\n<p class="note">These are the first ${ROWS}. For all, run <code>${whole}</code>.</p>`}`;
}

export const listView = (table: Table, note?: Html | string): PageView => ({
  title: table.label,
  isLive: true,
  content: html`${tableOf(table)}${note !== undefined && html`\n<p class="note">${note}</p>`}`,
});

/** Names and their values. Values that are undefined are left out. */
type Facts = Readonly<Record<string, Html | string | undefined>>;

/** A view of one thing: its facts, and the rest of what is known about it. */
export const detailView = (title: string, facts: Facts, rest?: Html | false): PageView => ({
  title: shortened(title),
  content: html`<dl>${Object.entries(facts).map(([name, value]) => value !== undefined && html`<dt>${name}</dt><dd>${cutPart(value, LENGTHS.value)}</dd>`)}</dl>
${rest}`,
});

/** Writes a date and time in this machine's time zone. Narrow windows show only the time. */
export function timeElement(value: unknown): Html {
  const time = new Date(value as string | number | Date);
  if (Number.isNaN(time.getTime())) return html`unknown`;
  const [date = '', clock = ''] = time.toLocaleString('sv-SE').split(' ');
  return html`<time datetime="${time.toISOString()}"><span class="lesser">${date} </span>${clock}</time>`;
}

/** Text, or JSON, in a box that scrolls, with a button that copies it. `whole` is the command that gets everything. */
export function boxOf(label: string, value: unknown, whole = ''): Html {
  // The indentation of a deep value would be much longer than the value.
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, isDeeper(value, 20) ? 0 : 2);
  const note = html`<p class="note">This is the start.${whole && html` For all, run <code>${whole}</code>.`}</p>`;
  return html`<figure><figcaption>${label} <button class="copy">Copy</button></figcaption>
<pre tabindex="0" aria-label="${label}">${shortened(text, LENGTHS.text)}</pre>${text.length > LENGTHS.text && note}</figure>`;
}

const signs = {
  true: ['good', '✔', 'succeeded'],
  false: ['bad', '✘', 'failed'],
  undefined: ['other', '○', 'no outcome'],
};

/** A word with a sign, because color alone says nothing to some people. */
export function outcomeOf(isGood: boolean | undefined, word?: string): Html {
  const [name = '', sign, usual] = signs[`${isGood}`];
  return html`<span class="${name}">${sign} ${word ?? usual}</span>`;
}
