/** The embedded service with its page on a socket, and a browser that is only a cookie. */
import { showingOf } from '../../src/commands/service/page-showing.ts';
import { readAll, type Send } from '../../src/request/http.ts';
import { createPage, isOfPage } from '../../src/service/page/page.ts';
import { type Answer, requestTo, served } from './embedded-service.ts';

/** The name and value of the cookie that an answer sets. */
export const cookieIn = ({ headers }: Answer): string => String(headers['set-cookie']).split(';')[0] ?? '';

/** The tests cause no fault in dtp itself. */
export const fail = (fault: string): never => {
  throw new Error(fault);
};

/** A request as the service got it. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string;
}

export async function servedPage(file?: string, received: Received[] = []) {
  const pages: ReturnType<typeof createPage>[] = [];
  const service = await served(file, ({ store, now, send, key }) => {
    const page = createPage({ store, now, send, showing: showingOf(key), report: fail });
    pages.push(page);
    const recording: Send = async (request, options) => {
      const { method, url, body } = request;
      const bytes = body && ('byteLength' in body ? body : await readAll(body.open(), 1e7));
      const { pathname, search } = new URL(url);
      received.push({ method, path: pathname + search, body: Buffer.from(bytes ?? []).toString() });
      return send({ ...request, ...(bytes && { body: bytes }) }, options);
    };
    return { send: page.over(recording), isForPages: isOfPage };
  });
  const { address, plain, key } = service;
  const [page] = pages;
  if (!page) throw new Error('there is no page');
  const logIn = (text = key, to = '') =>
    plain('POST', `/-/login?${new URLSearchParams({ to })}`, { body: new URLSearchParams({ key: text }).toString() });
  const cookie = cookieIn(await logIn());
  const end = () => {
    page.close();
    return service.end();
  };
  return {
    ...service,
    cookie,
    logIn,
    link: (url?: string) => page.link(key, address, url).slice(address.length),
    /** Requests a path as the browser that is logged in. */
    see: (path: string, method = 'GET') => plain(method, path, { headers: { cookie } }),
    end,
    close: async () => void (await end()),
  };
}

export type ServedPage = Awaited<ReturnType<typeof servedPage>>;

/** Opens a stream of a view. `until` resolves with all its text so far when that contains some words, or at its end. */
export function openStream(address: string, view: string, cookie: string) {
  let text = '';
  const gone = new AbortController();
  const status = new Promise<number>((opened, failed) => {
    const url = new URL(`/-/live?view=${encodeURIComponent(view)}`, address);
    requestTo(url, { headers: { cookie }, signal: gone.signal }, (response) => {
      opened(response.statusCode ?? 0);
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', () => undefined);
      response.on('close', () => gone.abort());
    })
      .on('error', failed)
      .end();
  });
  status.catch(() => undefined);
  const until = async (words: string) => {
    while (!text.includes(words) && !gone.signal.aborted) await new Promise((done) => setTimeout(done, 20));
    return text;
  };
  return { status, until, text: () => text, close: () => gone.abort() };
}
