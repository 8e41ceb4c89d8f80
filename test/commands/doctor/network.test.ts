/** `dtp doctor` on the network, over real sockets: DNS, proxies and certificates. All on loopback. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { DtpError, ExitCode } from '../../../src/errors.ts';
import { proxyFor } from '../../../src/transport/no-proxy.ts';
import { openProbe } from '../../../src/transport/probe.ts';
import { openSend } from '../../../src/transport/send.ts';
import { wallClock } from '../../support/clocks.ts';
import { dtp, type World } from '../../support/context.ts';
import { canary, examined } from '../../support/doctor.ts';
import { failure, listening, raw, serverAnswering } from '../../support/sockets.ts';

const folder = new URL('../../support/tls/', import.meta.url);
const tls = (name: string) => readFileSync(new URL(name, folder), 'utf8');

/** A TLS service that answers every request with what the two checks need. */
async function secure(certificate: string): Promise<string> {
  const server = https.createServer({ key: tls('server.key'), cert: tls(certificate) }, (_, response) => {
    response.end('{"generation_allowed":true,"message":"go on"}');
  });
  server.on('tlsClientError', () => undefined);
  return listening(server, () => server.closeAllConnections());
}

const real = {
  openProbe: async () => openProbe(),
  openSend: async (options) => openSend(options),
} satisfies World;

const portOf = (address: string) => address.split(':')[1];

/** Uses the given `proxy`, and the certificates next to this test. */
const look = (base: string, argv: readonly string[] = [], more: World = {}) =>
  examined(['--base-url', base, ...argv], {
    ...real,
    cwd: fileURLToPath(folder),
    ...more,
    env: { DTP_API_KEY: canary, ...more.env },
  });

test('a certificate of a private authority is reported with its issuer, and accepted with --ca-cert', async () => {
  const address = await secure('server.pem');
  const found = await look(`https://${address}`);
  expect(found.code).toBe(11);
  expect(found.of('connection')).toMatch(
    /^fail: .* is signed by dtp test authority, which is not trusted: this may be a private authority, a proxy that intercepts TLS, or .* \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/,
  );
  expect(found.mend('connection')).toContain('--ca-cert FILE, or permanently with: dtp config set ca_cert FILE');
  expect(found.of('credential')).toBe(
    'skip: the credential from DTP_API_KEY was not checked, because the service cannot be reached',
  );
  const mended = await look(`https://${address}`, ['--ca-cert', 'ca.pem']);
  expect(mended.code).toBe(0);
  expect(mended.of('connection')).toMatch(
    /^ok: .* uses TLSv1\.3; its certificate from dtp test authority is valid until Jan {2}1 00:00:00 2120 GMT$/,
  );
  expect(mended.of('access')).toMatch(/^ok/);
});

test.each([
  ['self-signed', [], 'is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)', '--ca-cert FILE'],
  ['expired', ['--ca-cert', 'expired.pem'], 'expired on Jan  1 00:00:00 2020 GMT', 'Have the certificate renewed'],
  ['future', ['--ca-cert', 'future.pem'], 'is not valid before Jan  1 00:00:00 2119 GMT', 'Correct the clock'],
  [
    'other-host',
    ['--ca-cert', 'other-host.pem'],
    'is for other.example.test, not for 127.0.0.1 (ERR_TLS_CERT_ALTNAME_INVALID)',
    'Use a base URL',
  ],
] as const)('a certificate that is %s', async (name, argv, says, mend) => {
  const base = `https://${await secure(`${name}.pem`)}`;
  const found = await look(base, argv);
  expect([found.code, found.of('connection'), found.mend('connection')]).toEqual([
    11,
    expect.stringContaining(says),
    expect.stringContaining(mend),
  ]);
  // The doctor reports what the sender would report.
  expect(await failure(`${base}/`, { ca: argv.slice(1).map(tls) })).toMatchObject({ code: 'network' });
  const careless = await look(base, [...argv, '--insecure']);
  expect([careless.code, careless.of('connection')]).toEqual([0, expect.stringMatching(/^warn: .*--insecure/)]);
});

test('an invalid certificate file', async () => {
  const found = await look('https://127.0.0.1:1', ['--ca-cert', 'server.key']);
  expect([found.code, found.of('connection')]).toEqual([3, expect.stringContaining('has no readable certificates')]);
  expect(found.of('dns')).toBe('skip: the CA certificates cannot be read');
});

test('plain HTTP instead of TLS, and a port without a server', async () => {
  const plain = await look(`https://${await serverAnswering('HTTP/1.1 200 OK\r\n\r\n')}`);
  expect([plain.code, plain.of('connection')]).toEqual([11, expect.stringContaining('no secure connection')]);
  const server = net.createServer();
  const gone = await listening(server);
  await new Promise((done) => server.close(done));
  const nobody = await look(`http://${gone}`);
  expect([nobody.code, nobody.of('connection')]).toEqual([11, `fail: ${gone} refused the connection`]);
});

test('a name that cannot be resolved, and one that can', async () => {
  const lookUp = () => Promise.reject(new DtpError('network', 'api.example.test is an unknown host'));
  const found = await look('https://api.example.test', [], {
    openProbe: async () => ({ ...openProbe(), lookUp }),
  });
  expect([found.code, found.of('dns')]).toEqual([11, 'fail: api.example.test is an unknown host']);
  expect(found.mend('dns')).toContain('resolve api.example.test');
  for (const name of ['connection', 'clock', 'credential', 'access']) expect(found.of(name)).toMatch(/^skip/);
  const known = await look(`https://localhost:${portOf(await secure('server.pem'))}`, ['--ca-cert', 'ca.pem']);
  expect(known.of('dns')).toMatch(/^ok: localhost resolves to (127\.0\.0\.1|::1)/);
});

test.each(['dns', 'connection'])('a check of %s that hangs is stopped', async (check) => {
  let hang: () => void = () => undefined;
  const hangs = new Promise<void>((done) => {
    hang = done;
  });
  const never = () => {
    hang();
    return new Promise<never>(() => undefined);
  };
  const silent = await raw(hang);
  const found = await look(`https://localhost:${portOf(silent)}`, [], {
    openProbe: async () => ({ ...openProbe(), ...(check === 'dns' && { lookUp: never }) }),
    // The time runs out while it hangs.
    clock: { now: wallClock.now, sleep: () => hangs },
  });
  expect([found.code, found.of(check)]).toEqual([124, 'fail: no response within 3 s']);
});

test('an interrupt stops it, with nothing on stdout', async () => {
  const interrupt = new AbortController();
  const lookUp = () => {
    interrupt.abort(new ExitCode(130));
    return new Promise<never>(() => undefined);
  };
  const ended = await dtp(['doctor', '--base-url', 'https://api.example.test'], {
    openProbe: async () => ({ ...openProbe(), lookUp }),
    signal: interrupt.signal,
  });
  expect(ended).toEqual({ code: 130, stdout: '', stderr: '' });
});

/** A proxy that tunnels to `target`, or responds with a status. */
async function proxy(target: string | number) {
  const asked: string[] = [];
  const server = http.createServer();
  server.on('connect', (request, client) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    client.on('error', () => undefined);
    if (typeof target === 'number') return client.end(`HTTP/1.1 ${target} No\r\n\r\n`);
    const [host, port] = target.split(':') as [string, string];
    const upstream = net.connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => undefined);
    onTestFinished(() => {
      upstream.destroy();
      client.destroy();
    });
  });
  return { address: await listening(server, () => server.closeAllConnections()), asked };
}

test('through a proxy, which resolves the name; its credential is sent to it and never shown', async () => {
  const { address, asked } = await proxy(await secure('server.pem'));
  const env = { HTTPS_PROXY: `http://me:${canary}@${address}` };
  const found = await look('https://api.example.test', ['--ca-cert', 'ca.pem'], { env });
  expect(found.code).toBe(0);
  expect(found.of('proxy')).toBe(`ok: http://${address} (HTTPS_PROXY) is reachable`);
  expect(found.of('dns')).toBe('skip: the proxy resolves api.example.test');
  expect(found.of('connection')).toMatch(/^ok: api\.example\.test uses TLS/);
  expect(asked[0]).toBe(`api.example.test:443 Basic ${Buffer.from(`me:${canary}`).toString('base64')}`);
  expect(JSON.stringify(found.checks) + found.stderr).not.toContain(canary);
  const signing = await look('https://api.example.test', [], { env });
  expect(signing.of('connection')).toContain(`it was probably re-signed by the proxy ${address}`);
});

test.each([
  [407, 'requires a user name and a password', 'HTTPS_PROXY=http://NAME:PASSWORD@'],
  [403, 'did not connect to api.example.test:443: status 403', 'NO_PROXY'],
])('a proxy that answers %s', async (status, says, mend) => {
  const { address } = await proxy(status);
  const found = await look('https://api.example.test', ['--proxy', `http://${address}`]);
  expect([found.code, found.of('connection')]).toEqual([11, expect.stringContaining(says)]);
  expect(found.mend('connection')).toContain(mend);
});

test('a proxy that does not exist', async () => {
  const server = net.createServer();
  const gone = await listening(server);
  await new Promise((done) => server.close(done));
  const found = await look('https://api.example.test', [], {
    env: { HTTPS_PROXY: `http://u:${canary}@${gone}` },
  });
  expect([found.code, found.of('proxy')]).toEqual([
    11,
    `fail: http://${gone} (HTTPS_PROXY): the proxy ${gone} refused the connection`,
  ]);
  expect(found.mend('proxy')).toContain('NO_PROXY=api.example.test');
  expect(found.of('connection')).toBe('skip: the proxy cannot be reached');
  expect(JSON.stringify(found.checks) + found.stderr).not.toContain(canary);
});

test('a proxy that uses TLS itself', async () => {
  const server = https.createServer({ key: tls('server.key'), cert: tls('server.pem') });
  server.on('connect', (_, client) => client.end('HTTP/1.1 502 No\r\n\r\n'));
  server.on('tlsClientError', () => undefined);
  const address = await listening(server, () => server.closeAllConnections());
  const argv = ['--proxy', `https://${address}`];
  const unknown = await look('https://api.example.test', argv);
  expect(unknown.of('proxy')).toContain('no secure connection');
  const known = await look('https://api.example.test', [...argv, '--ca-cert', 'ca.pem']);
  expect([known.of('proxy'), known.of('connection')]).toEqual([
    expect.stringMatching(/^ok/),
    expect.stringContaining('status 502'),
  ]);
});

test('NO_PROXY is reported, and follows the same rules as requests', async () => {
  const asked: string[] = [];
  const server = http.createServer();
  server.on('connect', (request, client) => {
    asked.push(request.url ?? '');
    client.end('HTTP/1.1 502 No\r\n\r\n');
  });
  const address = await listening(server, () => server.closeAllConnections());
  // This machine, by an IP address outside the loopback range.
  const url = new URL('https://0.0.0.0:8443/');
  for (const none of [
    ...['', '*', '0.0.0', '.0.0.0', '*.0.0.0', '0.0.0.0', '.0', '00', '.', '0.0.0.0.0'],
    ...['0.0.0.0:8443', '0.0.0:443', '*.0:8443', 'other.test, 0.0.0.0', 'a b', 'x *', '*, x'],
  ]) {
    const proxies = { http: '', https: `http://${address}`, none };
    const said = proxyFor(proxies, url);
    asked.length = 0;
    await failure(url.href, { proxy: proxies });
    expect([none, said === undefined]).toEqual([none, asked.length === 0]);
  }
  const by = (http: string, https: string, none: string, to: string) => proxyFor({ http, https, none }, new URL(to));
  expect(by('http://p', '', '', 'https://api.example.test')).toBe('http://p');
  expect(by('', 'http://p', '', 'http://api.example.test')).toBeUndefined();
  expect(by('http://p', 'http://p', '', 'http://127.0.0.1')).toBeUndefined();
  expect(by('http://p', '', 'EXAMPLE.test', 'https://API.example.test')).toBeUndefined();
  expect(by('http://p', '', 'ple.test', 'https://api.example.test')).toBe('http://p');
});
