/** `dtp events post` of many events, beside a bare undici client that posts ready-made batches: rates and peak memory. */
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Agent } from 'undici';
import { run } from './support/process.mjs';
import { eventOf } from './support/records.mjs';
import { count, measured, report, scaled } from './support/report.mjs';
import { startService, startSink } from './support/servers.mjs';
import { dtp } from './support/tool.mjs';

const BATCH = 500;
const CONCURRENCY = 4;
const batches = (number) => BATCH * scaled(number / BATCH);
const [FEW, HALF, EVENTS] = [10_000, 500_000, 1_000_000].map(batches);
/** The bare client holds its batches ready. */
const READY = batches(200_000);

async function writeEvents(folder, number, workspace) {
  const file = join(folder, `events-${number}-${workspace}.ndjson`);
  const out = createWriteStream(file);
  for (let from = 0; from < number; from += BATCH) {
    const lines = Array.from({ length: BATCH }, (_, at) => JSON.stringify(eventOf(from + at, workspace)));
    if (!out.write(`${lines.join('\n')}\n`)) await new Promise((done) => out.once('drain', done));
  }
  out.end();
  await finished(out);
  return file;
}

/** Batches that are bytes already, over undici alone; events a second. */
async function postBare({ address, key, workspace }) {
  const bodies = [];
  for (let from = 0; from < READY; from += BATCH)
    bodies.push(
      Buffer.from(JSON.stringify(Array.from({ length: BATCH }, (_, at) => eventOf(from + at, workspace)))),
    );
  const agent = new Agent({ connections: CONCURRENCY });
  const path = `/v1/workspace/${workspace}/events`;
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const start = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < bodies.length) {
      const body = bodies[next++];
      const post = { origin: address, path, method: 'POST', headers, body };
      const { statusCode, body: answer } = await agent.request(post);
      await answer.dump();
      if (statusCode > 299) throw new Error(`status ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  await agent.close();
  return READY / ((performance.now() - start) / 1000);
}

async function post({ settings }, env, file, number) {
  const sizes = ['--batch-size', String(BATCH), '--concurrency', String(CONCURRENCY)];
  const line = dtp('events', 'post', '--body', `@${file}`, ...sizes, '-o', 'json');
  const { ms, peak, text } = await run(line, { env: { ...env, ...settings } });
  if (JSON.parse(text).delivered !== number) throw new Error(`not all were delivered: ${text}`);
  return { ms, peak, rate: number / (ms / 1000) };
}

/** With what is posted to a sink, memory and growth are looked at as well. */
async function compare(name, place, start, isSink) {
  const { folder, env } = place;
  const server = await start(place);
  try {
    const runs = [];
    for (const number of isSink ? [FEW, HALF, EVENTS] : [EVENTS]) {
      const file = await writeEvents(folder, number, server.workspace);
      runs.push(await post(server, env, file, number));
      rmSync(file);
    }
    return { runs, rowsWith: (bare) => rowsOf(name, runs, bare) };
  } finally {
    await server.stop();
  }
}

function rowsOf(name, runs, bare) {
  const { rate } = runs.at(-1);
  const what = `events post of ${count(EVENTS)}`;
  const rows = [
    measured(`${what}, ${name}`, rate, 'events/s', {
      ...{ ratio: rate / bare, to: 'bare undici', atLeast: 0.6, headline: runs.length > 1 },
    }),
  ];
  if (runs.length === 1) return rows;
  const [few, half, all] = runs;
  return [
    ...rows,
    measured(`${what}, time`, all.ms / 1000, 's', {
      ...{ ratio: all.ms / half.ms, to: `${count(HALF)} events`, atMost: 2.2 },
    }),
    measured(`${what}, memory`, all.peak, 'MB', { atMost: 150, headline: true }),
    measured(`events post of ${count(FEW)}, memory`, few.peak, 'MB', { atMost: 150 }),
    measured(`${what}, growth of memory`, all.peak, 'MB', {
      ratio: all.peak / few.peak,
      to: `${count(FEW)} events`,
    }),
  ];
}

const servers = [
  ['sink', ({ env }) => startSink(env), true],
  ['embedded service', ({ env, folder }) => startService(env, join(folder, 'served')), false],
];

async function measure(place) {
  const rows = [];
  for (const [name, start, isSink] of servers) {
    const { rowsWith } = await compare(name, place, start, isSink);
    // The same events to a fresh store: what is stored already is quicker to refuse.
    rmSync(join(place.folder, 'served'), { recursive: true, force: true });
    const server = await start(place);
    const bare = await postBare(server).finally(server.stop);
    rows.push(measured(`bare undici, ${name}`, bare, 'events/s'), ...rowsWith(bare));
  }
  return rows;
}

await report('events', measure);
