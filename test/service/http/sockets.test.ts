/** Which connections a server closes if there are too many, so that those with a credential always have room. */
import net from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { type Served, served } from '../../support/embedded-service.ts';
import { publicEndpoint } from '../../support/public-endpoint.ts';

/** It leaves idle connections open for longer than loopback does. */
const endpoint = publicEndpoint({ tls: undefined });

let service: Served;
const sockets: net.Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.close();
});

/** With this limit of descriptors, 20 connections may be open, and 10 without a valid credential. */
const DESCRIPTORS = 84;

const open = async () => {
  service = await served(':memory:', ({ send }) => ({ send, descriptors: DESCRIPTORS, endpoint }));
};

/** A connection that is open. If it gets a request, with the beginning of the answer. */
async function connected(request = ''): Promise<net.Socket & { answer?: string }> {
  const socket: net.Socket & { answer?: string } = net.connect(Number(new URL(service.address).port), '127.0.0.1');
  sockets.push(socket.on('error', () => undefined));
  await new Promise((done) => socket.once('connect', done));
  if (request === '') return socket;
  const answered = new Promise<string>((done) => socket.once('data', (chunk) => done(String(chunk))));
  socket.write(request);
  return Object.assign(socket, { answer: await answered });
}

const head = (key: string) => `GET /v1/user HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n\r\n`;

/** A client with a key is served, and then only these connections are open. */
async function expectOpen(all: readonly net.Socket[], open: readonly number[]): Promise<void> {
  const { answer } = await connected(head(service.key));
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  const those = () => all.flatMap(({ destroyed, readyState }, at) => (destroyed || readyState !== 'open' ? [] : [at]));
  await vi.waitFor(() => expect(those()).toEqual(open), { timeout: 20_000 });
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

const some = (count: number, request?: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => () => connected(request?.(at))).reduce<Promise<net.Socket[]>>(
    async (all, next) => [...(await all), await next()],
    Promise.resolve([]),
  );

test('of 40 idle connections, the newest stay, and a client with a key is served', async () => {
  await open();
  const idle = await some(40);
  // The connection with the key was the tenth one for a moment.
  await expectOpen(idle, range(31, 40));
});

test('connections that a valid key came over outlive strangers', async () => {
  await open();
  const known = await some(5, () => head(service.key));
  const strangers = await some(30, () => head('wrong'));
  await expectOpen(known, range(0, 5));
  await expectOpen(strangers, range(21, 30));
});

test('if all connections are known, the one that was used first makes room', async () => {
  await open();
  const known = await some(20, () => head(service.key));
  await expectOpen(known, range(1, 20));
});

test('a connection with a request in progress stays while others are idle', async () => {
  await open();
  const body = await connected();
  body.write(
    `POST /v1/short_urls HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${service.key}\r\ncontent-length: 9\r\n\r\n`,
  );
  await some(30);
  await expectOpen([body], [0]);
});
