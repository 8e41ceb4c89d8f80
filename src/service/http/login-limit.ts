/** Limits how often a client may send a wrong credential, so that nobody can try many. */
import { createHash } from 'node:crypto';
import type { HttpRequest, HttpResponse, Send } from '../../request/http.ts';
import { errorResponse } from '../handler.ts';
import { ROOT } from '../page/layout.ts';
import { isRegistryToken } from '../registry/tokens.ts';
import { networkOf } from './endpoint.ts';
import { splitUrl } from './router.ts';

/** How many different wrong credentials a client may send in a minute, and how often each of them may be sent. */
const FAILURES_LIMIT = 20;
const PERIOD_MS = 60_000;

/** The oldest entries are dropped, so that the memory is bounded. */
const ENTRIES_LIMIT = 5000;

interface Entry {
  failures: number;
  /** In milliseconds. */
  readonly until: number;
}

/** Returns a `send` for a client's IP address. A repeated credential counts once: a misconfigured job locks out nobody. */
export function withLoginLimit(send: Send, now: () => number, logged = (one: Send) => one): (client: string) => Send {
  const [clients, credentials] = [openCounts(now), openCounts(now)];
  return (client) => async (request, options) => {
    const attempt = attemptOf(request);
    if (attempt === undefined) return send(request, options);
    const address = digestOf(networkOf(client));
    const wait = Math.max(clients.wait(address), credentials.wait(attempt));
    if (wait > 0) return logged(async () => tooMany(wait))(request, options);
    const response = await send(request, options);
    if (response.status === 401 && (attempt === '' || credentials.add(attempt) === 1)) clients.add(address);
    return response;
  };
}

const tooMany = (ms: number): HttpResponse =>
  errorResponse(429, 'too many failed log-ins: wait, and then send another key', {
    'retry-after': String(Math.ceil(ms / 1000)),
  });

/** The digest of the credential, '' for the form of the page, and undefined for a request without a credential. */
function attemptOf({ method, url, headers }: HttpRequest): string | undefined {
  if (method === 'POST' && splitUrl(url).path === `${ROOT}login`) return '';
  const { 'x-api-key': key, authorization, 'x-workspace-identifier': id } = headers;
  if (key === undefined && authorization === undefined && id === undefined) return undefined;
  // A registry token expires within minutes, and clients renew it after a 401, so it is not an attack.
  const isAlone = key === undefined && id === undefined;
  if (isAlone && isRegistryToken(authorization?.replace(/^bearer /i, '') ?? '')) return undefined;
  return digestOf(JSON.stringify([key, authorization, id]));
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

function openCounts(now: () => number) {
  const entries = new Map<string, Entry>();
  const current = (name: string): Entry | undefined => {
    const entry = entries.get(name);
    return entry && entry.until > now() ? entry : undefined;
  };
  return {
    /** The time until the name may be used again, in milliseconds. */
    wait: (name: string): number => {
      const entry = current(name);
      return entry && entry.failures >= FAILURES_LIMIT ? entry.until - now() : 0;
    },
    /** Returns how often the name has failed. */
    add: (name: string): number => {
      const entry = current(name) ?? { failures: 0, until: now() + PERIOD_MS };
      entry.failures++;
      entries.delete(name);
      const [oldest] = entries.keys();
      if (entries.size >= ENTRIES_LIMIT && oldest !== undefined) entries.delete(oldest);
      entries.set(name, entry);
      return entry.failures;
    },
  };
}
