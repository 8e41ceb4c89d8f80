/** TLS and proxies over real sockets. All on loopback. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { expect, test } from 'vitest';
import { failure, listening, says } from './support/sockets.ts';

const tls = (name: string) => readFileSync(new URL(`support/tls/${name}`, import.meta.url), 'utf8');

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
