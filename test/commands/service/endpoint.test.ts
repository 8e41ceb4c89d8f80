/** The flags of `dtp serve` that let other machines use the service, and the URL that it prints. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ExitCode } from '../../../src/errors.ts';
import { dtp, temporaryFolder } from '../../support/context.ts';

const folder = resolve(import.meta.dirname, '../../support/tls');
const file = (name: string) => join(folder, name);
const tls = ['--tls-cert', file('server.pem'), '--tls-key', file('server.key')];
const json = ['serve', '--ephemeral', '-o', 'json'];

const refused: readonly (readonly [argv: readonly string[], message: string, hint?: string])[] = [
  [
    ['--host', '0.0.0.0'],
    '--host 0.0.0.0 needs TLS',
    'Pass --tls-cert FILE and --tls-key FILE or, if a proxy serves HTTPS, --behind-proxy and --allow-host NAME.',
  ],
  [['--host', '::'], '--host :: needs TLS'],
  [['--host', '192.0.2.1', '--open-access-tokens'], '--host 192.0.2.1 needs TLS'],
  [['--host', 'dtp.example.com', ...tls], '--host must be an IP address'],
  [['--host', 'fe80::1%eth0', ...tls], '--host must be an IP address'],
  [['--tls-cert', file('server.pem')], '--tls-cert needs --tls-key FILE'],
  [['--tls-key', file('server.key')], '--tls-key needs --tls-cert FILE'],
  [['--behind-proxy'], '--behind-proxy needs --allow-host NAME'],
  [['--allow-host', 'dtp.example.com'], '--allow-host needs --tls-cert FILE or --behind-proxy'],
  [['--allow-host', 'dtp.example.com:443', ...tls], 'must be a name without a port, not "dtp.example.com:443"'],
  [['--allow-host', '', ...tls], 'must be a name without a port'],
];

test.each(refused.map((row) => ({ row })))('$row.0 is refused with usage', async ({ row: [argv, message, hint] }) => {
  const { code, stderr } = await dtp([...json, ...argv]);
  const { error } = JSON.parse(stderr);
  expect([code, error.code]).toEqual([2, 'usage']);
  expect(error.message).toContain(message);
  if (hint !== undefined) expect(error.hint).toBe(hint);
});

test.each<readonly [cert: string, key: string, message: string]>([
  ['none.pem', 'server.key', 'none.pem does not exist'],
  ['server.pem', 'none.key', 'none.key does not exist'],
  ['.', 'server.key', 'is not a file'],
  ['server.key', 'server.key', 'server.key has no readable certificates (PEM)'],
  ['server.pem', 'server.pem', 'server.pem is not a private key in PEM format without a password'],
  ['server.pem', 'weak.key', 'weak.key does not belong to the first certificate in'],
  ['weak.pem', 'weak.key', 'weak.pem cannot be used'],
])('the files %s and %s are refused before the port is opened', async (cert, key, message) => {
  // Opening the port would fail with another error.
  const argv = ['--host', '192.0.2.1', '--tls-cert', file(cert), '--tls-key', file(key)];
  const { code, stdout, stderr } = await dtp([...json, ...argv]);
  expect([code, stdout, JSON.parse(stderr).error.message]).toEqual([3, '', expect.stringContaining(message)]);
  const secret = readFileSync(file('server.key'), 'utf8').split('\n')[1] ?? '';
  expect(stderr).not.toContain(secret);
});

test.each(['--tls-cert', '--tls-key'])('an empty %s is refused, and does not mean plain HTTP', async (flag) => {
  const empty = tls.map((word, at) => (tls[at - 1] === flag ? '' : word));
  for (const argv of [empty, ['--tls-cert', '', '--tls-key', '']]) {
    const { code, stdout, stderr } = await dtp([...json, '--host', '192.0.2.1', ...argv]);
    expect([code, stdout, JSON.parse(stderr).error.message]).toEqual([3, '', expect.stringContaining('is not a file')]);
  }
});

test('an IP address of another machine is an error', async () => {
  const { code, stderr } = await dtp([...json, '--host', '192.0.2.1', ...tls]);
  expect([code, JSON.parse(stderr).error.message]).toEqual([1, '192.0.2.1 is not an IP address of this machine']);
});

/** Serves until it has opened the page, whose link starts with the URL that it prints. */
async function served(argv: readonly string[]) {
  const ended = new AbortController();
  let link = '';
  const { stdout, stderr } = await dtp([...json, ...argv, '--open'], {
    home: temporaryFolder(),
    signal: ended.signal,
    openBrowser: async (url) => {
      link = url;
      ended.abort(new ExitCode(130));
    },
  });
  const { address } = JSON.parse(stdout);
  expect(link).toContain(`${address}/-/open/`);
  return { address, stderr };
}

const other = ['--tls-cert', file('other-host.pem'), '--tls-key', file('server.key')];

test.each<readonly [argv: readonly string[], address: RegExp, note: string]>([
  [[], /^http:\/\/127\.0\.0\.1:\d+$/, ''],
  [tls, /^https:\/\/127\.0\.0\.1:\d+$/, ''],
  [other, /^https:\/\/other\.example\.test:\d+$/, ''],
  [['--host', '::ffff:127.0.0.1', ...tls], /^https:\/\/api\.example\.test:\d+$/, ''],
  [['--host', '::ffff:127.0.0.1', ...tls, '--allow-host', 'localhost'], /^https:\/\/localhost:\d+$/, ''],
  [
    ['--behind-proxy', '--allow-host', 'DTP.example.com'],
    /^http:\/\/127\.0\.0\.1:\d+$/,
    'clients reach it through the proxy at dtp.example.com',
  ],
  [
    ['--tls-cert', file('expired.pem'), '--tls-key', file('server.key')],
    /^https:\/\/127\.0\.0\.1:\d+$/,
    'expired on Jan  1 00:00:00 2020 GMT',
  ],
  [
    ['--tls-cert', file('future.pem'), '--tls-key', file('server.key')],
    /^https:\/\/127\.0\.0\.1:\d+$/,
    'is not valid before Jan  1 00:00:00 2119 GMT',
  ],
])('%j prints a URL that a client can use', async (argv, address, note) => {
  const { address: printed, stderr } = await served(argv);
  expect(printed).toMatch(address);
  if (note === '') expect(stderr).toBe('');
  else expect(stderr.replaceAll(/\s+/g, ' ')).toContain(note.replaceAll(/\s+/g, ' '));
});

test.each([
  ['server', 0, 'with a certificate until '],
  ['expired', 3, 'expired on Jan  1 00:00:00 2020 GMT'],
  ['future', 3, 'is not valid before Jan  1 00:00:00 2119 GMT'],
])('--check of the certificate %s exits with %i', async (name, code, message) => {
  const argv = ['--tls-cert', file(`${name}.pem`), '--tls-key', file('server.key'), '--check'];
  const checked = await dtp([...json, ...argv], { home: temporaryFolder() });
  expect(checked.code).toBe(code);
  const [{ message: found, fix }] = JSON.parse(checked.stdout);
  expect(found).toContain(message);
  expect(fix).toBe(
    code === 0 ? undefined : 'Use a certificate that is valid today, or correct the clock of this machine.',
  );
});
