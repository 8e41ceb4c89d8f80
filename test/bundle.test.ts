/** What the bundle leaves out of packages, and reaches in them by private ways, is as it takes it to be. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const lib = join(root, 'node_modules/undici/lib');

/** The files of undici whose code is in the chunk of requests. */
const sources = readdirSync(lib, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(api|core|dispatcher|handler|util)[\\/].*\.js$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(lib, name), 'utf8') }));

/** What is said of a module that a name stands for: its members, and whether it is called. */
const usesOf = (id: string) =>
  sources.flatMap(({ text }) => {
    const [, name] = new RegExp(`const (\\w+) = require\\('${id}'\\)`).exec(text) ?? [];
    const [, members = ''] = new RegExp(`const \\{([^}]*)\\} = require\\('${id}'\\)`).exec(text) ?? [];
    const called = name === undefined ? [] : [...text.matchAll(new RegExp(`\\b${name}([.(]\\w*)`, 'g'))];
    return [
      ...called.map(([, use = '']) => use.replace(/\(.*/, '()')),
      ...members.split(',').map((one) => one.trim()),
    ];
  });

const distinct = (all: readonly string[]) => [...new Set(all)].filter((one) => one !== '').sort();

test('the part of undici that is bundled is that of its public entry', () => {
  const whole = require('undici');
  const part = require('../scripts/bundle/undici.cjs');
  expect(Object.keys(part)).toEqual(['Agent', 'EnvHttpProxyAgent']);
  for (const [name, value] of Object.entries(part)) expect(value, name).toBe(whole[name]);
  expect(whole.Dispatcher.prototype.request).toBe(require('undici/lib/api/api-request.js'));
});

test('of what is replaced, undici uses no more than the replacement has', () => {
  expect(distinct(usesOf('node:assert'))).toEqual(['()']);
  expect(distinct(usesOf('node:http'))).toEqual(['.maxHeaderSize', 'IncomingMessage']);
});

test('HTTP/2 is spoken only where it was asked for', () => {
  const users = sources.filter(({ text }) => text.includes("require('./client-h2.js')"));
  expect(users.map(({ name }) => name.replaceAll('\\', '/'))).toEqual(['dispatcher/client.js']);
  const connect = readFileSync(join(lib, 'core/connect.js'), 'utf8');
  expect(connect).toContain('allowH2 = allowH2 != null ? allowH2 : false');
  expect(connect).toContain("ALPNProtocols: allowH2 ? ['http/1.1', 'h2'] : ['http/1.1']");
});
