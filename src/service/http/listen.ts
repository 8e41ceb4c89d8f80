/** The embedded service over HTTP, on the loopback address alone. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpRequest, HttpResponse, Send } from '../../request/http.ts';

/** What requests under way have from `close` on. */
export const PATIENCE_MS = 2000;

export interface Listening {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  /** Takes no more requests and lets those under way come to their end; false where some were cut at last. */
  readonly close: () => Promise<boolean>;
}

export async function listen(handle: Send, { port }: { readonly port: number }): Promise<Listening> {
  const underWay = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    const served = serve(handle, request, response)
      // A client that is gone has no use for an answer.
      .catch(() => response.destroy())
      .finally(() => underWay.delete(served));
    underWay.add(served);
  });
  // An upload of gigabytes takes what it takes.
  server.requestTimeout = 0;
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server listens on no port');
  return {
    address: `http://127.0.0.1:${bound.port}`,
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      const ended = Promise.all(underWay).then(() => true);
      const isWhole = await Promise.race([ended, sleep(PATIENCE_MS, false, { ref: false })]);
      server.closeAllConnections();
      await closed;
      return isWhole;
    },
  };
}

async function serve(handle: Send, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const refused = refusal(request);
  const { status, headers, body } = refused ?? (await handle(requestOf(request), { signal: gone.signal }));
  // What a refusal left unread: a client that still writes would never come to read the answer.
  request.resume();
  response.writeHead(status, headers);
  await pipeline(Readable.from(body), response);
}

/**
 * A page of the web may reach loopback: by a name that it points there, or from a browser, which then tells its origin. With
 * a GET it tells only how the two sites are related (Fetch Metadata): `none` is an address that the user typed or opened.
 */
function refusal({ headers, url = '' }: IncomingMessage): HttpResponse | undefined {
  const host = (headers.host ?? '').replace(/:\d*$/, '');
  if (!/^(localhost|\[::1\]|127(\.\d{1,3}){3})$/i.test(host))
    return refuse(403, 'the Host header must name the loopback address');
  if (headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none')
    return refuse(403, 'requests of web pages are refused');
  return url.startsWith('/') ? undefined : refuse(400, 'the address must be a path');
}

function refuse(status: number, message: string): HttpResponse {
  const body = Buffer.from(JSON.stringify({ message, status_code: status }));
  return {
    status,
    headers: { 'content-type': 'application/json', 'content-length': String(body.byteLength) },
    body: Readable.from([body]),
  };
}

function requestOf(request: IncomingMessage): HttpRequest {
  const { method = 'GET', headers, url } = request;
  const length = headers['content-length'];
  const hasBody = length !== undefined || headers['transfer-encoding'] !== undefined;
  return {
    method,
    url: `http://${headers.host}${url}`,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    ),
    ...(hasBody && {
      // A refused upload is read to its end and dropped, so that the client comes to read the answer.
      body: { size: Number(length ?? 0), open: () => request.iterator({ destroyOnReturn: false }) },
    }),
  };
}
