/**
 * Simulates a fleet of clients during and after an outage, in virtual time. Each client posts one batch a minute and
 * follows the declared policy. A batch that is not delivered within a minute is queued, and the next post sends the queue
 * first, as `dtp events post` does.
 */
import { load } from '../../scripts/bundle/load.mjs';

/** The functions that the tool itself uses, and a seeded random generator, so that every run gives the same result. */
const { defaultRetryPolicy, waitAfter } = await load('src/operations/retry-rules.ts');
const { randomOf } = await load('test/support/random.ts');

/** The steps of the virtual clock, in milliseconds. All times below are numbers of steps. */
const STEP = 10;
const steps = (ms) => Math.ceil(ms / STEP);

const PERIOD = steps(60_000);
/** How long a post tries to send the queue before its own batch. */
const CATCH_UP = steps(10_000);
const PATIENCE = steps(defaultRetryPolicy.elapsedMs);
/** The time of a request that is answered. */
const ROUND_TRIP = steps(50);
/** The load is counted in periods of this length. */
const MOMENT = steps(100);
/** When the outage begins and the longest time after its end. */
const [BEGIN, AFTER] = [PERIOD, steps(1_800_000)];

/** Clients by the time of their next request: a list for each step. Needs the same memory however many requests there are. */
function openAgenda(clients, length) {
  const [first, after] = [new Int32Array(length).fill(-1), new Int32Array(clients)];
  return {
    add: (client, at) => {
      if (at >= length) return;
      after[client] = first[at];
      first[at] = client;
    },
    take: (at, call) => {
      for (let client = first[at]; client !== -1; ) {
        const next = after[client];
        call(client);
        client = next;
      }
    },
  };
}

/** What the service accepts after an outage: `perStep` requests for each step, and a burst of one moment. */
function openCapacity(perStep, end) {
  let free = 0;
  return {
    step: (now) => {
      free = now >= BEGIN && now < end ? 0 : Math.min(free + perStep, Math.max(1, perStep * MOMENT));
    },
    take: () => free >= 1 && free-- >= 1,
  };
}

/**
 * `clients` start spread over a minute, which is the normal load. The service is down for `outageMs`. Otherwise it accepts
 * `capacity` times the normal load, and refuses the rest with a 503. `askedMs` returns its Retry-After.
 *
 * Returns the peak in requests per second and as a multiple of the normal load, the seconds after the outage at which
 * half and 99 % of the late batches were delivered, and the requests that a late batch took.
 */
export function simulateFleet({ clients, outageMs, capacity, askedMs = () => undefined }) {
  const random = randomOf(1);
  const end = BEGIN + steps(outageMs);
  const length = end + AFTER;
  const agenda = openAgenda(clients, length);
  const service = openCapacity((capacity * clients) / PERIOD, end);
  const requests = new Uint32Array(Math.ceil(length / MOMENT));
  const delivered = new Uint32Array(length);
  const [due, start] = [new Int32Array(clients), new Int32Array(clients)];
  const [attempts, queued, isQueue] = [new Uint8Array(clients), new Uint16Array(clients), new Uint8Array(clients)];
  let [late, waiting, refused] = [0, 0, 0];

  /** Begins to send a batch: the oldest one of the queue, or that of the post. */
  const begin = (client, at, fromQueue) => {
    [start[client], attempts[client], isQueue[client]] = [at, 0, Number(fromQueue)];
    agenda.add(client, at);
  };
  const post = (client, at) => {
    const first = Math.max(at, due[client]);
    due[client] += PERIOD;
    begin(client, first, queued[client] > 0);
  };
  const deliver = (client, now) => {
    if (isQueue[client] === 1 || attempts[client] > 0) {
      delivered[now]++;
      waiting--;
    }
    const next = now + ROUND_TRIP;
    if (isQueue[client] === 0) return post(client, next);
    queued[client]--;
    if (queued[client] === 0 || next - start[client] >= CATCH_UP) return begin(client, next, false);
    attempts[client] = 0;
    agenda.add(client, next);
  };
  const refuse = (client, now) => {
    refused++;
    if (attempts[client]++ === 0 && isQueue[client] === 0) {
      late++;
      waiting++;
    }
    const asked = { waitMs: askedMs(now * STEP, end * STEP, random) };
    const next = now + steps(waitAfter(defaultRetryPolicy, attempts[client], random(), asked));
    const left = start[client] + (isQueue[client] === 1 ? CATCH_UP : PATIENCE) - next;
    if (left >= 0) return agenda.add(client, next);
    // The time for the queue is a deadline, which ends the wait. A wait beyond the time for a post is not begun.
    if (isQueue[client] === 1) return begin(client, Math.max(now + 1, start[client] + CATCH_UP), false);
    queued[client]++;
    post(client, now + 1);
  };

  for (let client = 0; client < clients; client++) {
    due[client] = Math.floor(random() * PERIOD);
    post(client, 0);
  }
  let now = 0;
  for (; now < length && (now < end || waiting > 0); now++) {
    service.step(now);
    agenda.take(now, (client) => {
      requests[Math.floor(now / MOMENT)]++;
      if (service.take()) deliver(client, now);
      else refuse(client, now);
    });
  }
  const peak = requests.reduce((most, count) => Math.max(most, count), 0) / ((MOMENT * STEP) / 1000);
  const secondsUntil = (share) => {
    let [sum, at] = [0, 0];
    while (at < now && sum < late * share) sum += delivered[at++];
    return ((at - end) * STEP) / 1000;
  };
  return {
    peak,
    ratio: peak / (clients / ((PERIOD * STEP) / 1000)),
    half: secondsUntil(0.5),
    most: secondsUntil(0.99),
    requests: refused / late + 1,
    undelivered: waiting,
  };
}
