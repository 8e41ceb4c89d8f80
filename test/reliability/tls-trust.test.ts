/** Which certificates are trusted, and the errors for files without certificates. All on loopback. */
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nodeTls from 'node:tls';
import { expect, test } from 'vitest';
import { trustOptions } from '../../src/transport/roots.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { certificates, errorFrom, run } from '../support/socket-commands.ts';
import { countingTlsServer, tls } from '../support/tls-server.ts';

test('a private authority is trusted with each way to name its certificate', async () => {
  const { address } = await countingTlsServer();
  const base = `https://${address}`;
  const home = temporaryFolder();
  const list = ['ws', 'list'];
  const good = { code: 0, stdout: '[]\n', stderr: '' };
  expect(await run(base, [...list, '--ca-cert', 'ca.pem'])).toEqual(good);
  expect(await run(base, list, { env: { DTP_CA_CERT: join(certificates, 'ca.pem') } })).toEqual(good);
  const kept = await dtp(['config', 'set', 'ca_cert', join(certificates, 'ca.pem')], { home });
  expect(kept.code).toBe(0);
  expect(await run(base, list, { home })).toEqual(good);
  // Also what Node adds by itself, but only if nothing else is added.
  const extra = { env: { NODE_EXTRA_CA_CERTS: join(certificates, 'ca.pem') } };
  expect(await run(base, [...list, '--ca-cert', 'proxy-ca.pem'], extra)).toEqual(good);
});

test('the file may contain the intermediate that a service does not send', async () => {
  const home = temporaryFolder();
  const both = join(home, 'both.pem');
  writeFileSync(both, tls('intermediate.pem') + tls('ca.pem'));
  const bare = await countingTlsServer({ cert: tls('below.pem') });
  expect(await run(`https://${bare.address}`, ['ws', 'list', '--ca-cert', both])).toMatchObject({ code: 0 });
  const whole = await countingTlsServer({ cert: tls('below.pem') + tls('intermediate.pem') });
  const argv = ['ws', 'list', '--ca-cert', 'ca.pem'];
  expect(await run(`https://${whole.address}`, argv)).toMatchObject({ code: 0 });
});

test('certificates are added to the roots, and never replace them', () => {
  expect(trustOptions([])).toEqual({});
  const { ca } = trustOptions([tls('ca.pem')]);
  expect(ca).toContain(tls('ca.pem'));
  expect(nodeTls.rootCertificates.filter((root) => !ca?.includes(root))).toEqual([]);
});

const [ca, other] = [tls('ca.pem').trim(), tls('proxy-ca.pem').trim()];
const broken = '-----BEGIN CERTIFICATE-----\nZm9v\n-----END CERTIFICATE-----\n';

/** Files of which Node reads only some certificates. */
const brokenFiles: readonly (readonly [text: string, at: string])[] = [
  [`${ca}\n${broken}`, '2 of 2'],
  [`${broken}${ca}`, '1 of 2'],
  [ca.slice(0, 300), '1 of 1'],
  [`${ca}\n${other.slice(0, -60)}`, '2 of 2'],
  [`${ca}\n${other.slice(0, -1)}`, '2 of 2'],
  [`${ca}\n${other.slice(0, 27)}`, '2 of 2'],
  [`${ca.slice(0, 300)}\n${other}`, '1 of 1'],
  [`${ca.slice(200)}\n${other}`, '1 of 2'],
  [`${ca}\n${other.slice(200)}`, '2 of 2'],
  [`${ca}\n${other.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE').replace(/=*\n(?=-----END)/, 'AAAA\n')}`, '2 of 2'],
];

const read = (address: string, text: string) => {
  const path = join(temporaryFolder(), 'all.pem');
  writeFileSync(path, text);
  return run(`https://${address}`, ['ws', 'list', '--ca-cert', path]);
};

test.each([
  ['without a line break between them', `${other}${ca}`],
  ['without a line break before it', `# ${ca}\n${other}`],
  ['with names between them', `proxy\n${other}\nservice\n${ca}\n`],
  ['with the line breaks of Windows', `${other}\n${ca}\n`.replaceAll('\n', '\r\n')],
  ['after a key', `${tls('server.key')}${other}\n${ca}`],
  ['with its older name', `${other}\n${ca.replaceAll('CERTIFICATE', 'X509 CERTIFICATE')}`],
  [
    'after a request for a certificate',
    `-----BEGIN CERTIFICATE REQUEST-----\nZm9v\n-----END CERTIFICATE REQUEST-----\n${ca}`,
  ],
])('every certificate of the file is trusted: one %s', async (_, text) => {
  const { address } = await countingTlsServer();
  expect(await read(address, text)).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  const extra = join(temporaryFolder(), 'extra.pem');
  writeFileSync(extra, text);
  const argv = ['ws', 'list', '--ca-cert', 'proxy-ca.pem'];
  expect(await run(`https://${address}`, argv, { env: { NODE_EXTRA_CA_CERTS: extra } })).toMatchObject({ code: 0 });
});

test('an invalid certificate file is reported before anything is sent', async () => {
  const { address, count } = await countingTlsServer();
  const home = temporaryFolder();
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(home, name), content);
    return join(home, name);
  };
  mkdirSync(join(home, 'folder'));
  const der = 'openssl x509 -inform der';
  for (const [path, says, hint] of [
    [join(home, 'gone.pem'), 'does not exist', 'Check the path'],
    [join(home, 'folder'), 'is not a file', 'Pass a file in PEM format'],
    [file('empty.pem', ''), 'has no readable certificates', der],
    [file('key.pem', tls('server.key')), 'has no readable certificates', der],
    [file('ca.der', new X509Certificate(tls('ca.pem')).raw), 'has no readable certificates', der],
    ...brokenFiles.map(
      ([text, at], index) =>
        [
          file(`${index}.pem`, text),
          `is broken: certificate ${at} cannot be read`,
          'Get the certificates again',
        ] as const,
    ),
  ] as const) {
    const error = await errorFrom(`https://${address}`, ['ws', 'list', '--ca-cert', path]);
    expect(error).toMatchObject({
      exit: 3,
      message: expect.stringContaining(`${path} (from --ca-cert) ${says}`),
    });
    expect(error.hint).toContain(hint);
  }
  expect(count.connections).toBe(0);
});

test('--insecure warns each time, works, and is never stored', async () => {
  const { address } = await countingTlsServer({ cert: tls('self-signed.pem') });
  const home = temporaryFolder();
  for (const _ of [1, 2]) {
    const { code, stdout, stderr } = await run(`https://${address}`, ['ws', 'list', '--insecure'], { home });
    expect([code, stdout]).toEqual([0, '[]\n']);
    expect(stderr).toContain('--insecure: TLS certificates are not verified');
  }
  expect((await run(`https://${address}`, ['ws', 'list'], { home })).code).toBe(11);
  expect((await dtp(['config', 'set', 'insecure', 'true'], { home })).code).toBe(2);
  writeFileSync(join(home, '.dtp.json'), '{"insecure":true}');
  const file = await run(`https://${address}`, ['ws', 'list'], { home, cwd: home });
  expect([file.code, file.stderr]).toEqual([3, expect.stringMatching(/insecure\W+ is not a known setting/)]);
});

test('the certificates of these tests do not depend on the date', () => {
  const year = (date: string) => new Date(date).getUTCFullYear();
  for (const name of readdirSync(certificates).filter((one) => one.endsWith('.pem'))) {
    const { validFrom, validTo } = new X509Certificate(tls(name));
    const years = [year(validFrom), year(validTo)];
    const wanted = name.startsWith('expired') ? [2019, 2020] : name === 'future.pem' ? [2119, 2120] : [2020, 2120];
    expect([name, ...years]).toEqual([name, ...wanted]);
  }
});
