/** Errors of sockets, TLS and the HTTP client → typed errors that say what to do. */
import { DtpError } from '../errors.ts';

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
  UND_ERR_CONNECT_TIMEOUT: { words: 'did not accept the connection in time', retryable: true },
  UND_ERR_HEADERS_TIMEOUT: { words: 'did not answer in time', retryable: true },
  UND_ERR_BODY_TIMEOUT: { words: 'stopped in the middle of its answer', retryable: false },
};

/** Parser and length errors: an answer came, and it was no HTTP. */
const broken: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'sent headers of more than 16 KiB',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent a body of another length than it said',
};

/** The typed error of what undici or Node threw; `proxy` is the host of the one on the way. Errors that are not of the network are given back as they are. */
export function networkError(error: unknown, url: URL, proxy?: string): unknown {
  const found = codeIn(error);
  if (found === undefined) return error;
  const { code, message } = found;
  const facts = { method: undefined, path: undefined, retryable: false, cause: error };
  const host = proxy === undefined ? url.host : `${url.host}, through the proxy ${proxy},`;

  const late = timeouts[code];
  if (late)
    return new DtpError('timeout', `${host} ${late.words}`, { ...known(facts), retryable: late.retryable });
  const lost = connection[code];
  if (lost)
    return new DtpError('network', `${host} ${lost}`, {
      ...known(facts),
      retryable: true,
      hint: 'Check the base address and the network: dtp config explain',
    });
  const odd = broken[code] ?? (code.startsWith('HPE_') ? 'sent what is not HTTP' : undefined);
  if (odd) return new DtpError('bad_response', `${host} ${odd}`, known(facts));
  if (isTls(code))
    return new DtpError('network', `no secure connection to ${host}: ${plain(message)}`, {
      ...known(facts),
      hint: tlsHint(code),
    });
  if (code === 'UND_ERR_ABORTED' || code.startsWith('UND_ERR_') || /^E[A-Z]+$/.test(code))
    return new DtpError('network', `the connection to ${host} failed: ${message}`, known(facts));
  return error;
}

/** OpenSSL tells of its own source files; its reason is the fifth field. */
const plain = (message: string) =>
  /^[^:]*:error:[^:]*:[^:]*:([^:]*)/.exec(message)?.[1] ?? message.split('\n')[0];

const known = <T extends object>(facts: T) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));

/** The first code down the chain of causes; undici wraps some, and Node bundles those of several addresses. */
function codeIn(error: unknown): { code: string; message: string } | undefined {
  const { name, code, message, cause, errors } = (error ?? {}) as Partial<AggregateError & { code: string }>;
  // undici's parser errors have no code where its parser gave none.
  if (name === 'HTTPParserError') return { code: code ?? 'HPE_INVALID', message: message ?? name };
  if (typeof code === 'string') return { code, message: message ?? code };
  return cause !== undefined ? codeIn(cause) : errors?.[0] !== undefined ? codeIn(errors[0]) : undefined;
}

const isTls = (code: string) =>
  /^(ERR_TLS|ERR_SSL|CERT_|EPROTO$|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/.test(
    code,
  );

function tlsHint(code: string): string {
  if (/SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY/.test(code))
    return 'A private authority, or a proxy that signs TLS anew: give its certificate with --ca-cert FILE.';
  if (/DEPTH_ZERO/.test(code)) return 'The certificate is self-signed: give it with --ca-cert FILE.';
  if (/EXPIRED|NOT_YET/.test(code)) return "Check the server's certificate and this machine's clock.";
  return 'Check the base address, and that the port speaks TLS.';
}
