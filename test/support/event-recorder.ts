/** A proxy in front of a service that records every event it sees, whether or not the service accepts it. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readAll } from '../../src/request/http.ts';

export interface Recorder {
  readonly address: string;
  /** The `mark` fields of all events that were sent. */
  readonly marks: Set<string>;
  readonly close: () => void;
}

export async function record(target: string): Promise<Recorder> {
  const { hostname, port, host } = new URL(target);
  const marks = new Set<string>();
  const forward = (body: Uint8Array, { method, url: path, headers }: IncomingMessage, answer: ServerResponse) => {
    const options = { hostname, port, method, path, headers: { ...headers, host } };
    const outgoing = request(options, (response) => {
      response.on('error', () => answer.destroy());
      answer.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(answer);
    });
    // Passes the service's answer to the client.
    outgoing.on('error', () => answer.destroy());
    outgoing.end(body);
  };
  const server = createServer(async (incoming, answer) => {
    try {
      const body = (await readAll(incoming, 2 ** 26)) ?? new Uint8Array();
      for (const { mark } of JSON.parse(Buffer.from(body).toString())) marks.add(mark);
      forward(body, incoming, answer);
    } catch {
      // The sender was killed.
      answer.destroy();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, marks, close };
}
