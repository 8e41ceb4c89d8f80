/** Reads the certificates that a service presents, and explains faults, for requests and for `dtp doctor`. */
import type tls from 'node:tls';

export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly hosts: string;
  /** The validity period, as OpenSSL writes it: `Oct 28 07:33:40 2126 GMT`. */
  readonly from: string;
  readonly until: string;
}

/** The certificate of the service, then the known ones of its authorities. Empty if the service presented none. */
export type Chain = readonly Certificate[];

export function chainOf(socket: tls.TLSSocket): Chain {
  const chain: Certificate[] = [];
  let one: tls.DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  // A self-signed certificate ends the chain. The length is limited, because the service controls the chain.
  while (one?.subject && chain.length < 10) {
    chain.push({
      subject: nameIn(one.subject),
      issuer: nameIn(one.issuer),
      hosts: short((one.subjectaltname ?? nameIn(one.subject)).replace(/\b(DNS|IP Address):/g, '')),
      from: one.valid_from,
      until: one.valid_to,
    });
    one = one.issuerCertificate === one ? undefined : one.issuerCertificate;
  }
  return chain;
}

/** Returns a function that returns a connection's chain, read before verification closes a rejected connection. */
export function watchChain(socket: tls.TLSSocket): () => Chain {
  let chain: Chain = [];
  socket.prependListener('secure', () => {
    chain = chainOf(socket);
  });
  return () => chain;
}

const untrusted = /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY/;

/** Matches words in the names of authorities that intercept TLS. */
const interceptors = /proxy|firewall|gateway|inspect|intercept|filter|decrypt|mitm|zscaler|netskope|fortinet/i;

/**
 * Explains a certificate error: what is wrong, phrased to follow "its certificate", and how to fix it. `code` and
 * `words` are from OpenSSL or Node. `proxy` is the host of the proxy.
 */
export function certificateFault(
  { code, words }: { readonly code: string; readonly words: string },
  chain: Chain,
  host: string,
  proxy: string | undefined,
) {
  const [own] = chain;
  const authority = chain.at(-1)?.issuer ?? 'nobody';
  if (code === 'CERT_HAS_EXPIRED')
    return {
      message: dated(chain, 'expired on', (one) => -Date.parse(one.until), 'until'),
      fix: 'Have the certificate renewed, or correct the clock of this machine if it is wrong.',
    };
  if (code === 'CERT_NOT_YET_VALID')
    return {
      message: dated(chain, 'is not valid before', (one) => Date.parse(one.from), 'from'),
      fix: 'Correct the clock of this machine if it is wrong.',
    };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return {
      message: `is for ${own?.hosts}, not for ${host}`,
      fix: 'Use a base URL with a host that the certificate covers.',
    };
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return {
      message: 'is self-signed',
      fix: 'Trust it with --ca-cert FILE, or permanently with: dtp config set ca_cert FILE',
    };
  if (untrusted.test(code))
    return {
      message: `is signed by ${authority}, which is not trusted: ${signedBy(chain, proxy)}`,
      fix: `Get the certificate of ${authority} and trust it with --ca-cert FILE, or permanently with: dtp config set ca_cert FILE`,
    };
  return { message: `cannot be trusted: ${words}`, fix: 'Ask whoever runs the service to replace its certificate.' };
}

function signedBy(chain: Chain, proxy: string | undefined): string {
  const isInterceptor = chain.some(({ issuer }) => interceptors.test(issuer));
  if (proxy !== undefined)
    return `it was ${isInterceptor ? '' : 'probably '}re-signed by the proxy ${proxy} or by a device after it`;
  if (isInterceptor) return 'judging by the name, a proxy intercepts TLS';
  return chain.length === 1
    ? 'this may be a private authority, a proxy that intercepts TLS, or a service that does not send its intermediate certificate'
    : 'this may be a private authority, or a proxy that intercepts TLS';
}

/** Describes the certificate with the highest value of `by`: that of the service, or that of an authority. */
function dated(chain: Chain, verb: string, by: (one: Certificate) => number, at: 'from' | 'until'): string {
  const [own] = chain;
  const one = [...chain].sort((a, b) => by(b) - by(a))[0];
  return one === undefined || one === own
    ? `${verb} ${own?.[at]}`
    : `is signed by an authority whose certificate (${one.subject}) ${verb} ${one[at]}`;
}

/** Returns a name to show. Some authorities have no common name, and some names have several. */
const nameIn = (name: tls.Certificate | undefined) => short(String(name?.CN || name?.O || 'nobody'));

/** Shortens a name, because the service controls it. */
const short = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
