/** Servers of raw bytes on loopback, and the sender under test. */
import net from 'node:net';
import { onTestFinished } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { type HttpRequest, readAll } from '../../src/request/http.ts';
import { openSend, type SendOptions } from '../../src/transport/send.ts';

export const options: SendOptions = {
  connectTimeout: 60_000,
  idleTimeout: 60_000,
  proxy: { http: '', https: '', none: '' },
  ca: [],
  userAgent: 'dtp/test',
};

export function sender(more: Partial<SendOptions> = {}) {
  const opened = openSend({ ...options, ...more });
  onTestFinished(opened.close);
  return opened.send;
}

export const signal = new AbortController().signal;
export const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: {} });

/** A server that passes each connection to `serve`. */
export async function raw(serve: (socket: net.Socket) => void): Promise<string> {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  return listening(server, () => {
    for (const socket of open) socket.destroy();
  });
}

export async function listening(server: net.Server, end: () => void = () => undefined): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    end();
    server.close();
  });
  return `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

/** A URL with no listener. */
export async function gone(): Promise<string> {
  const server = net.createServer();
  const address = await listening(server);
  await new Promise((done) => server.close(done));
  return address;
}

/** A server that answers each request with the same bytes. */
export const serverAnswering = (bytes: string | Buffer) =>
  raw((socket) => socket.once('data', () => socket.end(bytes)));

/** The error of a request whose body is read: its code, whether a retry may succeed, and its message. */
export async function failure(url: string, more: Partial<SendOptions> = {}, until: AbortSignal = signal) {
  const send = sender(more);
  try {
    const response = await send(get(url), { signal: until });
    await readAll(response.body, 1e9);
  } catch (error) {
    if (error instanceof DtpError)
      return { code: error.code, retryable: error.facts.retryable === true, words: error.message };
    return { code: 'another', retryable: false, words: String(error) };
  }
  return { code: 'none', retryable: false, words: '' };
}
