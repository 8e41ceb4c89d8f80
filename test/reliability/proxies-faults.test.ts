/** The errors for a proxy that rejects, closes, is silent or does not exist. All on loopback. */
import https from 'node:https';
import net from 'node:net';
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { proxyError } from '../../src/transport/failures.ts';
import { canary, errorFrom, run } from '../support/socket-commands.ts';
import { gone, listening, raw } from '../support/sockets.ts';
import { countingTlsServer, proxy, tls, tunnel } from '../support/tls-server.ts';

/** What a proxy does when it gets a request, the error for it, and whether a retry may succeed. */
const faults: readonly (readonly [string, string, string, boolean])[] = [
  [
    '407',
    'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n',
    'requires a user name and a password (status 407)',
    false,
  ],
  [
    '403',
    'HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno',
    'did not connect to api.example.test:443: status 403',
    false,
  ],
  [
    '302',
    'HTTP/1.1 302 Found\r\nlocation: https://other.test/\r\n\r\n',
    'did not connect to api.example.test:443: status 302',
    false,
  ],
  ['502', 'HTTP/1.1 502 Bad Gateway\r\n\r\n', 'did not connect to api.example.test:443: status 502', true],
  [
    '503',
    'HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\r\n',
    'did not connect to api.example.test:443: status 503',
    true,
  ],
  ['garbage', 'SSH-2.0-OpenSSH\r\n\r\n', 'sent an invalid HTTP response', false],
  [
    'a flood of headers',
    `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`,
    'sent more than 16 KiB of headers',
    false,
  ],
  ['half an answer, and then the end', 'HTTP/1.1 200 O', 'closed the connection', true],
  ['an immediate end', '', 'closed the connection', true],
];

test.each(faults)('a proxy that answers with %s', async (_, answer, told_, retryable) => {
  const { address, count } = await proxy((client) => client.end(answer));
  const argv = ['--proxy', `http://${address}`];
  const error = await errorFrom('https://api.example.test', ['ws', 'list', ...argv]);
  expect(error).toMatchObject({ exit: 11, code: 'network', retryable });
  expect(error.message).toBe(`the proxy ${address} ${told_}`);
  expect(error.hint).toMatch(/proxy/i);
  expect(count.connections).toBe(1);
  const doctor = await run('https://api.example.test', ['doctor', ...argv]);
  expect(doctor.code).toBe(11);
  expect(doctor.stdout).toContain(`the proxy ${address} ${told_}`);
});

test('a final refusal by the proxy gets one request, even if the command is retried', async () => {
  for (const status of [407, 403]) {
    const { address, count } = await proxy((client) => client.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    for (const command of [
      ['ws', 'list', '--retry', '5'],
      ['auth', 'access'],
    ]) {
      count.connections = 0;
      const error = await errorFrom('https://api.example.test', [...command, '--proxy', address]);
      expect([error.exit, error.attempts, count.connections]).toEqual([11, 1, 1]);
    }
  }
  const { address, count } = await proxy((client) => client.end('HTTP/1.1 503 No\r\n\r\n'));
  const error = await errorFrom('https://api.example.test', ['ws', 'list', '--retry', '2', '--proxy', address]);
  expect([error.exit, error.attempts, count.connections]).toEqual([11, 3, 3]);
});

test('a proxy that rejects the credential displays it nowhere', async () => {
  const { address } = await proxy((client) => client.end('HTTP/1.1 407 No\r\n\r\n'));
  const at = `http://me:${canary}@${address}`;
  const error = await errorFrom('https://api.example.test', ['ws', 'list', '--debug'], {
    env: { HTTPS_PROXY: at },
  });
  expect(error.message).toBe(`the proxy ${address} rejected the user name and the password (status 407)`);
  expect(error.hint).toBe(`Include them in the proxy URL: HTTPS_PROXY=http://NAME:PASSWORD@${address}`);
});

test.each(['nothing', 'a part of an answer', 'no TLS handshake'])(
  'a proxy that answers with %s may take as long as the connection timeout',
  async (what) => {
    const address = await raw((client) => {
      if (what === 'a part of an answer') client.write('HTTP/1.1 200 OK\r\nx: ');
    });
    const scheme = what.startsWith('no ') ? 'https' : 'http';
    const argv = ['ws', 'list', '--connect-timeout', '100ms', '--proxy', `${scheme}://${address}`];
    expect(await errorFrom('https://api.example.test', argv)).toMatchObject({
      exit: 124,
      retryable: true,
      message: `the proxy ${address} did not accept the connection in time`,
      hint: expect.stringContaining('--connect-timeout'),
    });
  },
);

test('a proxy that does not exist, and one with an unknown name', async () => {
  const address = await gone();
  const at = { HTTPS_PROXY: `http://me:${canary}@${address}` };
  const error = await errorFrom('https://api.example.test', ['ws', 'list'], { env: at });
  expect(error).toMatchObject({
    exit: 11,
    retryable: true,
    message: `the proxy ${address} refused the connection`,
    hint: expect.stringContaining('HTTPS_PROXY'),
  });
  const unknown = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
  const typed = proxyError(unknown, new URL(`http://me:${canary}@proxy.example.test:3128`)) as DtpError;
  expect(typed).toBeInstanceOf(DtpError);
  expect([typed.code, typed.message]).toEqual(['network', 'the proxy proxy.example.test:3128 is an unknown host']);
});

test('if the service is lost behind a proxy, the error names the service and the proxy', async () => {
  const lost = await raw((socket) => socket.once('data', () => socket.destroy()));
  const viaTunnel = await tunnel(lost);
  const error = await errorFrom('http://api.example.test', [
    'ws',
    'list',
    '--allow-http',
    '--proxy',
    viaTunnel.address,
  ]);
  expect(error).toMatchObject({
    exit: 11,
    message: `api.example.test (through the proxy ${viaTunnel.address}) closed the connection`,
  });
});

test('a proxy with TLS', async () => {
  const server = https.createServer({ key: tls('server.key'), cert: tls('server.pem') });
  const asked: string[] = [];
  const service = await countingTlsServer();
  server.on('connect', (request, client) => {
    asked.push(request.url ?? '');
    const [host, on] = service.address.split(':') as [string, string];
    const upstream = net.connect(Number(on), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const end of [client, upstream]) end.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  const address = await listening(server, () => server.closeAllConnections());
  const argv = ['ws', 'list', '--proxy', `https://${address}`];
  const unknown = await errorFrom('https://api.example.test', argv);
  expect([unknown.exit, unknown.message]).toEqual([
    11,
    expect.stringContaining(
      `no secure connection to the proxy ${address}: its certificate is signed by dtp test authority`,
    ),
  ]);
  expect(asked).toEqual([]);
  const fixed = await run('https://api.example.test', [...argv, '--ca-cert', 'ca.pem']);
  expect([fixed.code, fixed.stdout]).toEqual([0, '[]\n']);
  expect(asked).toEqual(['api.example.test:443']);
});
