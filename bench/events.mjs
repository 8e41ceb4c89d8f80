/** `dtp events post` with many events, compared with a bare undici client: throughput and peak memory. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { inTurn, run } from './support/process.mjs';
import { eventOf, writeEvents } from './support/records.mjs';
import { count, measured, report, scaled } from './support/report.mjs';
import { startService, startSink } from './support/servers.mjs';
import { dtp } from './support/tool.mjs';

const BATCH = 500;
const CONCURRENCY = 4;
const ROUNDS = scaled(3);
const batches = (number) => BATCH * scaled(number / BATCH);
const [FEW, HALF, EVENTS] = [10_000, 500_000, 1_000_000].map(batches);
/** The number of events that the bare client has in memory, in prepared batches. */
const READY = batches(200_000);

/** The batches, already encoded as bytes. */
const bodiesOf = ({ workspace }) =>
  Array.from({ length: READY / BATCH }, (_, batch) => {
    const events = Array.from({ length: BATCH }, (_, at) => eventOf(batch * BATCH + at, workspace));
    return Buffer.from(JSON.stringify(events));
  });

/** Posts with undici alone. If there are not enough prepared batches, they are repeated. */
async function postBare({ address, key, workspace }, bodies, number) {
  const agent = new Agent({ connections: CONCURRENCY });
  const path = `/v1/workspace/${workspace}/events`;
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const start = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < number / BATCH) {
      const body = bodies[next++ % bodies.length];
      const post = { origin: address, path, method: 'POST', headers, body };
      const { statusCode, body: answer } = await agent.request(post);
      await answer.dump();
      if (statusCode > 299) throw new Error(`status ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  const ms = performance.now() - start;
  await agent.close();
  return { ms };
}

/** Parses and serializes each event without sending it. */
async function parse(bodies) {
  const lines = bodies.map((body) => JSON.parse(body).map((event) => JSON.stringify(event)));
  const start = performance.now();
  for (let batch = 0; batch < EVENTS / BATCH; batch++) {
    const events = lines[batch % lines.length].map((line) => JSON.parse(line));
    Buffer.from(JSON.stringify(events));
  }
  return { ms: performance.now() - start };
}

async function post({ settings }, env, file, number) {
  const sizes = ['--batch-size', String(BATCH), '--concurrency', String(CONCURRENCY)];
  const line = dtp('events', 'post', '--body', `@${file}`, ...sizes, '-o', 'json');
  const ended = await run(line, { env: { ...env, ...settings } });
  if (JSON.parse(ended.text).delivered !== number) throw new Error(`not all were delivered: ${ended.text}`);
  return ended;
}

/** Posts to a sink, which takes almost no time, to measure the tool itself: its speed, scaling and memory. */
async function sinkRows({ folder, env }) {
  const sink = await startSink(env);
  try {
    const posts = [];
    for (const number of [FEW, HALF, EVENTS]) {
      const file = await writeEvents(folder, 0, number, sink.workspace);
      posts.push(() => post(sink, env, file, number));
    }
    const bodies = bodiesOf(sink);
    const bare = () => postBare(sink, bodies, EVENTS);
    const [few, half, all, plain, parsed] = await inTurn(ROUNDS, [...posts, bare, () => parse(bodies)]);
    const what = `events post of ${count(EVENTS)}`;
    return [
      measured('bare undici, to a server that only counts requests', rateOf(plain, EVENTS), 'events/s'),
      measured('JSON.parse and JSON.stringify of the same lines', rateOf(parsed, EVENTS), 'events/s', {
        ...{ ratio: plain.ms / parsed.ms, to: 'bare undici', note: 'the most that one thread can do' },
      }),
      measured(
        `posting ${count(EVENTS)} events to a server that only counts requests`,
        rateOf(all, EVENTS),
        'events/s',
        {
          ...{ ratio: parsed.ms / all.ms, to: 'JSON.parse and JSON.stringify', atLeast: 0.9, headline: true },
        },
      ),
      measured(`${what}, time`, all.ms / 1000, 's', {
        ...{ ratio: all.ms / half.ms, to: `${count(HALF)} events`, atMost: 2.2 },
      }),
      measured(`${what}, memory`, all.peak, 'MB', { atMost: 120 }),
      measured(`events post of ${count(FEW)}, memory`, few.peak, 'MB', { atMost: 120 }),
      measured(`${what}, growth of memory`, all.peak, 'MB', {
        ...{ ratio: all.peak / few.peak, to: `${count(FEW)} events`, atMost: 1.5 },
      }),
    ];
  } finally {
    await sink.stop();
  }
}

/**
 * Posts the same events to the embedded service, each time with a new store: known events are handled faster, and a large
 * store is slower.
 */
async function serviceRows({ folder, env }) {
  const data = join(folder, 'served');
  const within = async (work) => {
    const service = await startService(env, data);
    try {
      return await work(service);
    } finally {
      await service.stop();
      rmSync(data, { recursive: true, force: true });
    }
  };
  const plain = await within((service) => postBare(service, bodiesOf(service), READY));
  const all = await within(async (service) =>
    post(service, env, await writeEvents(folder, 0, READY, service.workspace), READY),
  );
  const [bare, ours] = [rateOf(plain, READY), rateOf(all, READY)];
  return [
    measured('bare undici, embedded service', bare, 'events/s'),
    measured(`events post of ${count(READY)}, embedded service`, ours, 'events/s', {
      ...{ ratio: ours / bare, to: 'bare undici', atLeast: 0.8 },
    }),
  ];
}

/** Events per second. */
const rateOf = ({ ms }, number) => number / (ms / 1000);

await report(`events, medians of ${ROUNDS}`, async (place) => [
  ...(await sinkRows(place)),
  ...(await serviceRows(place)),
]);
