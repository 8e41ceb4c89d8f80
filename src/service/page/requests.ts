/** The views of requests: the newest ones, and one of them with the commands that would send it again. */
import { fieldsOf } from '../../json-object.ts';
import { Refusal } from '../handler.ts';
import { type Html, html, shortened } from './html.ts';
import { boxOf, factsOf, linkTo, outcomeOf, type PageView, ROOT, sizeWords, tableOf, timeElement } from './layout.ts';
import { parsed, type Reading, type Showing } from './reading.ts';
import type { KeptBody, KeptRequest } from './request-log.ts';

/**
 * A viewer sees the requests that the own credential could have sent, and without their bodies, those that were refused
 * because of their credential. A URL that needs no credential is a secret itself.
 */
function isVisible({ owner, response }: KeptRequest, { viewer }: Reading): boolean {
  if (!owner) return response?.status === 401;
  const { workspaceId, userId, reach } = viewer.caller;
  const isWithin = !reach || owner.reach?.every((id) => reach.includes(id));
  return owner.workspaceId === workspaceId && owner.userId === userId && isWithin === true;
}

/** The requests that the viewer may see, the newest first. */
export const visibleRequests = (reading: Reading): readonly KeptRequest[] =>
  reading.log.all.filter((one) => isVisible(one, reading));

/** Why a request failed. Undefined if it did not fail. */
export function refusalReason({ response }: KeptRequest): string | undefined {
  if (!response || response.status < 400) return undefined;
  const message = fieldsOf(response.body.bytes && parsed(response.body.bytes)).message;
  return shortened(typeof message === 'string' ? message : `status ${response.status}`, 200);
}

const outcomeOfRequest = ({ response }: KeptRequest): Html =>
  outcomeOf(response && response.status < 400, response ? String(response.status) : 'no response');

export function requestsView(reading: Reading): PageView {
  const rows = visibleRequests(reading).map((one) => [
    html`${linkTo(['requests', String(one.number)], `${one.method} ${shortened(one.path, 80)}`)} ${refusalReason(one)}`,
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
  const { method, url, headers, owner, response, operation } = kept;
  const bytes = owner && kept.body.bytes;
  const commands = showing.commands({ method, url, headers, ...(bytes && { body: bytes }) });
  const bodyOf = (body: KeptBody, type = 'no type') =>
    owner
      ? bodyBox(body, type, showing)
      : html`<p>The body is not shown, because the request has no valid credential.</p>`;
  const content = html`${factsOf([
    ['Status', outcomeOfRequest(kept)],
    ['Reason', refusalReason(kept)],
    ['Time', timeElement(kept.at)],
    ['Operation', operation],
    ['Took', response && `${Math.round(response.ms)} ms`],
  ])}
${commands.map(({ name, line }) => boxOf(`Send it again with ${name}`, line))}
<h2>Request</h2>
${boxOf('Headers', [`${method} ${showing.url(url)}`, ...linesOf(headers, showing)].join('\n'))}
${bodyOf(kept.body, headers['content-type'])}
${
  response &&
  html`<h2>Response</h2>
${boxOf('Headers', [String(response.status), ...linesOf(response.headers, showing)].join('\n'))}
${bodyOf(response.body, response.headers['content-type'])}`
}
<p><a href="${ROOT}requests">All requests</a></p>`;
  return { title: `${method} ${shortened(kept.path, 120)}`, content };
}

const linesOf = (headers: KeptRequest['headers'], showing: Showing): readonly string[] =>
  Object.entries(showing.headers(headers)).map(([name, value]) => `${name}: ${value}`);

/** JSON without its secrets. Nobody knows where the secrets of other content are, so only its size is shown. */
function bodyBox({ bytes, size }: KeptBody, type: string, showing: Showing): Html | undefined {
  if (size === 0) return undefined;
  const value = bytes && parsed(bytes);
  if (value === undefined) return html`<p>Body: ${sizeWords(size)}, ${type}${!bytes && ', too large to keep'}</p>`;
  return boxOf(`Body, ${sizeWords(size)}`, JSON.stringify(showing.body(value), undefined, 2));
}
