/** Checks of the way to the service: proxy, name, connection, certificate. */
import { isIP } from 'node:net';
import type { Context } from '../../context.ts';
import { certificates } from '../../invocation/ca-cert.ts';
import { proxiesOf } from '../../invocation/connect.ts';
import { redactUrl } from '../../request/redact.ts';
import { isLoopback } from '../../request/url.ts';
import type { Globals } from '../../settings/global-flags.ts';
import type { Settings } from '../../settings/resolve.ts';
import { certificateFault } from '../../transport/certificates.ts';
import type { Probe, Secure } from '../../transport/probe.ts';
import { proxyFor } from '../../transport/proxy.ts';
import { type Finding, fail, failed, failedAt, ok, skip, warn, within } from './check.ts';

const names = ['proxy', 'dns', 'connection'] as const;

const reachable = 'Check the base address and the network: dtp config explain';

/** One for each name; what depends on a check that failed is skipped. */
export async function networkChecks(
  context: Context,
  settings: Settings,
  globals: Globals,
  base: string | undefined,
): Promise<readonly Finding[]> {
  const skipped = (why: string) => names.map((name) => skip(name, why));
  if (base === undefined) return skipped('no base address can be used');
  if (base === 'local:') return skipped('the embedded service is in process');
  const url = new URL(base);
  const insecure = globals.insecure === true;
  let ca: readonly string[];
  try {
    ca = await certificates(context, settings);
  } catch (error) {
    const finding = failed('connection', error, 'Name another file with --ca-cert.');
    return [
      skip('proxy', 'the certificates cannot be read'),
      skip('dns', 'the certificates cannot be read'),
      finding,
    ];
  }
  const probe = await context.openProbe();
  const used = proxyOf(settings, url);

  const proxy = await proxyCheck(context, probe, settings, { url, proxy: used, ca, insecure });
  if (proxy.status === 'fail')
    return [
      proxy,
      skip('dns', 'the proxy cannot be reached'),
      skip('connection', 'the proxy cannot be reached'),
    ];
  const dns = used ? skip('dns', `the proxy looks ${url.hostname} up`) : await dnsCheck(context, probe, url);
  if (dns.status === 'fail') return [proxy, dns, skip('connection', `${url.hostname} is not known`)];
  try {
    const secure = await within(context, (signal) => probe.reach({ url, proxy: used, ca, insecure }, signal));
    return [proxy, dns, connectionFinding(url, secure, insecure, used?.host)];
  } catch (error) {
    return [proxy, dns, failed('connection', error, reachable)];
  }
}

function proxyOf(settings: Settings, url: URL): URL | undefined {
  const address = proxyFor(proxiesOf(settings), url);
  // One that is no address is the settings' fault, told there.
  return address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
}

interface Way {
  readonly url: URL;
  readonly proxy: URL | undefined;
  readonly ca: readonly string[];
  readonly insecure: boolean;
}

async function proxyCheck(
  context: Context,
  probe: Probe,
  settings: Settings,
  { url, proxy, ...way }: Way,
): Promise<Finding> {
  const { http_proxy, https_proxy } = settings.values;
  const setting = (url.protocol === 'https:' && https_proxy) || http_proxy;
  if (!setting?.value) return ok('proxy', 'none is set');
  if (!proxy) {
    const why = isLoopback(url.hostname) ? 'loopback is never proxied' : 'NO_PROXY excepts it';
    return ok('proxy', `${setting.source} is not used for ${url.hostname}: ${why}`);
  }
  const shown = redactUrl(proxy.origin);
  try {
    await within(context, (signal) => probe.reachProxy(proxy, way, signal));
    return ok('proxy', `${shown} (${setting.source}) can be reached`);
  } catch (error) {
    const mend = `Give another proxy with --proxy, or except the service: NO_PROXY=${url.hostname}`;
    return failedAt('proxy', error, mend, `${shown} (${setting.source}): `);
  }
}

async function dnsCheck(context: Context, probe: Probe, url: URL): Promise<Finding> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return skip('dns', `${host} is an address and needs no looking up`);
  try {
    const addresses = await within(context, () => probe.lookUp(url));
    return ok('dns', `${host} is ${addresses.join(', ')}`);
  } catch (error) {
    return failedAt('dns', error, `Check the base address, and whether this machine can look ${host} up.`);
  }
}

function connectionFinding(
  url: URL,
  secure: Secure | undefined,
  insecure: boolean,
  proxy: string | undefined,
): Finding {
  if (!secure) return ok('connection', `${url.host} accepts connections, over plain http`);
  const { protocol, chain, fault } = secure;
  const [own] = chain;
  if (fault === undefined)
    return ok(
      'connection',
      `${url.host} speaks ${protocol}; its certificate, by ${own?.issuer}, is valid until ${own?.until}`,
    );
  const { message, mend } = certificateFault({ code: fault, words: fault }, chain, url.hostname, proxy);
  const whole = `the certificate of ${url.host} ${message} (${fault})`;
  return insecure
    ? warn('connection', `${whole}; --insecure accepts it`, mend)
    : fail('connection', 'network', whole, mend);
}
