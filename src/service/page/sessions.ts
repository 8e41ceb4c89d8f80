/** Who is logged in to the page. Everything is in memory, so a new process knows nobody. */
import { randomBytes } from 'node:crypto';
import type { Caller } from '../handler.ts';
import { callerOf, type SentCredential, type StoreScope } from '../tenancy/credentials.ts';

/** How long a link to log in counts, in milliseconds. */
export const LINK_MS = 60_000;
const SESSION_MS = 12 * 60 * 60 * 1000;

/** The oldest entries are dropped, so that the memory is bounded. */
const SESSIONS_LIMIT = 1000;

/** Where somebody logs in. `base` is the start of all URLs of the server. */
export interface PageScope extends StoreScope {
  readonly base: string;
}

interface Entry {
  readonly key: string;
  /** In milliseconds. */
  readonly until: number;
  /** The path that a link leads to, below the page. */
  readonly to: string;
}

/** Somebody who is logged in, with the key for the calls to the service in their name. */
export interface Viewer {
  readonly caller: Caller;
  readonly key: string;
}

export class Sessions {
  readonly #sessions = new Map<string, Entry>();
  readonly #links = new Map<string, Entry>();

  /** Returns the viewer with an API key. Undefined if it opens nothing, or only proves that an id is known. */
  viewerWith(key: string, scope: StoreScope): Viewer | undefined {
    const credential: SentCredential = { scheme: 'APIKey', header: 'x-api-key', value: key };
    const caller = callerOf([credential], scope);
    return caller && !caller.isAnonymous ? { caller, key } : undefined;
  }

  /** Starts a session and returns the header that stores its cookie. */
  start(key: string, scope: PageScope): Readonly<Record<string, string>> {
    const id = add(this.#sessions, { key, to: '', until: scope.now().getTime() + SESSION_MS });
    return { 'set-cookie': cookieOf(scope, id, SESSION_MS / 1000) };
  }

  viewerOf(cookies: string, scope: PageScope): Viewer | undefined {
    const entry = this.#sessions.get(idIn(cookies, scope));
    return entry && entry.until > scope.now().getTime() ? this.viewerWith(entry.key, scope) : undefined;
  }

  end(cookies: string, scope: PageScope): Readonly<Record<string, string>> {
    this.#sessions.delete(idIn(cookies, scope));
    return { 'set-cookie': cookieOf(scope, '', 0) };
  }

  /** Returns the id of a link that logs in once. */
  makeLink(key: string, to: string, { now }: StoreScope): string {
    return add(this.#links, { key, to, until: now().getTime() + LINK_MS });
  }

  /** Returns what a link opens, and forgets the link. Undefined if it was used, is too old or never existed. */
  follow(id: string, { now }: StoreScope): Entry | undefined {
    const link = this.#links.get(id);
    this.#links.delete(id);
    return link && link.until > now().getTime() ? link : undefined;
  }
}

function add(entries: Map<string, Entry>, entry: Entry): string {
  const [oldest] = entries.keys();
  if (entries.size >= SESSIONS_LIMIT && oldest !== undefined) entries.delete(oldest);
  const id = randomBytes(32).toString('base64url');
  entries.set(id, entry);
  return id;
}

/** Cookies do not depend on the port, so each server has its own name. */
const nameFor = ({ base }: PageScope): string => `dtp-page-${/:(\d+)$/.exec(base)?.[1] ?? '80'}`;

const cookieOf = (scope: PageScope, id: string, seconds: number): string =>
  `${nameFor(scope)}=${id}; Path=/-/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;

function idIn(cookies: string, scope: PageScope): string {
  const start = `${nameFor(scope)}=`;
  const found = cookies.split(/;\s*/).find((one) => one.startsWith(start));
  return found?.slice(start.length) ?? '';
}
