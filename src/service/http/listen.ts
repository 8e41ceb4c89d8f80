/** Serves the embedded service over HTTP or HTTPS. */
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpRequest, HttpResponse, Send } from '../../request/http.ts';
import { errorResponse } from '../handler.ts';
import { baseOf, clientOf, type Endpoint, onLoopback, pageRefusal, schemeOf } from './endpoint.ts';
import { withLoginLimit } from './login-limit.ts';
import { limitSockets } from './sockets.ts';

/** The time that `close` waits for running requests, in milliseconds. */
export const PATIENCE_MS = 2000;

/** The limits for clients on other machines. Loopback has no time limit, because a large upload takes long. */
const limits = {
  /** In bytes, for one request. */
  body: 10 * 2 ** 30,
  /** In milliseconds. It is long, so that proxies close idle connections first: they would use a closed one. */
  idle: 75_000,
  times: {
    handshakeTimeout: 10_000,
    headersTimeout: 15_000,
    requestTimeout: 3_600_000,
    connectionsCheckingInterval: 5000,
  },
} as const;

/** The time after which a connection ends whose client sends nothing more of a body, in milliseconds. */
const STALLED_MS = 10_000;

export interface ListenOptions {
  readonly port: number;
  /** Adds a log to what refuses requests before `handle` gets them. */
  readonly logged?: (send: Send) => Send;
  /** Whether pages of this server may request a path. */
  readonly isForPages?: (path: string) => boolean;
  readonly endpoint?: Endpoint;
  /** Returns the time in milliseconds. Required if other machines may call the service. */
  readonly now?: () => number;
  /** The number of files that this process may open. */
  readonly descriptors?: number;
}

export async function listen(handle: Send, options: ListenOptions) {
  const { port, logged = (send) => send, isForPages = () => false, endpoint = onLoopback, now = () => 0 } = options;
  const underWay = new Set<Promise<unknown>>();
  const sendFor = endpoint.isPublic ? withLoginLimit(handle, now, logged) : () => handle;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const refused = pageRefusal(request, endpoint, isForPages) ?? sizeRefusal(request, endpoint);
    const send = refused ? logged(async () => refused) : sendFor(clientOf(request, endpoint));
    const served = serve(send, request, response, { endpoint, begin })
      // The client has disconnected, or an injected fault drops the connection.
      .catch(() => response.destroy())
      .finally(() => underWay.delete(served));
    underWay.add(served);
  };
  const times = endpoint.isPublic ? limits.times : { requestTimeout: 0 };
  const { tls } = endpoint;
  const server = tls ? https.createServer({ ...tls, ...times }, answer) : http.createServer(times, answer);
  if (endpoint.isPublic) server.timeout = server.keepAliveTimeout = limits.idle;
  const begin = limitSockets(server, endpoint, options.descriptors ?? Number.POSITIVE_INFINITY);
  server.listen(port, endpoint.address);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    /** `http://127.0.0.1:PORT` */
    address: `${schemeOf(endpoint)}://${endpoint.host}:${bound}`,
    /** Stops accepting requests and waits for running requests. Resolves to false if some of them had to be aborted. */
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
  send: Send,
  request: IncomingMessage,
  response: ServerResponse,
  { endpoint, begin }: { readonly endpoint: Endpoint; readonly begin: ReturnType<typeof limitSockets> },
): Promise<void> {
  const gone = new AbortController();
  const { signal } = gone;
  const { known, end } = begin(request.socket);
  response.once('close', () => {
    gone.abort();
    end();
  });
  const { status, headers, body } = await send(requestOf(request, endpoint), { signal, known });
  // Discards the unread rest of the request body. Otherwise a client that is still writing never reads the response.
  if (!request.complete) response.once('finish', () => request.socket.setTimeout(STALLED_MS));
  request.resume();
  response.writeHead(status, headers);
  // Many clients may read slowly. Each has this piece in memory, and the one before.
  for await (const piece of body) {
    signal.throwIfAborted();
    if (!response.write(piece)) await once(response, 'drain', { signal });
  }
  // After its last response, Node closes a connection at once, and a client that is still writing would not read it.
  if (!request.complete && !response.shouldKeepAlive) {
    request.socket.setTimeout(STALLED_MS);
    await once(request, 'end', { signal });
  }
  response.end();
}

function requestOf(request: IncomingMessage, endpoint: Endpoint): HttpRequest {
  const { method = 'GET', headers, url } = request;
  const length = headers['content-length'];
  const hasBody = length !== undefined || headers['transfer-encoding'] !== undefined;
  return {
    method,
    url: baseOf(request, endpoint) + url,
    client: clientOf(request, endpoint),
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    ),
    ...(hasBody && { body: { size: Number(length ?? 0), open: () => chunksOf(request, endpoint) } }),
  };
}

const sizeRefusal = ({ headers }: IncomingMessage, { isPublic }: Endpoint): HttpResponse | undefined =>
  isPublic && Number(headers['content-length']) > limits.body
    ? errorResponse(413, `the body is larger than ${limits.body / 2 ** 30} GiB`)
    : undefined;

/** Yields the chunks of a request body. On a public endpoint, throws if the body is too long. */
async function* chunksOf(request: IncomingMessage, { isPublic }: Endpoint): AsyncGenerator<Uint8Array> {
  // The stream stays open after a refusal. `serve` then discards the rest, so that the client reads the response.
  const chunks = request.iterator({ destroyOnReturn: false });
  const { socket } = request;
  const idle = isPublic ? limits.idle : 0;
  try {
    for (let size = 0; ; ) {
      socket.setTimeout(STALLED_MS);
      const { done, value } = await chunks.next();
      socket.setTimeout(idle);
      if (done) return;
      size += value.byteLength;
      if (isPublic && size > limits.body) throw new Error('the body is too large');
      yield value;
    }
  } finally {
    await chunks.return?.();
  }
}
