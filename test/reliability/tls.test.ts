/** TLS that cannot be trusted, in process: what is wrong is told, nothing is sent, nothing is tried again. All on loopback. */
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import nodeTls, { type TlsOptions } from 'node:tls';
import { expect, test } from 'vitest';
import { openProbe } from '../../src/transport/probe.ts';
import { trusted } from '../../src/transport/roots.ts';
import { openSend } from '../../src/transport/send.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { judged, proxy, tls, tunnel } from '../support/secure.ts';
import { raw } from '../support/sockets.ts';

const folder = resolve(import.meta.dirname, '../support/tls');
const canary = 'canary-71s5ecr3t';

const real = {
  openSend: async (options) => openSend(options),
  openProbe: async () => openProbe(),
} satisfies World;

const run = (base: string, argv: readonly string[], more: World = {}) =>
  dtp(['--base-url', base, '-o', 'json', ...argv], {
    ...real,
    cwd: folder,
    ...more,
    env: { DTP_API_KEY: canary, ...more.env },
  });

/** The error of a command that fails. */
async function told(base: string, argv: readonly string[], more: World = {}) {
  const { code, stdout, stderr } = await run(base, argv, more);
  expect(stdout).toBe('');
  expect(stderr).not.toContain(canary);
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
    error: { message: string; hint: string; attempts: number; retryable: boolean };
  };
  return { ...error, exit: code };
}

/** What a server shows, what is trusted, what is told and how it is mended. */
type Fault = readonly [
  name: string,
  shows: TlsOptions,
  trusts: string | undefined,
  says: string,
  mend: string,
];

const old = 'DEFAULT:@SECLEVEL=0';

const faults: readonly Fault[] = [
  [
    'an authority that is not known',
    {},
    undefined,
    'its certificate is by dtp test authority, which is not trusted here: a private authority, or a proxy on the way that signs TLS anew, or a service that does not send the certificate in between (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    'Get the certificate of dtp test authority and give it with --ca-cert FILE',
  ],
  [
    'an authority that is not known, and is shown',
    { cert: tls('server.pem') + tls('ca.pem') },
    undefined,
    'its certificate is by dtp test authority, which is not trusted here: a private authority, or a proxy on the way that signs TLS anew (SELF_SIGNED_CERT_IN_CHAIN)',
    'Get the certificate of dtp test authority and give it with --ca-cert FILE',
  ],
  [
    'a certificate in between that is not sent',
    { cert: tls('below.pem') },
    'ca.pem',
    'is by dtp test intermediate, which is not trusted here: a private authority, or a proxy on the way that signs TLS anew, or a service that does not send the certificate in between',
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
    'its certificate has expired on Jan  1 00:00:00 2020 GMT (CERT_HAS_EXPIRED)',
    'Have it renewed, or set the clock',
  ],
  [
    'an authority in between that has expired',
    { cert: tls('below-expired.pem') + tls('expired-intermediate.pem') },
    'ca.pem',
    'is by an authority whose own certificate (dtp old intermediate) has expired on Jan  1 00:00:00 2020 GMT',
    'Have it renewed',
  ],
  [
    'not yet valid',
    { cert: tls('future.pem') },
    'future.pem',
    'its certificate is not valid before Jan  1 00:00:00 2119 GMT (CERT_NOT_YET_VALID)',
    'Set the clock of this machine',
  ],
  [
    'of another host',
    { cert: tls('other-host.pem') },
    'other-host.pem',
    'its certificate is for another host than 127.0.0.1: other.example.test (ERR_TLS_CERT_ALTNAME_INVALID)',
    'Use a base address whose host',
  ],
  [
    'a key that is too weak',
    { key: tls('weak.key'), cert: tls('weak.pem'), ciphers: old, maxVersion: 'TLSv1.2' },
    'weak.pem',
    'is not one that can be trusted: EE certificate key too weak',
    'Ask whoever runs the service',
  ],
  [
    'by a name that tells of a proxy',
    { cert: tls('signed-anew.pem') },
    undefined,
    'is by Example Proxy CA, which is not trusted here: by this name, a proxy on the way signs TLS anew (',
    'Get the certificate of Example Proxy CA and give it with --ca-cert FILE',
  ],
];

test.each(faults)('%s: told and mended, no byte is sent, nothing is tried again', async (...fault) => {
  const [, shows, trusts, says, mend] = fault;
  const argv = trusts ? ['--ca-cert', trusts] : [];
  const { address, count } = await judged(shows);
  // One that may be sent again because it was asked for, and one that is by declaration.
  for (const command of [
    ['ws', 'list', '--retry', '5'],
    ['auth', 'access'],
  ]) {
    count.connections = 0;
    const error = await told(`https://${address}`, [...command, ...argv]);
    expect(error).toMatchObject({ exit: 11, code: 'network', retryable: false, attempts: 1 });
    expect(error.message).toContain(`no secure connection to ${address}: its certificate `);
    expect(error.message).toContain(says);
    expect(error.hint).toContain(mend);
    expect(count).toEqual({ connections: 1, bytes: 0, requests: 0 });
  }
  // The doctor says the same.
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
    'TLS 1.1 and no later',
    { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: old },
    'it does not speak TLS 1.2 or later',
    'TLS 1.2 or later',
  ],
  [
    'no cipher that is safe',
    { maxVersion: 'TLSv1.2', ciphers: 'NULL-SHA256:@SECLEVEL=0' },
    'it refused the handshake',
    'Ask whoever runs it',
  ],
])('%s', async (_, shows, says, mend) => {
  const { address, count } = await judged(shows);
  const error = await told(`https://${address}`, ['ws', 'list', '--ca-cert', 'ca.pem', '--retry', '5']);
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
  const error = await told(`https://${address}`, ['ws', 'list', '--retry', '5']);
  expect(error).toMatchObject({ exit: 11, retryable: false, attempts: 1 });
  expect(error.message).toContain(
    `no secure connection to ${address}: what answers there does not speak TLS`,
  );
  expect(error.hint).toContain('Check the base address');
  expect([connections, text.includes('HTTP/1.1'), text.includes(canary)]).toEqual([1, false, false]);
});

test.each([
  ['closes', 'closed the connection before it was secure'],
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
  const error = await told(`https://${address}`, ['ws', 'list']);
  expect(error).toMatchObject({ exit: 11, message: expect.stringContaining(`${address} ${says}`) });
  expect(error.hint).toContain('dtp config explain');
  expect(text).not.toContain(canary);
});

test('a server that stalls in the handshake is waited for as long as a connection may take', async () => {
  const address = await raw(() => undefined);
  const error = await told(`https://${address}`, ['ws', 'list', '--connect-timeout', '100ms']);
  expect(error).toMatchObject({
    exit: 124,
    message: `${address} did not accept the connection in time`,
    hint: expect.stringContaining('--connect-timeout'),
  });
});

test('a private authority is trusted by each way of naming its certificate', async () => {
  const { address } = await judged();
  const base = `https://${address}`;
  const home = temporaryFolder();
  const list = ['ws', 'list'];
  const good = { code: 0, stdout: '[]\n', stderr: '' };
  expect(await run(base, [...list, '--ca-cert', 'ca.pem'])).toEqual(good);
  expect(await run(base, list, { env: { DTP_CA_CERT: join(folder, 'ca.pem') } })).toEqual(good);
  const kept = await dtp(['config', 'set', 'ca_cert', join(folder, 'ca.pem')], { home });
  expect(kept.code).toBe(0);
  expect(await run(base, list, { home })).toEqual(good);
  // Beside it, what Node adds by itself only where nothing else is added.
  const extra = { env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } };
  expect(await run(base, [...list, '--ca-cert', 'proxy-ca.pem'], extra)).toEqual(good);
});

test('what a service does not send may be in the file', async () => {
  const home = temporaryFolder();
  const both = join(home, 'both.pem');
  writeFileSync(both, tls('intermediate.pem') + tls('ca.pem'));
  const bare = await judged({ cert: tls('below.pem') });
  expect(await run(`https://${bare.address}`, ['ws', 'list', '--ca-cert', both])).toMatchObject({ code: 0 });
  const whole = await judged({ cert: tls('below.pem') + tls('intermediate.pem') });
  const argv = ['ws', 'list', '--ca-cert', 'ca.pem'];
  expect(await run(`https://${whole.address}`, argv)).toMatchObject({ code: 0 });
});

test('certificates are added to the roots, never in their place', () => {
  expect(trusted([])).toEqual({});
  const { ca } = trusted([tls('ca.pem')]);
  expect(ca).toContain(tls('ca.pem'));
  expect(nodeTls.rootCertificates.filter((root) => !ca?.includes(root))).toEqual([]);
});

test('a file of certificates that is none is told before anything is sent', async () => {
  const { address, count } = await judged();
  const home = temporaryFolder();
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(home, name), content);
    return join(home, name);
  };
  const broken = '-----BEGIN CERTIFICATE-----\nZm9v\n-----END CERTIFICATE-----\n';
  mkdirSync(join(home, 'folder'));
  for (const [path, says] of [
    [join(home, 'gone.pem'), 'is not there'],
    [join(home, 'folder'), 'cannot be read (EISDIR)'],
    [file('empty.pem', ''), 'holds no certificates'],
    [file('key.pem', tls('server.key')), 'holds no certificates'],
    [file('ca.der', new X509Certificate(tls('ca.pem')).raw), 'holds no certificates'],
    [file('cut.pem', tls('ca.pem').slice(0, 300)), 'holds no certificates'],
    [file('half.pem', tls('ca.pem') + broken), 'is broken: certificate 2 of 2 cannot be read'],
  ] as const) {
    const error = await told(`https://${address}`, ['ws', 'list', '--ca-cert', path]);
    expect(error).toMatchObject({
      exit: 3,
      message: expect.stringContaining(`${path}, from --ca-cert, ${says}`),
    });
    expect(error.hint).toContain('openssl x509 -inform der');
  }
  expect(count.connections).toBe(0);
});

test('--insecure warns each time, works, and is nowhere kept', async () => {
  const { address } = await judged({ cert: tls('self-signed.pem') });
  const home = temporaryFolder();
  for (const _ of [1, 2]) {
    const { code, stdout, stderr } = await run(`https://${address}`, ['ws', 'list', '--insecure'], { home });
    expect([code, stdout]).toEqual([0, '[]\n']);
    expect(stderr).toContain('--insecure: any certificate is accepted');
  }
  expect((await run(`https://${address}`, ['ws', 'list'], { home })).code).toBe(11);
  expect((await dtp(['config', 'set', 'insecure', 'true'], { home })).code).toBe(2);
  writeFileSync(join(home, '.dtp.json'), '{"insecure":true}');
  const file = await run(`https://${address}`, ['ws', 'list'], { home, cwd: home });
  expect([file.code, file.stderr]).toEqual([3, expect.stringContaining('insecure')]);
});

test('a proxy that signs TLS anew is named, with the authority that it signs by', async () => {
  const { address, count } = await judged({ cert: tls('signed-anew.pem') + tls('proxy-ca.pem') });
  const way = await tunnel(address);
  const argv = ['ws', 'list', '--retry', '5', '--proxy', `http://me:${canary}@${way.address}`];
  const error = await told('https://api.example.test', argv);
  expect(error).toMatchObject({ exit: 11, retryable: false, attempts: 1 });
  expect(error.message).toBe(
    `no secure connection to api.example.test, through the proxy ${way.address}: its certificate is by Example Proxy CA, which is not trusted here: the proxy ${way.address} signs TLS anew, or what is behind it (SELF_SIGNED_CERT_IN_CHAIN)`,
  );
  expect(error.hint).toContain('Get the certificate of Example Proxy CA and give it with --ca-cert FILE');
  expect([way.asked.length, count.bytes]).toEqual([1, 0]);
  const mended = await run('https://api.example.test', [...argv, '--ca-cert', 'proxy-ca.pem']);
  expect(mended).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

test('TLS that stalls behind a proxy is waited for as long as a connection may take', async () => {
  const { address } = await proxy((client) => client.write('HTTP/1.1 200 OK\r\n\r\n'));
  const argv = ['ws', 'list', '--proxy', address, '--connect-timeout', '100ms'];
  const error = await told('https://api.example.test', argv);
  expect(error.exit).toBe(124);
  // A machine that is slow takes that long for the proxy alone.
  expect(error.message).toMatch(/the proxy 127\.0\.0\.1:\d+,? did not accept the connection in time$/);
});

test('the name of an authority moves no terminal', async () => {
  const { address } = await judged({ cert: tls('hostile.pem') });
  for (const argv of [['--error-format', 'text'], ['--error-format', 'json'], ['--debug']]) {
    const { code, stderr } = await run(`https://${address}`, ['ws', 'list', ...argv], { tty: true });
    expect([code, stderr]).toEqual([11, expect.stringContaining('authority')]);
    expect(stderr).toContain('evil');
    expect(stderr).not.toContain('evil\x1b');
    expect(stderr).not.toContain('\u202e');
  }
});

test('no certificate of these tests depends on the day', () => {
  const year = (date: string) => new Date(date).getUTCFullYear();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.pem'))) {
    const { validFrom, validTo } = new X509Certificate(tls(name));
    const years = [year(validFrom), year(validTo)];
    const wanted = name.startsWith('expired')
      ? [2019, 2020]
      : name === 'future.pem'
        ? [2119, 2120]
        : [2020, 2120];
    expect([name, ...years]).toEqual([name, ...wanted]);
  }
});
