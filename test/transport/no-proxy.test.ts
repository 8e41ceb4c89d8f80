/** Which hosts NO_PROXY excludes, by its entries. */
import { expect, test } from 'vitest';
import { isExcepted, proxyFor } from '../../src/transport/no-proxy.ts';

/** Whether the entries exclude the host of a URL. */
const excludes = (entries: string, url: string): boolean => {
  const { hostname, port } = new URL(url);
  return isExcepted(entries, hostname, Number(port) || 443);
};

test.each<readonly [entries: string, url: string]>([
  ['*', 'https://a.test'],
  ['a.test', 'https://a.test'],
  ['A.Test', 'https://a.test'],
  ['a.test', 'https://api.a.test'],
  ['.a.test', 'https://a.test'],
  ['*.a.test', 'https://api.a.test'],
  ['x.test,a.test', 'https://a.test'],
  ['x.test \t a.test,', 'https://a.test'],
  ['a.test:443', 'https://a.test'],
  ['a.test:0', 'https://a.test:8443'],
  // A final dot, in the entry, in the host, or in both.
  ['a.test.', 'https://a.test'],
  ['a.test.:443', 'https://a.test'],
  ['.a.test.', 'https://api.a.test'],
  ['a.test', 'https://a.test.'],
  ['a.test', 'https://api.a.test.'],
  ['a.test.', 'https://a.test.'],
  // IPv4.
  ['10.0.0.1', 'https://10.0.0.1'],
  ['10.0.0.1:8443', 'https://10.0.0.1:8443'],
  ['.0.0.1', 'https://10.0.0.1'],
  ['10.0.0.0/8', 'https://10.255.0.1'],
  ['10.1.2.3/8', 'https://10.255.0.1'],
  ['192.168.128.0/17', 'https://192.168.255.255'],
  ['10.0.0.1/32', 'https://10.0.0.1'],
  ['0.0.0.0/0', 'https://203.0.113.9'],
  ['10.0.0.0/8:443', 'https://10.0.0.1'],
  // IPv6, with and without brackets, and in any spelling.
  ['2001:db8::1', 'https://[2001:db8::1]'],
  ['[2001:db8::1]', 'https://[2001:db8::1]'],
  ['2001:DB8:0:0::1', 'https://[2001:db8::1]'],
  ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
  ['::2', 'https://[::2]'],
  ['fd00::/8', 'https://[fd12:3456::1]'],
  ['[fd00::]/8', 'https://[fd12:3456::1]'],
  ['2001:db8::/33', 'https://[2001:db8:7fff::1]'],
  ['fd00::/8', 'https://[fd12::1]:8443'],
  ['::/0', 'https://[2001:db8::1]'],
  ['x.test, fd00::/8 ,10.0.0.0/8', 'https://10.0.0.1'],
])('%s excludes %s', (entries, url) => {
  expect(excludes(entries, url)).toBe(true);
  const proxies = { http: 'http://proxy.test', https: 'http://proxy.test', none: entries };
  expect(proxyFor(proxies, new URL(url))).toBeUndefined();
});

test.each<readonly [entries: string, url: string]>([
  ['', 'https://a.test'],
  [' , ', 'https://a.test'],
  ['.', 'https://a.test.'],
  ['/8', 'https://10.0.0.1'],
  ['b.test', 'https://a.test'],
  ['a.test', 'https://ba.test'],
  ['a.test:80', 'https://a.test'],
  ['a.test.:80', 'https://a.test'],
  ['a.test.', 'https://ba.test.'],
  ['api.a.test', 'https://a.test.'],
  ['10.0.0.1', 'https://10.0.0.2'],
  ['10.0.0.0/8', 'https://11.0.0.1'],
  ['192.168.128.0/17', 'https://192.168.127.255'],
  ['10.0.0.0/33', 'https://10.0.0.1'],
  ['10.0.0.0/', 'https://10.0.0.1'],
  ['10.0.0.0/x', 'https://10.0.0.1'],
  ['10.0.0.0/8:80', 'https://10.0.0.1'],
  ['10.0.0.0/8', 'https://10.0.0.1.example.test'],
  ['2001:db8::1', 'https://[2001:db8::2]'],
  ['2001:db8::1', 'https://[2001:db8::]:1'],
  ['[2001:db8::1]:80', 'https://[2001:db8::1]'],
  ['fd00::/8', 'https://[fe00::1]'],
  ['2001:db8::/33', 'https://[2001:db8:8000::1]'],
  ['fd00::/129', 'https://[fd00::1]'],
  ['0.0.0.0/0', 'https://[2001:db8::1]'],
  ['::/0', 'https://203.0.113.9'],
])('%s does not exclude %s', (entries, url) => {
  expect(excludes(entries, url)).toBe(false);
  const proxies = { http: '', https: 'http://proxy.test', none: entries };
  expect(proxyFor(proxies, new URL(url))).toBe('http://proxy.test');
});
