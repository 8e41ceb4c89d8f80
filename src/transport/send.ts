/** The sender over undici: timeouts, proxies, TLS, content encodings. The only importer of undici. */

import { Readable } from 'node:stream';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { DtpError } from '../errors.ts';
import type { HttpRequest, HttpResponse, Send } from '../request/http.ts';
import { isLoopback } from '../request/url.ts';
import { decoded } from './decode.ts';
import { networkError } from './failures.ts';
import { type Proxies, proxyFor } from './proxy.ts';
import { trusted } from './roots.ts';

export interface SendOptions {
  /** Milliseconds. */
  readonly connectTimeout: number;
  /** Milliseconds until the headers have come, and between two pieces of the body. */
  readonly idleTimeout: number;
  readonly proxy: Proxies;
  /** Certificates (PEM) added to the default roots. */
  readonly ca: readonly string[];
  /** Accept any certificate. */
  readonly insecure?: boolean;
  readonly userAgent: string;
}

export interface Sender {
  readonly send: Send;
  /** Ends the connections: within 200 ms in order, else at once. */
  readonly close: () => Promise<void>;
}

/** Headers at most 16 KiB. */
const maxHeaderSize = 16 * 1024;

/** A sender of its own connections. Nothing global of undici's is used or changed, nor its retry or redirect interceptors. */
export function openSend(options: SendOptions): Sender {
  const direct = new Agent(agentOptions(options));
  const proxied = proxyAgent(options);
  const choose = (url: URL) => (proxied === undefined || isLoopback(url.hostname) ? direct : proxied);
  return {
    send: sendOver(choose, options.userAgent, (url) => hostOf(proxyFor(options.proxy, url))),
    close: async () => {
      for (const agent of [direct, proxied]) {
        if (!agent) continue;
        await Promise.race([agent.close(), new Promise((done) => setTimeout(done, 200).unref())]);
        await agent.destroy();
      }
    },
  };
}

/** A `Send` over a dispatcher chosen by address; `proxyOn` names the proxy on the way, for errors. */
export function sendOver(
  choose: (url: URL) => Dispatcher,
  userAgent: string,
  proxyOn: (url: URL) => string | undefined = () => undefined,
): Send {
  return async (request, { signal }) => {
    const url = new URL(request.url);
    const explain = (error: unknown) => failure(error, signal, url, proxyOn(url));
    let answer: Dispatcher.ResponseData;
    try {
      answer = await choose(url).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method as Dispatcher.HttpMethod,
        headers: wireHeaders(request, userAgent),
        body: wireBody(request),
        signal,
      });
    } catch (error) {
      throw explain(error);
    }
    const headers = flatHeaders(answer.headers);
    const raw = mapErrors(answer.body, explain);
    return {
      status: answer.statusCode,
      headers,
      body: decoded(raw, headers['content-encoding']),
    } satisfies HttpResponse;
  };
}

const agentOptions = (options: SendOptions) => ({
  connect: tlsOptions(options),
  headersTimeout: options.idleTimeout,
  bodyTimeout: options.idleTimeout,
  maxHeaderSize,
});

const tlsOptions = (options: SendOptions) => ({
  timeout: options.connectTimeout,
  minVersion: 'TLSv1.2' as const,
  rejectUnauthorized: options.insecure !== true,
  ...trusted(options.ca),
});

function proxyAgent(options: SendOptions): EnvHttpProxyAgent | undefined {
  const { http, https, none } = options.proxy;
  if (http === '' && https === '') return undefined;
  const ends = tlsOptions(options);
  // Given as '' where unset: undefined would make undici read the environment itself.
  return new EnvHttpProxyAgent({
    ...agentOptions(options),
    requestTls: ends,
    proxyTls: ends,
    httpProxy: http,
    httpsProxy: https,
    noProxy: none,
  });
}

/** For messages: without a password. */
const hostOf = (address: string | undefined) =>
  address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;

function wireHeaders(request: HttpRequest, userAgent: string): Record<string, string> {
  return {
    'user-agent': userAgent,
    'accept-encoding': 'identity',
    ...request.headers,
    ...(request.body === undefined
      ? {}
      : { 'content-length': String('open' in request.body ? request.body.size : request.body.byteLength) }),
  };
}

function wireBody({ body }: HttpRequest) {
  if (body === undefined) return null;
  return 'open' in body ? Readable.from(body.open(), { objectMode: false }) : body;
}

function flatHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** An abort of ours is told by its reason; a typed error, such as of a file that changed, stands; the rest is the network's. */
function failure(error: unknown, signal: AbortSignal, url: URL, proxy: string | undefined): unknown {
  if (signal.aborted) return signal.reason;
  return error instanceof DtpError ? error : networkError(error, url, proxy);
}

async function* mapErrors(
  body: AsyncIterable<Uint8Array>,
  map: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw map(error);
  }
}
