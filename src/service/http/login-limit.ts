/** Limits how often a client may send a wrong credential, so that nobody can try many. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpRequest, HttpResponse, Send } from '../../request/http.ts';
import { errorResponse } from '../handler.ts';
import { ROOT } from '../page/layout.ts';
import { networkOf } from './endpoint.ts';
import { splitUrl } from './router.ts';

/** How many different wrong credentials a client may send in a minute, and how often each of them may be sent. */
const FAILURES_LIMIT = 20;
const PERIOD_MS = 60_000;

/** How long a request waits until earlier credentials are checked, in milliseconds. */
const PATIENCE_MS = 1000;

/** The clients that have sent nothing for the longest time are forgotten, so that the memory is bounded. */
const CLIENTS_LIMIT = 5000;

interface Client {
  /** By credential: the requests in which it is not checked yet, the failures, and until when they count, in milliseconds. */
  readonly attempts: Map<string, { open: number; failures: number; until: number }>;
  /** Each of them lets a request go on that waits until another credential is checked. */
  readonly waiting: (() => void)[];
}

/**
 * Returns a `send` for a client's IP address. A credential counts before it is checked, because a client may send many
 * at once. A repeated credential counts once: a misconfigured job locks out nobody.
 */
export function withLoginLimit(send: Send, now: () => number, logged = (one: Send) => one): (client: string) => Send {
  const clients = new Map<string, Client>();
  return (ip) => async (request, options) => {
    const credential = credentialOf(request);
    if (credential === undefined) return send(request, options);
    const address = digestOf(networkOf(ip));
    const { attempts, waiting }: Client = clients.get(address) ?? { attempts: new Map(), waiting: [] };
    let late: Promise<number> | undefined;
    let wait = waitOf(attempts, credential, now());
    while (wait === Number.POSITIVE_INFINITY) {
      late ??= sleep(PATIENCE_MS, 1000, { ref: false });
      const checked = new Promise<void>((go) => waiting.push(go));
      wait = (await Promise.race([late, checked])) ?? waitOf(attempts, credential, now());
      options.signal.throwIfAborted();
    }
    if (wait > 0) return logged(async () => tooMany(wait))(request, options);
    const attempt = attempts.get(credential) ?? { open: 0, failures: 0, until: 0 };
    attempt.open++;
    attempts.set(credential, attempt);
    clients.delete(address);
    const [oldest] = clients.keys();
    if (clients.size >= CLIENTS_LIMIT && oldest !== undefined) clients.delete(oldest);
    clients.set(address, { attempts, waiting });
    let isOpen = true;
    /** Undefined if the client left before the answer. It may have sent a wrong credential. */
    const end = (isWrong?: boolean) => {
      if (!isOpen) return;
      isOpen = false;
      attempt.open--;
      if (isWrong !== false) attempt.until ||= now() + PERIOD_MS;
      if (isWrong) attempt.failures++;
      for (const go of waiting.splice(0)) go();
    };
    const known = () => {
      end(false);
      options.known?.();
    };
    try {
      const response = await send(request, { ...options, known });
      // The challenge has an error only if the service knows the credential.
      end(response.status === 401 && !response.headers['www-authenticate']?.includes('error='));
      return response;
    } finally {
      end();
    }
  };
}

/** Returns the time until a client may send a credential, in milliseconds. Infinite if it depends on missing answers. */
function waitOf(attempts: Client['attempts'], credential: string, time: number): number {
  for (const [one, { open, until }] of attempts) if (open === 0 && until <= time) attempts.delete(one);
  const known = attempts.get(credential);
  const failed = [...attempts.values()].filter(({ until }) => until > time);
  if (failed.length >= FAILURES_LIMIT) return Math.min(...failed.map(({ until }) => until)) - time;
  if (known && known.failures >= FAILURES_LIMIT) return known.until - time;
  return known || attempts.size < FAILURES_LIMIT ? 0 : Number.POSITIVE_INFINITY;
}

const tooMany = (ms: number): HttpResponse =>
  errorResponse(429, 'too many failed log-ins: wait, and then send another key', {
    'retry-after': String(Math.ceil(ms / 1000)),
  });

/** A digest of the credential, another one for each form of the page. Undefined for a request without a credential. */
function credentialOf({ method, url, headers }: HttpRequest): string | undefined {
  if (method === 'POST' && splitUrl(url).path === `${ROOT}login`) return randomUUID();
  const { 'x-api-key': key, authorization, 'x-workspace-identifier': id } = headers;
  if (key === undefined && authorization === undefined && id === undefined) return undefined;
  return digestOf(JSON.stringify([key, authorization, id]));
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');
