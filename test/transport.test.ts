/** The sender over real sockets: faults, time-outs, encodings, TLS, proxies, credentials. All on loopback. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { DtpError } from '../src/errors.ts';
import { operations } from '../src/operations/index.ts';
import { type HttpRequest, readAll } from '../src/request/http.ts';
import { readResponse } from '../src/request/read.ts';
import { withCredential } from '../src/transport/credentials.ts';
import { networkError } from '../src/transport/failures.ts';
import { openSend, type SendOptions } from '../src/transport/send.ts';

const tls = (name: string) => readFileSync(new URL(`support/tls/${name}`, import.meta.url), 'utf8');

const options: SendOptions = {
  connectTimeout: 2000,
  idleTimeout: 1000,
  proxy: { http: '', https: '', none: '' },
  ca: [],
  userAgent: 'dtp/test',
};

function sender(more: Partial<SendOptions> = {}) {
  const opened = openSend({ ...options, ...more });
  onTestFinished(opened.close);
  return opened.send;
}

const signal = new AbortController().signal;
const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: {} });

/** A server whose every connection is handed to `serve`. */
async function raw(serve: (socket: net.Socket) => void): Promise<string> {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  return listening(server, () => {
    for (const socket of open) socket.destroy();
  });
}

async function listening(server: net.Server, end: () => void = () => undefined): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    end();
    server.close();
  });
  return `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

/** A server that answers each request with the same bytes. */
const says = (bytes: string | Buffer) => raw((socket) => socket.once('data', () => socket.end(bytes)));

/** The code, whether another attempt may pass, and the words of the error of a request whose body is read. */
async function failure(url: string, more: Partial<SendOptions> = {}, until: AbortSignal = signal) {
  const send = sender(more);
  try {
    const response = await send(get(url), { signal: until });
    await readAll(response.body, 1e9);
  } catch (error) {
    if (error instanceof DtpError)
      return { code: error.code, retryable: error.facts.retryable === true, words: error.message };
    return { code: 'another', retryable: false, words: String(error) };
  }
  return { code: 'none', retryable: false, words: '' };
}

test('a refused connection', async () => {
  const server = net.createServer();
  const address = await listening(server);
  await new Promise((done) => server.close(done));
  expect(await failure(`http://${address}/`)).toMatchObject({ code: 'network', retryable: true });
});

test.each([
  ['ENOTFOUND', { code: 'network', retryable: true }],
  ['EAI_AGAIN', { code: 'network', retryable: true }],
  ['EHOSTUNREACH', { code: 'network', retryable: true }],
  ['UND_ERR_CONNECT_TIMEOUT', { code: 'timeout', retryable: true }],
  ['CERT_HAS_EXPIRED', { code: 'network', retryable: false }],
  ['ERR_TLS_CERT_ALTNAME_INVALID', { code: 'network', retryable: false }],
  ['EMFILE', { code: 'network', retryable: false }],
])('the code %s, also deep in causes', (code, expected) => {
  const url = new URL('https://api.example.test/v1/user');
  const deep = new Error('outer', {
    cause: new AggregateError([Object.assign(new Error('inner'), { code })]),
  });
  const { code: found, facts } = networkError(deep, url) as DtpError;
  expect({ code: found, retryable: facts.retryable }).toEqual(expected);
});

test('a fault of ours is no network error', () => {
  const fault = new TypeError('x is not a function');
  expect(networkError(fault, new URL('https://api.example.test'))).toBe(fault);
});

test.each([
  ['closed before a byte', '', { code: 'network', retryable: true }],
  ['a body cut short', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', { code: 'network' }],
  ['what is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', { code: 'bad_response', retryable: false }],
  [
    'a bad chunk',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    { code: 'bad_response', retryable: false },
  ],
  [
    'a flood of headers',
    `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
    { code: 'bad_response', retryable: false },
  ],
  [
    'gzip that is none',
    'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc',
    { code: 'bad_response' },
  ],
  [
    'two encodings',
    'HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\ncontent-length: 3\r\n\r\nabc',
    { code: 'bad_response' },
  ],
])('%s', async (_, bytes, expected) => {
  expect(await failure(`http://${await says(bytes)}/`)).toMatchObject(expected);
});

test('silence before the headers may be tried again, silence after them may not', async () => {
  expect(await failure(`http://${await raw(() => undefined)}/`, { idleTimeout: 300 })).toMatchObject({
    code: 'timeout',
    retryable: true,
  });
  const half = await raw((socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc')),
  );
  expect(await failure(`http://${half}/`, { idleTimeout: 300 })).toMatchObject({
    code: 'timeout',
    retryable: false,
  });
});

test('an abort is told by its reason, also in the middle of a body', async () => {
  const stop = new AbortController();
  const dripping = await raw((socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc');
      stop.abort(new DtpError('timeout', 'the whole took too long'));
    }),
  );
  expect(await failure(`http://${dripping}/`, {}, stop.signal)).toMatchObject({
    code: 'timeout',
    words: 'the whole took too long',
  });
});

test('an encoded body is decoded once, and within bounds', async () => {
  const gzip = (body: Buffer) =>
    Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`),
      body,
    ]);
  const small = await says(gzip(gzipSync('hello')));
  const response = await sender()(get(`http://${small}/`), { signal });
  expect(Buffer.from((await readAll(response.body, 100)) as Uint8Array).toString()).toBe('hello');

  const bomb = await says(gzip(gzipSync(Buffer.alloc(80 * 1024 * 1024))));
  expect(await failure(`http://${bomb}/`)).toMatchObject({ code: 'bad_response' });
});

test('redirects are not followed, and the error names where they led', async () => {
  let visits = 0;
  const target = await raw(() => visits++);
  const server = await says(
    `HTTP/1.1 302 Found\r\nlocation: http://${target}/elsewhere?token=x\r\ncontent-length: 0\r\n\r\n`,
  );
  const request = get(`http://${server}/v1/user`);
  const response = await sender()(request, { signal });
  await expect(readResponse(operations.getUser, response, request)).rejects.toMatchObject({
    code: 'bad_response',
    message: `302 from GET /v1/user: an unexpected redirect to http://${target}`,
  });
  expect(visits).toBe(0);
});

test('what is sent: no encoding asked for, the length known, a GET with a body, the credential last', async () => {
  let got = '';
  const server = await raw((socket) =>
    socket.on('data', (chunk) => {
      got += chunk;
      if (got.endsWith('{"id":"1"}')) socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    }),
  );
  const send = withCredential(sender(), {
    scheme: 'bearer',
    secret: 't',
    origin: `http://${server}`,
    header: 'authorization',
  });
  const response = await send(
    { ...get(`http://${server}/v1/schema_store`), body: Buffer.from('{"id":"1"}') },
    { signal },
  );
  expect(response.status).toBe(204);
  const lines = got.split('\r\n').map((line) => line.toLowerCase());
  expect(lines[0]).toBe('get /v1/schema_store http/1.1');
  expect(lines).toEqual(
    expect.arrayContaining([
      'user-agent: dtp/test',
      'accept-encoding: identity',
      'content-length: 10',
      'authorization: bearer t',
    ]),
  );
});

test('a file that fails while it is sent is told as it is', async () => {
  const server = await raw((socket) => socket.resume());
  const body = {
    size: 10,
    open: async function* () {
      yield Buffer.from('abc');
      throw new DtpError('error', 'a.html changed while it was being sent');
    },
  };
  const sent = sender()({ method: 'POST', url: `http://${server}/`, headers: {}, body }, { signal });
  await expect(sent).rejects.toMatchObject({
    code: 'error',
    message: 'a.html changed while it was being sent',
  });
});

async function secure(): Promise<{ address: string; count: () => number }> {
  let requests = 0;
  const server = https.createServer({ key: tls('server.key'), cert: tls('server.pem') }, (_, response) => {
    requests++;
    response.end('secure');
  });
  server.on('tlsClientError', () => undefined);
  return { address: await listening(server), count: () => requests };
}

test('a certificate of an unknown authority is refused before a byte is sent, and --ca-cert mends it', async () => {
  const { address, count } = await secure();
  const refused = await failure(`https://${address}/`);
  expect(refused).toMatchObject({ code: 'network', retryable: false });
  expect(refused.words).toContain('no secure connection');
  expect(count()).toBe(0);
  expect(await failure(`https://${address}/`, { ca: [tls('ca.pem')] })).toMatchObject({ code: 'none' });
  expect(await failure(`https://${address}/`, { insecure: true })).toMatchObject({ code: 'none' });
});

test('plain HTTP where TLS is expected', async () => {
  expect(await failure(`https://${await says('HTTP/1.1 200 OK\r\n\r\n')}/`)).toMatchObject({
    code: 'network',
    retryable: false,
  });
});

/** A proxy that tunnels wherever it is asked to, to `target`. */
async function tunnel(target: string): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const server = http.createServer();
  server.on('connect', (request, client) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
    const [host, port] = target.split(':') as [string, string];
    const upstream = net.connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const end of [client, upstream]) end.on('error', () => undefined);
  });
  return { address: await listening(server), asked };
}

test('a proxy tunnels TLS, with its credential; loopback and NO_PROXY go past it', async () => {
  const { address } = await secure();
  const { address: proxy, asked } = await tunnel(address);
  const through = {
    ca: [tls('ca.pem')],
    proxy: { http: '', https: `http://me:pass@${proxy}`, none: 'other.example.test' },
  };
  expect(await failure('https://api.example.test/', through)).toMatchObject({ code: 'none' });
  expect(asked).toEqual([`api.example.test:443 Basic ${Buffer.from('me:pass').toString('base64')}`]);
  expect(await failure(`https://${address}/`, through)).toMatchObject({ code: 'none' });
  expect(asked).toHaveLength(1);
});

test('a proxy that is not there names no password', async () => {
  const server = net.createServer();
  const gone = await listening(server);
  await new Promise((done) => server.close(done));
  const told = await failure('https://api.example.test/', {
    proxy: { http: '', https: `http://me:pa55@${gone}`, none: '' },
  });
  expect(told.code).toBe('network');
  expect(told.words).not.toContain('pa55');
});

test('closing is quick, also while a request hangs', async () => {
  const opened = openSend(options);
  const hanging = opened.send(get(`http://${await raw(() => undefined)}/`), { signal });
  const failed = expect(hanging).rejects.toBeInstanceOf(Error);
  await opened.close();
  await failed;
});
