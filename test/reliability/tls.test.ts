/** TLS and proxies over real sockets. All on loopback. */
import net from 'node:net';
import { expect, test } from 'vitest';
import { secure, tls, tunnel } from '../support/secure.ts';
import { failure, listening, says } from '../support/sockets.ts';

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
