/** Settings → a base address and a Send that carries the credential. */
import type { Context } from '../context.ts';
import { durationOf } from '../declarations/duration.ts';
import { DtpError } from '../errors.ts';
import type { Operation, RetryPolicy } from '../operations/operation.ts';
import { readBackoff } from '../operations/shared.ts';
import type { Words } from '../operations/words.ts';
import type { Log } from '../output/log.ts';
import type { Send } from '../request/http.ts';
import { isLoopback, originOf } from '../request/url.ts';
import { type FoundCredential, findCredential, warnOfIgnored } from '../settings/credential.ts';
import type { Globals } from '../settings/global-flags.ts';
import { faultOf } from '../settings/keys.ts';
import type { Setting, Settings } from '../settings/resolve.ts';
import { checkTrusted } from '../settings/trust.ts';
import { type Credential, withCredential } from '../transport/credentials.ts';
import { type Proxies, proxyAddress } from '../transport/proxy.ts';
import { withAskedWait, withRetry } from '../transport/retry.ts';
import { openTurns } from '../transport/turns.ts';
import { version } from '../version.ts';
import { certificates } from './ca-cert.ts';
import { type Checked, type Wire, withWorkspaceCheck } from './workspace-check.ts';

export interface Connection extends Wire, Checked {
  /** Sends with a bearer of the service's own making instead, or with none; to the same origin alone. */
  readonly sendBearer: (token: string | undefined) => Send;
  /** Secrets that were used, to be kept out of every message. */
  readonly secrets: readonly string[];
  /** From now on this is one of them. */
  readonly hide: (secret: string) => void;
  readonly close: () => Promise<void>;
}

/** What a connection is made of. */
export interface Wanted {
  readonly context: Context;
  readonly settings: Settings;
  readonly globals: Globals;
  readonly operation: Operation;
  readonly log: Log;
  /** Instead of the configured one. */
  readonly credential?: FoundCredential | undefined;
}

/** Milliseconds between two signs of life; an operation with a longer time-out may be silent as long. */
const idle = 30_000;

/** Throws `config` where no base address is set: the embedded service is never fallen back to. */
export async function connect({
  context,
  settings,
  globals,
  operation,
  log,
  credential: given,
}: Wanted): Promise<Connection> {
  const asked = retryAsked(globals);
  const base = baseAddress(settings);
  if (base.value === 'local:') return connectLocal(context, settings, log);

  const sender = await context.openSend({
    connectTimeout: durationOf(settings.values.connect_timeout?.value ?? '10s', 'the connect time-out'),
    idleTimeout: Math.max(idle, (operation.timeout ?? 0) * 1000),
    proxy: proxiesOf(settings),
    ca: await certificates(context, settings),
    insecure: globals.insecure === true,
    userAgent: `dtp/${version}`,
  });
  if (globals.insecure)
    log.warn('--insecure: any certificate is accepted, so anyone on the way can read the credential');

  const plain = withAskedWait(sender.send, context.date);
  const turn = openTurns();
  const { secrets, hide } = openSecrets(log);
  for (const password of passwordsIn(Object.values(proxiesOf(settings)))) hide(password);
  let source = '';
  const find = () => given ?? findCredential(context, settings, base);
  const credentialFor = async () => {
    const found = find();
    if (!found) {
      const { noCredential } = await import('./missing-credential.ts');
      throw noCredential(context, settings, base);
    }
    warnOfIgnored(found, log);
    source = found.source;
    const secret = await found.fetch();
    hide(secret);
    return { ...found, secret };
  };
  let carried: ReturnType<typeof credentialFor> | undefined;
  // Found once: a command may be behind it.
  const carry = () => {
    carried ??= credentialFor().catch((error: unknown) => {
      // A vault that was shut may be open the next time.
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
          onRetry: log.retry,
        })
      : send;
  /** A file is read as it comes; anything else whole, so that an answer that is cut is asked for again. */
  const retryOf = ({ method, result }: Operation): Again | undefined =>
    method === 'GET' && asked ? { ...asked, ...(result !== 'bytes' && { whole: 64 * MIB }) } : undefined;
  const wire: Omit<Connection, keyof Checked> = {
    target: { base: base.value, words: checkedWords(settings) },
    known: {},
    secrets,
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
      // The credential innermost, so that it is attached last and the log never sees it.
      const credential = op.auth === 'none' ? undefined : await carry();
      const carrying = from(credential ? withCredential(plain, credential) : plain, credential?.source ?? '');
      const again = op.retry ? { policy: op.retry, whole: MIB } : retryOf(op);
      return retrying(log.sends(carrying), again);
    },
  };
  return withWorkspaceCheck(context, wire, settings, { found: find, fetch: carry });
}

/** The secrets of a connection, which the log masks as well. */
function openSecrets(log: Log): Pick<Connection, 'secrets' | 'hide'> {
  const secrets: string[] = [];
  const hide = (secret: string) => {
    secrets.push(secret);
    log.hide(secret);
  };
  return { secrets, hide };
}

const MIB = 1024 ** 2;

/** How something is sent again: as transport/retry has it. */
interface Again {
  readonly policy: RetryPolicy;
  readonly attempts?: number;
  readonly whole?: number;
}

/** Stands for the token of a namespace, as a source of a credential. */
export const bearerSource = 'the token that dtp artifacts preflight issued';

/** `--retry`: how often a command that only reads is sent again. Throws `usage` unless it is a number from 0 to 5. */
function retryAsked(globals: Globals): Again | undefined {
  if (globals.retry === undefined) return undefined;
  if (!/^[0-5]$/.test(globals.retry))
    throw new DtpError('usage', `--retry must be a number from 0 to 5; "${globals.retry}" is not`);
  return { policy: readBackoff, attempts: 1 + Number(globals.retry) };
}

/** `send` with a bearer, which from now on is told nowhere. */
function withBearer(send: Send, token: string | undefined, base: string, hide: Connection['hide']): Send {
  if (token === undefined) return send;
  hide(token);
  const origin = originOf(base);
  return withCredential(send, { scheme: 'bearer', secret: token, origin, header: 'authorization' });
}

/** What an embedded service in process takes. */
export const localCredential = (secret: string): Credential => ({
  scheme: 'api-key',
  secret,
  origin: 'local:',
  header: 'x-api-key',
});

/** The credential of an embedded service in process is the one that its own store holds. */
async function connectLocal(context: Context, settings: Settings, log: Log): Promise<Connection> {
  const { openEmbedded } = await import('./embedded.ts');
  const embedded = await openEmbedded(context, log, { words: [wordsOf(settings)] });
  const { secrets, hide } = openSecrets(log);
  hide(embedded.key);
  const credential = localCredential(embedded.key);
  const wire: Omit<Connection, keyof Checked> = {
    // The document's words: no deployment is asked.
    target: { base: 'local:', words: {} },
    known: embedded.known,
    secrets,
    hide,
    credentialSource: () => 'the embedded service',
    close: embedded.close,
    sendBearer: (token) => log.sends(withBearer(embedded.send, token, 'local:', hide)),
    sendUnchecked: async (op) =>
      log.sends(op.auth === 'none' ? embedded.send : withCredential(embedded.send, credential)),
  };
  const carried = { found: () => undefined, fetch: async () => credential };
  return withWorkspaceCheck(context, wire, settings, carried);
}

export const wordsOf = ({ values }: Settings): Words => ({
  codehost: values['words.codehost']?.value,
  docsite: values['words.docsite']?.value,
});

/** The same. A word that an untrusted folder file decides throws `config` for a request that would contain it. */
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
 * The base address, without a slash at its end. Throws `config` where there is none, for one that an untrusted folder file
 * decides, or for plain http elsewhere.
 */
export function baseAddress(settings: Settings): Setting {
  checkTrusted(settings, 'base_url');
  const setting = settings.values.base_url;
  if (!setting)
    throw new DtpError('config', 'no base address is configured', {
      hint: 'Log in to a service, or use the embedded one:',
      next: ['dtp auth login --base-url URL', 'dtp --profile local …'],
    });
  const fault = faultOf('base_url', setting.value);
  if (fault) throw new DtpError('config', `the base address, from ${setting.source}, ${fault}`);
  if (setting.value.startsWith('local:')) return { ...setting, value: 'local:' };
  const { protocol, hostname } = new URL(setting.value);
  if (protocol === 'http:' && settings.values.allow_http?.value !== 'true' && !isLoopback(hostname))
    throw new DtpError(
      'config',
      `the base address, from ${setting.source}, is plain http, which would show the credential to everyone on the way`,
      {
        hint: 'Use https. With --allow-http the credential is sent unencrypted.',
      },
    );
  // One spelling of an address: what is kept for it is found again.
  return { ...setting, value: new URL(setting.value).href.replace(/\/+$/, '') };
}

export const proxiesOf = ({ values }: Settings): Proxies => ({
  http: proxyAddress(values.http_proxy?.value ?? ''),
  https: proxyAddress(values.https_proxy?.value ?? ''),
  none: values.no_proxy?.value ?? '',
});

/** What a proxy may repeat: passwords, and what stands for one in a header. */
const passwordsIn = (addresses: readonly string[]): string[] =>
  addresses.flatMap((address) => {
    const { username = '', password = '' } = URL.canParse(address) ? new URL(address) : {};
    if (password === '') return [];
    const plain = decodeURIComponent(password);
    return [plain, Buffer.from(`${decodeURIComponent(username)}:${plain}`).toString('base64')];
  });
