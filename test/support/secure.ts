/** A server with TLS, and a proxy on the way to one. All on loopback. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { listening } from './sockets.ts';

/** A file of test/support/tls. */
export const tls = (name: string) => readFileSync(new URL(`tls/${name}`, import.meta.url), 'utf8');

/** `count` tells how many requests came. */
export async function secure(body = 'secure'): Promise<{ address: string; count: () => number }> {
  let requests = 0;
  const server = https.createServer({ key: tls('server.key'), cert: tls('server.pem') }, (_, response) => {
    requests++;
    response.end(body);
  });
  server.on('tlsClientError', () => undefined);
  return { address: await listening(server), count: () => requests };
}

/** A proxy that tunnels wherever it is asked to, to `target`. */
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
