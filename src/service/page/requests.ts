/** The views of requests: the newest ones, and one of them with the commands that would send it again. */
import { fieldsOf } from '../../json-object.ts';
import { Refusal } from '../handler.ts';
import { callerOf, credentialsOf } from '../tenancy/credentials.ts';
import { type Html, html, shortened } from './html.ts';
import { boxOf, factsOf, linkTo, outcomeOf, type PageView, ROOT, sizeWords, tableOf, timeElement } from './layout.ts';
import { parsed, type Reading, type Showing, type ShownCall } from './reading.ts';
import type { KeptBody, KeptRequest } from './request-log.ts';

/** A viewer sees the requests of the own workspace, and those that nobody owns because their credential is wrong. */
function isVisible({ headers }: KeptRequest, { scope, viewer }: Reading): boolean {
  const caller = callerOf(credentialsOf(headers), scope);
  return caller === undefined || caller.workspaceId === viewer.caller.workspaceId;
}

/** The requests that the viewer may see, the newest first. */
export const visibleRequests = (reading: Reading): readonly KeptRequest[] =>
  reading.log.all.filter((one) => isVisible(one, reading));

/** Why a request failed. Undefined if it did not fail. */
export function refusalReason({ response }: KeptRequest, showing: Showing): string | undefined {
  if (!response || response.status < 400) return undefined;
  const message = fieldsOf(response.body.bytes && parsed(response.body.bytes)).message;
  return shortened(showing.text(typeof message === 'string' ? message : `status ${response.status}`), 200);
}

const outcomeOfRequest = ({ response }: KeptRequest): Html =>
  outcomeOf(response && response.status < 400, response ? String(response.status) : 'no response');

export function requestsView(reading: Reading): PageView {
  const { showing } = reading;
  const rows = visibleRequests(reading).map((one) => [
    html`${linkTo(['requests', String(one.number)], `${one.method} ${shortened(showing.text(one.path), 80)}`)} ${refusalReason(one, showing)}`,
    outcomeOfRequest(one),
    timeElement(one.at),
    one.operation ?? '',
    one.response ? `${Math.round(one.response.ms)}\u00a0ms` : '',
  ]);
  return {
    title: 'Requests',
    isLive: true,
    content: html`${tableOf(
      'Requests',
      { columns: ['Request', 'Status'], lesser: ['Time', 'Operation', 'Took'] },
      rows,
      'No requests yet.',
    )}
<p class="note">The service keeps its newest 200 requests in memory. Commands with <code>--profile local</code> need no requests.</p>`,
  };
}

export function requestView(reading: Reading, number: number): PageView {
  const { log, showing } = reading;
  const kept = log.find(number);
  if (!kept || !isVisible(kept, reading))
    throw new Refusal(404, 'this request is no longer in memory, or belongs to another workspace');
  const { method, url, headers, response, operation } = kept;
  const commands = showing.commands(callOf(kept));
  const content = html`${factsOf([
    ['Status', outcomeOfRequest(kept)],
    ['Reason', refusalReason(kept, showing)],
    ['Time', timeElement(kept.at)],
    ['Operation', operation],
    ['Took', response && `${Math.round(response.ms)} ms`],
  ])}
${commands.map(({ name, line }) => boxOf(`Send it again with ${name}`, showing.text(line)))}
<h2>Request</h2>
${boxOf('Headers', [`${method} ${showing.text(showing.url(url))}`, ...linesOf(headers, showing)].join('\n'))}
${bodyOf(kept.body, headers, showing)}
${
  response &&
  html`<h2>Response</h2>
${boxOf('Headers', [String(response.status), ...linesOf(response.headers, showing)].join('\n'))}
${bodyOf(response.body, response.headers, showing)}`
}
<p><a href="${ROOT}requests">All requests</a></p>`;
  return { title: `${method} ${shortened(showing.text(kept.path), 120)}`, content };
}

const linesOf = (headers: KeptRequest['headers'], showing: Showing): readonly string[] =>
  Object.entries(showing.headers(headers)).map(([name, value]) => `${name}: ${showing.text(value)}`);

function callOf({ method, url, headers, body }: KeptRequest): ShownCall {
  const value = body.bytes && parsed(body.bytes);
  return { method, url, headers, body: value, hasOtherBody: body.size > 0 && value === undefined };
}

/** JSON without its secrets. Nobody knows where the secrets of other content are, so only its size is shown. */
function bodyOf({ bytes, size }: KeptBody, headers: KeptRequest['headers'], showing: Showing): Html | undefined {
  if (size === 0) return undefined;
  const value = bytes && parsed(bytes);
  const type = headers['content-type'] ?? 'no type';
  if (value === undefined) return html`<p>Body: ${sizeWords(size)}, ${type}${!bytes && ', too large to keep'}</p>`;
  return boxOf(`Body, ${sizeWords(size)}`, showing.text(JSON.stringify(showing.body(value), undefined, 2)));
}
