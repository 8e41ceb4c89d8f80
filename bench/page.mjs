/** The page of the embedded service: its first view among many events, and what an open page costs during ingest. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './support/process.mjs';
import { eventOf } from './support/records.mjs';
import { count, measured, report, scaled } from './support/report.mjs';
import { startService } from './support/servers.mjs';

const BATCH = 500;
const EVENTS = BATCH * scaled(2000);
const INGEST = BATCH * scaled(200);
const VIEWS = scaled(30);
const PAIRS = scaled(6);
/** The events of a second while the memory is watched, and for how many seconds. */
const [RATE, SECONDS] = [1000, scaled(100, 4)];

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

function call({ address }, method, path, headers, body = '') {
  const length = Buffer.byteLength(body);
  return new Promise((done, failed) => {
    const options = { agent, method, headers: { ...headers, 'content-length': length } };
    request(new URL(path, address), options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode < 400) done({ headers: response.headers, text });
        else failed(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`));
      });
    })
      .on('error', failed)
      .end(body);
  });
}

async function logIn(server) {
  const { headers } = await call(server, 'POST', '/-/login', {}, `key=${server.key}`);
  return { cookie: headers['set-cookie'][0].split(';')[0] };
}

/** Posts the events of one batch. `at` is the number of the first one. */
async function post(server, at) {
  const events = Array.from({ length: BATCH }, (_, more) => eventOf(at + more, server.workspace));
  const headers = { 'content-type': 'application/json', 'x-api-key': server.key };
  await call(server, 'POST', `/v1/workspace/${server.workspace}/events`, headers, JSON.stringify(events));
}

/** Posts four batches at a time. Returns the time in milliseconds. */
async function ingest(server, from, number) {
  let next = from;
  const lane = async () => {
    while (next < from + number) {
      const at = next;
      next += BATCH;
      await post(server, at);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: 4 }, lane));
  return performance.now() - start;
}

/** Opens the stream of the first view. Returns how many views came, and what closes it. */
async function openPage(server) {
  const headers = await logIn(server);
  let views = 0;
  const stream = request(new URL('/-/live?view=', server.address), { headers }, (response) =>
    response.on('data', (piece) => {
      views += piece.toString().split('event: view').length - 1;
    }),
  );
  stream.on('error', () => undefined).end();
  while (views === 0) await sleep(10);
  return { views: () => views, close: () => stream.destroy() };
}

/** The memory of a process in MB. NaN if the system is not Linux. */
function memoryOf(pid) {
  try {
    return (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6;
  } catch {
    return Number.NaN;
  }
}

async function viewRows(server) {
  await ingest(server, 0, EVENTS);
  const headers = await logIn(server);
  const times = [];
  for (let view = 0; view < VIEWS; view++) {
    const start = performance.now();
    const { text } = await call(server, 'GET', '/-/', headers);
    times.push(performance.now() - start);
    if (!text.includes('/-/events/')) throw new Error('no events are on the page');
  }
  const name = `the first view, among ${count(EVENTS)} events`;
  return [
    measured(`${name}, the first time`, times[0], 'ms', { atMost: 50 }),
    measured(`${name}, median`, median(times), 'ms', { atMost: 50 }),
  ];
}

/** Rounds with and without an open page, in turn, on a store that grows alike for both. */
async function ingestRow(server) {
  const [plain, open] = [[], []];
  let from = await warm(server);
  for (let round = 0; round < PAIRS; round++)
    for (const isOpen of round % 2 === 0 ? [false, true] : [true, false]) {
      const page = isOpen ? await openPage(server) : undefined;
      (isOpen ? open : plain).push(await ingest(server, from, INGEST));
      page?.close();
      from += INGEST;
    }
  const ratios = plain.map((ms, at) => ms / open[at]);
  return measured(`ingest of ${count(INGEST)} events with an open page`, INGEST / (median(open) / 1000), 'events/s', {
    ...{ ratio: median(ratios), to: 'without a page', atLeast: 0.97 },
  });
}

async function warm(server) {
  await ingest(server, 0, INGEST);
  return INGEST;
}

/** Compares the memory in the second half with that in the first, at a steady rate. */
async function memoryRow(server) {
  const page = await openPage(server);
  const samples = [];
  const start = performance.now();
  for (let at = 0; at < RATE * SECONDS; at += BATCH) {
    await post(server, at);
    samples.push(memoryOf(server.pid));
    await sleep(Math.max(0, start + ((at + BATCH) / RATE) * 1000 - performance.now()));
  }
  page.close();
  const half = samples.length / 2;
  const [first, second] = [samples.slice(0, half), samples.slice(half)].map(median);
  return measured(
    `memory with an open page, ${count(RATE * SECONDS)} events at ${count(RATE)} a second`,
    second,
    'MB',
    {
      ...{ ratio: second / first, to: 'the first half', atMost: 1.1, note: `${page.views()} views sent` },
    },
  );
}

await report('page', async ({ env, folder }) => {
  const within = async (name, work) => {
    const server = await startService(env, join(folder, name));
    try {
      return await work(server);
    } finally {
      await server.stop();
    }
  };
  try {
    return [...(await within('views', viewRows)), await within('ingest', ingestRow), await within('memory', memoryRow)];
  } finally {
    agent.destroy();
  }
});
