/** Following events with a search: each event is shown once and none is missed, whatever the service does. */
import { describe, expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { createdAt, openWindow } from '../../src/flows/tail-window.ts';
import { randomOf, rounds, seed } from '../support/random.ts';
import { connectionError, posts, START, world } from '../support/tail-world.ts';

test('events that are there at the start are old, and later ones are shown in the order of their creation', async () => {
  const service = world();
  posts(service, 5);
  const later: string[] = [];
  service.during.set(1, () => {
    later.push(service.post(500), service.post(100), service.post());
  });
  expect(await service.run(4)).toEqual([later]);
  expect(service.notes).toEqual(['began']);
});

test('with a time, earlier events since then are shown first, including those of the same time', async () => {
  const service = world({ since: START - 60_000 });
  posts(service, 3, 60_001);
  const since = [...posts(service, 2, 60_000), ...posts(service, 3000, 1000)];
  expect((await service.run(2)).flat()).toEqual(since);
});

test('an event is shown once if all of them have the same time', async () => {
  const service = world();
  const later: string[] = [];
  for (const wait of [1, 2, 20]) service.during.set(wait, () => later.push(...posts(service, 1500, wait * 2000)));
  await service.run(30);
  expect(service.shown.toSorted()).toEqual(later.toSorted());
});

test('a burst of old events, which all have the same time, is not shown, however far later requests go back', async () => {
  const service = world();
  posts(service, 1500, 200_000);
  const later: string[] = [];
  for (const wait of [1, 3, 20]) service.during.set(wait, () => later.push(...posts(service, 3, 0)));
  await service.run(40);
  expect(service.shown.toSorted()).toEqual(later.toSorted());
});

test('many events between two polls are all shown, oldest first', async () => {
  const service = world();
  posts(service, 2000, 5000);
  let later: string[] = [];
  service.during.set(1, () => {
    later = Array.from({ length: 5000 }, () => {
      service.pass(1);
      return service.post();
    });
  });
  expect(await service.run(3)).toEqual([later]);
});

test('more events than fit in memory are shown in several groups', async () => {
  const service = world({ since: 0 });
  const all = posts(service, 25_000);
  const groups = await service.run(2);
  expect(groups.map((ids) => ids.length)).toEqual([10_000, 10_000, 5000]);
  expect(groups.flat().toSorted()).toEqual(all.toSorted());
});

test('an event that arrives 85 s late is shown, however many events are newer', async () => {
  const service = world();
  let late = '';
  for (let wait = 1; wait < 70; wait++)
    service.during.set(wait, () => {
      posts(service, 150);
      if (wait === 40) late = service.post(85_000);
    });
  await service.run(70);
  expect(service.shown).toContain(late);
  expect(service.shown).toHaveLength(69 * 150 + 1);
  expect(new Set(service.shown).size).toBe(service.shown.length);
});

test('an event that arrives a day late is shown if few events are newer', async () => {
  const service = world();
  posts(service, 900);
  service.during.set(2, () => service.post(86_400_000, 'late'));
  // Of 901 events, it is the last.
  await service.run(40);
  expect(service.shown).toEqual(['late']);
});

test('an event of the future neither hides later events nor is shown twice', async () => {
  const service = world();
  service.during.set(1, () => service.post(-86_400_000, 'future'));
  for (let wait = 2; wait < 100; wait++) service.during.set(wait, () => posts(service, 60));
  await service.run(100);
  expect(service.shown).toHaveLength(1 + 98 * 60);
  expect(service.shown.filter((id) => id === 'future')).toHaveLength(1);
});

test('an event that the service returns twice is shown once', async () => {
  const service = world();
  service.during.set(1, () => {
    for (const id of posts(service, 3)) service.post(0, id);
  });
  await service.run(3);
  expect(service.shown).toHaveLength(3);
});

test('events without an id or with an invalid time are shown once', async () => {
  const service = world();
  service.during.set(1, () => {
    service.add({ created_at: new Date(START).toISOString(), text: 'a' });
    service.add({ id: 'x', created_at: 'soon' });
  });
  await service.run(40);
  expect(service.shown).toHaveLength(2);
});

test('a service that returns the oldest events first is read to the end', async () => {
  const service = world();
  service.reverse();
  for (let count = 0; count < 3000; count++) service.post(500_000 - count);
  let later: string[] = [];
  service.during.set(1, () => {
    later = posts(service, 10);
  });
  await service.run(3);
  expect(service.shown.toSorted()).toEqual(later.toSorted());
});

test('a service that sorts by arrival loses nothing', async () => {
  const service = world();
  service.byArrival();
  posts(service, 3000);
  for (let wait = 1; wait < 50; wait++) service.during.set(wait, () => [service.post(80_000), ...posts(service, 70)]);
  await service.run(50);
  expect(service.shown).toHaveLength(49 * 71);
  expect(new Set(service.shown).size).toBe(service.shown.length);
});

describe('failures', () => {
  test('during an outage nothing is lost, and events that arrive after it with earlier times are shown', async () => {
    const service = world();
    for (let wait = 1; wait < 160; wait++)
      service.during.set(wait, () => {
        if (wait === 30) service.fail(connectionError);
        if (wait === 60) service.fail(undefined);
        // What was queued during the outage of ten minutes arrives much later.
        if (wait === 100) posts(service, 50, 500_000);
        posts(service, 70);
      });
    await service.run(160);
    expect(service.shown).toHaveLength(159 * 70 + 50);
    expect(new Set(service.shown).size).toBe(service.shown.length);
    expect(service.notes.map((note) => note.replace(/\d+/, ''))).toEqual(['began', 'lost', 'back ']);
  });

  test('a response that is cut is asked for again, and its events are shown once', async () => {
    const service = world();
    service.during.set(1, () => {
      posts(service, 40);
      service.cut(21);
    });
    service.during.set(3, () => service.cut(Number.POSITIVE_INFINITY));
    const groups = await service.run(6);
    expect(groups.map((ids) => ids.length)).toEqual([40]);
    expect(service.notes).toEqual(['began', 'lost', 'back 9000']);
  });

  test('waits grow to 30 s, and a Retry-After is honored', async () => {
    const service = world();
    const asking = [undefined, 45_000, 1000];
    service.during.set(1, () => {
      service.fail(() => {
        const waitMs = asking.shift();
        return new DtpError('rate_limited', 'too many requests', {
          status: 429,
          ...(waitMs !== undefined && { waitMs }),
        });
      });
    });
    service.during.set(9, () => service.fail(undefined));
    await service.run(11);
    expect(service.waits).toEqual([2000, 3000, 45_000, 12_000, 24_000, 30_000, 30_000, 30_000, 30_000, 2000, 2000]);
  });

  test.each([
    ['the first poll fails', 0, connectionError()],
    ['the credential is no longer valid', 3, new DtpError('auth', 'invalid key', { status: 401 })],
    ['the workspace is gone', 3, new DtpError('not_found', 'no such workspace', { status: 404 })],
    ['the program is broken', 3, new TypeError('not a function')],
  ])('it ends if %s', async (_, wait, failure) => {
    const service = world();
    const fail = () =>
      service.fail(() => {
        throw failure;
      });
    if (wait === 0) fail();
    else service.during.set(wait, fail);
    const follow = async () => {
      for await (const _ of service.follow());
    };
    await expect(follow()).rejects.toBe(failure);
  });
});

describe('limits of the service', () => {
  test('a service that refuses large limits is asked for less', async () => {
    const service = world({ largest: 500 });
    let later: string[] = [];
    service.during.set(1, () => {
      later = posts(service, 80);
    });
    await service.run(30);
    expect(service.shown).toEqual(later);
    expect(service.notes).toEqual(['began']);
  });

  test('if it returns too few to contain all new events, a warning says so once', async () => {
    const service = world({ cap: 200 });
    posts(service, 300);
    for (let wait = 1; wait < 60; wait++) service.during.set(wait, () => posts(service, 20));
    for (const wait of [60, 61, 62]) service.during.set(wait, () => posts(service, 300));
    await service.run(64);
    expect(service.notes).toEqual(['began', 'missed 200']);
    expect(new Set(service.shown).size).toBe(service.shown.length);
  });
});

test('the window remembers only what can come back', () => {
  const window = openWindow();
  const event = (second: number) => ({
    id: `e${second}`,
    created_at: new Date(START + second * 1000).toISOString(),
  });
  for (let second = 0; second < 1000; second++) window.add(event(second));
  window.close(createdAt(event(900)) ?? 0);
  expect(window.size()).toBe(100);
  expect([899, 900, 1000].map((second) => window.isNew(event(second)))).toEqual([false, false, true]);
  window.close(START);
  expect(window.isNew(event(10))).toBe(false);
});

test(`any mix of late events, outages and cut responses: each event once, seed ${seed}`, async () => {
  const random = randomOf(seed);
  for (let round = 0; round < rounds(2, 200); round++) {
    const service = world({ random, ...(random() < 0.5 && { since: START - 80_000 }) });
    const later: string[] = [];
    const last = 140;
    for (let wait = 1; wait < last; wait++)
      service.during.set(wait, () => {
        const isQuiet = wait > last - 60;
        service.fail(!isQuiet && random() < 0.1 ? connectionError : undefined);
        service.cut(!isQuiet && random() < 0.1 ? random() * 200 : Number.POSITIVE_INFINITY);
        if (isQuiet) return;
        const burst = random() < 0.05 ? 1200 : 30;
        for (let count = random() * burst; count > 0; count--) later.push(service.post(random() ** 4 * 80_000));
      });
    await service.run(last);
    const shown = new Set(service.shown);
    expect(later.filter((id) => !shown.has(id))).toEqual([]);
    expect(new Set(service.shown).size).toBe(service.shown.length);
  }
});
