/** TLS and proxies as a user sees them: the built tool, whole processes. All on loopback. */
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dtp, home, start } from '../support/process.ts';
import { gone } from '../support/sockets.ts';
import { countingTlsServer, proxy, tls, tunnel } from '../support/tls-server.ts';

const folder = resolve(import.meta.dirname, '../support/tls');
const pem = (name: string) => resolve(folder, name);
const canary = 'canary-p7oce55';

/** Each in a separate home. */
async function run(base: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { folder: own, remove } = home();
  onTestFinished(remove);
  const ended = await dtp(own, ['ws', 'list', '--base-url', base, ...argv], {
    env: { DTP_API_KEY: canary, ...env },
  });
  expect(ended.stdout + ended.stderr).not.toContain(canary);
  return ended;
}

const list = { code: 0, stdout: '[]\n', stderr: '' };

/** The error that is printed as a line of JSON. */
const failed = (code: number, says: string) => ({
  code,
  stdout: '',
  stderr: expect.stringContaining(says),
});

test('a private authority, with each way to name its certificate', async () => {
  const { address, count } = await countingTlsServer();
  const base = `https://${address}`;
  const refused = await run(base, ['--retry', '5']);
  expect(refused).toEqual(failed(11, 'its certificate is signed by dtp test authority, which is not trusted'));
  expect(count).toEqual({ connections: 1, bytes: 0, requests: 0 });
  const extra = { NODE_EXTRA_CA_CERTS: pem('ca.pem') };
  const ended = await Promise.all([
    run(base, ['--ca-cert', pem('ca.pem')]),
    run(base, [], { DTP_CA_CERT: pem('ca.pem') }),
    run(base, [], extra),
    run(base, [], { ...extra, DTP_CA_CERT: pem('proxy-ca.pem') }),
  ]);
  expect(ended).toEqual([list, list, list, list]);
});

test('invalid certificates, and a handshake that never ends', async () => {
  const weak = { key: tls('weak.key'), cert: tls('weak.pem'), ciphers: 'DEFAULT:@SECLEVEL=0' };
  const [expired, other, feeble, own] = await Promise.all([
    countingTlsServer({ cert: tls('expired.pem') }),
    countingTlsServer({ cert: tls('other-host.pem') }),
    countingTlsServer({ ...weak, maxVersion: 'TLSv1.2' }),
    countingTlsServer({ cert: tls('self-signed.pem') }),
  ]);
  const silent = await proxy(() => undefined);
  const trust = (name: string) => ['--ca-cert', pem(name), '--retry', '5'];
  expect(
    await Promise.all([
      run(`https://${expired.address}`, trust('expired.pem')),
      run(`https://${other.address}`, trust('other-host.pem')),
      run(`https://${feeble.address}`, trust('weak.pem')),
      run(`https://${silent.address}`, ['--connect-timeout', '100ms']),
    ]),
  ).toEqual([
    failed(11, 'expired on'),
    failed(11, 'is for other.example.test, not for 127.0.0.1'),
    failed(11, 'certificate key too weak'),
    failed(124, 'did not accept the connection in time'),
  ]);
  // Node's variable, which is reported once and removed, has no effect.
  const careless = await run(`https://${expired.address}`, trust('expired.pem'), {
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  });
  expect(careless).toEqual(failed(11, 'expired on'));
  expired.count.connections--;
  for (const { count } of [expired, other, feeble]) expect(count).toEqual({ connections: 1, bytes: 0, requests: 0 });
  expect(await run(`https://${own.address}`, ['--insecure'])).toEqual({
    ...list,
    stderr: expect.stringContaining('--insecure: TLS certificates are not verified'),
  });
});

test('through a proxy: with its credential, by each variable, and bypassing it', async () => {
  const { address } = await countingTlsServer();
  const [one, two] = [await tunnel(address), await tunnel(address)];
  const ca = { DTP_CA_CERT: pem('ca.pem') };
  const at = 'https://api.example.test';
  expect(
    await Promise.all([
      run(at, [], { ...ca, HTTPS_PROXY: `http://me:@${one.address}` }),
      run(at, [], { ...ca, https_proxy: one.address, HTTPS_PROXY: two.address }),
      run(at, ['--proxy', `http://m%40e:${canary}@${one.address}`], { ...ca, HTTPS_PROXY: two.address }),
      run(`https://${address}`, [], { ...ca, HTTPS_PROXY: two.address, NO_PROXY: '' }),
    ]),
  ).toEqual([list, list, list, list]);
  const basic = (text: string) => `api.example.test:443 Basic ${Buffer.from(text).toString('base64')}`;
  expect(one.asked.sort()).toEqual(['api.example.test:443 ', basic(`m@e:${canary}`), basic('me:')].sort());
  expect(two.asked).toEqual([]);
});

test('a proxy that re-signs TLS, rejects, closes, is silent, does not exist, is invalid', async () => {
  const signing = await tunnel((await countingTlsServer({ cert: tls('signed-anew.pem') })).address);
  const refusing = await proxy((client) => client.end('HTTP/1.1 407 No\r\n\r\n'));
  const ending = await proxy((client) => client.end());
  const silent = await proxy(() => undefined);
  const through = (address: string, ...argv: readonly string[]) =>
    run('https://api.example.test', argv, { HTTPS_PROXY: `http://me:${canary}@${address}` });
  expect(
    await Promise.all([through(signing.address), through(refusing.address, '--retry', '5'), through(ending.address)]),
  ).toEqual([
    failed(11, `is signed by Example Proxy CA, which is not trusted: it was re-signed by the proxy ${signing.address}`),
    failed(11, `the proxy ${refusing.address} rejected the user name and the password`),
    failed(11, `the proxy ${ending.address} closed the connection`),
  ]);
  const away = await gone();
  expect(
    await Promise.all([
      through(silent.address, '--connect-timeout', '100ms'),
      through(away),
      run('https://api.example.test', [], { HTTPS_PROXY: `socks5://me:${canary}@${away}` }),
    ]),
  ).toEqual([
    failed(124, `the proxy ${silent.address} did not accept the connection in time`),
    failed(11, `the proxy ${away} refused the connection`),
    failed(3, 'https_proxy (from HTTPS_PROXY) must be an http: or https: URL'),
  ]);
  expect([refusing.count, ending.count]).toEqual([{ connections: 1 }, { connections: 1 }]);
});

test('an interrupt ends the wait for a proxy', async () => {
  const { folder: own, remove } = home();
  onTestFinished(remove);
  let ask: () => void = () => undefined;
  const asked = new Promise<void>((done) => {
    ask = done;
  });
  const { address } = await proxy(() => ask());
  const argv = ['ws', 'list', '--base-url', 'https://api.example.test', '--connect-timeout', '5m'];
  const child = start(own, [...argv, '--timeout', '5m', '--proxy', address], {
    env: { DTP_API_KEY: canary },
  });
  const ended = new Promise((done) => child.on('close', done));
  await asked;
  child.kill('SIGINT');
  expect(await ended).toBe(130);
});
