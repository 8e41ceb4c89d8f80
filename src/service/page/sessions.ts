/** Who is logged in to the page. Everything is in memory, so a new process knows nobody. */
import { randomBytes } from 'node:crypto';
import type { StoreScope } from '../handler.ts';
import { callerOf } from '../tenancy/credentials.ts';

/** How long a log-in link is valid, and how long a session lasts, in milliseconds. */
const lifetimes = { link: 60_000, session: 12 * 60 * 60 * 1000 } as const;

/** The most entries of one workspace, and of all. The oldest ones are dropped, so that the memory is bounded. */
const MOST = { own: 50, all: 10_000 } as const;

/** Where somebody logs in. `base` is the start of all URLs of the server. */
export interface PageScope extends StoreScope {
  readonly base: string;
}

interface Entry {
  readonly kind: keyof typeof lifetimes;
  readonly key: string;
  /** The id of the workspace of the key. */
  readonly owner: string;
  /** In milliseconds. */
  readonly until: number;
  /** The path that a link leads to, below the page. */
  readonly to: string;
}

/** Somebody who is logged in, with the key for the calls to the service in their name. */
export type Viewer = NonNullable<ReturnType<typeof viewerWith>>;

/** Returns the viewer with an API key. Undefined if the key is invalid, or is only the id of a workspace. */
export function viewerWith(key: string, scope: StoreScope) {
  const caller = callerOf([{ scheme: 'APIKey', header: 'x-api-key', value: key }], scope);
  return caller && !caller.isAnonymous ? { caller, key } : undefined;
}

export class Sessions {
  readonly #entries = new Map<string, Entry>();

  /** Remembers a key for a while, and returns the id that opens it. */
  add(kind: Entry['kind'], key: string, scope: StoreScope, to = ''): string {
    const owner = viewerWith(key, scope)?.caller.workspaceId ?? '';
    const all = [...this.#entries.keys()];
    const own = all.filter((id) => this.#entries.get(id)?.owner === owner);
    const oldest = own.length >= MOST.own ? own[0] : all.length >= MOST.all ? all[0] : undefined;
    if (oldest !== undefined) this.#entries.delete(oldest);
    const id = randomBytes(32).toString('base64url');
    this.#entries.set(id, { kind, key, owner, to, until: scope.now().getTime() + lifetimes[kind] });
    return id;
  }

  #find(kind: Entry['kind'], id: string, { now }: StoreScope): Entry | undefined {
    const entry = this.#entries.get(id);
    return entry?.kind === kind && entry.until > now().getTime() ? entry : undefined;
  }

  /** Starts a session and returns the header that stores its cookie. */
  start(key: string, scope: PageScope): Readonly<Record<string, string>> {
    return cookieOf(scope, this.add('session', key, scope), lifetimes.session / 1000);
  }

  viewerOf(cookies: string, scope: PageScope): Viewer | undefined {
    const entry = this.#find('session', idIn(cookies, scope), scope);
    return entry && viewerWith(entry.key, scope);
  }

  end(cookies: string, scope: PageScope): Readonly<Record<string, string>> {
    this.#entries.delete(idIn(cookies, scope));
    return cookieOf(scope, '', 0);
  }

  /** Returns what a link opens, and forgets the link. Undefined if it was used, is too old or never existed. */
  follow(id: string, scope: StoreScope): Entry | undefined {
    const link = this.#find('link', id, scope);
    if (link) this.#entries.delete(id);
    return link;
  }
}

/** Cookies do not depend on the port, so each server has its own name. */
const nameFor = ({ base }: PageScope): string => `dtp-page-${/:(\d+)$/.exec(base)?.[1] ?? '80'}`;

const cookieOf = (scope: PageScope, id: string, seconds: number) => ({
  'set-cookie': `${nameFor(scope)}=${id}; Path=/-/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${
    scope.base.startsWith('https:') ? '; Secure' : ''
  }`,
});

const idIn = (cookies: string, scope: PageScope): string =>
  cookies
    .split(/;\s*/)
    .find((one) => one.startsWith(`${nameFor(scope)}=`))
    ?.split('=')[1] ?? '';
