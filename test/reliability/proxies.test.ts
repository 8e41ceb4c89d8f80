/** Proxies, in process: which one is on the way, what it is asked, and what is told of its faults. All on loopback. */
import fc from 'fast-check';
import { EnvHttpProxyAgent } from 'undici';
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { proxyError } from '../../src/transport/failures.ts';
import { openProbe } from '../../src/transport/probe.ts';
import { type Proxies, proxyFor } from '../../src/transport/proxy.ts';
import { openSend } from '../../src/transport/send.ts';
import { dtp, type World } from '../support/context.ts';
import { rounds, seed } from '../support/random.ts';
import { judged, proxy, secure, tunnel } from '../support/secure.ts';
import { gone, listening, raw, says } from '../support/sockets.ts';

const canary = 'canary-9r0xy5ecr3t';
const real = {
  openSend: async (options) => openSend(options),
  openProbe: async () => openProbe(),
} satisfies World;

const run = (base: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  dtp(['--base-url', base, '--insecure', '--allow-http', '-o', 'json', ...argv], {
    ...real,
    env: { DTP_API_KEY: 'a-key-of-tests', ...env },
  });

/** The error of a command that fails; the warning before it is left out. */
async function told(base: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await run(base, argv, env);
  expect([stdout, stderr.includes(canary)]).toEqual(['', false]);
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
    error: { message: string; hint: string; attempts: number; retryable: boolean };
  };
  return { ...error, exit: code };
}

/**
 * Which way is gone to a service of this machine, by an address that is not of the loopback range: `one`, `two` or
 * `straight`. ONE, TWO and PORT in what is given stand for the addresses of the proxies and the port of the service.
 */
async function wayTo(scheme: string, env: Readonly<Record<string, string>>, argv: readonly string[]) {
  const service = scheme === 'https' ? (await judged()).address : await says(plain);
  const [one, two] = [await tunnel(service), await tunnel(service)];
  const port = service.split(':')[1] as string;
  const filled = (text: string) =>
    text.replace('ONE', one.address).replace('TWO', two.address).replace('PORT', port);
  const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
  const ended = await run(`${scheme}://0.0.0.0:${port}`, ['ws', 'list', ...argv.map(filled)], given);
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
  // A web server names the header "Proxy" of whoever asks so.
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
  ['one', 'https', { HTTPS_PROXY: 'http://ONE', NO_PROXY: '0.0.0.0/8' }, []],
  ['one', 'https', { HTTPS_PROXY: 'http://ONE', no_proxy: 'a.test', NO_PROXY: '0.0.0.0' }, []],
])('%s: to %s with %o %o', async (way, scheme, env, argv) => {
  expect(await wayTo(scheme, env, argv)).toBe(way);
});

test('loopback is never proxied, also where nothing is excepted', async () => {
  const { address } = await secure('[]');
  const { count, address: on } = await proxy((client) => client.destroy());
  const port = address.split(':')[1];
  for (const host of ['127.0.0.1', 'localhost']) {
    const env = { HTTPS_PROXY: `http://${on}`, HTTP_PROXY: `http://${on}`, NO_PROXY: '' };
    expect((await run(`https://${host}:${port}`, ['ws', 'list'], env)).code).toBe(0);
  }
  const all = { http: `http://${on}`, https: `http://${on}`, none: '' };
  for (const host of ['127.255.1.2', '[::1]', 'LOCALHOST', '127.1', '0x7f000001'])
    expect([host, proxyFor(all, new URL(`https://${host}`))]).toEqual([host, undefined]);
  for (const host of ['128.0.0.1', '[::2]', 'localhost.example.test', '127.0.0.1.example.test'])
    expect([host, proxyFor(all, new URL(`https://${host}`))]).toEqual([host, all.https]);
  expect(count.connections).toBe(0);
});

/** The proxy that undici's own agent would ask. */
function chosenByUndici({ http, https, none }: Proxies, url: URL): string | undefined {
  let chosen: string | undefined = 'none was chosen';
  const agent = new EnvHttpProxyAgent({
    httpProxy: http,
    httpsProxy: https,
    noProxy: none,
    // It is handed the options of the agent that was chosen.
    factory: (_, given) => {
      chosen = (given as { uri?: string }).uri;
      throw new Error('seen');
    },
  });
  try {
    agent.dispatch({ origin: url.origin, path: '/', method: 'GET' }, { onError: () => undefined });
  } catch {
    // It is not to go on.
  }
  return chosen;
}

const label = fc.constantFrom('a', 'ab', 'api', 'test', 'xn--p1ai', '10', '0');
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
const host = fc.oneof(name, fc.constantFrom('0.0.0.0', '10.0.0.1', '[2001:db8::1]', '[::2]'));
const port = fc.constantFrom('', ':0', ':80', ':443', ':8443', ':0443', ':99999', ':x');
const around = fc.constantFrom('', '.', '*.', '*', '..');
const entry = fc.oneof(
  fc.tuple(around, host, port).map((parts) => parts.join('')),
  fc.constantFrom(
    '*',
    '.',
    '',
    ':',
    ':80',
    '[::2]',
    '::2',
    '2001:db8::1',
    '10.0.0.0/8',
    'http://a.test',
    '*.*',
  ),
  fc.string({ maxLength: 6 }),
);
const mixed = (text: string) => fc.constantFrom(text, text.toUpperCase());
const exceptions = fc
  .array(fc.tuple(entry.chain(mixed), fc.constantFrom(',', ' ', ', ', '\t', ',,')), { maxLength: 4 })
  .map((parts) => parts.flat().slice(0, -1).join(''));
const target = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    host,
    fc.constantFrom('', '.'),
    fc.constantFrom('', ':80', ':443', ':8443'),
  )
  .map(([scheme, at, dot, on]) => `${scheme}://${at}${at.endsWith(']') ? '' : dot}${on}/`)
  .filter((text) => URL.canParse(text));

test(`the proxy is the one that undici's own agent would ask (seed ${seed})`, () => {
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
  // All of the ways were gone.
  expect([...seen].sort()).toEqual(['http://plain.test:3128', 'http://secure.test:3128', 'undefined']);
});

test.each([
  ['me:pass', 'me:pass'],
  ['me', 'me:'],
  ['me:', 'me:'],
  [':pass', ':pass'],
  ['m%40e:p%3Aa%2Fs%25s%20%C3%A9', 'm@e:p:a/s%s é'],
])('the credential %s of a proxy', async (written, meant) => {
  const way = await tunnel((await judged()).address);
  const { code } = await run('https://api.example.test', [
    'ws',
    'list',
    '--proxy',
    `http://${written}@${way.address}`,
  ]);
  expect(code).toBe(0);
  expect(way.asked).toEqual([`api.example.test:443 Basic ${Buffer.from(meant).toString('base64')}`]);
});

test('a proxy without a credential is sent none, and plain http is tunnelled too', async () => {
  const heads: string[] = [];
  const { address } = await proxy((client, head) => {
    heads.push(head);
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    client.once('data', (request) => {
      heads.push(request.toString());
      client.end(plain);
    });
  });
  const { code } = await run('http://api.example.test:8080', ['ws', 'list', '--proxy', address]);
  expect(code).toBe(0);
  expect(heads[0]).toMatch(
    /^CONNECT api\.example\.test:8080 HTTP\/1\.1\r\nhost: api\.example\.test:8080\r\n/i,
  );
  expect(heads[0]).not.toMatch(/authorization|a-key-of-tests/i);
  expect(heads[1]).toMatch(/^GET \/v1\/workspace\S* HTTP\/1\.1\r\n/);
});

test.each(['socks5://', 'socks://', 'ftp://', 'http://me:pa5%zz@', 'htp//'])(
  'a proxy at %s is refused before anything is sent, without its password',
  async (start) => {
    const { address, count } = await proxy((client) => client.destroy());
    const value = `${start}${start.includes('@') ? '' : `me:${canary}@`}${address}`;
    for (const variable of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
      const error = await told('https://api.example.test', ['ws', 'list'], { [variable]: value });
      expect(error.exit).toBe(3);
      expect(error.message).toContain(
        `${variable.toLowerCase()}, from ${variable}, must be an http: or https: address`,
      );
      expect(JSON.stringify(error)).not.toContain('pa5%zz');
    }
    const error = await told('https://api.example.test', ['ws', 'list', '--proxy', value]);
    expect(error).toMatchObject({
      exit: 2,
      message: expect.stringContaining('--proxy must be an http: or https:'),
    });
    const explained = await run('https://api.example.test', ['config', 'explain'], { HTTPS_PROXY: value });
    expect(explained.code).toBe(0);
    expect(explained.stdout + explained.stderr).not.toMatch(new RegExp(`${canary}|pa5%zz`));
    expect(count.connections).toBe(0);
  },
);

/** What a proxy does when it is asked, what is told of it, and whether another attempt may pass. */
const faults: readonly (readonly [string, string, string, boolean])[] = [
  [
    '407',
    'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n',
    'wants a name and a password (it answers 407)',
    false,
  ],
  [
    '403',
    'HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno',
    'does not connect to api.example.test:443: it answers 403',
    false,
  ],
  [
    '302',
    'HTTP/1.1 302 Found\r\nlocation: https://other.test/\r\n\r\n',
    'does not connect to api.example.test:443: it answers 302',
    false,
  ],
  [
    '502',
    'HTTP/1.1 502 Bad Gateway\r\n\r\n',
    'does not connect to api.example.test:443: it answers 502',
    true,
  ],
  [
    '503',
    'HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\r\n',
    'does not connect to api.example.test:443: it answers 503',
    true,
  ],
  ['garbage', 'SSH-2.0-OpenSSH\r\n\r\n', 'sent what is not HTTP', false],
  [
    'a flood of headers',
    `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`,
    'sent headers of more than 16 KiB',
    false,
  ],
  ['half an answer, and the end', 'HTTP/1.1 200 O', 'closed the connection', true],
  ['the end', '', 'closed the connection', true],
];

test.each(faults)('a proxy that answers with %s', async (_, answer, told_, retryable) => {
  const { address, count } = await proxy((client) => client.end(answer));
  const argv = ['--proxy', `http://${address}`];
  const error = await told('https://api.example.test', ['ws', 'list', ...argv]);
  expect(error).toMatchObject({ exit: 11, code: 'network', retryable });
  expect(error.message).toBe(`the proxy ${address} ${told_}`);
  expect(error.hint).toMatch(/proxy/i);
  expect(count.connections).toBe(1);
  const doctor = await run('https://api.example.test', ['doctor', ...argv]);
  expect(doctor.code).toBe(11);
  expect(doctor.stdout).toContain(`the proxy ${address} ${told_}`);
});

test('what a proxy refuses for good is asked once, also where a command is sent again', async () => {
  for (const status of [407, 403]) {
    const { address, count } = await proxy((client) => client.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    for (const command of [
      ['ws', 'list', '--retry', '5'],
      ['auth', 'access'],
    ]) {
      count.connections = 0;
      const error = await told('https://api.example.test', [...command, '--proxy', address]);
      expect([error.exit, error.attempts, count.connections]).toEqual([11, 1, 1]);
    }
  }
  const { address, count } = await proxy((client) => client.end('HTTP/1.1 503 No\r\n\r\n'));
  const error = await told('https://api.example.test', ['ws', 'list', '--retry', '2', '--proxy', address]);
  expect([error.exit, error.attempts, count.connections]).toEqual([11, 3, 3]);
});

test('a proxy that does not take the credential shows it nowhere', async () => {
  const { address } = await proxy((client) => client.end('HTTP/1.1 407 No\r\n\r\n'));
  const at = `http://me:${canary}@${address}`;
  const error = await told('https://api.example.test', ['ws', 'list', '--debug'], { HTTPS_PROXY: at });
  expect(error.message).toBe(
    `the proxy ${address} does not take the name and the password that it was given (it answers 407)`,
  );
  expect(error.hint).toBe(`Give them in its address: HTTPS_PROXY=http://NAME:PASSWORD@${address}`);
});

test.each(['nothing', 'a part of an answer', 'no handshake of its own'])(
  'a proxy that answers with %s is waited for as long as a connection may take',
  async (what) => {
    const address = await raw((client) => {
      if (what === 'a part of an answer') client.write('HTTP/1.1 200 OK\r\nx: ');
    });
    const scheme = what.startsWith('no ') ? 'https' : 'http';
    const argv = ['ws', 'list', '--connect-timeout', '100ms', '--proxy', `${scheme}://${address}`];
    expect(await told('https://api.example.test', argv)).toMatchObject({
      exit: 124,
      retryable: true,
      message: `the proxy ${address} did not accept the connection in time`,
      hint: expect.stringContaining('--connect-timeout'),
    });
  },
);

test('a proxy that is not there, and one whose name is not known', async () => {
  const address = await gone();
  const at = { HTTPS_PROXY: `http://me:${canary}@${address}` };
  const error = await told('https://api.example.test', ['ws', 'list'], at);
  expect(error).toMatchObject({
    exit: 11,
    retryable: true,
    message: `the proxy ${address} refused the connection`,
    hint: expect.stringContaining('HTTPS_PROXY'),
  });
  const unknown = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
  const typed = proxyError(unknown, new URL(`http://me:${canary}@proxy.example.test:3128`)) as DtpError;
  expect(typed).toBeInstanceOf(DtpError);
  expect([typed.code, typed.message]).toEqual([
    'network',
    'the proxy proxy.example.test:3128 is a host that is not known',
  ]);
});

test('a service that is lost behind a proxy is told as the service, with the proxy', async () => {
  const lost = await raw((socket) => socket.once('data', () => socket.destroy()));
  const way = await tunnel(lost);
  const error = await told('http://api.example.test', ['ws', 'list', '--proxy', way.address]);
  expect(error).toMatchObject({
    exit: 11,
    message: `api.example.test, through the proxy ${way.address}, closed the connection`,
  });
});

test('a proxy with TLS of its own', async () => {
  const { createServer } = await import('node:https');
  const { tls } = await import('../support/secure.ts');
  const server = createServer({ key: tls('server.key'), cert: tls('server.pem') });
  const asked: string[] = [];
  const service = await judged();
  const { connect } = await import('node:net');
  server.on('connect', (request, client) => {
    asked.push(request.url ?? '');
    const [name_, on] = service.address.split(':') as [string, string];
    const upstream = connect(Number(on), name_, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const end of [client, upstream]) end.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  const address = await listening(server, () => server.closeAllConnections());
  const ask = (...argv: readonly string[]) =>
    dtp(['ws', 'list', '--base-url', 'https://api.example.test', '--proxy', `https://${address}`, ...argv], {
      ...real,
      env: { DTP_API_KEY: 'k' },
    });
  const unknown = await ask();
  expect([unknown.code, JSON.parse(unknown.stderr).error.message]).toEqual([
    11,
    expect.stringContaining(
      `no secure connection to the proxy ${address}: its certificate is by dtp test authority`,
    ),
  ]);
  expect(asked).toEqual([]);
  const ca = new URL('../support/tls/ca.pem', import.meta.url).pathname;
  expect(await ask('--ca-cert', ca)).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(asked).toEqual(['api.example.test:443']);
});
