/** Untrusted TLS, in process: the error says what is wrong, nothing is sent, nothing is retried. All on loopback. */
import type { TlsOptions } from 'node:tls';
import { expect, test } from 'vitest';
import { canary, errorFrom, run } from '../support/socket-commands.ts';
import { raw } from '../support/sockets.ts';
import { countingTlsServer, proxy, tls, tunnel } from '../support/tls-server.ts';

/** The server's certificate, what is trusted, the error and its fix. */
type Fault = readonly [name: string, shows: TlsOptions, trusts: string | undefined, says: string, mend: string];

const old = 'DEFAULT:@SECLEVEL=0';

const faults: readonly Fault[] = [
  [
    'an unknown authority',
    {},
    undefined,
    'its certificate is signed by dtp test authority, which is not trusted: this may be a private authority, a proxy that intercepts TLS, or a service that does not send its intermediate certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    'Get the certificate of dtp test authority and trust it with --ca-cert FILE',
  ],
  [
    'an unknown authority that is sent',
    { cert: tls('server.pem') + tls('ca.pem') },
    undefined,
    'its certificate is signed by dtp test authority, which is not trusted: this may be a private authority, or a proxy that intercepts TLS (SELF_SIGNED_CERT_IN_CHAIN)',
    'Get the certificate of dtp test authority and trust it with --ca-cert FILE',
  ],
  [
    'an intermediate certificate that is not sent',
    { cert: tls('below.pem') },
    'ca.pem',
    'is signed by dtp test intermediate, which is not trusted: this may be a private authority, a proxy that intercepts TLS, or a service that does not send its intermediate certificate',
    'Get the certificate of dtp test intermediate',
  ],
  [
    'self-signed',
    { cert: tls('self-signed.pem') },
    undefined,
    'its certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    'Trust it with --ca-cert FILE',
  ],
  [
    'expired',
    { cert: tls('expired.pem') },
    'expired.pem',
    'its certificate expired on Jan  1 00:00:00 2020 GMT (CERT_HAS_EXPIRED)',
    'Have the certificate renewed',
  ],
  [
    'an expired intermediate authority',
    { cert: tls('below-expired.pem') + tls('expired-intermediate.pem') },
    'ca.pem',
    'is signed by an authority whose certificate (dtp old intermediate) expired on Jan  1 00:00:00 2020 GMT',
    'Have the certificate renewed',
  ],
  [
    'not yet valid',
    { cert: tls('future.pem') },
    'future.pem',
    'its certificate is not valid before Jan  1 00:00:00 2119 GMT (CERT_NOT_YET_VALID)',
    'Correct the clock of this machine',
  ],
  [
    'for another host',
    { cert: tls('other-host.pem') },
    'other-host.pem',
    'its certificate is for other.example.test, not for 127.0.0.1 (ERR_TLS_CERT_ALTNAME_INVALID)',
    'Use a base URL with a host',
  ],
  [
    'a weak key',
    { key: tls('weak.key'), cert: tls('weak.pem'), ciphers: old, maxVersion: 'TLSv1.2' },
    'weak.pem',
    'cannot be trusted: EE certificate key too weak',
    'Ask whoever runs the service',
  ],
  [
    "a name that looks like a proxy's",
    { cert: tls('signed-anew.pem') },
    undefined,
    'is signed by Example Proxy CA, which is not trusted: judging by the name, a proxy intercepts TLS (',
    'Get the certificate of Example Proxy CA and trust it with --ca-cert FILE',
  ],
];

test.each(faults)('%s: error and fix, no byte is sent, nothing is retried', async (...fault) => {
  const [, shows, trusts, says, mend] = fault;
  const argv = trusts ? ['--ca-cert', trusts] : [];
  const { address, count } = await countingTlsServer(shows);
  // One that may be retried because of the flag, and one by declaration.
  for (const command of [
    ['ws', 'list', '--retry', '5'],
    ['auth', 'access'],
  ]) {
    count.connections = 0;
    const error = await errorFrom(`https://${address}`, [...command, ...argv]);
    expect(error).toMatchObject({ exit: 11, code: 'network', retryable: false, attempts: 1 });
    expect(error.message).toContain(`no secure connection to ${address}: its certificate `);
    expect(error.message).toContain(says);
    expect(error.hint).toContain(mend);
    expect(count).toEqual({ connections: 1, bytes: 0, requests: 0 });
  }
  // The doctor reports the same.
  const { code, stdout } = await run(`https://${address}`, ['doctor', ...argv]);
  const checks = JSON.parse(stdout) as { check: string; message: string; mend: string }[];
  const found = checks.find(({ check }) => check === 'connection');
  expect(code).toBe(11);
  expect(found?.message).toContain(says.replace(/^its certificate /, '').replace(/: EE cert.*/, ''));
  expect(found?.mend).toContain(mend);
  expect(count).toMatchObject({ bytes: 0, requests: 0 });
});

test.each<readonly [string, TlsOptions, string, string]>([
  [
    'TLS 1.1 at most',
    { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: old },
    'the server does not support TLS 1.2 or later',
    'TLS 1.2 or later',
  ],
  [
    'no safe cipher',
    { maxVersion: 'TLSv1.2', ciphers: 'NULL-SHA256:@SECLEVEL=0' },
    'the server refused the handshake',
    'Ask the operator of the server',
  ],
])('%s', async (_, shows, says, mend) => {
  const { address, count } = await countingTlsServer(shows);
  const error = await errorFrom(`https://${address}`, ['ws', 'list', '--ca-cert', 'ca.pem', '--retry', '5']);
  expect(error).toMatchObject({ exit: 11, retryable: false, attempts: 1 });
  expect(error.message).toContain(`no secure connection to ${address}: ${says}`);
  expect(error.hint).toContain(mend);
  expect(count).toEqual({ connections: 1, bytes: 0, requests: 0 });
});

test('plain HTTP on the port', async () => {
  let text = '';
  let connections = 0;
  const address = await raw((socket) => {
    connections++;
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
  });
  const error = await errorFrom(`https://${address}`, ['ws', 'list', '--retry', '5']);
  expect(error).toMatchObject({ exit: 11, retryable: false, attempts: 1 });
  expect(error.message).toContain(`no secure connection to ${address}: the server does not speak TLS`);
  expect(error.hint).toContain('Check the scheme and the port of the base URL');
  expect([connections, text.includes('HTTP/1.1'), text.includes(canary)]).toEqual([1, false, false]);
});

test.each([
  ['closes', 'closed the connection before the TLS handshake was complete'],
  ['resets', 'closed the connection'],
])('a server that %s in the handshake', async (how, says) => {
  let text = '';
  const address = await raw((socket) =>
    socket.once('data', (chunk) => {
      text += chunk.toString('latin1');
      if (how === 'resets') socket.resetAndDestroy();
      else socket.destroy();
    }),
  );
  const error = await errorFrom(`https://${address}`, ['ws', 'list']);
  expect(error).toMatchObject({ exit: 11, message: expect.stringContaining(`${address} ${says}`) });
  expect(error.hint).toContain('dtp config explain');
  expect(text).not.toContain(canary);
});

test('a server that stalls in the handshake may take as long as the connection timeout', async () => {
  const address = await raw(() => undefined);
  const error = await errorFrom(`https://${address}`, ['ws', 'list', '--connect-timeout', '100ms']);
  expect(error).toMatchObject({
    exit: 124,
    message: `${address} did not accept the connection in time`,
    hint: expect.stringContaining('--connect-timeout'),
  });
});

test('a proxy that re-signs TLS is named, with its authority', async () => {
  const { address, count } = await countingTlsServer({ cert: tls('signed-anew.pem') + tls('proxy-ca.pem') });
  const viaProxy = await tunnel(address);
  const argv = ['ws', 'list', '--retry', '5', '--proxy', `http://me:${canary}@${viaProxy.address}`];
  const error = await errorFrom('https://api.example.test', argv);
  expect(error).toMatchObject({ exit: 11, retryable: false, attempts: 1 });
  expect(error.message).toBe(
    `no secure connection to api.example.test (through the proxy ${viaProxy.address}): its certificate is signed by Example Proxy CA, which is not trusted: it was re-signed by the proxy ${viaProxy.address} or by a device after it (SELF_SIGNED_CERT_IN_CHAIN)`,
  );
  expect(error.hint).toContain('Get the certificate of Example Proxy CA and trust it with --ca-cert FILE');
  expect([viaProxy.asked.length, count.bytes]).toEqual([1, 0]);
  const mended = await run('https://api.example.test', [...argv, '--ca-cert', 'proxy-ca.pem']);
  expect(mended).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

test('TLS that stalls behind a proxy may take as long as the connection timeout', async () => {
  const { address } = await proxy((client) => client.write('HTTP/1.1 200 OK\r\n\r\n'));
  const argv = ['ws', 'list', '--proxy', address, '--connect-timeout', '100ms'];
  const error = await errorFrom('https://api.example.test', argv);
  expect(error.exit).toBe(124);
  // A machine that is slow takes that long for the proxy alone.
  expect(error.message).toMatch(/the proxy 127\.0\.0\.1:\d+\)? did not accept the connection in time$/);
});

test('the name of an authority cannot act on a terminal', async () => {
  const { address } = await countingTlsServer({ cert: tls('hostile.pem') });
  for (const argv of [['--error-format', 'text'], ['--error-format', 'json'], ['--debug']]) {
    const { code, stderr } = await run(`https://${address}`, ['ws', 'list', ...argv], { tty: true });
    expect([code, stderr]).toEqual([11, expect.stringContaining('authority')]);
    expect(stderr).toContain('evil');
    expect(stderr).not.toContain('evil\x1b');
    expect(stderr).not.toContain('\u202e');
  }
});
