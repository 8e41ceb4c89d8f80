/**
 * A libSQL server with a new database for each store that a test opens. Vitest starts it for the project `database`,
 * in its own process, because the driver blocks the process of a test.
 */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { openStore } from '../../src/service/data/store.ts';
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
  const sqld = await openSqld({ flags: ['--enable-namespaces', '--admin-listen-addr', `127.0.0.1:${admin}`] });
  const create = async (path: string) => {
    const headers = { 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${admin}/v1/namespaces/${path}`;
    const { ok, status } = await fetch(url, { method: 'POST', headers, body: '{}' });
    if (!ok) throw new Error(`sqld cannot create ${path}: ${status}`);
  };
  await create(`${template}/create`);
  // A copy of a database with its tables takes an eighth of the time that creating the tables takes.
  openStore({ url: sqld.url, token: '' }).close();

  const known = new Map<string, Promise<void>>();
  // Two copies at once may never end.
  let last = Promise.resolve();
  const copied = (name: string) => {
    const copy = known.get(name) ?? last.then(() => create(`${template}/fork/${name}`));
    last = copy;
    known.set(name, copy);
    return copy;
  };
  const agent = new Agent({ keepAlive: true });
  const { port } = new URL(sqld.url);
  const server = createServer(async (asked, answer) => {
    const { method, url, headers } = asked;
    const { authorization = '', ...others } = headers;
    const name = authorization.replace('Bearer ', '');
    await copied(name);
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
