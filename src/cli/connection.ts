/** Settings → a base address and a Send that carries the credential. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import type { Target } from '../request/build.ts';
import type { Send } from '../request/http.ts';
import { redactUrl } from '../request/redact.ts';
import { isLoopback } from '../request/url.ts';
import { withCredential } from '../transport/credentials.ts';
import { withRetry } from '../transport/retry.ts';
import { type FoundCredential, findCredential } from './credential.ts';
import { durationOf } from './duration.ts';
import type { Globals } from './globals.ts';
import type { Log } from './log.ts';
import type { Setting, SettingKey, Settings } from './settings.ts';
import { version } from './version.ts';

export interface Connection {
  readonly target: Target;
  /** Sends for an operation: with its credential and its retry. */
  readonly sendFor: (operation: Operation) => Promise<Send>;
  /** What the service itself knows of the settings: the embedded one names its own workspace. */
  readonly known: Readonly<Partial<Record<SettingKey, string>>>;
  /** Where the credential came from, for errors; '' where none is sent. */
  readonly credentialSource: () => string;
  /** Secrets that were used, to be kept out of every message. */
  readonly secrets: readonly string[];
  readonly close: () => Promise<void>;
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
}: {
  readonly context: Context;
  readonly settings: Settings;
  readonly globals: Globals;
  readonly operation: Operation;
  readonly log: Log;
  /** Instead of the configured one. */
  readonly credential?: FoundCredential;
}): Promise<Connection> {
  const base = baseAddress(settings);
  if (new URL(base.value).protocol === 'local:') return connectLocal(context, settings);

  const sender = await context.openSend({
    connectTimeout: durationOf(settings.values.connect_timeout?.value ?? '10s', 'the connect time-out'),
    idleTimeout: Math.max(idle, (operation.timeout ?? 0) * 1000),
    proxy: {
      http: settings.values.http_proxy?.value ?? '',
      https: settings.values.https_proxy?.value ?? '',
      none: settings.values.no_proxy?.value ?? '',
    },
    ca: await certificates(context, settings),
    insecure: globals.insecure === true,
    userAgent: `dtp/${version}`,
  });
  if (globals.insecure)
    log.warn('--insecure: any certificate is accepted, so anyone on the way can read the credential');

  const secrets: string[] = [];
  let source = '';
  const credentialFor = async () => {
    const credential = given ?? (await findCredential(context, settings, base));
    if (!credential) throw noCredential(settings, base);
    secrets.push(credential.secret);
    source = credential.source;
    return credential;
  };
  return {
    target: targetOf(base.value, settings),
    known: {},
    secrets,
    credentialSource: () => source,
    close: sender.close,
    sendFor: async (op) => {
      // The credential innermost, so that it is attached last and the log never sees it.
      const carrying = op.auth === 'none' ? sender.send : withCredential(sender.send, await credentialFor());
      const logged = log.sends(carrying);
      if (!op.retry) return logged;
      return withRetry(logged, op.retry, {
        clock: context.clock,
        random: context.random,
        onRetry: log.retry,
      });
    },
  };
}

/** The credential of an embedded service in process is the one that its own store holds. */
async function connectLocal(context: Context, settings: Settings): Promise<Connection> {
  const { openEmbedded } = await import('./local/embedded.ts');
  const embedded = await openEmbedded(context);
  return {
    target: targetOf('local:', settings),
    known: embedded.known,
    secrets: [embedded.key],
    credentialSource: () => 'the embedded service',
    close: embedded.close,
    sendFor: async (op) =>
      op.auth === 'none'
        ? embedded.send
        : withCredential(embedded.send, {
            scheme: 'api-key',
            secret: embedded.key,
            origin: 'local:',
            header: 'x-api-key',
          }),
  };
}

const targetOf = (base: string, { values }: Settings): Target => ({
  base,
  words: { codehost: values['words.codehost']?.value, docsite: values['words.docsite']?.value },
});

/** The checked base address, without a slash at its end. */
export function baseAddress(settings: Settings): Setting {
  const setting = settings.values.base_url;
  if (!setting)
    throw new DtpError('config', 'no base address is configured', {
      hint: 'Log in to a service, or use the embedded one:',
      next: ['dtp auth login --base-url URL', 'dtp --profile local …'],
    });
  return { ...setting, value: checkedAddress(setting, settings.values.allow_http?.value === 'true') };
}

function checkedAddress({ value, source }: Setting, allowHttp: boolean): string {
  const wrong = (why: string, hint: string) =>
    new DtpError('config', `the base address (from ${source}) ${why}`, { hint });
  if (!URL.canParse(value))
    throw wrong(`is no address: "${redactUrl(value)}"`, 'Give one such as https://api.example.com');
  const url = new URL(value);
  if (url.protocol === 'local:') return 'local:';
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw wrong(
      `has the scheme ${url.protocol}`,
      'Give an https: address, or local: for the embedded service.',
    );
  if (url.username !== '' || url.password !== '')
    throw wrong('holds a user name or password', 'Log in with: dtp auth login');
  if (url.search !== '' || url.hash !== '')
    throw wrong('has a query or a fragment', 'Give the address up to the path before /v1.');
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname))
    throw wrong(
      'is plain http, which would show the credential to everyone on the way',
      'Use https, or say --allow-http.',
    );
  return value.replace(/\/+$/, '');
}

async function certificates(context: Context, settings: Settings): Promise<readonly string[]> {
  const setting = settings.values.ca_cert;
  if (!setting) return [];
  const extra = context.env.NODE_EXTRA_CA_CERTS;
  const read = async (path: string, source: string) => {
    try {
      return await readFile(resolve(context.cwd, path), 'utf8');
    } catch (error) {
      throw new DtpError('config', `the certificates in ${path} (from ${source}) cannot be read`, {
        cause: error,
      });
    }
  };
  // Node itself adds NODE_EXTRA_CA_CERTS only where no other is given.
  const more = extra ? [await read(extra, 'NODE_EXTRA_CA_CERTS').catch(() => '')] : [];
  return [await read(setting.value, setting.source), ...more];
}

function noCredential(settings: Settings, base: Setting): DtpError {
  const profile = settings.profile.value;
  return new DtpError('auth', `no credential for ${base.value} (profile ${profile})`, {
    hint: 'Log in, or set DTP_API_KEY.',
    next: [`dtp auth login --base-url ${base.value}${profile === 'default' ? '' : ` --profile ${profile}`}`],
  });
}
