/** Serves the embedded service over HTTP, on the loopback interface only. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpRequest, HttpResponse, Send } from '../../request/http.ts';
import { errorResponse } from '../handler.ts';

/** The time that `close` waits for running requests, in milliseconds. */
export const PATIENCE_MS = 2000;

export interface Listening {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  /** Stops accepting requests and waits for running requests. Resolves to false if some of them had to be aborted. */
  readonly close: (patienceMs?: number) => Promise<boolean>;
}

export interface ListenOptions {
  readonly port: number;
  /** Whether pages of this server may request a path. */
  readonly isForPages?: (path: string) => boolean;
}

export async function listen(handle: Send, { port, isForPages = () => false }: ListenOptions): Promise<Listening> {
  const underWay = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    const served = serve(handle, request, response, isForPages)
      // The client has disconnected, or an injected fault drops the connection.
      .catch(() => response.destroy())
      .finally(() => underWay.delete(served));
    underWay.add(served);
  });
  // There is no time limit, because an upload of several gigabytes takes long.
  server.requestTimeout = 0;
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
  return {
    address: `http://127.0.0.1:${bound.port}`,
    close: async (patienceMs = PATIENCE_MS) => {
      const closed = new Promise((done) => server.close(done));
      const ended = Promise.all(underWay).then(() => true);
      const isWhole = await Promise.race([ended, sleep(patienceMs, false, { ref: false })]);
      server.closeAllConnections();
      await closed;
      return isWhole;
    },
  };
}

async function serve(
  handle: Send,
  request: IncomingMessage,
  response: ServerResponse,
  isForPages: (path: string) => boolean,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const refused = refusal(request, isForPages);
  const { status, headers, body } = refused ?? (await handle(requestOf(request), { signal: gone.signal }));
  // Discards the unread rest of the request body. Otherwise a client that is still writing never reads the response.
  request.resume();
  response.writeHead(status, headers);
  await pipeline(Readable.from(body), response);
}

/**
 * Refuses requests from web pages, which can reach the loopback interface in two ways. The page's host name can resolve
 * to a loopback address, and then the Host header has that name. Or the page can call the loopback interface directly,
 * and then the browser sends Origin or, for a GET, Sec-Fetch-Site. The value `none` means that the user typed or opened
 * the URL. The pages of this server itself, which have the same origin, may request the paths that are meant for them.
 */
function refusal(
  { headers, rawHeaders, url = '' }: IncomingMessage,
  isForPages: (path: string) => boolean,
): HttpResponse | undefined {
  // Node uses the first of several Host headers, but a proxy may use another one (RFC 9112 §3.2).
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) return errorResponse(400, 'the request has more than one Host header');
  const host = (headers.host ?? '').replace(/:\d*$/, '');
  // A URL cannot have every port or number that a header can.
  if (!/^(localhost|\[::1\]|127(\.\d{1,3}){3})$/i.test(host) || !URL.canParse(`http://${headers.host}`))
    return errorResponse(403, 'the Host header must name the loopback address');
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  const isOwn = site === 'same-origin' && (origin === undefined || origin === `http://${headers.host}`);
  if ((origin !== undefined || site !== 'none') && !(isOwn && isForPages(url.split('?')[0] ?? '')))
    return errorResponse(403, 'requests from web pages are refused');
  return url.startsWith('/') ? undefined : errorResponse(400, 'the request target must be a path');
}

function requestOf(request: IncomingMessage): HttpRequest {
  const { method = 'GET', headers, url } = request;
  const length = headers['content-length'];
  const hasBody = length !== undefined || headers['transfer-encoding'] !== undefined;
  return {
    method,
    url: `http://${headers.host}${url}`,
    client: request.socket.remoteAddress,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    ),
    ...(hasBody && {
      // The stream stays open after a refusal. `serve` then discards the rest, so that the client reads the response.
      body: { size: Number(length ?? 0), open: () => request.iterator({ destroyOnReturn: false }) },
    }),
  };
}
