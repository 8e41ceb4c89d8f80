/** Sends requests to the embedded service, over connections that stay open. */
import { Agent, request } from 'node:http';
import { eventOf } from './records.mjs';

const agent = new Agent({ keepAlive: true });

/** The number of events in a request. */
export const BATCH = 500;

export const close = () => agent.destroy();

/** Sends a request whose body is written by `write`. Returns the body of a 2XX response. */
export function call({ address, key }, method, path, headers, write) {
  const { hostname, port } = new URL(address);
  return new Promise((done, failed) => {
    const outgoing = request(
      { hostname, port, agent, method, path, headers: { 'x-api-key': key, ...headers } },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', failed);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode < 300) done(text);
          else failed(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`));
        });
      },
    );
    outgoing.on('error', failed);
    write(outgoing);
  });
}

/** Posts events from the number `first` on, four batches at a time. Returns the events per second. */
export async function ingest(server, events, first = 0) {
  const path = `/v1/workspace/${server.workspace}/events`;
  let next = first;
  const lane = async () => {
    while (next < first + events) {
      const from = next;
      next += BATCH;
      const batch = Array.from({ length: BATCH }, (_, at) => eventOf(from + at, server.workspace));
      const body = JSON.stringify(batch);
      const length = Buffer.byteLength(body);
      const headers = { 'content-type': 'application/json', 'content-length': length };
      await call(server, 'POST', path, headers, (outgoing) => outgoing.end(body));
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: 4 }, lane));
  return events / ((performance.now() - start) / 1000);
}
