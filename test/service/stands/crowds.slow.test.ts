/** How the other tenant is served while one tenant, or somebody without a credential, opens very many connections. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRows, digestOf, registry } from '../../support/large-data.ts';
import { atMost } from '../../support/rough-clients.ts';
import {
  type Attack,
  type Attacked,
  faultsIn,
  logIn,
  type Place,
  type Tenants,
  twoTenants,
  watch,
} from '../../support/watched-service.ts';

let tenants: Tenants;
beforeAll(() => {
  tenants = twoTenants((store) => {
    const created_by = '(SELECT id FROM users ORDER BY seq LIMIT 1)';
    const columns = { workspace_id: '?1', key: `'key-' || i`, created_by };
    addRows(store, 'workspace_tokens', { id: `'token-' || i`, record: `'{}'`, ...columns }, KEYS);
  });
});
afterAll(() => tenants?.remove());

/** The keys of the tenant who attacks. */
const KEYS = 40;

/** How long the other tenant waits at most, and when a body without progress has ended, in milliseconds. */
const [WAIT, STALLED_MS] = [1000, 16_000];

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

/** 420 bodies that never come. Returns how many of them have not ended in time. */
const bodies =
  (headersOf: (attacked: Attacked) => Readonly<Record<string, string>>): Attack =>
  async (attacked) => {
    const { clients, attacker } = attacked;
    const path = `/v1/workspace/${attacker.workspace}/events`;
    const headers = { 'content-type': 'application/json', ...headersOf(attacked), 'content-length': '1000' };
    const stalled = await times(420, () => clients.stall('POST', path, { headers }));
    let open = stalled.length;
    for (const { ended } of stalled) void ended.then(() => open--);
    await atMost(STALLED_MS, Promise.all(stalled.map(({ ended }) => ended)));
    return open === 0 ? [] : [`${open} of ${stalled.length} bodies that never come have not ended`];
  };

/** Idle connections from four clients. Without a request, nobody knows who they are. */
const idle =
  (addresses: readonly string[]): Attack =>
  async ({ clients }) => {
    await atMost(
      10_000,
      times(1024, (at) => clients.idle(addresses[at % addresses.length])),
    );
    await sleep(3000);
    return [];
  };

const attacks: Readonly<Record<string, readonly [Place, Attack]>> = {
  '420 bodies that never come, with the key of a tenant': ['behind a proxy', bodies(() => ({}))],
  '420 bodies that never come, with a wrong key': ['behind a proxy', bodies(() => ({ 'x-api-key': 'wrong' }))],
  '420 bodies that never come, without a credential': ['behind a proxy', bodies(() => ({ 'x-api-key': '' }))],

  '1,024 idle connections from four clients': ['with TLS', idle(['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'])],

  'always 500 log-ins to the page whose forms come byte by byte': [
    'behind a proxy',
    async ({ clients }) => {
      const sent = { headers: { 'x-api-key': '', 'content-length': '1000' }, everyMs: 4000 };
      const open = (count: number) =>
        atMost(
          10_000,
          times(count, () => clients.stall('POST', '/-/login', sent)),
        );
      await open(500);
      for (let round = 0; round < 100; round++) {
        await open(2);
        await sleep(30);
      }
      return [];
    },
  ],

  '40 uploads that come byte by byte, with as many keys from one client': [
    'with TLS',
    async ({ clients, other }) => {
      const headersOf = (key: string) => ({ 'x-api-key': key, 'content-length': '1000' });
      const upload = (at: number) =>
        clients.stall('POST', `${registry('pets')}/blobs/uploads/?digest=${digestOf('pets')}`, {
          headers: headersOf(`key-${at + 1}`),
          everyMs: 1000,
        });
      await atMost(10_000, times(KEYS, upload));
      const own = clients.ask('GET', '/v1/user', { headers: { 'x-api-key': other.key } });
      const answer = await Promise.race([own, sleep(WAIT)]);
      return answer?.status === 200 ? [] : [`somebody with the same IP address got ${answer?.status}`];
    },
  ],

  '25 streams of the page': [
    'behind a proxy',
    async ({ clients, attacker, other }) => {
      const [own, theirs] = [await logIn(clients, attacker), await logIn(clients, other)];
      const open = (cookie: string) => clients.leaveUnread('GET', '/-/live?view=', { headers: { cookie } });
      await atMost(
        5000,
        times(25, () => open(own)),
      );
      const status = await Promise.race([open(theirs), sleep(5000, 0)]);
      return status === 200 ? [] : [`the other tenant got ${status} for a stream`];
    },
  ],

  '1,050 log-ins to the page with one key': [
    'behind a proxy',
    async ({ clients, attacker, other }) => {
      const cookie = await logIn(clients, other);
      for (let number = 0; number < 1050; number += 50) await times(50, () => logIn(clients, attacker));
      const { status, start } = await clients.ask('GET', '/-/', { headers: { cookie } });
      return status === 200 && !start.includes('name="key"') ? [] : ['the session of the other tenant has ended'];
    },
  ],
};

test.skipIf(process.platform !== 'linux').each(Object.entries(attacks))(
  '%s: the other tenant is served within a second',
  async (_, [place, attack]) => {
    expect(faultsIn(await watch(tenants, place, attack), { wait: WAIT })).toEqual([]);
  },
);
