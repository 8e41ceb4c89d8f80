/** Clients that send more than is reasonable, do not read, stop in the middle, or do nothing. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import net from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { requestTo } from './embedded-service.ts';
import { tls } from './tls-server.ts';

/** An answer that was read to its end, or to where its connection ended. Without any, the status is 0. */
export interface Reaction {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The start of the body. */
  readonly start: string;
  /** The last characters of the body. */
  readonly end: string;
  readonly size: number;
  readonly isWhole: boolean;
}

type Headers = Readonly<Record<string, string>>;

export interface Sent {
  readonly headers?: Headers;
  readonly body?: Uint8Array;
  /** A body that is too large for memory. */
  readonly pieces?: () => Iterable<Uint8Array>;
  /** After a stalled body, another byte follows as often as this, in milliseconds. */
  readonly everyMs?: number;
}

export interface RoughClients {
  /** Sends a request, and reads its answer to the end. */
  readonly ask: (method: string, path: string, sent?: Sent) => Promise<Reaction>;
  /** Sends a request, and reads no more than the beginning of its answer. Resolves to its status, or 0 at the end. */
  readonly leaveUnread: (method: string, path: string, sent?: Sent) => Promise<number>;
  /**
   * Sends a request with a body, without the last byte of it. Resolves when everything else is sent, or the connection
   * has ended. `ended` resolves to the milliseconds until it ended.
   */
  readonly stall: (method: string, path: string, sent?: Sent) => Promise<{ readonly ended: Promise<number> }>;
  /** Opens a connection, from this loopback address if it is given, and sends nothing. */
  readonly idle: (localAddress?: string) => Promise<Socket>;
  readonly close: () => void;
}

const KEPT = 2000;

/** The clients of a service. They send the headers `own`, except those that a request sets to an empty string. */
export function roughClients(address: string, own: Headers): RoughClients {
  const gone = new AbortController();
  const sockets = new Set<Socket>();
  const open = (localAddress?: string): Socket => {
    const { protocol, hostname: host, port } = new URL(address);
    const to = { host, port: Number(port), ...(localAddress !== undefined && { localAddress }) };
    const socket = protocol === 'https:' ? connectTls({ ...to, ca: tls('ca.pem') }) : net.connect(to);
    sockets.add(socket);
    return socket.on('error', () => undefined);
  };
  const textOf = (method: string, path: string, headers: Headers) =>
    `${method} ${path} HTTP/1.1\r\nhost: ${new URL(address).host}\r\n${Object.entries({ ...own, ...headers })
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;
  return {
    ask: (method, path, sent = {}) => answerOf(address, { method, path, headers: own, signal: gone.signal }, sent),
    leaveUnread: (method, path, { headers = {} } = {}) =>
      new Promise((done) => {
        const socket = open();
        socket.once('close', () => done(0));
        // Without another call of `read`, the socket takes no more from the system than its buffer holds.
        socket.once('readable', () => done(Number(/^HTTP\/1.1 (\d+)/.exec(String(socket.read(20)))?.[1] ?? 0)));
        socket.write(textOf(method, path, headers));
      }),
    stall: (method, path, { headers = {}, body = new Uint8Array(), everyMs = 0 } = {}) =>
      new Promise((done) => {
        const socket = open();
        const since = performance.now();
        const ended = new Promise<number>((end) => socket.once('close', () => end(performance.now() - since)));
        socket.once('close', () => done({ ended }));
        socket.resume();
        const length = String(body.byteLength);
        socket.write(textOf(method, path, { 'content-length': length, ...headers }));
        socket.write(body.subarray(0, -1), () => done({ ended }));
        const timer = everyMs > 0 ? setInterval(() => socket.write('x'), everyMs) : undefined;
        socket.once('close', () => clearInterval(timer));
      }),
    idle: (localAddress) =>
      new Promise((done) => {
        const socket = open(localAddress);
        for (const event of ['connect', 'secureConnect', 'close']) socket.once(event, () => done(socket));
        socket.resume();
      }),
    close: () => {
      gone.abort();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Options = Parameters<typeof requestTo>[1];

function answerOf(address: string, options: Options, { headers, body, pieces }: Sent): Promise<Reaction> {
  return new Promise((done) => {
    const nothing = { status: 0, headers: {}, start: '', end: '', size: 0, isWhole: false };
    const length = body === undefined ? {} : { 'content-length': String(body.byteLength) };
    const all = { ...options, headers: { ...Object(options.headers), ...length, ...headers } };
    const outgoing = requestTo(address, all, (response) => {
      let [start, end, size] = ['', '', 0];
      response.on('data', (chunk: Buffer) => {
        if (start.length < KEPT) start += chunk.subarray(0, KEPT);
        end = (end + chunk.subarray(-10)).slice(-10);
        size += chunk.byteLength;
      });
      response.on('error', () => undefined);
      response.on('close', () => {
        const { statusCode: status = 0, headers, complete: isWhole } = response;
        done({ status, headers, start, end, size, isWhole });
      });
    });
    outgoing.on('error', () => done(nothing));
    if (pieces) Readable.from(pieces(), { objectMode: true, highWaterMark: 1 }).pipe(outgoing);
    else outgoing.end(body);
  });
}

/** Waits for some work, but no longer than this many milliseconds. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })]);
}
