/** The page of the embedded service: who may see it, and which view a path has. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpRequest, type HttpResponse, readAll, type Send } from '../../request/http.ts';
import type { Store } from '../data/store.ts';
import { headOf, Refusal, type Reply, replyWith, responseOf } from '../handler.ts';
import { decode, MethodRefusal, splitUrl, type UrlParts } from '../http/router.ts';
import { type Report, refusalFor } from '../refusal.ts';
import { icon, script, style } from './assets.ts';
import { eventsView, eventView } from './events.ts';
import { Html, html } from './html.ts';
import { detailView, documentOf, type PageView, pageReply, ROOT, redirect, secureHeaders } from './layout.ts';
import { fieldText, getterOf, type Reading, readRecord, type Showing } from './reading.ts';
import { namespaceView, registryView, revisionView } from './registry.ts';
import { reportContent, reportsView, reportView } from './reports.ts';
import { openRequestLog, type RequestLog } from './request-log.ts';
import { requestsView, requestView } from './requests.ts';
import { runsView, runView } from './runs.ts';
import { type PageScope, Sessions, type Viewer, viewerWith } from './sessions.ts';

export interface PageOptions {
  readonly store: Store;
  readonly now: () => Date;
  /** The service itself, without injected faults. The page reads it in the name of the viewer. */
  readonly send: Send;
  readonly showing: Showing;
  readonly report: Report;
}

/** Whether a path belongs to the page. Requests from the page itself are allowed only there. */
export const isOfPage = (path: string): boolean => path === '/' || path.startsWith(ROOT);

const FORM_LIMIT = 4096;

const assets: ReadonlyMap<string, readonly [type: string, text: string]> = new Map([
  ['style.css', ['text/css; charset=utf-8', style]],
  ['script.js', ['text/javascript; charset=utf-8', script]],
  ['icon.svg', ['image/svg+xml', icon]],
]);

interface PageState extends PageOptions {
  readonly sessions: Sessions;
  readonly log: RequestLog;
  readonly live: ReturnType<typeof openStreams>;
}

export function createPage(options: PageOptions) {
  const [sessions, live] = [new Sessions(), openStreams(options.store)];
  const log = openRequestLog(live.note);
  return {
    /** Ends the streams, so that the server can close. */
    close: live.close,
    /** Returns a URL that logs in once, within a minute, and leads to what `url` names: a run, a report, or the page. */
    link: (key: string, base: string, url = '') =>
      `${base}${ROOT}open/${sessions.add('link', key, options, placeOf(url))}`,
    /** Answers the paths of the page. Passes other requests to `send`, and records them for the view of requests. */
    over: (send: Send, isForKeys?: boolean): Send => {
      const watched = log.watch(send, options, isForKeys);
      return async (request, sending) => {
        const target = splitUrl(request.url);
        if (isRunForBrowser(request, target)) return runDocument(await watched(request, sending));
        if (!isOfPage(target.path)) return watched(request, sending);
        const reply = await answer({ ...options, sessions, log, live }, request, sending.signal).catch((error) =>
          refusalReply(refusalFor(error, options.report)),
        );
        return responseOf(request.method === 'HEAD' ? headOf(reply) : reply);
      };
    },
  };
}

/** Answers what needs no log-in: forms, links and assets. */
async function answer(state: PageState, request: HttpRequest, signal: AbortSignal): Promise<Reply> {
  const { method, headers, url } = request;
  const { base, path, query } = splitUrl(url);
  const { store, now, sessions } = state;
  const scope: PageScope = { store, now, base };
  const place = path.slice(ROOT.length);
  const { cookie = '' } = headers;
  if (place === 'login' && method === 'POST') return logIn(sessions, request, scope);
  if (place === 'logout' && method === 'POST') return redirect('login', sessions.end(cookie, scope));
  if (method !== 'GET' && method !== 'HEAD') throw new MethodRefusal(path, ['GET', 'HEAD']);
  if (path === '/') return redirect('');
  const asset = assets.get(place);
  if (asset) return pageReply(200, ...asset);
  if (place.startsWith('open/') && method === 'GET') return openLink(sessions, place.slice('open/'.length), scope);
  const viewer = sessions.viewerOf(cookie, scope);
  if (place === 'login') return viewer ? redirect('') : loginPage('');
  const view = place + (query && `?${query}`);
  if (!viewer) return place === 'live' ? pageReply(401, 'text/plain', '') : loginPage(view);
  const reading: Reading = { ...state, viewer, scope, get: getterOf(state.send, viewer, scope, signal) };
  if (place !== 'live') return viewReply(reading, view);
  const draw = async () => {
    if (!sessions.viewerOf(cookie, scope)) throw new Refusal(401, 'nobody is logged in');
    return (await viewOf(reading, new URLSearchParams(query).get('view') ?? '')).content.text;
  };
  return state.live.stream(viewer, draw, signal);
}

async function logIn(sessions: Sessions, request: HttpRequest, scope: PageScope): Promise<Reply> {
  const key = (await formOf(request)).get('key')?.trim() ?? '';
  const to = new URLSearchParams(splitUrl(request.url).query).get('to') ?? '';
  if (viewerWith(key, scope)) return redirect(placeIn(to), sessions.start(key, scope));
  return loginPage(to, 'This API key is wrong, or it was deleted.');
}

function openLink(sessions: Sessions, id: string, scope: PageScope): Reply {
  const link = sessions.follow(id, scope);
  if (!link) return loginPage('', 'This link was used already, or is older than a minute.');
  return redirect(link.to, sessions.start(link.key, scope));
}

/** Whether a browser opens the URL of a run. Everyone who knows this URL may see the run. */
const isRunForBrowser = ({ method, headers }: HttpRequest, { path }: UrlParts): boolean =>
  method === 'GET' && path.startsWith('/runs/') && (headers.accept ?? '').includes('text/html');

/** Shows the fields of a run as a document. A refusal stays unchanged. */
async function runDocument(response: HttpResponse): Promise<HttpResponse> {
  if (response.status !== 200) return response;
  const run = await readRecord(response);
  const id = splitUrl(String(run.run_url)).path.split('/')[2];
  const facts = Object.fromEntries(Object.keys(run).map((name) => [name, fieldText(run, name)]));
  const more = id !== undefined && html`<p><a href="${ROOT}runs/${encodeURIComponent(id)}">Its events</a></p>`;
  return responseOf(documentOf(detailView('Run', facts, more), undefined));
}

type Draw = (reading: Reading, names: readonly string[], query: URLSearchParams) => PageView | Promise<PageView>;

/** The views by their paths below ROOT. A star is a name, which is decoded. */
const views: ReadonlyMap<string, Draw> = new Map<string, Draw>([
  ['', eventsView],
  ['events/*', eventView],
  ['runs', runsView],
  ['runs/*', runView],
  ['reports', reportsView],
  ['reports/*/*', reportView],
  ['registry', registryView],
  ['registry/*', namespaceView],
  ['registry/*/*', revisionView],
  ['requests', requestsView],
  ['requests/*', requestView],
]);

/** The document of a view, or the content of a report, which is shown in a frame. */
async function viewReply(reading: Reading, path: string): Promise<Reply> {
  const [, type, checksum] = /^reports\/([^/]+)\/([^/]+)\/content$/.exec(path) ?? [];
  if (type !== undefined && checksum !== undefined) return reportContent(reading, decode(type), decode(checksum));
  return documentOf(await viewOf(reading, path), path);
}

/** Returns the view of a path below ROOT, with its query. Throws Refusal if nothing has this path. */
async function viewOf(reading: Reading, path: string): Promise<PageView> {
  const { path: place, query } = splitUrl(`local:${path}`);
  const [section = '', ...names] = place.split('/');
  const draw = views.get([section, ...names.map((name) => name && '*')].join('/'));
  if (!draw) throw new Refusal(404, 'the page has no such view');
  const view = await draw(reading, names.map(decode), new URLSearchParams(query));
  // An event or a request may contain a key, so mask the known keys in the whole view.
  const hide = (text: string) => reading.showing.text(text, reading.viewer.key);
  return { ...view, title: hide(view.title), content: new Html(hide(view.content.text)) };
}

/** Returns the place of the page that shows what a URL of the service names. */
const placeOf = (url: string): string => /^\/(runs\/[^/]+|reports\/[^/]+\/[^/]+)$/.exec(splitUrl(url).path)?.[1] ?? '';

/** Returns the path in a form, or '' (the first view) if it could lead away from the page. */
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
<p class="note"><code>dtp serve</code> prints the key when it starts.
<code>dtp serve --open</code> opens this page logged in.</p>`;
  return documentOf({ title: 'Log in', content }, undefined, fault === undefined ? 200 : 401);
}

function refusalReply(error: Refusal): Reply {
  const { status, message } = error;
  const content = html`<p>${message}</p><p><a href="${ROOT}">All events</a></p>`;
  const reply = documentOf({ title: status === 404 ? 'Not found' : 'Failed', content }, '', status);
  if (!(error instanceof MethodRefusal)) return reply;
  return { ...reply, headers: { ...reply.headers, allow: error.allow.join(', ') } };
}

/** Each stream sends at most one view in this time, however often something changes. */
const PERIOD_MS = 1000;

/** The number of periods between comments, which keep an idle connection open. */
const IDLE_PERIODS = 15;

/** The most open streams of one workspace, and of all. */
const STREAMS = { own: 20, all: 200 } as const;

/** Opens the streams of a server. */
function openStreams(store: Store) {
  const ended = new AbortController();
  let changes = 0;
  const owners: string[] = [];
  const messages = async function* (owner: string, draw: () => Promise<string>, ends: AbortSignal) {
    owners.push(owner);
    try {
      let [text, state] = ['', ''];
      yield Buffer.from('retry: 2000\n\n');
      for (let idle = 0; !ends.aborted; idle++) {
        const [before, seen] = [text, state];
        // The version changes when another process has changed the database.
        state = `${changes} ${store.get('PRAGMA data_version')?.data_version}`;
        if (state !== seen) text = await draw();
        if (text !== before) yield Buffer.from(`event: view\n${text.replace(/^/gm, 'data: ')}\n\n`);
        else if (idle % IDLE_PERIODS === 0) yield Buffer.from(': idle\n\n');
        await sleep(PERIOD_MS, undefined, { signal: ends }).catch(() => undefined);
      }
    } finally {
      owners.splice(owners.indexOf(owner), 1);
    }
  };
  return {
    /** Records that something has changed. */
    note: () => void changes++,
    close: () => ended.abort(),
    /** Returns a stream of a view. `draw` returns its HTML. Throws Refusal if too many streams are open. */
    stream: ({ caller: { workspaceId } }: Viewer, draw: () => Promise<string>, signal: AbortSignal): Reply => {
      const own = owners.filter((one) => one === workspaceId);
      if (own.length >= STREAMS.own || owners.length >= STREAMS.all)
        throw new Refusal(503, 'too many views are open. Close some of them');
      const body = messages(workspaceId, draw, AbortSignal.any([signal, ended.signal]));
      return replyWith(200, { ...secureHeaders, 'content-type': 'text/event-stream' }, body);
    },
  };
}
