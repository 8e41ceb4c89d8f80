/** Reads the flags of `dtp serve` that say where it listens and who may call it. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { messageOf, orThrow } from '../../caught.ts';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { certificatesIn, readPem, wrongFile } from '../../invocation/ca-cert.ts';
import type { endpointFlags, LocalInput } from '../../local/flags.ts';
import type { Log } from '../../output/log.ts';

export type EndpointFlags = LocalInput<typeof endpointFlags>['flags'];

const usage = (message: string, hint?: string) => new DtpError('usage', message, hint ? { hint } : {});

/** Throws `usage` for flags that do not fit together, and `config` for files that cannot be used. */
export async function endpointOf(
  context: Context,
  log: Log,
  { host: address = '127.0.0.1', tlsCert, tlsKey, behindProxy: isBehindProxy = false, allowHost = [] }: EndpointFlags,
) {
  // A URL cannot contain a zone, such as %eth0.
  if (isIP(address) === 0 || address.includes('%'))
    throw usage(`--host must be an IP address, such as 0.0.0.0, not "${address}"`);
  if (tlsCert === undefined && tlsKey !== undefined) throw usage('--tls-key needs --tls-cert FILE');
  if (tlsKey === undefined && tlsCert !== undefined) throw usage('--tls-cert needs --tls-key FILE');
  const isLoopback = /^(127\.|::1$)/.test(address);
  const isSecure = tlsCert !== undefined || isBehindProxy;
  if (!isLoopback && !isSecure)
    throw usage(
      `--host ${address} needs TLS, because anyone on the network could read the keys`,
      'Pass --tls-cert FILE and --tls-key FILE or, if a proxy serves HTTPS, --behind-proxy and --allow-host NAME.',
    );
  if (isBehindProxy && allowHost.length === 0)
    throw usage('--behind-proxy needs --allow-host NAME, with the name by which clients reach the proxy');
  if (!isSecure && allowHost.length > 0) throw usage('--allow-host needs --tls-cert FILE or --behind-proxy');
  const wrong = allowHost.find((name) => !/^[\w-]+(\.[\w-]+)*$/.test(name) && isIP(name) === 0);
  if (wrong !== undefined) throw usage(`--allow-host must be a name without a port, not "${wrong}"`);

  const names = allowHost.map((name) => name.toLowerCase());
  const tls = tlsCert !== undefined && tlsKey !== undefined ? await tlsOf(context, tlsCert, tlsKey) : undefined;
  if (isBehindProxy) log.note(`clients reach it through the proxy at ${names.join(' or ')}`);
  if (isAny(address)) log.note(`it listens on all networks of this machine (${address})`);
  const host = await hostOf(address, isBehindProxy ? [] : names, tls?.certificate);
  return { address, host, tls, isBehindProxy, names, isPublic: !isLoopback || isBehindProxy };
}

const isAny = (address: string): boolean => isIP(address) !== 0 && /^[0:.]+$/.test(address);

/** Returns a host for URLs that a client can use: one that the certificate covers or, without any, of the interface. */
async function hostOf(address: string, names: readonly string[], certificate?: X509Certificate): Promise<string> {
  const { isCovered } = await import('../../service/http/endpoint.ts');
  const bound = isAny(address) ? (isIP(address) === 6 ? '::1' : '127.0.0.1') : address;
  const covered = [...(certificate?.subjectAltName ?? '').matchAll(/DNS:(?!localhost)([\w.-]+)/g)].map(
    ([, one = '']) => one,
  );
  const all = [...names, address, ...covered, 'localhost'];
  const host = all.find((name) => certificate && isCovered(name, certificate)) ?? bound;
  return isIP(host) === 6 ? `[${host}]` : host;
}

async function tlsOf(context: Context, certFile: string, keyFile: string) {
  const [certName, keyName] = [`--tls-cert: ${certFile}`, `--tls-key: ${keyFile}`];
  const [text, key] = [await readPem(context, certFile, certName), await readPem(context, keyFile, keyName)];
  const cert = certificatesIn(text, wrongFile(certName)).join('');
  const wrong = (words: string) => (cause: unknown) => new DtpError('config', words, { cause });
  const certificate = new X509Certificate(cert);
  const noKey = wrong(`${keyName} is not a private key in PEM format without a password`);
  const secret = orThrow(() => createPrivateKey(key), noKey);
  if (!certificate.checkPrivateKey(secret))
    throw new DtpError('config', `${keyName} does not belong to the first certificate in ${certFile}`);
  const unusable = (error: unknown) => wrong(`${certName} cannot be used: ${messageOf(error)}`)(error);
  orThrow(() => createSecureContext({ cert, key }), unusable);
  const { validFrom, validTo } = certificate;
  const isOver = Date.parse(validTo) <= context.date().getTime();
  const isEarly = Date.parse(validFrom) > context.date().getTime();
  /** Why clients refuse the certificate today. */
  const problem = isOver ? `expired on ${validTo}` : isEarly ? `is not valid before ${validFrom}` : undefined;
  return { cert, key, certificate, problem: problem && `${certName} ${problem}` };
}
