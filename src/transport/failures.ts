/** Errors of sockets, TLS and the HTTP client → typed errors that say what to do. */

import { DtpError, withFacts } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import { type Chain, certificateFault } from './certificates.ts';

/** Connection errors: nothing says that the service did the work, and another attempt may pass (http layer, point 10). */
const connection: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ENOTFOUND: 'is a host that is not known',
  EAI_AGAIN: 'could not be looked up just now',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  UND_ERR_SOCKET: 'closed the connection',
};

const timeouts: Readonly<Record<string, { readonly words: string; readonly retryable: boolean }>> = {
  ETIMEDOUT: { words: 'did not answer in time', retryable: true },
  UND_ERR_HEADERS_TIMEOUT: { words: 'did not answer in time', retryable: true },
  UND_ERR_BODY_TIMEOUT: { words: 'stopped in the middle of its answer', retryable: false },
};

/** Parser and length errors: an answer came, and it was no HTTP. */
const broken: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'sent headers of more than 16 KiB',
  HPE_HEADER_OVERFLOW: 'sent headers of more than 16 KiB',
  // undici takes for granted that a status has is 100 or more.
  ERR_ASSERTION: 'sent what is not HTTP',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent a body of another length than it said',
};

/** Interim answers that undici ends the connection for, by its words: the code is that of a connection that was closed. */
const interim: Readonly<Record<string, string>> = {
  'bad response': 'sent 100 Continue, which was not asked for',
  'bad upgrade': 'changed to another protocol, which was not asked for',
};

/** Handshakes that fail before a certificate is looked at, by their codes. */
const handshakes: readonly (readonly [code: RegExp, words: string, hint: string])[] = [
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH|UNEXPECTED_MESSAGE/,
    'what answers there does not speak TLS',
    'Check the base address: is it https, and is that the port of it?',
  ],
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/,
    'it does not speak TLS 1.2 or later',
    'What is older is not safe: ask whoever runs it for TLS 1.2 or later.',
  ],
  [
    /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE/,
    'it refused the handshake: it wants a certificate of the client, or ciphers that are no longer safe',
    'Ask whoever runs it; dtp has no certificate of its own.',
  ],
];

/** The typed error of what undici or Node threw; `proxy` is the host of the one on the way, `chain` what was shown of certificates. Errors that are not of the network are given back as they are. */
export const networkError = <Given>(
  error: Given,
  url: URL,
  proxy?: string,
  chain: Chain = [],
): Given | DtpError =>
  typed(error, {
    name: proxy === undefined ? url.host : `${url.host}, through the proxy ${proxy},`,
    host: url.hostname,
    proxy,
    chain,
    hint: 'Check the base address and the network: dtp config explain',
  });

/** The same of what a proxy did, on the way to whichever service. */
export function proxyError(error: unknown, proxy: URL, chain: Chain = []): unknown {
  const hint = "Check the proxy's address: --proxy, HTTPS_PROXY, HTTP_PROXY. Without one: --proxy ''";
  const name = `the proxy ${proxy.host}`;
  const told = typed(error, { name, host: proxy.hostname, proxy: undefined, chain, hint });
  // It is not the service that answers so.
  return told instanceof DtpError && told.code === 'bad_response'
    ? new DtpError('network', told.message, { ...told.facts, hint })
    : told;
}

/** The error of a connection that was not made within the time for it. */
export const lateError = (name: string) =>
  new DtpError('timeout', `${name} did not accept the connection in time`, {
    retryable: true,
    hint: patience,
  });

const patience = 'Check its address and the network, or give it longer with --connect-timeout.';

/** Whom an error is about: `name` begins a sentence; what to do where the connection is lost. */
interface Peer {
  readonly name: string;
  readonly host: string;
  readonly proxy: string | undefined;
  readonly chain: Chain;
  readonly hint: string;
}

function typed<Given>(error: Given, { name, host, proxy, chain, hint }: Peer): Given | DtpError {
  const found = systemCode(error);
  if (found === undefined) return error;
  const { code, message } = found;
  const facts = { retryable: false, cause: error };
  const object = name.replace(/,$/, '');

  if (code === 'UND_ERR_CONNECT_TIMEOUT') return withFacts(lateError(name), { cause: error });
  const late = timeouts[code];
  if (late) return new DtpError('timeout', `${name} ${late.words}`, { ...facts, retryable: late.retryable });
  const unasked = code === 'UND_ERR_SOCKET' ? interim[message] : undefined;
  const odd = unasked ?? broken[code] ?? (code.startsWith('HPE_') ? 'sent what is not HTTP' : undefined);
  if (odd) return new DtpError('bad_response', `${name} ${odd}`, facts);
  const lost = connection[code];
  if (lost) {
    // Node says no more of it than this.
    const early = /before secure TLS/.test(message) ? ' before it was secure' : '';
    return new DtpError('network', `${name} ${lost}${early}`, { ...facts, retryable: true, hint });
  }
  const insecure = `no secure connection to ${object}:`;
  if (chain[0]) {
    const fault = certificateFault({ code, words: plain(message) }, chain, host, proxy);
    return new DtpError('network', `${insecure} its certificate ${fault.message} (${code})`, {
      ...facts,
      hint: fault.mend,
    });
  }
  if (isTls(code)) {
    const [, words = plain(message), mend = 'Look at the way there: dtp doctor'] =
      handshakes.find(([codes]) => codes.test(code)) ?? [];
    return new DtpError('network', `${insecure} ${words} (${code})`, { ...facts, hint: mend });
  }
  if (code === 'UND_ERR_ABORTED' || code.startsWith('UND_ERR_') || /^E[A-Z]+$/.test(code))
    return new DtpError('network', `the connection to ${object} failed: ${message}`, facts);
  return error;
}

/** OpenSSL tells of its own source files; its reason is the fifth field. */
function plain(message: string): string {
  const [line = message] = message.split('\n');
  return /^[^:]*:error:[^:]*:[^:]*:([^:]*)/.exec(message)?.[1] ?? line;
}

/** The first code down the chain of causes; undici wraps some, and Node bundles those of several addresses. */
function systemCode(error: unknown): { code: string; message: string } | undefined {
  if (!isRecord(error)) return undefined;
  const { name, cause, errors } = error;
  // undici's parser errors have no code where its parser gave none.
  const none = name === 'HTTPParserError' ? 'HPE_INVALID' : undefined;
  const code = typeof error.code === 'string' ? error.code : none;
  if (code !== undefined) return { code, message: typeof error.message === 'string' ? error.message : code };
  return systemCode(cause ?? (Array.isArray(errors) ? errors[0] : undefined));
}

const isTls = (code: string) =>
  /^(ERR_TLS|ERR_SSL|CERT_|EPROTO$|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_|PATH_LENGTH|UNSPECIFIED$|ERR_OSSL)/.test(
    code,
  );
