/**
 * A libSQL server with a new database for each store that a test opens. Vitest starts it for the project `database`,
 * in its own process, because the store blocks the thread of a test.
 */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { openRemote } from './remote-store.ts';
import { freePort, openSqld } from './sqld.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A URL whose databases are named by the token that comes with a request. */
    readonly databases: string;
  }
}

/** The server reads a database's name from the Host header, up to the first dot: this is the one of 127.0.0.1. */
const template = '127';

export default async function databases(project: TestProject): Promise<() => Promise<void>> {
  const admin = await freePort();
  const flags = [
    '--enable-namespaces',
    '--max-active-namespaces',
    '10000',
    '--admin-listen-addr',
    `127.0.0.1:${admin}`,
  ];
  const sqld = await openSqld({ flags });
  const create = async (path: string, ms: number) => {
    const headers = { 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${admin}/v1/namespaces/${path}`;
    const signal = AbortSignal.timeout(ms);
    const { ok, status } = await fetch(url, { method: 'POST', headers, body: '{}', signal });
    if (!ok) throw new Error(`sqld cannot create ${path}: ${status}`);
  };
  await create(`${template}/create`, 60_000);
  // A copy of a database with its tables takes an eighth of the time that creating the tables takes.
  openRemote({ url: sqld.url }).close();

  let count = 0;
  const copy = async (): Promise<string> => {
    const name = `copy-${count++}`;
    // Rarely, the server never ends a copy. Then the next one works.
    const isMade = await create(`${template}/fork/${name}`, 20_000).then(
      () => true,
      () => false,
    );
    return isMade ? name : copy();
  };
  const copies = new Map<string, Promise<string>>();
  const copyFor = (name: string) => {
    const known = copies.get(name) ?? copy();
    copies.set(name, known);
    return known;
  };
  const agent = new Agent({ keepAlive: true });
  const { port } = new URL(sqld.url);
  const server = createServer(async (asked, answer) => {
    const { method, url, headers } = asked;
    const { authorization = '', ...others } = headers;
    const name = await copyFor(authorization.replace('Bearer ', ''));
    const at = { agent, host: '127.0.0.1', port, method, path: url, headers: { ...others, host: `${name}.` } };
    const forwarded = request(at, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    asked.pipe(forwarded.on('error', () => answer.destroy()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  project.provide('databases', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    agent.destroy();
    await sqld.remove();
  };
}
