/** The embedded service, run as `dtp serve`: event ingest, searches among many events, memory of a large upload. */
import { join } from 'node:path';
import { BATCH, call, close, ingest } from './support/client.mjs';
import { median, peakOf } from './support/process.mjs';
import { interactions, piece } from './support/records.mjs';
import { count, measured, report, scaled } from './support/report.mjs';
import { startService } from './support/servers.mjs';

const EVENTS = BATCH * scaled(2000);
const UPLOAD_MIB = scaled(1024);
const SEARCHES = scaled(50);
const LIMIT = 100;

const filters = {
  execution_id: (number) => `run-${Math.floor((number * EVENTS) / SEARCHES / 20)}`,
  source_revision_digest: (number) => `sha256:${number * 7}`,
  lint_report_digest: (number) => `lint-${number * 7}`,
  openapi_diff_report_digest: (number) => `diff-${number * 7}`,
  generate_gen_lock_id: (number) => `lock-${number}`,
  interaction_type: (number) => interactions[number % interactions.length],
  success: (number) => String(number % 2 === 0),
};

async function search(server, name) {
  const times = [];
  let found = 0;
  for (let number = 0; number < SEARCHES; number++) {
    const query = new URLSearchParams({ [name]: filters[name](number), limit: LIMIT });
    const start = performance.now();
    const path = `/v1/workspace/${server.workspace}/events?${query}`;
    const text = await call(server, 'GET', path, {}, (outgoing) => outgoing.end());
    times.push(performance.now() - start);
    found += JSON.parse(text).length;
  }
  return { middle: median(times), found: found / SEARCHES };
}

/** Returns the time in seconds. */
async function upload(server) {
  const head = [
    '--dtp\r\ncontent-disposition: form-data; name="data"\r\ncontent-type: application/json\r\n\r\n{}\r\n',
    '--dtp\r\ncontent-disposition: form-data; name="file"; filename="report.html"\r\n\r\n',
  ].join('');
  const tail = '\r\n--dtp--\r\n';
  const length = head.length + UPLOAD_MIB * piece.byteLength + tail.length;
  const headers = { 'content-type': 'multipart/form-data; boundary=dtp', 'content-length': length };
  const start = performance.now();
  await call(server, 'POST', '/v1/reports', headers, async (outgoing) => {
    outgoing.write(head);
    for (let sent = 0; sent < UPLOAD_MIB; sent++)
      if (!outgoing.write(piece)) await new Promise((done) => outgoing.once('drain', done));
    outgoing.end(tail);
  });
  return (performance.now() - start) / 1000;
}

/** Runs `work` with a service that has a separate store. */
async function within({ env, folder }, name, work) {
  const server = await startService(env, join(folder, name));
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function eventRows(server) {
  const rate = await ingest(server, EVENTS);
  const rows = [
    measured(`ingest of ${count(EVENTS)} events, batches of ${BATCH}`, rate, 'events/s', {
      ...{ atLeast: 20_000 },
    }),
    measured('ingest, memory', peakOf(server.pid), 'MB'),
  ];
  const middles = [];
  for (const name of Object.keys(filters)) {
    const { middle, found } = await search(server, name);
    middles.push(middle);
    rows.push(measured(`search by ${name}, median`, middle, 'ms', { atMost: 20, note: `${found} found` }));
  }
  return [
    ...rows,
    measured(`search among ${count(EVENTS)} events, slowest filter`, Math.max(...middles), 'ms', {
      ...{ atMost: 20 },
    }),
  ];
}

async function uploadRows(server) {
  const before = peakOf(server.pid);
  const seconds = await upload(server);
  return [
    measured(`upload of ${count(UPLOAD_MIB)} MiB to it`, UPLOAD_MIB / seconds, 'MiB/s'),
    measured('upload to it, memory', peakOf(server.pid), 'MB', {
      ...{ atMost: 200, note: `${before.toFixed(0)} MB before` },
    }),
  ];
}

await report('service', async (place) => {
  try {
    return [...(await within(place, 'events', eventRows)), ...(await within(place, 'uploads', uploadRows))];
  } finally {
    close();
  }
});
