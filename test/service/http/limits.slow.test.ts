/** How many connections a client beyond loopback may open, and how long it may take. */
import net from 'node:net';
import { connect } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import type { Endpoint } from '../../../src/service/http/endpoint.ts';
import { type Served, served } from '../../support/embedded-service.ts';
import { publicEndpoint } from '../../support/public-endpoint.ts';
import { tls } from '../../support/tls-server.ts';

let service: Served;
const sockets: net.Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.close();
});

async function open(more: Partial<Endpoint>): Promise<number> {
  service = await served(':memory:', ({ send }) => ({ send, endpoint: publicEndpoint(more) }));
  return Number(new URL(service.address).port);
}

const closed = (socket: net.Socket) => new Promise<void>((done) => socket.once('close', () => done()));

function connected(port: number): net.Socket {
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

const areOpen = (all: readonly net.Socket[]) =>
  Promise.all(all.map((socket) => socket.readyState === 'open' || new Promise((done) => socket.once('connect', done))));

test('a client may open 250 connections', async () => {
  const port = await open({ tls: undefined });
  const first = Array.from({ length: 250 }, () => connected(port));
  await areOpen(first);
  await closed(connected(port));
  expect(first.filter(({ destroyed }) => destroyed)).toEqual([]);
  // A closed connection makes room for another one.
  first[0]?.destroy();
  let text = '';
  while (text === '') {
    const socket = connected(port);
    socket.end('GET /v1/user HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await closed(socket);
  }
  expect(text).toMatch(/^HTTP\/1\.1 401 /);
});

test('a proxy may open any number, of which 500 stay open without a valid credential', async () => {
  const port = await open({ tls: undefined, isBehindProxy: true, names: ['localhost'] });
  const all = Array.from({ length: 700 }, () => connected(port));
  await areOpen(all);
  await vi.waitFor(() => expect(all.filter(({ destroyed }) => !destroyed)).toHaveLength(500), { timeout: 60_000 });
});

test('who does not finish the TLS handshake or the headers is disconnected within seconds', async () => {
  const port = await open({});
  const silent = connected(port);
  const slow = connect({ host: '127.0.0.1', port, ca: tls('ca.pem') }).on('error', () => undefined);
  sockets.push(slow);
  slow.write('GET /v1/user HTTP/1.1\r\nhost: localhost\r\n');
  const drip = setInterval(() => slow.write('x'), 1000);
  try {
    await Promise.all([closed(silent), closed(slow)]);
  } finally {
    clearInterval(drip);
  }
  expect((await service.call('GET', '/v1/user')).status).toBe(200);
});

test('who sends nothing more of a body, or no further request, is disconnected', async () => {
  const port = await open({ tls: undefined });
  const sending = connected(port);
  sending.write(
    `POST /v1/short_urls HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${service.key}\r\ncontent-length: 10\r\n\r\n{`,
  );
  const idle = connected(port);
  idle.write('GET /v1/user HTTP/1.1\r\nhost: localhost\r\n\r\n');
  idle.resume();
  await Promise.all([closed(sending), closed(idle)]);
});
