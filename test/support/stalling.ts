/** Services that stall: a listener that accepts no connection, and one that delays the requests a test names. */
import { spawn } from 'node:child_process';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net from 'node:net';

export interface Deaf {
  readonly address: string;
  readonly close: () => void;
}

/** A listener that accepts nothing and whose queue is full: a client that connects must wait. */
export async function openDeaf(): Promise<Deaf> {
  const listener = spawn(
    process.execPath,
    [
      '-e',
      `const server = require('node:net').createServer();
       server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
         require('node:fs').writeSync(1, server.address().port + '\\n');
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
       });`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const port = await new Promise<string>((done) => listener.stdout.once('data', (line) => done(String(line).trim())));
  const queue = Array.from({ length: 8 }, () => net.connect(Number(port), '127.0.0.1').on('error', () => undefined));
  return {
    address: `http://127.0.0.1:${port}`,
    close: () => {
      listener.kill('SIGKILL');
      for (const socket of queue) socket.destroy();
    },
  };
}

/** What a service does with a request. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** The part of a request that is delayed: the whole request, or the second half of its answer. */
export type Delayed = (request: IncomingMessage) => 'request' | 'answer' | undefined;

/**
 * The service's normal answers, except for requests that `holds` names: these are not read, or get half an
 * answer.
 */
export const stalling =
  (service: string, own: string, holds: Delayed, held: () => void): Serve =>
  (request, response) => {
    const how = holds(request);
    if (how === 'request') return held();
    const to = http.request(
      service + request.url,
      { method: request.method, headers: { ...request.headers, host: new URL(service).host } },
      (came) => {
        const location = came.headers.location?.replace(service, own);
        response.writeHead(came.statusCode ?? 500, { ...came.headers, ...(location && { location }) });
        if (how === undefined) return came.pipe(response);
        came.once('data', (piece: Buffer) => {
          response.write(piece.subarray(0, piece.length / 2), () => held());
          came.pause();
        });
      },
    );
    to.on('error', () => undefined);
    request.pipe(to);
  };

/** Returns a URL for a report, and a tenth of any other answer. */
export const cutAnswers =
  (own: string): Serve =>
  (request, response) => {
    if (request.url?.startsWith('/v1/reports/')) return response.end(JSON.stringify({ url: `${own}/file` }));
    response.writeHead(200, { 'content-length': '1000000' });
    return response.write(Buffer.alloc(100_000));
  };
