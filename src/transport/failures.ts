/** Converts errors of sockets, TLS and the HTTP client to typed errors that say what to do. */
import { DtpError, withFacts } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import { isRetryableConnection } from '../operations/retry-rules.ts';
import { type Chain, certificateFault } from './certificates.ts';

/** Lost connections. The service may not have done the work. */
const connection: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ENOTFOUND: 'is an unknown host',
  EAI_AGAIN: 'could not be resolved (temporary DNS failure)',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  UND_ERR_SOCKET: 'closed the connection',
};

const timeouts: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'stopped in the middle of its response',
};

/** Errors of the HTTP parser: the server sent something that is not a valid HTTP response. */
const broken: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'sent more than 16 KiB of headers',
  HPE_HEADER_OVERFLOW: 'sent more than 16 KiB of headers',
  // undici asserts that a status is at least 100.
  ERR_ASSERTION: 'sent an invalid HTTP response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent a body that does not match its Content-Length',
};

/** Interim responses that make undici close the connection, by the message of its error, because the code is vague. */
const interim: Readonly<Record<string, string>> = {
  'bad response': 'sent an unexpected 100 Continue',
  'bad upgrade': 'switched protocols unexpectedly',
};

/** TLS handshakes that fail before a certificate is checked, by their error codes. */
const handshakes: readonly (readonly [code: RegExp, words: string, hint: string])[] = [
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH|UNEXPECTED_MESSAGE/,
    'the server does not speak TLS',
    'Check the scheme and the port of the base URL.',
  ],
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/,
    'the server does not support TLS 1.2 or later',
    'Ask the operator of the server to enable TLS 1.2 or later. Older versions are not safe.',
  ],
  [
    /CERTIFICATE_REQUIRED/,
    'the server requires a client certificate',
    'Ask the operator of the server. dtp does not support client certificates.',
  ],
  [
    /HANDSHAKE_FAILURE/,
    'the server refused the handshake: it requires a client certificate or insecure ciphers',
    'Ask the operator of the server. dtp does not support client certificates.',
  ],
];

/**
 * Converts an error of undici or Node to a typed error. `proxy` is the host of the proxy in use, `chain` the
 * certificates that were presented. Errors that are not network errors are returned unchanged.
 */
export const networkError = <Given>(error: Given, url: URL, proxy?: string, chain: Chain = []): Given | DtpError =>
  typed(error, { name: nameOf(url, proxy), host: url.hostname, proxy, chain, hint: networkHint });

/** The error for a response that reports success before the whole request was sent. The request is not complete. */
export const earlyError = (url: URL, proxy?: string) =>
  new DtpError('network', `${nameOf(url, proxy)} responded before the whole request was sent`, {
    retryable: true,
    hint: networkHint,
  });

const networkHint = 'Check the base URL and the network: dtp config explain';

const nameOf = (url: URL, proxy: string | undefined) =>
  proxy === undefined ? url.host : `${url.host} (through the proxy ${proxy})`;

export function proxyError(error: unknown, proxy: URL, chain: Chain = []): unknown {
  const hint = "Check the proxy URL (--proxy, HTTPS_PROXY or HTTP_PROXY). To use no proxy: --proxy ''";
  const name = `the proxy ${proxy.host}`;
  const failure = typed(error, { name, host: proxy.hostname, proxy: undefined, chain, hint });
  // Report `network`, because the invalid response came from the proxy and not from the service.
  return failure instanceof DtpError && failure.code === 'bad_response'
    ? new DtpError('network', failure.message, { ...failure.facts, hint })
    : failure;
}

export const lateError = (name: string) =>
  new DtpError('timeout', `${name} did not accept the connection in time`, { retryable: true, hint: patience });

const patience = 'Check the host and the network, or allow more time with --connect-timeout.';

/** The host that an error is about. `name` begins the message. `hint` is the advice for a lost connection. */
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
  const retryable = isRetryableConnection(code);
  const facts = { retryable: false, cause: error };

  if (code === 'UND_ERR_CONNECT_TIMEOUT') return withFacts(lateError(name), { cause: error });
  const late = timeouts[code];
  if (late) return new DtpError('timeout', `${name} ${late}`, { ...facts, retryable });
  const unasked = code === 'UND_ERR_SOCKET' ? interim[message] : undefined;
  const odd = unasked ?? broken[code] ?? (code.startsWith('HPE_') ? 'sent an invalid HTTP response' : undefined);
  if (odd) return new DtpError('bad_response', `${name} ${odd}`, facts);
  const lost = connection[code];
  if (lost) {
    // Only the message of Node's error shows that the handshake was not complete.
    const early = /before secure TLS/.test(message) ? ' before the TLS handshake was complete' : '';
    return new DtpError('network', `${name} ${lost}${early}`, { ...facts, retryable, hint });
  }
  const insecure = `no secure connection to ${name}:`;
  if (chain[0]) {
    const fault = certificateFault({ code, words: opensslReason(message) }, chain, host, proxy);
    return new DtpError('network', `${insecure} its certificate ${fault.message} (${code})`, {
      ...facts,
      hint: fault.fix,
    });
  }
  if (isTls(code)) {
    const [, words = opensslReason(message), fix = 'Check the connection: dtp doctor'] =
      handshakes.find(([codes]) => codes.test(code)) ?? [];
    return new DtpError('network', `${insecure} ${words} (${code})`, { ...facts, hint: fix });
  }
  if (code === 'UND_ERR_ABORTED' || code.startsWith('UND_ERR_') || /^E[A-Z]+$/.test(code))
    return new DtpError('network', `the connection to ${name} failed: ${message}`, facts);
  return error;
}

/** Extracts the reason from a message of OpenSSL: its sixth field. Other fields name source files of OpenSSL. */
export function opensslReason(message: string): string {
  const [line = message] = message.split('\n');
  return /^[^:]*:error:[^:]*:[^:]*:[^:]*:([^:]*)/.exec(message)?.[1] ?? line;
}

/** Finds the first code in the chain of causes. undici wraps errors, and Node groups those of several attempts. */
function systemCode(error: unknown): { code: string; message: string } | undefined {
  if (!isRecord(error)) return undefined;
  const { name, cause, errors } = error;
  // Some errors of undici's parser have no code.
  const none = name === 'HTTPParserError' ? 'HPE_INVALID' : undefined;
  const code = typeof error.code === 'string' ? error.code : none;
  if (code !== undefined) return { code, message: typeof error.message === 'string' ? error.message : code };
  return systemCode(cause ?? (Array.isArray(errors) ? errors[0] : undefined));
}

const isTls = (code: string) =>
  /^(ERR_TLS|ERR_SSL|CERT_|EPROTO$|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_|PATH_LENGTH|UNSPECIFIED$|ERR_OSSL)/.test(
    code,
  );
