/** The sender over real sockets on loopback: failures, timeouts, encodings, redirects, and the bytes that are sent. */
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { operations } from '../../src/operations/index.ts';
import { readAll } from '../../src/request/http.ts';
import { readResponse } from '../../src/request/read.ts';
import { withCredential } from '../../src/transport/credentials.ts';
import { networkError } from '../../src/transport/failures.ts';
import { openSend } from '../../src/transport/send.ts';
import { failure, get, listening, options, raw, sender, serverAnswering, signal } from '../support/sockets.ts';

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
])('the code %s, also in a nested cause', (code, expected) => {
  const url = new URL('https://api.example.test/v1/user');
  const deep = new Error('outer', {
    cause: new AggregateError([Object.assign(new Error('inner'), { code })]),
  });
  const { code: found, facts } = networkError(deep, url) as DtpError;
  expect({ code: found, retryable: facts.retryable }).toEqual(expected);
});

test('a bug is not a network error', () => {
  const fault = new TypeError('x is not a function');
  expect(networkError(fault, new URL('https://api.example.test'))).toBe(fault);
});

test.each([
  ['closed before a byte', '', { code: 'network', retryable: true }],
  ['a body cut short', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', { code: 'network' }],
  ['not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', { code: 'bad_response', retryable: false }],
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
    'invalid gzip',
    'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc',
    { code: 'bad_response' },
  ],
  [
    'two encodings',
    'HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\ncontent-length: 3\r\n\r\nabc',
    { code: 'bad_response' },
  ],
])('%s', async (_, bytes, expected) => {
  expect(await failure(`http://${await serverAnswering(bytes)}/`)).toMatchObject(expected);
});

test('a timeout before the headers may be retried, a timeout after them may not', async () => {
  expect(await failure(`http://${await raw(() => undefined)}/`, { idleTimeout: 300 })).toMatchObject({
    code: 'timeout',
    retryable: true,
  });
  const half = await raw((socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc')),
  );
  // Long enough for the headers to arrive first.
  expect(await failure(`http://${half}/`, { idleTimeout: 2000 })).toMatchObject({
    code: 'timeout',
    retryable: false,
  });
});

test('an abort is reported by its reason, also in the middle of a body', async () => {
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

test('an encoded body is decoded once, up to a size limit', async () => {
  const gzip = (body: Buffer) =>
    Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`),
      body,
    ]);
  const small = await serverAnswering(gzip(gzipSync('hello')));
  const response = await sender()(get(`http://${small}/`), { signal });
  expect(Buffer.from((await readAll(response.body, 100)) as Uint8Array).toString()).toBe('hello');

  const bomb = await serverAnswering(gzip(gzipSync(Buffer.alloc(80 * 1024 * 1024))));
  expect(await failure(`http://${bomb}/`)).toMatchObject({ code: 'bad_response' });
});

test('redirects are not followed, and the error names their target', async () => {
  let visits = 0;
  const target = await raw(() => visits++);
  const server = await serverAnswering(
    `HTTP/1.1 302 Found\r\nlocation: http://${target}/elsewhere?token=x\r\ncontent-length: 0\r\n\r\n`,
  );
  const request = get(`http://${server}/v1/user`);
  const response = await sender()(request, { signal });
  await expect(readResponse(operations.getUser, response, request)).rejects.toMatchObject({
    code: 'bad_response',
    message: `302 from GET /v1/user: unexpected redirect to http://${target}`,
  });
  expect(visits).toBe(0);
});

test('it sends the identity encoding, the content length, a GET with a body, and the credential last', async () => {
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

test('an error of a file that is being sent is reported unchanged', async () => {
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

test('closing is fast, even while a request hangs', async () => {
  const opened = openSend({ ...options, idleTimeout: 300 });
  const hanging = opened.send(get(`http://${await raw(() => undefined)}/`), { signal });
  const failed = expect(hanging).rejects.toBeInstanceOf(Error);
  await opened.close();
  await failed;
});
