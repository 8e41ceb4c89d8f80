/** A server of raw bytes for one command: it answers correctly until the operation is called, and then fails. */
import net from 'node:net';
import type { Fault } from './wire-fault.ts';

export interface Faulty {
  readonly address: string;
  /** Request lines of the operation under test. */
  readonly asked: readonly string[];
  /** Ends when the fault has sent everything. */
  readonly quiet: Promise<void>;
  readonly close: () => Promise<void>;
}

/** What a fault can use. */
export interface FaultContext {
  readonly socket: net.Socket;
  /** The correct answer. */
  readonly good: Buffer;
  /** The credential of the request, which is sent back. */
  readonly secret: string;
  readonly address: string;
  /** From now on nothing arrives, or nothing that helps. */
  readonly hush: () => void;
}

/** The token of the distribution endpoint, and the signature of a URL. */
export const TOKEN = 'canary-token-7f3a';

/** Whether a request line belongs to the operation under test, and not to the calls before it. */
export type IsOwn = (line: string) => boolean;

export async function startFaultyServer(fault: Fault, good: Buffer, isOwn: IsOwn): Promise<Faulty> {
  const open = new Set<net.Socket>();
  const asked: string[] = [];
  let hush: () => void = () => undefined;
  const quiet = new Promise<void>((done) => {
    hush = done;
  });
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    const at = { socket, good, address: address(), hush };
    if (fault.on === 'connection') return fault.serve({ ...at, secret: '' });
    onRequests(socket, (request) => {
      const line = request.slice(0, request.indexOf('\r\n'));
      if (!isOwn(line)) {
        const url = `${address()}/signed?signature=${TOKEN}`;
        return socket.write(answer(200, JSON.stringify({ auth_token: TOKEN, url })));
      }
      asked.push(line);
      fault.serve({ ...at, secret: secretIn(request) });
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = () => `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  // Nothing listens on the port of a client, and no other process gets that port while the client uses it.
  const client = fault.on === 'nobody' ? await connected(server) : undefined;
  return {
    address: client ? `http://127.0.0.1:${client.localPort}` : address(),
    asked,
    quiet,
    close: async () => {
      client?.destroy();
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** An HTTP answer as bytes; the body may be a string or bytes. */
export function answer(status: number | string, body: string | Buffer = '', ...headers: string[]): Buffer {
  const bytes = Buffer.from(body);
  const lines = [`HTTP/1.1 ${status}`, ...headers, `content-length: ${bytes.byteLength}`];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

function connected(server: net.Server): Promise<net.Socket> {
  const { port } = server.address() as net.AddressInfo;
  return new Promise((done, failed) => {
    const client = net.connect(port, '127.0.0.1', () => done(client)).on('error', failed);
  });
}

/** Calls `handle` with each complete request. */
function onRequests(socket: net.Socket, handle: (request: string) => void): void {
  let got = '';
  socket.on('data', (chunk) => {
    got += chunk.toString('latin1');
    const end = got.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/^content-length: *(\d+)/im.exec(got.slice(0, end))?.[1] ?? 0);
    if (got.length < end + 4 + length) return;
    const request = got;
    got = '';
    handle(request);
  });
}

const secretIn = (request: string): string =>
  /^(?:x-api-key|authorization): *(?:Bearer )?([^\r]*)/im.exec(request)?.[1] ?? 'nobody';
