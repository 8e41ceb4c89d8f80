/** Finds the reason for a failure in the body of an error response, whatever its structure. */
import { attempt } from '../caught.ts';
import { isRecord } from '../json-object.ts';
import { isSecretName, redactUrl, redactValue } from './redact.ts';

/** The maximum number of characters of a reason to show. The details of the error contain the whole body. */
const longest = 500;

const lines = 3;

/** The maximum depth to which lists and objects are searched. */
const deepest = 5;

/** The fields that may contain a reason, in order of preference. `detail` and `title` are from RFC 9457. */
const fields = ['message', 'error_description', 'error', 'detail', 'title', 'msg', 'code'];

/** Returns a line for the error message, if the body has a reason, in linear time: 1 MiB may contain anything. */
export function reasonIn(body: unknown): string | undefined {
  const found = typeof body === 'string' ? reasonOfText(body) : (reasonOf(body, deepest) ?? asJson(body));
  return found === undefined ? undefined : redactUrl(shortened(found));
}

/** Formats a body of unknown structure as JSON, with secrets masked. */
function asJson(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) return undefined;
  const plain = (_: string, one: unknown) => (typeof one === 'bigint' ? String(one) : one);
  // A body that is nested too deeply gives no reason.
  return attempt(() => JSON.stringify(redactValue(body), plain)?.slice(0, longest + 1), undefined);
}

function reasonOf(value: unknown, levels: number): string | undefined {
  // Keep one extra character, so that `shortened` sees that the reason was longer.
  if (typeof value === 'string') return oneLine(value).slice(0, longest + 1) || undefined;
  if (levels === 0) return undefined;
  if (Array.isArray(value)) return joined(value, (one) => reasonOfItem(one, levels - 1));
  if (!isRecord(value)) return undefined;
  let main: string | undefined;
  for (const field of fields) {
    main = reasonOf(value[field], levels - 1);
    if (main !== undefined) break;
  }
  const more = reasonOfEach(value.errors, levels - 1);
  if (main === undefined || more === undefined) return main ?? more;
  return main.includes(more) ? main : `${main}: ${more}`;
}

/** The fields of a list item that name the subject of its reason. `loc` is a path in the form of a list. */
const subjects = ['field', 'loc', 'param', 'pointer', 'property'];

function reasonOfItem(item: unknown, levels: number): string | undefined {
  const reason = reasonOf(item, levels);
  if (reason === undefined || !isRecord(item)) return reason;
  const found = subjects.map((name) => item[name]).find((one) => typeof one === 'string' || Array.isArray(one));
  const names = (Array.isArray(found) ? found : [found]).filter((one) => ['string', 'number'].includes(typeof one));
  return about(names.slice(0, deepest).join('.').slice(0, longest), reason);
}

function about(name: string, reason: string): string {
  const said = isSecretName(name) ? '***' : reason;
  return name === '' ? said : `${oneLine(name)}: ${said}`;
}

/** Returns the reasons in `errors`, which is a list, or an object that maps each subject to its reasons. */
function reasonOfEach(errors: unknown, levels: number): string | undefined {
  if (!isRecord(errors)) return reasonOf(errors, levels);
  return joined(Object.entries(errors), ([name, one]) => {
    const isMap = isRecord(one) && levels > 0;
    const reason = reasonOf(one, levels - 1) ?? (isMap ? reasonOfEach(one, levels - 1) : undefined);
    return reason && about(name, reason);
  });
}

/** Joins the reasons in a list. Stops as soon as they are longer than what is shown. */
function joined<T>(items: readonly T[], read: (item: T) => string | undefined): string | undefined {
  let all = '';
  for (const item of items) {
    const found = read(item);
    if (found) all += all === '' ? found : `; ${found}`;
    if (all.length > longest) break;
  }
  return all || undefined;
}

function reasonOfText(body: string): string | undefined {
  // Binary data gives no reason.
  if (body.includes('\0')) return undefined;
  const text = withoutSecretFields(body.trim());
  const isMarkup = text.startsWith('<') && /^<!|<\/|\/>/.test(text);
  return oneLine(isMarkup ? withoutMarkup(text) : firstLines(text)) || undefined;
}

/** Masks the secret fields of JSON that cannot be parsed, for example because it is incomplete. */
const withoutSecretFields = (text: string): string =>
  text.replace(/"([^"\\]{1,100})"(\s{0,10}:\s{0,10})"[^"]*/g, (field, name: string, colon: string) =>
    isSecretName(name) ? `"${name}"${colon}"***` : field,
  );

function firstLines(text: string): string {
  // This limit is high enough even if the lines are mostly white space.
  const head = text.slice(0, 20 * longest).split(/[\r\n]+/);
  return head
    .filter((line) => line.trim() !== '')
    .slice(0, lines)
    .join(' ');
}

const unread = ['script', 'style'];

/** Returns the title of an HTML page, or its text if it has no title. */
function withoutMarkup(html: string): string {
  const texts: string[] = [];
  let element = '';
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    const text = html.slice(at, open < 0 ? html.length : open);
    if (element === 'title' && text.trim() !== '') return withCharacters(text);
    if (!unread.includes(element)) texts.push(text);
    if (open < 0) break;
    const end = html.startsWith('<!--', open) ? '-->' : '>';
    const close = html.indexOf(end, open);
    if (close < 0) break;
    at = close + end.length;
    // Inside a script, ignore all tags except its end tag.
    const name = /^\/?[a-z]+/i.exec(html.slice(open + 1, open + 10))?.[0].toLowerCase() ?? '';
    if (!unread.includes(element) || name === `/${element}`) element = name;
  }
  return withCharacters(texts.join(' '));
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Decodes entities such as `&amp;`. Unknown entities stay unchanged. */
const withCharacters = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? entity;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : entity;
  });

const oneLine = (text: string): string => text.replace(/[ \t\r\n]+/g, ' ').trim();

/** Shortens a reason, if possible between words, because a part of a secret would not be recognized as a secret. */
function shortened(text: string): string {
  if (text.length <= longest) return text;
  const head = text.slice(0, longest);
  const space = head.lastIndexOf(' ');
  const end = space > longest / 2 ? space : longest;
  return `${head.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`;
}
