/** How tenants share a service: turns, requests in progress, and memory. */
import { expect, test } from 'vitest';
import { Refusal } from '../../src/service/refusal.ts';
import { openShares } from '../../src/service/shares.ts';

const MIB = 2 ** 20;

const refused = (work: () => unknown): string => {
  try {
    work();
    return 'let in';
  } catch (error) {
    if (error instanceof Refusal) return `${error.status} after ${error.retryAfter} s`;
    throw error;
  }
};

test('tenants take turns, however many requests one of them has', async () => {
  const shareOf = openShares(Date.now);
  const order: string[] = [];
  const ask = (tenant: string) =>
    shareOf(tenant)
      .turn()
      .then(() => order.push(tenant));
  const all = [...Array.from({ length: 20 }, () => ask('one')), ask('two'), ask('three'), ask('two')];
  await Promise.all(all);
  expect(order.slice(0, 6)).toEqual(['one', 'one', 'two', 'three', 'one', 'two']);
  expect(order).toHaveLength(23);
});

test('there is one turn in each round of the event loop, so other things happen in between', async () => {
  const { turn } = openShares(Date.now)('one');
  const order: string[] = [];
  const works = ['a', 'b', 'c'].map((name) => turn().then(() => order.push(name)));
  setImmediate(() => order.push('else'));
  await Promise.all(works);
  expect(order).toEqual(['a', 'b', 'else', 'c']);
});

test('nobody waits for a turn if nobody else has one', async () => {
  const { turn } = openShares(Date.now)('one');
  await turn();
  await new Promise((done) => setImmediate(done));
  let isMine = false;
  void turn().then(() => {
    isMine = true;
  });
  // Long before the next round of the event loop.
  for (let step = 0; step < 10; step++) await undefined;
  expect(isMine).toBe(true);
});

test('a request whose client has gone gets no turn, and one that has waited for 10 s is refused', async () => {
  let time = 0;
  const shareOf = openShares(() => time);
  const gone = new AbortController();
  const [first, left, late] = [shareOf('one'), shareOf('one', () => gone.signal.throwIfAborted()), shareOf('one')];
  const turns = [first.turn(), left.turn(), late.turn()];
  gone.abort(new Error('the client has gone'));
  time = 10_001;
  expect(await Promise.allSettled(turns)).toMatchObject([
    { reason: { status: 503, retryAfter: 1 } },
    { reason: { message: 'the client has gone' } },
    { reason: { status: 503, retryAfter: 1 } },
  ]);
  await shareOf('one').turn();
});

test('a tenant may have 250 requests in progress, and the others as many', () => {
  const shareOf = openShares(Date.now);
  const all = Array.from({ length: 250 }, () => shareOf('one'));
  expect(refused(() => shareOf('one'))).toBe('429 after 1 s');
  expect(refused(() => shareOf('two'))).toBe('let in');
  all[0]?.end();
  // The second call frees nothing.
  all[0]?.end();
  expect(refused(() => shareOf('one'))).toBe('let in');
  expect(refused(() => shareOf('one'))).toBe('429 after 1 s');
});

test.each([
  [1, 80],
  [2, 160 / 3],
  [3, 40],
  [15, 10],
])('if %d tenants hold as much memory as they may, each has %d MiB, and another one gets a part', (count, most) => {
  const shareOf = openShares(Date.now);
  const shares = Array.from({ length: count }, (_, at) => shareOf(`tenant ${at}`));
  for (let step = 0; step < 1000; step++) for (const share of shares) refused(() => share.hold(MIB / 8));
  const more = Array.from({ length: count }, (_, at) => shareOf(`tenant ${at}`));
  for (const share of more) expect(refused(() => share.hold(MIB))).toBe('503 after 1 s');
  const another = shareOf('another');
  expect(refused(() => another.hold(((most - 1) / 2) * MIB))).toBe('let in');
  another.end();
  expect(refused(() => another.hold(most * MIB))).toBe('503 after 1 s');
  for (const share of shares) share.end();
  expect(refused(() => more[0]?.hold(80 * MIB))).toBe('let in');
});

test('bytes are counted while they arrive', async () => {
  const share = openShares(Date.now)('one');
  let sent = 0;
  const endless = async function* () {
    for (;;) {
      sent += MIB;
      yield Buffer.alloc(MIB);
    }
  };
  const read = async () => {
    for await (const _ of share.holding(endless()));
  };
  await expect(read()).rejects.toMatchObject({ status: 503 });
  expect(sent).toBe(81 * MIB);
  share.end();
});
