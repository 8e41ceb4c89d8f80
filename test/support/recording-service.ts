/** A service for one test: it records each request, and answers what the test gives it, or never. */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface Echo {
  readonly address: string;
  /** All requests so far. */
  readonly asked: readonly Asked[];
  readonly close: () => void;
}

/**
 * The answer: a status and a body, or undefined for no answer at all. `gone` is called when the client
 * disconnects.
 */
export type Answer = (
  asked: Asked,
  gone: (told: () => void) => void,
) => readonly [status: number, body: string | Uint8Array] | undefined;

export async function openEcho(answer: Answer): Promise<Echo> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const one = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      body: Buffer.concat(chunks).toString(),
    };
    asked.push(one);
    const given = answer(one, (callback) => response.on('close', callback));
    if (given) response.writeHead(given[0], { 'content-type': 'application/json' }).end(given[1]);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
