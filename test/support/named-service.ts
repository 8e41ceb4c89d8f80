/** A service in which things have names, and commands run against it with the key of one workspace. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { openProbe } from '../../src/transport/probe.ts';
import { openSend } from '../../src/transport/send.ts';
import { dtp, type Ended, type World } from './context.ts';
import { type Asked, openEcho } from './recording-service.ts';

export const ids = {
  own: '11111111-1111-4111-8111-111111111111',
  petstore: '22222222-2222-4222-8222-222222222222',
  // The two differ after eight characters.
  twin: '33333333-3333-4333-8333-333333333333',
  other: '33333333-4444-4444-8444-444444444444',
};
export const digest = `sha256:4f0c91a2b7de${'0'.repeat(52)}`;

/** The lists of the service, by path. */
const all: Readonly<Record<string, unknown>> = {
  '/v1/auth/validate': { workspace_id: ids.own, workspace_slug: 'own', org_slug: 'acme' },
  '/v1/workspaces': [
    { id: ids.own, name: 'Own', slug: 'own' },
    { id: ids.petstore, name: 'Pet Store', slug: 'petstore' },
    // An id without a known form, which is also the name of another workspace.
    { id: 'legacy', name: 'Old', slug: 'old' },
    { id: ids.twin, name: 'legacy', slug: 'twin' },
    { id: ids.other, name: 'twice', slug: 'twice-1' },
    { id: 'x', name: 'twice', slug: 'twice-2' },
  ],
  '/v1/organizations': [{ id: ids.other, name: 'Acme Inc', slug: 'acme' }],
  [`/v1/workspace/${ids.own}/team`]: {
    users: [{ id: ids.twin, email: 'ann@example.com', display_name: 'Ann' }],
  },
  [`/v1/workspace/${ids.own}/tokens`]: [
    { id: ids.petstore, name: 'deploy', key: 'dtp_s3cret-of-deploy' },
    { id: ids.twin, name: 'ci', key: 'dtp_s3cret-of-ci' },
    { id: ids.other, name: 'ci', key: 'dtp_s3cret-of-ci' },
  ],
  [`/v1/workspace/${ids.petstore}/tokens`]: [{ id: ids.other, name: 'deploy' }],
  '/v1/publishing-tokens': [{ id: ids.twin, token_name: 'ci', valid_until: '2030-01-01T00:00:00Z' }],
  '/v1/artifacts/namespaces/pets/revisions': { items: [{ digest, tags: ['v1'] }] },
  '/v1/workspace/events/targets': [{ id: 'e', generate_gen_lock_id: ids.twin, generate_target: 'go' }],
  [`/v1/workspace/${ids.own}/events/targets`]: [{ id: 'e', generate_gen_lock_id: ids.twin }],
};

/** What is answered to a POST, by path. */
const made: Readonly<Record<string, unknown>> = {
  '/v1/workspace': { id: ids.petstore },
  '/v1/publishing-tokens': { id: ids.petstore },
  '/v1/artifacts/preflight': { auth_token: 'token-of-the-registry' },
  [`/v1/suggest/openapi/pets/${encodeURIComponent(digest)}`]: { overlay: '1.0.0' },
};

/** The environment of a command with the workspace `ids.own`. */
export const inOwn = { env: { DTP_WORKSPACE_ID: ids.own } };

export interface NamedService {
  readonly address: () => string;
  /** All requests so far. */
  readonly requests: () => readonly Asked[];
  /** Makes a path answer with another status, until the end of the test. */
  readonly break: (path: string, status: number, message?: string) => void;
  /** Runs a command with the key of `ids.own`. Returns the requests too. */
  readonly run: (argv: readonly string[], world?: World) => Promise<Ended & { readonly asked: readonly string[] }>;
  /** The requests of some work. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T & { readonly asked: readonly string[] }>;
}

/** Opens the service for the tests of a file. */
export function namedService(): NamedService {
  let echo: Awaited<ReturnType<typeof openEcho>> | undefined;
  let broken: readonly [path: string, status: number, message: string] | undefined;
  beforeAll(async () => {
    echo = await openEcho(({ method, path }) => {
      if (path === broken?.[0]) return [broken[1], JSON.stringify({ message: broken[2] })];
      if (method === 'POST' && path in made) return [200, JSON.stringify(made[path])];
      if (method !== 'GET') return [204, ''];
      return [200, JSON.stringify(all[path] ?? { id: path.split('/').at(-1) })];
    });
  });
  afterAll(() => echo?.close());
  beforeEach(() => {
    broken = undefined;
  });
  const requests = () => echo?.asked ?? [];
  const address = () => echo?.address ?? '';
  const during: NamedService['during'] = async (work) => {
    const before = requests().length;
    const done = await work();
    const asked = requests()
      .slice(before)
      .map(({ method, path }) => `${method} ${path}`);
    return { ...done, asked };
  };
  const run: NamedService['run'] = (argv, world = {}) => {
    const env = { DTP_BASE_URL: address(), DTP_API_KEY: 'k-1', DTP_ERROR_FORMAT: 'text', ...world.env };
    return during(() =>
      dtp(argv, {
        ...{ own: ids.own, ...world, env },
        openSend: async (options) => openSend(options),
        openProbe: async () => openProbe(),
      }),
    );
  };
  return {
    address,
    requests,
    during,
    run,
    break: (path, status, message = 'no') => {
      broken = [path, status, message];
    },
  };
}
