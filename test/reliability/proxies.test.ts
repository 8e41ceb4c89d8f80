/** Which proxy is used, and which requests it gets. All on loopback. */
import fc from 'fast-check';
import { EnvHttpProxyAgent } from 'undici';
import { expect, test } from 'vitest';
import { proxyFor } from '../../src/transport/no-proxy.ts';
import type { Proxies } from '../../src/transport/proxy.ts';
import { rounds, seed } from '../support/random.ts';
import { canary, errorFrom, run } from '../support/socket-commands.ts';
import { serverAnswering } from '../support/sockets.ts';
import { countingTlsServer, proxy, startHttpsServer, tunnel } from '../support/tls-server.ts';

/** Whatever the certificate, or without one. */
const list = ['ws', 'list', '--insecure', '--allow-http'];

/**
 * How a request reaches a service on this machine by an IP address outside the loopback range: `one`, `two` or
 * `straight`. ONE, TWO and PORT stand for the URLs of the proxies and the port of the service.
 */
async function wayTo(scheme: string, env: Readonly<Record<string, string>>, argv: readonly string[]) {
  const service = scheme === 'https' ? (await countingTlsServer()).address : await serverAnswering(plain);
  const [one, two] = [await tunnel(service), await tunnel(service)];
  const port = service.split(':')[1] as string;
  const filled = (text: string) => text.replace('ONE', one.address).replace('TWO', two.address).replace('PORT', port);
  const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
  const ended = await run(`${scheme}://0.0.0.0:${port}`, [...list, ...argv.map(filled)], { env: given });
  expect([ended.code, ended.stdout]).toEqual([0, '[]\n']);
  const asked = [...one.asked.map(() => 'one'), ...two.asked.map(() => 'two')];
  return asked.join(' ') || 'straight';
}

const plain = 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n[]';

test.each<readonly [string, string, Record<string, string>, readonly string[]]>([
  ['one', 'https', { HTTPS_PROXY: 'http://ONE' }, []],
  ['one', 'https', { https_proxy: 'http://ONE', HTTPS_PROXY: 'http://TWO' }, []],
  ['two', 'https', { https_proxy: '', HTTPS_PROXY: 'http://TWO' }, []],
  ['one', 'https', { HTTPS_PROXY: 'http://ONE', HTTP_PROXY: 'http://TWO' }, []],
  ['one', 'https', { HTTP_PROXY: 'http://ONE' }, []],
  ['straight', 'http', { HTTPS_PROXY: 'http://ONE' }, []],
  ['one', 'http', { HTTP_PROXY: 'http://ONE' }, []],
  ['one', 'http', { http_proxy: 'http://ONE', HTTP_PROXY: 'http://TWO' }, []],
  ['two', 'http', { HTTP_PROXY: 'http://TWO', HTTPS_PROXY: 'http://ONE' }, []],
  ['straight', 'https', { ALL_PROXY: 'http://ONE', all_proxy: 'http://ONE' }, []],
  // A web server would set this variable from a client's "Proxy" header.
  ['straight', 'http', { REQUEST_METHOD: 'GET', HTTP_PROXY: 'http://ONE' }, []],
  ['one', 'http', { REQUEST_METHOD: 'GET', http_proxy: 'http://ONE' }, []],
  ['one', 'https', { HTTPS_PROXY: 'http://TWO' }, ['--proxy', 'http://ONE']],
  ['one', 'http', { HTTP_PROXY: 'http://TWO' }, ['--proxy', 'http://ONE']],
  ['straight', 'https', { HTTPS_PROXY: 'http://TWO', HTTP_PROXY: 'http://TWO' }, ['--proxy', '']],
  ['straight', 'http', { HTTP_PROXY: 'http://TWO' }, ['--proxy=']],
  ['one', 'https', { HTTPS_PROXY: 'ONE' }, []],
  ['one', 'https', { HTTPS_PROXY: 'me:pass@ONE' }, []],
  ['one', 'https', { HTTPS_PROXY: 'HTTP://ONE/a/path?and=more' }, []],
  ['straight', 'https', { HTTPS_PROXY: 'http://ONE', NO_PROXY: '*' }, []],
  ['straight', 'https', { HTTPS_PROXY: 'http://ONE', NO_PROXY: '0.0.0.0' }, []],
  ['straight', 'https', { HTTPS_PROXY: 'http://ONE', NO_PROXY: 'a.test, 0.0.0.0:PORT' }, []],
  ['straight', 'https', { HTTPS_PROXY: 'http://ONE', NO_PROXY: 'a.test .0.0.0' }, []],
  ['straight', 'https', { HTTPS_PROXY: 'http://ONE', no_proxy: '0.0.0.0', NO_PROXY: 'a.test' }, []],
  ['straight', 'https', { NO_PROXY: '0.0.0.0' }, ['--proxy', 'http://ONE']],
  ['one', 'https', { HTTPS_PROXY: 'http://ONE', NO_PROXY: '0.0.0.0:1' }, []],
  ['straight', 'https', { HTTPS_PROXY: 'http://ONE', NO_PROXY: '0.0.0.0/8' }, []],
  ['one', 'https', { HTTPS_PROXY: 'http://ONE', NO_PROXY: '1.0.0.0/8' }, []],
  ['one', 'https', { HTTPS_PROXY: 'http://ONE', no_proxy: 'a.test', NO_PROXY: '0.0.0.0' }, []],
])('%s: to %s with %o %o', async (way, scheme, env, argv) => {
  expect(await wayTo(scheme, env, argv)).toBe(way);
});

test('loopback is never proxied, even if nothing is excluded', async () => {
  const { address } = await startHttpsServer('[]');
  const { count, address: on } = await proxy((client) => client.destroy());
  const port = address.split(':')[1];
  for (const host of ['127.0.0.1', 'localhost']) {
    const env = { HTTPS_PROXY: `http://${on}`, HTTP_PROXY: `http://${on}`, NO_PROXY: '' };
    expect((await run(`https://${host}:${port}`, list, { env })).code).toBe(0);
  }
  const all = { http: `http://${on}`, https: `http://${on}`, none: '' };
  for (const host of ['127.255.1.2', '[::1]', 'LOCALHOST', '127.1', '0x7f000001'])
    expect([host, proxyFor(all, new URL(`https://${host}`))]).toEqual([host, undefined]);
  for (const host of ['128.0.0.1', '[::2]', 'localhost.example.test', '127.0.0.1.example.test'])
    expect([host, proxyFor(all, new URL(`https://${host}`))]).toEqual([host, all.https]);
  expect(count.connections).toBe(0);
});

/** The proxy that undici's agent would use. */
function chosenByUndici({ http, https, none }: Proxies, url: URL): string | undefined {
  let chosen: string | undefined = 'no proxy';
  const agent = new EnvHttpProxyAgent({
    httpProxy: http,
    httpsProxy: https,
    noProxy: none,
    // It gets the options of the chosen agent.
    factory: (_, given) => {
      chosen = (given as { uri?: string }).uri;
      throw new Error('seen');
    },
  });
  try {
    agent.dispatch({ origin: url.origin, path: '/', method: 'GET' }, { onError: () => undefined });
  } catch {
    // The connection ends here.
  }
  return chosen;
}

const label = fc.constantFrom('a', 'ab', 'api', 'test', 'xn--p1ai', '10', '0');
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
const host = fc.oneof(name, fc.constantFrom('0.0.0.0', '10.0.0.1', '[2001:db8::1]', '[::2]'));
// Not a final dot, a subnet, or IPv6 without brackets, which undici does not read. test/transport/no-proxy.test.ts tests them.
const port = fc.constantFrom('', ':0', ':80', ':443', ':8443', ':0443', ':99999', ':x');
const around = fc.constantFrom('', '.', '*.', '*');
const entry = fc.oneof(
  fc.tuple(around, host, port).map((parts) => parts.join('')),
  fc.constantFrom('*', '.', '', ':', ':80', '[::2]', 'http://a.test', '*.*'),
  fc.string({ maxLength: 6 }).filter((text) => !/[[\].]/.test(text)),
);
const mixed = (text: string) => fc.constantFrom(text, text.toUpperCase());
const exceptions = fc
  .array(fc.tuple(entry.chain(mixed), fc.constantFrom(',', ' ', ', ', '\t', ',,')), { maxLength: 4 })
  .map((parts) => parts.flat().slice(0, -1).join(''));
const target = fc
  .tuple(fc.constantFrom('http', 'https'), host, fc.constantFrom('', ':80', ':443', ':8443'))
  .map(([scheme, at, on]) => `${scheme}://${at}${on}/`)
  .filter((text) => URL.canParse(text));

test(`the proxy is the one that undici's agent would use (seed ${seed})`, () => {
  const one = (at: string) => fc.constantFrom('', `http://${at}.test:3128`);
  const proxies = fc.record({ http: one('plain'), https: one('secure'), none: exceptions });
  const seen = new Set<string>();
  const property = fc.property(proxies, target, (given, to) => {
    const url = new URL(to);
    // Never proxied, which undici does not know.
    fc.pre(!/^(127\.|localhost$|\[::1\])/.test(url.hostname));
    const chosen = chosenByUndici(given, url);
    seen.add(`${chosen}`);
    expect(proxyFor(given, url)).toBe(chosen);
  });
  fc.assert(property, { seed, numRuns: rounds(1000, 20_000) });
  // Every route was taken.
  expect([...seen].sort()).toEqual(['http://plain.test:3128', 'http://secure.test:3128', 'undefined']);
});

test.each([
  ['me:pass', 'me:pass'],
  ['me', 'me:'],
  ['me:', 'me:'],
  [':pass', ':pass'],
  ['m%40e:p%3Aa%2Fs%25s%20%C3%A9', 'm@e:p:a/s%s é'],
])('the credential %s of a proxy', async (written, meant) => {
  const way = await tunnel((await countingTlsServer()).address);
  const { code } = await run('https://api.example.test', [...list, '--proxy', `http://${written}@${way.address}`]);
  expect(code).toBe(0);
  expect(way.asked).toEqual([`api.example.test:443 Basic ${Buffer.from(meant).toString('base64')}`]);
});

test('a proxy without a credential gets none, and plain http uses a tunnel too', async () => {
  const heads: string[] = [];
  const { address } = await proxy((client, head) => {
    heads.push(head);
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    client.once('data', (request) => {
      heads.push(request.toString());
      client.end(plain);
    });
  });
  const { code } = await run('http://api.example.test:8080', [...list, '--proxy', address]);
  expect(code).toBe(0);
  expect(heads[0]).toMatch(/^CONNECT api\.example\.test:8080 HTTP\/1\.1\r\nhost: api\.example\.test:8080\r\n/i);
  expect(heads[0]).not.toMatch(/authorization|a-key-of-tests/i);
  expect(heads[1]).toMatch(/^GET \/v1\/workspace\S* HTTP\/1\.1\r\n/);
});

test.each(['http://me:', 'me:'])(
  'the suggestion for a mistyped command hides the password of a proxy at %s',
  async (start) => {
    const value = `${start}${canary}@proxy.test`;
    for (const words of [['--proxy', value], [`--proxy=${value}`]]) {
      const { code, stderr } = await run('https://api.example.test', ['ws', 'lst', ...words]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/dtp .*ws list '?--proxy[ =].*\*\*\*@proxy\.test/)]);
      expect(stderr).not.toContain(canary);
    }
  },
);

test.each(['socks5://', 'socks://', 'ftp://', 'http://me:pa5%zz@', 'htp//'])(
  'a proxy at %s is rejected before anything is sent, without its password',
  async (start) => {
    const { address, count } = await proxy((client) => client.destroy());
    const value = `${start}${start.includes('@') ? '' : `me:${canary}@`}${address}`;
    for (const variable of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
      const error = await errorFrom('https://api.example.test', ['ws', 'list'], {
        env: { [variable]: value },
      });
      expect(error.exit).toBe(3);
      expect(error.message).toContain(`${variable.toLowerCase()} (from ${variable}) must be an http: or https: URL`);
      expect(JSON.stringify(error)).not.toContain('pa5%zz');
    }
    const error = await errorFrom('https://api.example.test', ['ws', 'list', '--proxy', value]);
    expect(error).toMatchObject({
      exit: 2,
      message: expect.stringContaining('--proxy must be an http: or https:'),
    });
    const explained = await run('https://api.example.test', ['config', 'explain'], {
      env: { HTTPS_PROXY: value },
    });
    expect(explained.code).toBe(0);
    expect(explained.stdout + explained.stderr).not.toMatch(new RegExp(`${canary}|pa5%zz`));
    expect(count.connections).toBe(0);
  },
);
