/** A service on loopback that answers each command line by its own script. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Request {
  readonly method: string;
  /** The path and the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection ends in the middle of the body. */
  readonly isCut?: boolean;
  readonly afterMs?: number;
}

export type Script = (request: Request, earlier: readonly Request[]) => Reply;

/** Starts the service. Each script has its own base URL, and the requests that arrived there. */
export async function openScripted() {
  const scripts = new Map<string, { readonly script: Script; readonly seen: Request[] }>();
  const server = createServer((asked, answer) => {
    const pieces: Buffer[] = [];
    asked.on('data', (piece) => pieces.push(piece));
    asked.on('end', () => respond(asked, answer, Buffer.concat(pieces).toString()));
  });
  const respond = (asked: IncomingMessage, answer: ServerResponse, body: string) => {
    const [, name = '', url = ''] = /^\/(\d+)(.*)$/.exec(asked.url ?? '') ?? [];
    const found = scripts.get(name);
    if (!found) return answer.writeHead(404).end();
    const headers = Object.fromEntries(Object.entries(asked.headers).map(([key, value]) => [key, String(value)]));
    const request = { method: asked.method ?? '', url, headers, body };
    const reply = found.script(request, found.seen);
    found.seen.push(request);
    const later = setTimeout(() => send(answer, reply), reply.afterMs ?? 0);
    answer.once('close', () => clearTimeout(later));
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let count = 0;
  return {
    /** Returns the base URL of a script, the requests that arrive there, and a function that ends it. */
    play: (script: Script) => {
      const name = String(count++);
      const seen: Request[] = [];
      scripts.set(name, { script, seen });
      return { url: `${address}/${name}`, seen, end: () => scripts.delete(name) };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function send(answer: ServerResponse, { status, body = '', headers, isCut }: Reply): void {
  const bytes = Buffer.from(body);
  const length = { 'content-length': String(bytes.length + (isCut ? 5 : 0)) };
  answer.writeHead(status, { ...(status !== 204 && length), ...headers });
  if (!isCut) answer.end(status === 204 ? undefined : bytes);
  else answer.write(bytes, () => answer.destroy());
}
