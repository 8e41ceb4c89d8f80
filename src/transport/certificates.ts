/** What a service shows of its certificates, and what is wrong with them: for the sender and the doctor alike. */
import type tls from 'node:tls';

export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  /** The hosts that it is for. */
  readonly hosts: string;
  /** As OpenSSL writes it: `Oct 28 07:33:40 2126 GMT`; when it begins and ends. */
  readonly from: string;
  readonly until: string;
}

/** The service's own, then those above it as far as they were sent or are known; empty where none was shown. */
export type Chain = readonly Certificate[];

export function chainOf(socket: tls.TLSSocket): Chain {
  const chain: Certificate[] = [];
  let one: tls.DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  // The last is its own issuer; the chain is the service's, who could send any number.
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

/** Looks at the chain before it is judged: a connection that is refused is closed at once and shows nothing any more. */
export function watchChain(socket: tls.TLSSocket): () => Chain {
  let chain: Chain = [];
  socket.prependListener('secure', () => {
    chain = chainOf(socket);
  });
  return () => chain;
}

/** What is wrong, as the end of a sentence about the service's certificate, and what mends it. */
export interface Fault {
  readonly message: string;
  readonly mend: string;
}

const untrusted = /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY/;

/** Names that those who look into TLS give themselves. */
const telling = /proxy|firewall|gateway|inspect|intercept|filter|decrypt|mitm|zscaler|netskope|fortinet/i;

/** `code` is OpenSSL's or Node's, `words` are theirs; `proxy` is the host of the one on the way. */
export function certificateFault(
  { code, words }: { readonly code: string; readonly words: string },
  chain: Chain,
  host: string,
  proxy: string | undefined,
): Fault {
  const [own] = chain;
  const authority = chain.at(-1)?.issuer ?? 'nobody';
  if (code === 'CERT_HAS_EXPIRED')
    return {
      message: dated(chain, 'has expired on', (one) => -Date.parse(one.until), 'until'),
      mend: 'Have it renewed, or set the clock of this machine, where that is wrong.',
    };
  if (code === 'CERT_NOT_YET_VALID')
    return {
      message: dated(chain, 'is not valid before', (one) => Date.parse(one.from), 'from'),
      mend: 'Set the clock of this machine, where that is wrong.',
    };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return {
      message: `is for another host than ${host}: ${own?.hosts}`,
      mend: 'Use a base address whose host the certificate names.',
    };
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return {
      message: 'is self-signed',
      mend: 'Trust it with --ca-cert FILE, or for good: dtp config set ca_cert FILE',
    };
  if (untrusted.test(code))
    return {
      message: `is by ${authority}, which is not trusted here: ${signedBy(chain, proxy)}`,
      mend: `Get the certificate of ${authority} and give it with --ca-cert FILE, or for good: dtp config set ca_cert FILE`,
    };
  return {
    message: `is not one that can be trusted: ${words}`,
    mend: 'Ask whoever runs the service for another certificate.',
  };
}

function signedBy(chain: Chain, proxy: string | undefined): string {
  const isTelling = chain.some(({ issuer }) => telling.test(issuer));
  if (proxy !== undefined)
    return `${isTelling ? '' : 'most likely '}the proxy ${proxy} signs TLS anew, or what is behind it`;
  if (isTelling) return 'by this name, a proxy on the way signs TLS anew';
  const alone = chain.length === 1 ? ', or a service that does not send the certificate in between' : '';
  return `a private authority, or a proxy on the way that signs TLS anew${alone}`;
}

/** Of the service's certificate, or of an authority's above it: whichever is the furthest `by`. */
function dated(chain: Chain, verb: string, by: (one: Certificate) => number, at: 'from' | 'until'): string {
  const [own] = chain;
  const one = [...chain].sort((a, b) => by(b) - by(a))[0];
  return one === undefined || one === own
    ? `${verb} ${own?.[at]}`
    : `is by an authority whose own certificate (${one.subject}) ${verb} ${one[at]}`;
}

/** Some authorities have no common name, some names have several. */
const nameIn = (name: tls.Certificate | undefined) => short(String(name?.CN || name?.O || 'nobody'));

/** What others chose is not given any room. */
const short = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
