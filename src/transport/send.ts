/** Sends requests with undici, with timeouts, proxies, TLS and content encodings. Only this file imports undici. */
import type net from 'node:net';
import { Readable } from 'node:stream';
import type tls from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { mapErrors, orAborted } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { type Body, bodyOfBytes, type HttpRequest, type HttpResponse, passedOn, type Send } from '../request/http.ts';
import { watchChain } from './certificates.ts';
import { decoded } from './decode.ts';
import { earlyError, lateError, networkError } from './failures.ts';
import { endingOf, watchEnd } from './lost.ts';
import { proxyFor } from './no-proxy.ts';
import type { Proxies } from './proxy.ts';
import { trustOptions } from './roots.ts';
import type { ProxyTrust } from './tunnel.ts';

export interface SendOptions {
  /** The maximum time for opening a connection, in milliseconds. */
  readonly connectTimeout: number;
  /** The maximum wait for the headers, and between two chunks of the body, in milliseconds. */
  readonly idleTimeout: number;
  readonly proxy: Proxies;
  /** Certificates (PEM) added to the default roots. */
  readonly ca: readonly string[];
  readonly insecure?: boolean;
  readonly userAgent: string;
}

export interface Sender {
  readonly send: Send;
  /** Closes the connections. Waits up to 200 ms for open requests, then destroys their connections. */
  readonly close: () => Promise<void>;
}

/** The maximum size of the response headers, in bytes. */
const maxHeaderSize = 16 * 1024;

/** Opens a sender with its own connections. It does not use or change undici's global state, retries or redirects. */
export function openSend(options: SendOptions): Sender {
  const ended = new AbortController();
  const wanted = {
    connect: connector(options, ended.signal),
    headersTimeout: options.idleTimeout,
    bodyTimeout: options.idleTimeout,
    maxHeaderSize,
  };
  const agent = new Agent(wanted);
  const agents = new Set([agent]);
  /** Returns an agent without a connection that could be reused. It ends after the request that is made at once. */
  const forOne = () => {
    const one = new Agent(wanted);
    agents.add(one);
    setImmediate(() =>
      one.close().then(
        () => agents.delete(one),
        () => undefined,
      ),
    );
    return one;
  };
  return {
    send: sendOver(
      (_, isAgain) => (isAgain ? forOne() : agent),
      options.userAgent,
      (url) => proxyOf(options, url)?.host,
    ),
    close: async () => {
      await Promise.race([agent.close(), new Promise((done) => setTimeout(done, 200).unref())]);
      ended.abort();
      await Promise.all([...agents].map((one) => one.destroy()));
    },
  };
}

/**
 * Creates a `Send` that chooses a dispatcher by URL, and for a request that is sent again, one that opens a new
 * connection. `proxyOn` returns the host of the proxy in use, for errors.
 */
export function sendOver(
  choose: (url: URL, isAgain: boolean) => Dispatcher,
  userAgent: string,
  proxyOn: (url: URL) => string | undefined = () => undefined,
): Send {
  return async (request, { signal }) => {
    const url = new URL(request.url);
    /** Returns the error to report: the reason of an abort, a typed error as it is, or else a network error. */
    const explain = (error: unknown): unknown => {
      if (signal.aborted) return signal.reason;
      return error instanceof DtpError ? error : networkError(endingOf(error)?.first ?? error, url, proxyOn(url));
    };
    let isEarly = false;
    const attempt = async (isAgain: boolean) => {
      const { body: outgoing, isSent } = openOutgoing(request.body);
      const options = {
        origin: url.origin,
        path: url.pathname + (validQuery.exec(request.url)?.[1] ?? url.search),
        method: request.method,
        headers: wireHeaders(request, userAgent),
        body: outgoing,
        signal,
      };
      const asked = new Promise<Dispatcher.ResponseData>((done, failed) =>
        choose(url, isAgain).request(options, (error, data) => {
          if (error) return failed(error);
          // Check at once, because undici may read more of the body before a promise could continue.
          isEarly = !isSent();
          done(data);
        }),
      );
      // undici ignores an abort while it connects.
      return orAborted(asked, signal);
    };
    const answer = await attempt(false)
      .catch((error: unknown) => {
        // A server may close a connection while a request is on its way. Only a safe request may be sent twice.
        const isSafe = request.method === 'GET' || request.method === 'HEAD';
        if (signal.aborted || !isSafe || !endingOf(error)?.isStale) throw error;
        return attempt(true);
      })
      .catch((error: unknown) => Promise.reject(explain(error)));
    // A service may refuse a request that it has not read to its end, but it cannot have carried it out.
    if (isEarly && answer.statusCode >= 200 && answer.statusCode <= 299) {
      answer.body.on('error', () => undefined).destroy();
      throw earlyError(url, proxyOn(url));
    }
    const headers = flatHeaders(answer.headers);
    const body =
      answer.statusCode === 204
        ? nothingOf(answer.body)
        : decoded(mapErrors(answer.body, explain), headers['content-encoding']);
    return { status: answer.statusCode, headers, body } satisfies HttpResponse;
  };
}

/**
 * Opens connections, directly or through a proxy tunnel. undici's proxy agent is not used: it keeps retrying a
 * proxy that closes the connection, waits forever for a proxy that does not answer, drops a user name without a
 * password, and does not distinguish a failure of the proxy from a failure of the service.
 */
function connector(options: SendOptions, ended: AbortSignal): buildConnector.connector {
  const trust = { rejectUnauthorized: options.insecure !== true, ...trustOptions(options.ca) };
  // The connector returns the socket, although its type does not declare this.
  const connect = buildConnector({
    ...trust,
    timeout: options.connectTimeout,
    minVersion: 'TLSv1.2',
  }) as (...given: Parameters<buildConnector.connector>) => net.Socket | tls.TLSSocket;

  return (to, callback) => {
    const url = new URL(`${to.protocol}//${to.host}`);
    const proxy = proxyOf(options, url);
    const open = (httpSocket?: net.Socket) => {
      const socket = connect({ ...to, ...(httpSocket && { httpSocket }) }, (error, opened) =>
        error ? callback(networkError(error, url, proxy?.host, chain()), null) : callback(null, opened),
      );
      const chain = 'encrypted' in socket ? watchChain(socket) : () => [];
      watchEnd(socket);
    };
    if (proxy === undefined) return open();
    tunnel(url, proxy, trust, { connectTimeout: options.connectTimeout, ended }).then(
      (socket) => {
        if (to.protocol === 'https:') return open(socket);
        watchEnd(socket);
        callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

/** Opens a tunnel through a proxy. Throws `timeout` after the connect timeout. */
async function tunnel(
  url: URL,
  proxy: URL,
  trust: ProxyTrust,
  { connectTimeout, ended }: { readonly connectTimeout: number; readonly ended: AbortSignal },
): Promise<net.Socket> {
  const { openTunnel } = await import('./tunnel.ts');
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(lateError(`the proxy ${proxy.host}`)), connectTimeout);
  try {
    return await openTunnel(url, proxy, trust, AbortSignal.any([late.signal, ended]));
  } finally {
    clearTimeout(timer);
  }
}

/** Matches a URL with a valid query (RFC 3986 §3.4, with brackets). The parser would encode its apostrophes. */
const validQuery = /^[^?#]*(\?[\w.~!$&'()*+,;=:@/?%[\]-]*)(?:#|$)/;

function proxyOf({ proxy }: SendOptions, url: URL): URL | undefined {
  const proxyUrl = proxyFor(proxy, url);
  return proxyUrl === undefined ? undefined : new URL(proxyUrl);
}

const wireHeaders = (request: HttpRequest, userAgent: string): Record<string, string> => ({
  'user-agent': userAgent,
  'accept-encoding': 'identity',
  ...request.headers,
  ...(request.body === undefined
    ? {}
    : { 'content-length': String('open' in request.body ? request.body.size : request.body.byteLength) }),
});

const flatHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

/** Discards the body of a 204, which has no content, whatever its headers say (RFC 9110 §15.3.5). */
function nothingOf(body: Dispatcher.ResponseData['body']): AsyncIterable<Uint8Array> {
  body.on('error', () => undefined).resume();
  return bodyOfBytes(new Uint8Array());
}

/** The maximum size in bytes of a body that is passed to the connection at once, and of the pieces of a longer one. */
const PIECE = 64 * 1024;

/**
 * The number of bytes at the end of a body that are copied. A response may arrive before the system has accepted the
 * last piece, and the caller may then use the memory of the body again. The system has accepted all earlier pieces:
 * each is at least as large as what a connection buffers, so undici waits until it is written.
 */
const TAIL = 1024;

/** A request body for undici, and how much of it was passed to the connection. */
interface Outgoing {
  readonly body: Uint8Array | Readable | null;
  /**
   * Whether the last piece of the body was passed to the connection. The system buffers what it accepted, so this does
   * not show whether it arrived. A response to a body of a single piece can therefore never be recognized as too early.
   */
  readonly isSent: () => boolean;
}

/** Opens a body for one attempt. undici waits for the connection to accept a piece before it reads many more. */
function openOutgoing(body: Body | undefined): Outgoing {
  if (body === undefined) return { body: null, isSent: () => true };
  if (!('open' in body) && body.byteLength < PIECE + TAIL) return { body: new Uint8Array(body), isSent: () => true };
  const [size, pieces] = 'open' in body ? [body.size, body.open()] : [body.byteLength, piecesOf(body)];
  const source = size <= PIECE ? asOne(pieces) : pieces;
  let passed = 0;
  // Count before the piece is passed on, because the response to the last piece may arrive before the next read.
  const see = ({ byteLength }: Uint8Array) => {
    passed += byteLength;
  };
  return { body: Readable.from(passedOn(source, { see }), { objectMode: false }), isSent: () => passed >= size };
}

/** Joins the pieces of a small body, such as a form, so that the connection gets it at once like other bytes. */
async function* asOne(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const copies: Uint8Array[] = [];
  // Copy each piece, because its memory may be reused.
  for await (const piece of pieces) copies.push(Uint8Array.from(piece));
  yield Buffer.concat(copies);
}

/** Yields pieces of at least `PIECE` bytes, and a copy of the last bytes. */
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const last = bytes.byteLength - TAIL;
  let at = 0;
  for (; last - at >= 2 * PIECE; at += PIECE) yield bytes.subarray(at, at + PIECE);
  yield bytes.subarray(at, last);
  yield new Uint8Array(bytes.subarray(last));
}
