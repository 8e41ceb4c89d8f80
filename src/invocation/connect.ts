/** Opens the connection to the service that the settings select, which sends requests with the credential. */

import { durationOf } from '../declarations/duration.ts';
import { DtpError } from '../errors.ts';
import type { Operation, RetryPolicy } from '../operations/operation.ts';
import { readBackoff } from '../operations/retry-rules.ts';
import type { Words } from '../operations/words.ts';
import type { Send } from '../request/http.ts';
import { isLoopback, originOf } from '../request/url.ts';
import { findCredential, warnOfIgnored } from '../settings/credential.ts';
import type { Globals } from '../settings/global-flags.ts';
import { faultOf } from '../settings/keys.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import { isOn } from '../settings/switches.ts';
import { checkTrusted } from '../settings/trust.ts';
import { type Credential, withCredential } from '../transport/credentials.ts';
import { type Proxies, proxyAddress } from '../transport/proxy.ts';
import { openTurns, withAskedWait, withRetry } from '../transport/retry.ts';
import { version } from '../version.ts';
import { certificates } from './ca-cert.ts';
import { bearerSource, type CheckedSender, type Connection, type ConnectOptions } from './connection.ts';
import { timeoutOf } from './deadline.ts';
import { withWorkspaceCheck } from './workspace-check.ts';

/** The idle timeout in milliseconds. Operations with a longer timeout use their timeout instead. */
const idle = 30_000;

/** Opens a connection. Throws `config` if no base URL is set. The embedded service is never used as a fallback. */
export async function connect(wanted: ConnectOptions): Promise<Connection> {
  const { context, settings, globals, operation, log, argv = [], credential: given } = wanted;
  const asked = retryAsked(globals);
  const base = baseUrlOf(settings);
  if (base.value === 'local:') return connectLocal(wanted);

  const sender = await context.openSend({
    connectTimeout: durationOf(settings.values.connect_timeout?.value ?? '10s', 'the connect time-out'),
    idleTimeout: Math.max(idle, (operation.timeout ?? 0) * 1000),
    proxy: proxiesOf(settings),
    ca: await certificates(context, settings),
    insecure: globals.insecure === true,
    userAgent: `dtp/${version}`,
  });
  if (globals.insecure)
    log.warn('--insecure: TLS certificates are not verified, so anyone on the network could read the credential');

  const plain = withAskedWait(sender.send, context.date);
  const turn = openTurns();
  const { hide } = log;
  for (const password of passwordsIn(Object.values(proxiesOf(settings)))) hide(password);
  let source = '';
  const find = () => given ?? findCredential(context, settings, base);
  const credentialFor = async () => {
    const found = find();
    if (!found) {
      const { noCredential } = await import('./credential-advice.ts');
      throw noCredential(context, settings, base);
    }
    warnOfIgnored(found, log);
    source = found.source;
    const secret = await found.fetch();
    hide(secret);
    return { ...found, secret };
  };
  let carried: ReturnType<typeof credentialFor> | undefined;
  // The credential is fetched once, because it may come from a command.
  const carry = () => {
    carried ??= credentialFor().catch((error: unknown) => {
      // The next attempt may succeed, for example if a vault is unlocked by then.
      carried = undefined;
      throw error;
    });
    return carried;
  };
  const from =
    (send: Send, name: string): Send =>
    (request, options) => {
      source = name;
      return send(request, options);
    };
  const retrying = (send: Send, again: Again | undefined): Send =>
    again
      ? withRetry(send, again.policy, {
          ...again,
          clock: context.clock,
          random: context.random,
          turn,
          limitMs: settings.values.timeout && timeoutOf(operation, settings),
          onRetry: log.retry,
        })
      : send;
  /**
   * Returns how to retry an operation that only reads, if --retry is set. Unless the response is a file, it is read in
   * full before it is used, so that an incomplete response is retried too.
   */
  const retryOf = ({ method, result }: Operation): Again | undefined =>
    method === 'GET' && asked ? { ...asked, ...(result !== 'bytes' && { whole: 64 * MIB }) } : undefined;
  const wire: Omit<Connection, keyof CheckedSender> = {
    target: { base: base.value, words: checkedWords(settings) },
    known: {},
    hide,
    credentialSource: () => source,
    close: sender.close,
    sendBearer: (token) => {
      const bearing = withBearer(plain, token, base.value, hide);
      const logged = log.sends(from(bearing, token === undefined ? '' : bearerSource));
      const reading = retrying(logged, asked);
      return (request, options) => (request.method === 'GET' ? reading : logged)(request, options);
    },
    sendUnchecked: async (op) => {
      // The log wraps the Send that adds the credential, so the log never sees the credential.
      const credential = op.auth === 'none' ? undefined : await carry();
      const carrying = from(credential ? withCredential(plain, credential) : plain, credential?.source ?? '');
      const again = op.retry ? { policy: op.retry, whole: MIB } : retryOf(op);
      return retrying(log.sends(carrying), again);
    },
  };
  return withWorkspaceCheck(wanted, { ...wire, typed: { argv, globals } }, { found: find, fetch: carry });
}

const MIB = 1024 ** 2;

/** The options that transport/retry.ts takes. */
interface Again {
  readonly policy: RetryPolicy;
  readonly attempts?: number;
  readonly whole?: number;
}

/** Returns the retries that `--retry` adds to read-only commands. Throws `usage` unless it is a number from 0 to 5. */
function retryAsked(globals: Globals): Again | undefined {
  if (globals.retry === undefined) return undefined;
  if (!/^[0-5]$/.test(globals.retry))
    throw new DtpError('usage', `--retry must be a number from 0 to 5, not "${globals.retry}"`);
  return { policy: readBackoff, attempts: 1 + Number(globals.retry) };
}

/** Wraps `send` to add a bearer token. All messages mask the token from now on. */
function withBearer(send: Send, token: string | undefined, base: string, hide: Connection['hide']): Send {
  if (token === undefined) return send;
  hide(token);
  const origin = originOf(base);
  return withCredential(send, { scheme: 'bearer', secret: token, origin, header: 'authorization' });
}

/** Returns the credential of the embedded service (`local:`) for a key from its store. */
export const localCredential = (secret: string): Credential => ({
  scheme: 'api-key',
  secret,
  origin: 'local:',
  header: 'x-api-key',
});

/** Connects to the embedded service with the credential in its store. */
async function connectLocal(wanted: ConnectOptions): Promise<Connection> {
  const { context, settings, globals, log, argv = [] } = wanted;
  const { openEmbeddedService } = await import('./embedded.ts');
  const embedded = await openEmbeddedService(context, log, { words: [wordsOf(settings)] });
  const { hide } = log;
  hide(embedded.key);
  const credential = localCredential(embedded.key);
  const wire: Omit<Connection, keyof CheckedSender> = {
    // The embedded service uses the words of the API document.
    target: { base: 'local:', words: {} },
    known: embedded.known,
    hide,
    credentialSource: () => 'the embedded service',
    close: embedded.close,
    sendBearer: (token) => log.sends(withBearer(embedded.send, token, 'local:', hide)),
    sendUnchecked: async (op) =>
      log.sends(op.auth === 'none' ? embedded.send : withCredential(embedded.send, credential)),
  };
  const carried = { found: () => undefined, fetch: async () => credential };
  return withWorkspaceCheck(wanted, { ...wire, typed: { argv, globals } }, carried);
}

export const wordsOf = ({ values }: Settings): Words => ({
  codehost: values['words.codehost']?.value,
  docsite: values['words.docsite']?.value,
});

/** Returns the words in paths that depend on the deployment. Throws `config` for a word from an untrusted .dtp.json. */
function checkedWords(settings: Settings): Words {
  const words = wordsOf(settings);
  return {
    get codehost() {
      checkTrusted(settings, 'words.codehost');
      return words.codehost;
    },
    get docsite() {
      checkTrusted(settings, 'words.docsite');
      return words.docsite;
    },
  };
}

/**
 * Returns the base URL without a trailing slash. Throws `config` if it is not set, is invalid, comes from an untrusted
 * .dtp.json, or is plain http to another machine without --allow-http.
 */
export function baseUrlOf(settings: Settings): Setting {
  checkTrusted(settings, 'base_url');
  const setting = settings.values.base_url;
  if (!setting)
    throw new DtpError('config', 'no base URL is configured', {
      missing: 'service',
      hint: 'Log in to a service, or use the embedded service:',
      ciHint: 'Set DTP_BASE_URL and DTP_API_KEY, or use the embedded service:',
      next: ['dtp auth login --base-url URL', 'dtp init --local'],
    });
  const fault = faultOf('base_url', setting.value);
  if (fault) throw new DtpError('config', `the base URL (from ${setting.source}) ${fault}`);
  if (setting.value.startsWith('local:')) return { ...setting, value: 'local:' };
  const { protocol, hostname } = new URL(setting.value);
  if (protocol === 'http:' && !isOn(settings.values.allow_http?.value) && !isLoopback(hostname)) {
    const text = `the base URL (from ${setting.source}) uses plain http, which would send the credential unencrypted`;
    throw new DtpError('config', text, { hint: 'Use https, or pass --allow-http to send it anyway.' });
  }
  // Queued events are stored by base URL, so it must always be spelled the same way.
  return { ...setting, value: new URL(setting.value).href.replace(/\/+$/, '') };
}

export const proxiesOf = ({ values }: Settings): Proxies => ({
  http: proxyAddress(values.http_proxy?.value ?? ''),
  https: proxyAddress(values.https_proxy?.value ?? ''),
  none: values.no_proxy?.value ?? '',
});

/** Returns the proxy passwords in the two forms that a response may contain: plain, and encoded for the header. */
const passwordsIn = (urls: readonly string[]): string[] =>
  urls.flatMap((url) => {
    const { username = '', password = '' } = URL.canParse(url) ? new URL(url) : {};
    if (password === '') return [];
    const plain = decodeURIComponent(password);
    return [plain, Buffer.from(`${decodeURIComponent(username)}:${plain}`).toString('base64')];
  });
