/** The views of requests: the newest ones, and one of them with the commands that would send it again. */
import { Refusal } from '../handler.ts';
import { fieldsOf } from '../http/fields.ts';
import { Html, html, LENGTHS, shortened } from './html.ts';
import { boxOf, detailView, linkTo, listView, outcomeOf, type PageView, ROOT, timeElement } from './layout.ts';
import { fieldText, parsed, type Reading, type Showing } from './reading.ts';
import type { KeptBody, KeptRequest } from './request-log.ts';

/** Why a request failed. Undefined if it did not fail. */
export function failureReason({ response }: KeptRequest): string | undefined {
  if (!response || response.status < 400) return undefined;
  const error = fieldsOf(response.body.bytes && parsed(response.body.bytes));
  return shortened(fieldText(error, 'message') ?? `status ${response.status}`, 200);
}

const statusOf = ({ response }: KeptRequest): Html =>
  outcomeOf(response && response.status < 400, response ? String(response.status) : 'no response');

const timeOf = ({ response }: KeptRequest): string | undefined => response && `${Math.round(response.ms)}\u00a0ms`;

/** Returns a function that masks the code in the path of a request, if everyone who knows it needs no credential. */
const hiderOf =
  ({ path }: KeptRequest, showing: Showing) =>
  (text: string): string =>
    text.replaceAll(path, () => showing.url(path));

export function requestsView({ log, viewer, showing }: Reading): PageView {
  const rows = log.visibleTo(viewer).map((one) => {
    const link = linkTo(['requests', String(one.number)], `${one.method} ${shortened(one.path, 80)}`);
    const what = new Html(hiderOf(one, showing)(html`${link} ${failureReason(one)}`.text));
    return [what, statusOf(one), timeElement(one.at), one.operation, timeOf(one)];
  });
  const lesser = ['Time', 'Operation', 'Took'];
  return listView(
    { label: 'Requests', columns: ['Request', 'Status'], lesser, rows, empty: 'No requests yet.' },
    html`The service keeps its newest 200 requests with a valid credential in memory. Its log has the others.
Commands with <code>--profile local</code> need no requests.`,
  );
}

export function requestView({ log, showing, viewer }: Reading, [number = '']: readonly string[]): PageView {
  const kept = log.visibleTo(viewer).find((one) => String(one.number) === number);
  if (!kept) throw new Refusal(404, 'this request is no longer in memory, or belongs to another workspace');
  const { method, url, headers, response, operation, body } = kept;
  const isJson = body.bytes && parsed(body.bytes) !== undefined;
  const commands = showing.commands({ method, url, headers, ...(isJson && { body: body.bytes }) });
  const partOf = (first: string, sent: KeptRequest['headers'], content: KeptBody) => {
    const lines = Object.entries(showing.headers(sent)).map(([name, value]) => `${name}: ${value}`);
    return html`${boxOf('Headers', [first, ...lines].join('\n'))}
${bodyBox(content, sent['content-type'], showing)}`;
  };
  const hide = hiderOf(kept, showing);
  const { title, content } = detailView(
    `${method} ${shortened(kept.path, 120)}`,
    {
      ...{ Status: statusOf(kept), Reason: failureReason(kept), Time: timeElement(kept.at) },
      ...{ Operation: operation, Took: timeOf(kept) },
    },
    html`${commands.map(({ name, line }) => line.length <= LENGTHS.text && boxOf(`Send it again with ${name}`, line))}
<h2>Request</h2>
${partOf(`${method} ${showing.url(url)}`, headers, body)}
${response && html`<h2>Response</h2>\n${partOf(String(response.status), response.headers, response.body)}`}
<p><a href="${ROOT}requests">All requests</a></p>`,
  );
  return { title: hide(title), content: new Html(hide(content.text)) };
}

/** JSON without its secrets. Nobody knows where the secrets of other content are, so only its size is shown. */
function bodyBox({ bytes, size }: KeptBody, type = 'no type', showing: Showing): Html | undefined {
  if (size === 0) return undefined;
  const value = bytes && parsed(bytes);
  if (value === undefined)
    return html`<p>Body: ${showing.size(size)}, ${shortened(type)}${!bytes && ', too large to keep'}</p>`;
  return boxOf(`Body, ${showing.size(size)}`, showing.body(value));
}
