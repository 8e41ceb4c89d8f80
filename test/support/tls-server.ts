/** A server with TLS, and a proxy in front of one. Everything is on loopback. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { listening, raw } from './sockets.ts';

/** A file in test/support/tls. */
export const tls = (name: string) => readFileSync(new URL(`tls/${name}`, import.meta.url), 'utf8');

/** `count` returns how many requests arrived. */
export async function startHttpsServer(body = 'secure'): Promise<{ address: string; count: () => number }> {
  let requests = 0;
  const server = https.createServer({ key: tls('server.key'), cert: tls('server.pem') }, (_, response) => {
    requests++;
    response.end(body);
  });
  server.on('tlsClientError', () => undefined);
  return { address: await listening(server), count: () => requests };
}

/**
 * A server with TLS with these `options`, and `server.pem` unless they have a certificate. `count` returns how
 * many connections were opened, how many bytes arrived on them after the handshake, and how many of these bytes
 * started a request.
 */
export async function countingTlsServer(options: TlsOptions = {}) {
  const count = { connections: 0, bytes: 0, requests: 0 };
  const server = createServer({ key: tls('server.key'), cert: tls('server.pem'), ...options }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (count.bytes === 0) count.requests++;
      count.bytes += chunk.byteLength;
      socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n[]`);
    });
  });
  server.on('connection', () => count.connections++);
  server.on('tlsClientError', () => undefined);
  return { address: await listening(server), count };
}

/** A proxy that answers CONNECT as `serve` does. `count` returns how often a client connected to it. */
export async function proxy(serve: (client: net.Socket, head: string) => void) {
  const count = { connections: 0 };
  const address = await raw((client) => {
    count.connections++;
    client.once('data', (head) => serve(client, head.toString()));
  });
  return { address, count };
}

/** A proxy that tunnels every CONNECT to `target`, whatever host it names. */
export async function tunnel(target: string): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const server = http.createServer();
  server.on('connect', (request, client) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
    const [host, port] = target.split(':') as [string, string];
    const upstream = net.connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const end of [client, upstream]) end.on('error', () => undefined);
  });
  return { address: await listening(server), asked };
}
