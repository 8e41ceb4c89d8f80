/**
 * The bundle replaces parts of packages and uses their private files; these tests check what it assumes about
 * them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dtp, home } from '../support/process.ts';
import { listening } from '../support/sockets.ts';
import { startHttpsServer, tunnel } from '../support/tls-server.ts';

const root = resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);
const lib = join(root, 'node_modules/undici/lib');

/** The undici files whose code is in the chunk for requests. */
const sources = readdirSync(lib, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(api|core|dispatcher|handler|util)[\\/].*\.js$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(lib, name), 'utf8') }));

/** How a module is used through a name: its properties, and whether it is called. */
const usesOf = (id: string) =>
  sources.flatMap(({ text }) => {
    const [, name] = new RegExp(`const (\\w+) = require\\('${id}'\\)`).exec(text) ?? [];
    const [, members = ''] = new RegExp(`const \\{([^}]*)\\} = require\\('${id}'\\)`).exec(text) ?? [];
    const called = name === undefined ? [] : [...text.matchAll(new RegExp(`\\b${name}([.(]\\w*)`, 'g'))];
    return [...called.map(([, use = '']) => use.replace(/\(.*/, '()')), ...members.split(',').map((one) => one.trim())];
  });

const distinct = (all: readonly string[]) => [...new Set(all)].filter((one) => one !== '').sort();

test('the bundled part of undici is the one that its public entry exports', () => {
  const whole = require('undici');
  const part = require('../../scripts/bundle/undici.cjs');
  expect(Object.keys(part)).toEqual(['Agent', 'buildConnector']);
  for (const [name, value] of Object.entries(part)) expect(value, name).toBe(whole[name]);
  expect(whole.Dispatcher.prototype.request).toBe(require('undici/lib/api/api-request.js'));
});

test('undici uses nothing of the replaced modules that the replacement does not have', () => {
  expect(distinct(usesOf('node:assert'))).toEqual(['()']);
  expect(distinct(usesOf('node:http'))).toEqual(['.maxHeaderSize', 'IncomingMessage']);
});

test('HTTP/2 is used only if it is requested', () => {
  const users = sources.filter(({ text }) => text.includes("require('./client-h2.js')"));
  expect(users.map(({ name }) => name.replaceAll('\\', '/'))).toEqual(['dispatcher/client.js']);
  const connect = readFileSync(join(lib, 'core/connect.js'), 'utf8');
  expect(connect).toContain('allowH2 = allowH2 != null ? allowH2 : false');
  expect(connect).toContain("ALPNProtocols: allowH2 ? ['http/1.1', 'h2'] : ['http/1.1']");
});

test('undici itself calls no dispatcher method that the bundle leaves out', () => {
  const calls = ['connect', 'pipeline', 'request', 'stream', 'upgrade'];
  // Without the files that define these methods or pass the calls on.
  const inner = sources.filter(
    ({ name }) =>
      !/^api|mock|interceptor|dispatcher[\\/](dispatcher|retry|round|balanced|h2c|env|proxy|socks)/.test(name),
  );
  const used = inner.flatMap(({ text }) =>
    [...text.matchAll(/(?:this\[k\w+\]|client|agent|pool|dispatcher)\.(\w+)\(/g)].map(([, name = '']) => name),
  );
  expect(distinct(used).filter((name) => calls.includes(name))).toEqual([]);
});

test('the built tool reaches a service through a proxy, with or without a proxy credential, with TLS or without', async () => {
  const { folder, remove } = home();
  onTestFinished(remove);
  const { address } = await startHttpsServer('{"id":"u_1"}');
  const { address: proxy, asked } = await tunnel(address);
  const plain = http.createServer((_, response) => response.end('{"id":"u_2"}'));
  const { address: proxyOfPlain } = await tunnel(await listening(plain));
  const ca = join(root, 'test/support/tls/ca.pem');
  const to = (base: string, more: Record<string, string>, ...argv: readonly string[]) =>
    dtp(folder, ['auth', 'user', '--base-url', base, ...argv], { env: { DTP_API_KEY: 'k', ...more } });
  const through = { HTTPS_PROXY: `http://me:pass@${proxy}`, DTP_CA_CERT: ca };
  expect(await to('https://api.example.test', through)).toMatchObject({
    code: 0,
    stdout: '{\n  "id": "u_1"\n}\n',
  });
  expect(asked).toEqual([`api.example.test:443 Basic ${Buffer.from('me:pass').toString('base64')}`]);
  expect(await to('https://api.example.test', { DTP_CA_CERT: ca }, '--proxy', `http://${proxy}`)).toMatchObject({
    code: 0,
  });
  const open = await to('http://api.example.test', { HTTP_PROXY: `http://${proxyOfPlain}` }, '--allow-http');
  expect([open.code, open.stdout, open.stderr]).toEqual([0, '{\n  "id": "u_2"\n}\n', '']);
  const refused = { HTTPS_PROXY: 'http://127.0.0.1:1', DTP_CA_CERT: ca };
  const dead = await to('https://api.example.test', refused, '--error-format', 'json');
  expect([dead.code, JSON.parse(dead.stderr).error.code]).toEqual([11, 'network']);
});
