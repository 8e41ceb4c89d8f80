/**
 * A post from a pipe, killed in the first minute of an outage: the events it read are on the disk. `DTP_SEED`
 * repeats a run.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { home, start } from '../support/process.ts';
import { randomOf, rounds, seed } from '../support/random.ts';
import { onDisk } from '../support/spool-world.ts';

const KILLS = rounds(1, 12);
const random = randomOf(seed);
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Far less than the declared retry takes, and far more than the promised second, however slow the machine is. */
const SOON = 40_000;

/** The ways in which the service is down. */
const outages: Readonly<Record<string, ((server: Server) => void) | undefined>> = {
  'refuses connections': undefined,
  'answers 503': (server) =>
    server.on('request', (request, response) => {
      request.resume().on('end', () => response.writeHead(503).end());
    }),
  'never answers': (server) => server.on('request', (request) => request.resume()),
  'resets connections': (server) => server.on('connection', (socket) => socket.resetAndDestroy()),
};

/** The base URL of a service that is down. */
async function openAway(serve: ((server: Server) => void) | undefined): Promise<string> {
  const server = createServer();
  serve?.(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  if (serve) onTestFinished(close);
  else close();
  return `http://127.0.0.1:${port}`;
}

const eventOf = (n: number, executions: number) => `{"id":"e_${n}","execution_id":"x_${n % executions}"}\n`;
const idsIn = (state: string) => onDisk(state).flatMap(({ ids }) => ids ?? []);

/** Events in each step, and executions. One execution is one lane, which a single retried batch used to block. */
const inputs: readonly (readonly [name: string, step: number, executions: number, steps: number])[] = [
  ['many events of one execution', 700, 1, 8],
  ['many events of many executions', 700, 50, 8],
  ['an event now and then', 1, 1, 5],
  ['an event of another execution now and then', 1, 5, 5],
];

const table = Object.keys(outages).flatMap((name) => inputs.map((input) => [name, input[0], input] as const));

test.each(table)('the service %s: %s', async (name, _, [, step, executions, steps]) => {
  for (let kill = 0; kill < KILLS; kill++) {
    const place = home();
    onTestFinished(place.remove);
    const env = { DTP_BASE_URL: await openAway(outages[name]), DTP_API_KEY: 'k', DTP_WORKSPACE_ID: 'w' };
    const child = start(place.folder, ['events', 'post', '--no-fill', '--body', '-'], { env });
    const ended = new Promise((done) => child.on('close', done));
    child.stdin.on('error', () => undefined);
    const state = join(place.folder, 'state');
    let sent = 0;
    for (let at = 0; at < steps; at++) {
      const events = Array.from({ length: step }, () => eventOf(sent++, executions));
      child.stdin.write(events.join(''));
      const begun = Date.now();
      // Nothing more arrives, and the input does not end: these are all the events.
      while (idsIn(state).length < sent && Date.now() - begun < SOON && child.exitCode === null) await pause(20);
      expect(idsIn(state), `queued after step ${at}`).toHaveLength(sent);
      await pause(random() * 60);
    }
    expect(child.exitCode).toBeNull();
    child.kill('SIGKILL');
    await ended;
    expect(idsIn(state).sort()).toEqual(Array.from({ length: sent }, (_, n) => `e_${n}`).sort());
  }
});

test.each([
  ['an array that does not end', (text: string) => Buffer.from(`[${text.trim().replaceAll('\n', ',')},`)],
  ['compressed', (text: string) => gzipSync(text)],
])('%s is queued as it arrives', async (_, made) => {
  const place = home();
  onTestFinished(place.remove);
  const env = { DTP_BASE_URL: await openAway(undefined), DTP_API_KEY: 'k', DTP_WORKSPACE_ID: 'w' };
  const child = start(place.folder, ['events', 'post', '--no-fill', '--body', '-'], { env });
  const ended = new Promise((done) => child.on('close', done));
  child.stdin.write(made(Array.from({ length: 1200 }, (_, n) => eventOf(n, 1)).join('')));
  const state = join(place.folder, 'state');
  const begun = Date.now();
  while (idsIn(state).length < 1200 && Date.now() - begun < SOON && child.exitCode === null) await pause(20);
  child.kill('SIGKILL');
  await ended;
  expect(idsIn(state)).toHaveLength(1200);
});
