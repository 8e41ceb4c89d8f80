/** The page of the embedded service: who may see it, and which view a path has. */

import { fieldsOf } from '../../json-object.ts';
import { type HttpRequest, type HttpResponse, readAll, type Send } from '../../request/http.ts';
import type { Store } from '../data/store.ts';
import { Refusal, type Reply } from '../handler.ts';
import { splitUrl, type UrlParts } from '../http/router.ts';
import { icon, script, style } from './assets.ts';
import { MinuteCounts } from './chart.ts';
import { eventsView, eventView } from './events.ts';
import { html } from './html.ts';
import { documentOf, factsOf, type PageView, pageReply, ROOT, redirect } from './layout.ts';
import { Live } from './live.ts';
import { fieldText, getterOf, jsonOf, type Reading, type Showing } from './reading.ts';
import { namespaceView, registryView, revisionView } from './registry.ts';
import { reportContent, reportsView, reportView } from './reports.ts';
import { RequestLog } from './request-log.ts';
import { requestsView, requestView } from './requests.ts';
import { runsView, runView } from './runs.ts';
import { type PageScope, Sessions, type Viewer } from './sessions.ts';

export interface PageOptions {
  readonly store: Store;
  readonly now: () => Date;
  /** The service itself, without injected faults. The page reads it in the name of the viewer. */
  readonly send: Send;
  readonly showing: Showing;
}

export interface Page {
  /** Answers the paths of the page, and passes other requests to `send`, which it keeps for the view of requests. */
  readonly over: (send: Send) => Send;
  /** Returns a URL that logs in once, within a minute, and leads to what `url` names: a run, a report, or the page. */
  readonly link: (key: string, base: string, url?: string) => string;
  /** Ends the streams, so that the server can close. */
  readonly close: () => void;
}

/** Whether a path belongs to the page. Requests from the page itself are allowed only there. */
export const isOfPage = (path: string): boolean => path === '/' || path.startsWith(ROOT);

const FORM_LIMIT = 4096;

const assets: Readonly<Record<string, readonly [type: string, text: string]>> = {
  'style.css': ['text/css; charset=utf-8', style],
  'script.js': ['text/javascript; charset=utf-8', script],
  'icon.svg': ['image/svg+xml', icon],
};

export function createPage({ store, now, send: service, showing }: PageOptions): Page {
  const sessions = new Sessions();
  const log = new RequestLog();
  const live = new Live(store);
  const counts = new Map<string, MinuteCounts>();
  log.onChange = live.note;

  const readingOf = (viewer: Viewer, scope: PageScope, signal: AbortSignal): Reading => {
    const { workspaceId } = viewer.caller;
    const known = counts.get(workspaceId) ?? new MinuteCounts();
    counts.set(workspaceId, known);
    return { viewer, scope, log, counts: known, showing, get: getterOf(service, viewer, scope, signal) };
  };

  const answer = async (request: HttpRequest, target: UrlParts, signal: AbortSignal): Promise<Reply> => {
    const scope: PageScope = { store, now, base: target.base };
    const place = target.path.slice(ROOT.length);
    const { method, headers } = request;
    const cookies = headers.cookie ?? '';
    const query = new URLSearchParams(target.query);
    if (place === 'login' && method === 'POST')
      return logIn(sessions, (await formOf(request)).get('key') ?? '', { to: query.get('to') ?? '', scope });
    if (place === 'logout' && method === 'POST') return redirect('login', sessions.end(cookies, scope));
    if (method !== 'GET' && method !== 'HEAD') throw new Refusal(405, 'the page can only be read');
    if (target.path === '/') return redirect('');
    const asset = assets[place];
    if (asset) return pageReply(200, ...asset);
    if (place.startsWith('open/') && method === 'GET') return openLink(sessions, place.slice('open/'.length), scope);
    const viewer = sessions.viewerOf(cookies, scope);
    if (!viewer)
      return place === 'live'
        ? pageReply(401, 'text/plain', '')
        : loginPage(place === 'login' ? '' : `${place}${target.query && `?${target.query}`}`);
    if (place === 'login') return redirect('');
    const reading = readingOf(viewer, scope, signal);
    if (place === 'live') return live.stream(() => drawn(reading, query.get('view') ?? ''), signal);
    const [, type = '', checksum = ''] = /^reports\/([^/]+)\/([^/]+)\/content$/.exec(place) ?? [];
    if (type !== '') return reportContent(reading, decoded(type), decoded(checksum));
    const view = await viewOf(reading, place, query);
    return documentOf(view, `${place}${target.query && `?${target.query}`}`);
  };

  const link: Page['link'] = (key, base, url = '') =>
    `${base}${ROOT}open/${sessions.makeLink(key, placeOf(url), { store, now })}`;

  return {
    close: live.close,
    link,
    over: (send) => {
      const watched = log.watch(send, now);
      return async (request, options) => {
        const target = splitUrl(request.url);
        if (isRunForBrowser(request, target)) return runDocument(await watched(request, options));
        if (!isOfPage(target.path)) return watched(request, options);
        const reply = await answer(request, target, options.signal).catch(refusalReply);
        return responseOf(reply, request.method === 'HEAD');
      };
    },
  };
}

/** The content of a live view, from its path and query. */
async function drawn(reading: Reading, path: string) {
  const { path: place, query } = splitUrl(`local:/${path}`);
  const { content, isUnfinished } = await viewOf(reading, place.slice(1), new URLSearchParams(query));
  return { text: content.text, isComplete: !isUnfinished };
}

function logIn(sessions: Sessions, key: string, { to, scope }: { readonly to: string; readonly scope: PageScope }) {
  if (sessions.viewerWith(key.trim(), scope)) return redirect(placeIn(to), sessions.start(key.trim(), scope));
  return loginPage(to, 'This API key is wrong, or it was deleted.');
}

function openLink(sessions: Sessions, id: string, scope: PageScope): Reply {
  const found = sessions.follow(id, scope);
  if (!found) return loginPage('', 'This link was used already, or is older than a minute.');
  return redirect(found.to, sessions.start(found.key, scope));
}

/** Whether a browser opens the URL of a run. Everyone who knows this URL may see the run. */
const isRunForBrowser = ({ method, headers }: HttpRequest, { path }: UrlParts): boolean =>
  method === 'GET' && path.startsWith('/runs/') && (headers.accept ?? '').includes('text/html');

/** The fields of a run for people. A refusal stays as it is. */
async function runDocument(response: HttpResponse): Promise<HttpResponse> {
  if (response.status !== 200) return response;
  const run = fieldsOf(await jsonOf(response));
  const id = splitUrl(String(run.run_url)).path.split('/')[2];
  const facts = Object.keys(run).map((name) => [name, fieldText(run, name)] as const);
  const more = id !== undefined && html`<p><a href="${ROOT}runs/${encodeURIComponent(id)}">Its events</a></p>`;
  return responseOf(documentOf({ title: 'Run', content: html`${factsOf(facts)}${more}` }, undefined), false);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, 'invalid percent-encoding in the path');
  }
}

type Draw = (reading: Reading, names: readonly string[], query: URLSearchParams) => PageView | Promise<PageView>;

/** The views by their paths below ROOT. The groups are names, which are decoded. */
const views: readonly (readonly [path: RegExp, draw: Draw])[] = [
  [/^$/, (reading, _, query) => eventsView(reading, query)],
  [/^events\/([^/]+)$/, (reading, [id = '']) => eventView(reading, id)],
  [/^runs$/, runsView],
  [/^runs\/([^/]+)$/, (reading, [id = '']) => runView(reading, id)],
  [/^reports$/, reportsView],
  [/^reports\/([^/]+)\/([^/]+)$/, (reading, [type = '', checksum = '']) => reportView(reading, type, checksum)],
  [/^registry$/, registryView],
  [/^registry\/([^/]+)$/, (reading, [namespace = '']) => namespaceView(reading, namespace)],
  [/^registry\/([^/]+)\/([^/]+)$/, (reading, [name = '', digest = '']) => revisionView(reading, name, digest)],
  [/^requests$/, requestsView],
  [/^requests\/(\d{1,15})$/, (reading, [number = '']) => requestView(reading, Number(number))],
];

/** Returns the view of a path below ROOT. Throws Refusal if nothing has this path. */
async function viewOf(reading: Reading, place: string, query: URLSearchParams): Promise<PageView> {
  for (const [path, draw] of views) {
    const found = path.exec(place);
    if (found) return draw(reading, found.slice(1).map(decoded), query);
  }
  throw new Refusal(404, 'the page has no such view');
}

/** Returns the place of the page that shows what a URL of the service names. */
function placeOf(url: string): string {
  const { path } = splitUrl(url);
  const [, section = '', ...names] = path.split('/');
  const isShown = (section === 'runs' && names.length === 1) || (section === 'reports' && names.length === 2);
  return isShown ? [section, ...names].join('/') : '';
}

/** A place of the page that a form names. Anything else leads to the first view. */
const placeIn = (text: string): string => (/^[\w./%?=&+:@-]*$/.test(text) && !text.startsWith('/') ? text : '');

async function formOf({ body }: HttpRequest): Promise<URLSearchParams> {
  if (!body) return new URLSearchParams();
  const bytes = 'byteLength' in body ? body : await readAll(body.open(), FORM_LIMIT);
  if (!bytes) throw new Refusal(413, 'the form is too large');
  return new URLSearchParams(Buffer.from(bytes).toString());
}

function loginPage(to: string, fault?: string): Reply {
  const content = html`${fault !== undefined && html`<p role="alert" class="bad">${fault}</p>`}
<form method="post" action="${ROOT}login?${new URLSearchParams({ to }).toString()}" class="filters">
<label>API key <input type="password" name="key" required autocomplete="off" autofocus></label>
<button>Log in</button>
</form>
<p class="note"><code>dtp serve</code> prints the key when it starts. <code>dtp serve --open</code> opens this page logged in.</p>`;
  return documentOf({ title: 'Log in', content }, undefined);
}

/** A page for a failure. */
function refusalReply(error: unknown): Reply {
  const { status, message } = error instanceof Refusal ? error : { status: 500, message: 'internal error' };
  const content = html`<p>${message}</p><p><a href="${ROOT}">All events</a></p>`;
  return documentOf({ title: status === 404 ? 'Not found' : 'Failed', content }, '', status);
}

function responseOf({ status, headers, body }: Reply, isHead: boolean): HttpResponse {
  if (!(body instanceof Uint8Array)) return { status, headers, body };
  return {
    status,
    headers: { ...headers, 'content-length': String(body.byteLength) },
    body: (async function* () {
      if (!isHead && body.byteLength > 0) yield body;
    })(),
  };
}
