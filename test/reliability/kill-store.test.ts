/** Writes acknowledged with a 2XX survive a kill -9. `DTP_SEED` repeats a run's choices. */
import { rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { home, type Served, serve } from '../support/process.ts';
import { randomOf, rounds, seed } from '../support/random.ts';
import { until } from '../support/stubborn-processes.ts';

const ROUNDS = rounds(8, 200);
const CLIENTS = 6;

let place: ReturnType<typeof home>;
beforeAll(() => {
  place = home();
});
afterAll(() => place.remove());

/** The status, or undefined if the connection broke before it arrived. */
function put(server: Served, method: string, path: string, json: unknown): Promise<number | undefined> {
  const { hostname, port } = new URL(server.address);
  const headers = { 'x-api-key': server.key, 'content-type': 'application/json' };
  return new Promise((done) => {
    const outgoing = request({ hostname, port, method, path, headers }, (response: IncomingMessage) => {
      response.on('error', () => undefined);
      response.resume();
      done(response.statusCode);
    });
    outgoing.on('error', () => done(undefined));
    outgoing.end(JSON.stringify(json));
  });
}

interface Seen {
  /** The ids of each batch, by whether a 2XX arrived. */
  readonly batches: { readonly ids: readonly string[]; readonly isAcknowledged: boolean }[];
  readonly tokens: string[];
  /** The last acknowledged number of each client, which counts up in a field with its name. */
  readonly settings: Map<string, number>;
  readonly refused: number[];
}

/** Writes until the server is gone. */
async function client(server: Served, name: string, random: () => number, seen: Seen): Promise<void> {
  const workspace = `/v1/workspace/${server.workspace_id}`;
  for (let number = 0; ; number++) {
    const kind = random();
    const id = `${name}-${number}`;
    const ids = Array.from({ length: 1 + Math.floor(random() * 40) }, (_, at) => `${id}-${at}`);
    const events = ids.map((one) => ({ id: one, success: true, filler: 'x'.repeat(300) }));
    const status =
      kind < 0.6
        ? await put(server, 'POST', `${workspace}/events`, events)
        : kind < 0.8
          ? await put(server, 'POST', `${workspace}/tokens`, { name: id })
          : await put(server, 'PUT', `${workspace}/settings`, { [name]: number });
    const isAcknowledged = status !== undefined && status < 300;
    if (kind < 0.6) seen.batches.push({ ids, isAcknowledged });
    if (status === undefined) return;
    if (!isAcknowledged) seen.refused.push(status);
    else if (kind >= 0.8) seen.settings.set(name, number);
    else if (kind >= 0.6) seen.tokens.push(id);
  }
}

/** The store's file, opened without the service. */
function inspect(folder: string, seen: Seen) {
  const db = new Database(join(folder, 'service.db'));
  try {
    const list = (sql: string) => db.prepare(sql).pluck().all().map(String);
    const events = new Set(list('SELECT id FROM events'));
    const tokens = new Set(list("SELECT json_extract(record, '$.name') FROM workspace_tokens"));
    const settings = JSON.parse(list('SELECT settings FROM workspaces ORDER BY seq LIMIT 1')[0] ?? '{}');
    const stored = seen.batches.map(({ ids }) => ids.filter((id) => events.has(id)).length);
    return {
      integrity: list('PRAGMA integrity_check'),
      lostBatches: seen.batches.filter(({ isAcknowledged }, at) => isAcknowledged && stored[at] === 0),
      tornBatches: seen.batches.filter(({ ids }, at) => stored[at] !== 0 && stored[at] !== ids.length),
      lostTokens: seen.tokens.filter((name) => !tokens.has(name)),
      // A write in progress may have been stored too.
      lostSettings: [...seen.settings].filter(([name, number]) => !(settings[name] >= number)),
      refused: seen.refused,
    };
  } finally {
    db.close();
  }
}

const nothing = {
  integrity: ['ok'],
  lostBatches: [],
  tornBatches: [],
  lostTokens: [],
  lostSettings: [],
  refused: [],
};
const fresh = (): Seen => ({ batches: [], tokens: [], settings: new Map(), refused: [] });

test(`acknowledged writes survive ${ROUNDS} kills (seed ${seed})`, async () => {
  const random = randomOf(seed);
  const total = { batches: 0, events: 0, tokens: 0, settings: 0 };
  let folder = '';
  let seen = fresh();
  for (let round = 0; round < ROUNDS; round++) {
    // Now and then a new store: checking a large one takes longer than everything else.
    if (round % 10 === 0) {
      folder = join(place.folder, `data-${round}`);
      seen = fresh();
    }
    const server = await serve(place.folder, ['--data', folder]);
    const clients = Array.from({ length: CLIENTS }, (_, at) =>
      client(server, `r${round}c${at}`, randomOf(Math.floor(random() * 2 ** 31)), seen),
    );
    await new Promise((done) => setTimeout(done, 20 + random() * 400));
    // At least once, even if the machine is too busy in that half second.
    if (round === 0) await until(() => seen.batches.some(({ isAcknowledged }) => isAcknowledged));
    process.kill(server.pid, 'SIGKILL');
    await Promise.all(clients);
    await server.stop();
    const again = await serve(place.folder, ['--data', folder]);
    try {
      expect(inspect(folder, seen), `round ${round} of seed ${seed}`).toEqual(nothing);
    } finally {
      await again.stop();
    }
    if (round % 10 !== 9 && round !== ROUNDS - 1) continue;
    const acknowledged = seen.batches.filter(({ isAcknowledged }) => isAcknowledged);
    total.batches += acknowledged.length;
    total.events += acknowledged.reduce((sum, { ids }) => sum + ids.length, 0);
    total.tokens += seen.tokens.length;
    total.settings += seen.settings.size;
    rmSync(folder, { recursive: true });
  }
  process.stdout.write(`durability: ${ROUNDS} kills, seed ${seed}, acknowledged ${JSON.stringify(total)}\n`);
  expect(total.batches).toBeGreaterThan(0);
});
