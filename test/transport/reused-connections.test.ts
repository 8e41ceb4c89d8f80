/** Requests on a connection that the server closes, and why a connection ended. */
import { once } from 'node:events';
import type net from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import type { DtpError } from '../../src/errors.ts';
import { readAll } from '../../src/request/http.ts';
import { listening, raw, sender, signal } from '../support/sockets.ts';
import { tls, tunnel } from '../support/tls-server.ts';

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** What a server does with the second request of a connection. */
const ends: Readonly<Record<string, (socket: net.Socket) => void>> = {
  'ends the connection': (socket) => socket.end(),
  'breaks the connection': (socket) => socket.destroy(),
};

/** Answers the first request of each connection, and does `second` with the next one. Records every request. */
function serving(seen: string[], second: (socket: net.Socket) => void, mayAnswer = () => true) {
  return (socket: net.Socket) => {
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const [method = ''] = /^[A-Z]+(?= \/)/.exec(bytes.toString()) ?? [];
      if (method === '') return;
      seen.push(method);
      if (++requests > 1 || !mayAnswer()) second(socket);
      else socket.write(answer);
    });
  };
}

async function secureServer(serve: (socket: net.Socket) => void): Promise<string> {
  return listening(createServer({ key: tls('server.key'), cert: tls('server.pem') }, serve));
}

/** Sends requests one after the other and returns the outcome of each: its status or the code of its error. */
async function outcomes(url: string, methods: readonly string[], more: Parameters<typeof sender>[0] = {}) {
  const send = sender({ ca: [tls('ca.pem')], insecure: true, ...more });
  const found: (number | string)[] = [];
  for (const method of methods) {
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.from('{}') };
    try {
      const response = await send({ method, url, headers: {}, ...body }, { signal });
      await readAll(response.body, 100);
      found.push(response.status);
      // The client frees a connection after the end of a body, in a later turn.
      await setTimeout(20);
    } catch (error) {
      found.push((error as DtpError).code);
    }
  }
  return found;
}

const schemes = { http: raw, https: secureServer } as const;

describe.each(Object.keys(ends))('the server %s', (how) => {
  const end = ends[how] as (socket: net.Socket) => void;
  describe.each(['http', 'https'] as const)('over %s', (scheme) => {
    test('a read is sent once more, on a new connection', async () => {
      const seen: string[] = [];
      const url = `${scheme}://${await schemes[scheme](serving(seen, end))}/`;
      expect(await outcomes(url, ['GET', 'GET', 'GET'])).toEqual([200, 200, 200]);
      // The connection that answers a repeated request is not used again.
      expect(seen).toEqual(['GET', 'GET', 'GET', 'GET']);
    });

    test('a HEAD is sent once more', async () => {
      const seen: string[] = [];
      const url = `${scheme}://${await schemes[scheme](serving(seen, end))}/`;
      expect(await outcomes(url, ['GET', 'HEAD'])).toEqual([200, 200]);
      expect(seen).toEqual(['GET', 'HEAD', 'HEAD']);
    });

    test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a %s is sent once', async (method) => {
      const seen: string[] = [];
      const url = `${scheme}://${await schemes[scheme](serving(seen, end))}/`;
      expect(await outcomes(url, ['GET', method])).toEqual([200, 'network']);
      expect(seen).toEqual(['GET', method]);
    });

    test.each(['GET', 'POST'])('a %s on a new connection is sent once', async (method) => {
      const seen: string[] = [];
      const url = `${scheme}://${await schemes[scheme](serving(seen, end, () => false))}/`;
      expect(await outcomes(url, [method])).toEqual(['network']);
      expect(seen).toEqual([method]);
    });

    test('a read that fails on the new connection too is not sent a third time', async () => {
      const seen: string[] = [];
      const url = `${scheme}://${await schemes[scheme](serving(seen, end, () => seen.length === 1))}/`;
      expect(await outcomes(url, ['GET', 'GET'])).toEqual([200, 'network']);
      expect(seen).toEqual(['GET', 'GET', 'GET']);
    });

    test('a read is sent once if its answer has begun', async () => {
      const seen: string[] = [];
      const begin = (socket: net.Socket) => socket.write('HTTP/1.1 2', () => end(socket));
      const url = `${scheme}://${await schemes[scheme](serving(seen, begin))}/`;
      expect((await outcomes(url, ['GET', 'GET']))[0]).toBe(200);
      expect(seen).toEqual(['GET', 'GET']);
    });
  });

  test('through a proxy', async () => {
    const seen: string[] = [];
    const way = await tunnel(await raw(serving(seen, end)));
    const at = { http: `http://${way.address}`, https: '', none: '' };
    expect(await outcomes('http://api.example.test/', ['GET', 'GET', 'POST'], { proxy: at })).toEqual([200, 200, 200]);
    expect(seen).toEqual(['GET', 'GET', 'GET', 'POST']);
  });
});

test('31 reads, each connection ends a moment after its answer', async () => {
  const url = `http://${await raw((socket) => {
    socket.on('data', () => socket.write(answer, () => setTimeout(1).then(() => socket.destroy())));
  })}/`;
  const all = Array.from({ length: 31 }, () => 'GET');
  expect(await outcomes(url, all)).toEqual(all.map(() => 200));
});

test.each(['TLSv1.2', 'TLSv1.3'] as const)('a client certificate is required over %s', async (version) => {
  const certificate = { key: tls('server.key'), cert: tls('server.pem') };
  const server = createServer(
    { ...certificate, requestCert: true, minVersion: version, maxVersion: version },
    (socket) => socket.on('error', () => undefined),
  );
  const address = await listening(server);
  for (const method of ['GET', 'POST']) {
    const closed = once(server, 'tlsClientError');
    const failure = await sender({ insecure: true })(
      { method, url: `https://${address}/`, headers: {}, ...(method === 'POST' && { body: Buffer.from('{}') }) },
      { signal },
    ).catch((error: DtpError) => error);
    await closed;
    expect(failure).toMatchObject({
      code: 'network',
      message: expect.stringContaining('a client certificate'),
      facts: { retryable: false, hint: expect.stringContaining('does not support client certificates') },
    });
  }
});

test('a proxy requires a client certificate over TLS 1.3', async () => {
  const certificate = { key: tls('server.key'), cert: tls('server.pem') };
  const server = createServer({ ...certificate, requestCert: true, minVersion: 'TLSv1.3' });
  server.on('tlsClientError', () => undefined);
  const at = { http: `https://${await listening(server)}`, https: '', none: '' };
  const failure = await sender({ insecure: true, proxy: at })(
    { method: 'GET', url: 'http://api.example.test/', headers: {} },
    { signal },
  ).catch((error: DtpError) => error);
  expect(failure).toMatchObject({
    message: expect.stringMatching(/the proxy .* requires a client certificate/),
    facts: { retryable: false },
  });
});
