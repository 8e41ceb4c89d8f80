/** Checks the network: the proxy, DNS, the connection and the certificate. */
import { isIP } from 'node:net';
import type { Context } from '../../context.ts';
import { certificates } from '../../invocation/ca-cert.ts';
import { proxiesOf } from '../../invocation/connect.ts';
import { redactUrl } from '../../request/redact.ts';
import { isLoopback } from '../../request/url.ts';
import type { Globals } from '../../settings/global-flags.ts';
import type { Settings } from '../../settings/resolve.ts';
import { certificateFault } from '../../transport/certificates.ts';
import { proxyFor } from '../../transport/no-proxy.ts';
import type { Probe, TlsConnection } from '../../transport/probe.ts';
import { type Finding, fail, failed, failedAt, ok, skip, warn, withTimeLimit } from './check.ts';

const names = ['proxy', 'dns', 'connection'] as const;

const checkNetwork = 'Check the base URL and the network: dtp config explain';

/** Returns one finding for each of `names`. A check that depends on a failed check is skipped. */
export async function networkChecks(context: Context, settings: Settings, globals: Globals, base: string | undefined) {
  const skipped = (why: string, ...done: readonly Finding[]) => [
    ...done,
    ...names.slice(done.length).map((name) => skip(name, why)),
  ];
  if (base === undefined) return skipped('no valid base URL');
  if (base === 'local:') return skipped('the embedded service needs no network');
  const url = new URL(base);
  const insecure = globals.insecure === true;
  let ca: readonly string[];
  try {
    ca = await certificates(context, settings);
  } catch (error) {
    const finding = failed('connection', error, 'Pass another file with --ca-cert.');
    return [...skipped('the CA certificates cannot be read').slice(0, -1), finding];
  }
  const probe = await context.openProbe();
  const used = proxyOf(settings, url);

  const route = { url, proxy: used, ca, insecure };
  const proxy = await proxyCheck(context, probe, settings, route);
  if (proxy.status === 'fail') return skipped('the proxy cannot be reached', proxy);
  const dns = used ? skip('dns', `the proxy resolves ${url.hostname}`) : await dnsCheck(context, probe, url);
  if (dns.status === 'fail') return skipped(`${url.hostname} cannot be resolved`, proxy, dns);
  try {
    const secure = await withTimeLimit(context, (signal) => probe.reach(route, signal));
    return [proxy, dns, connectionFinding(url, secure, insecure, used?.host)];
  } catch (error) {
    return [proxy, dns, failed('connection', error, checkNetwork)];
  }
}

function proxyOf(settings: Settings, url: URL): URL | undefined {
  const proxy = proxyFor(proxiesOf(settings), url);
  // An invalid proxy URL is ignored here, because the check of the settings reports it.
  return proxy !== undefined && URL.canParse(proxy) ? new URL(proxy) : undefined;
}

async function proxyCheck(context: Context, probe: Probe, settings: Settings, route: Parameters<Probe['reach']>[0]) {
  const { url, proxy, ...trust } = route;
  const { http_proxy, https_proxy } = settings.values;
  const setting = (url.protocol === 'https:' && https_proxy) || http_proxy;
  if (!setting?.value) return ok('proxy', 'no proxy is set');
  if (!proxy) {
    const why = isLoopback(url.hostname) ? 'loopback is never proxied' : 'NO_PROXY excludes it';
    return ok('proxy', `${setting.source} is not used for ${url.hostname}: ${why}`);
  }
  const shown = redactUrl(proxy.origin);
  try {
    await withTimeLimit(context, (signal) => probe.reachProxy(proxy, trust, signal));
    return ok('proxy', `${shown} (${setting.source}) is reachable`);
  } catch (error) {
    const fix = `Pass another proxy with --proxy, or bypass it with NO_PROXY=${url.hostname}`;
    return failedAt('proxy', error, fix, `${shown} (${setting.source}): `);
  }
}

async function dnsCheck(context: Context, probe: Probe, url: URL): Promise<Finding> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return skip('dns', `${host} is an IP address`);
  try {
    const addresses = await withTimeLimit(context, () => probe.lookUp(url));
    return ok('dns', `${host} resolves to ${addresses.join(', ')}`);
  } catch (error) {
    return failedAt('dns', error, `Check the base URL, and whether this machine can resolve ${host}.`);
  }
}

function connectionFinding(url: URL, secure: TlsConnection | undefined, insecure: boolean, proxy: string | undefined) {
  if (!secure) return ok('connection', `${url.host} accepts connections over plain HTTP`);
  const { protocol, chain, fault } = secure;
  const [own] = chain;
  if (fault === undefined) {
    const text = `${url.host} uses ${protocol}; its certificate from ${own?.issuer} is valid until ${own?.until}`;
    return ok('connection', text);
  }
  const { message, fix } = certificateFault({ code: fault, words: fault }, chain, url.hostname, proxy);
  const whole = `the certificate of ${url.host} ${message} (${fault})`;
  return insecure
    ? warn('connection', `${whole}; --insecure accepts it`, fix)
    : fail('connection', 'network', whole, fix);
}
