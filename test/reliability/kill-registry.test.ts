/** What the registry has answered with a 2XX survives a kill -9: pushes, deletions, and the removal of garbage. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { home, type Served, serve } from '../support/process.ts';
import { randomOf, rounds, seed } from '../support/random.ts';
import { until } from '../support/stubborn-processes.ts';

const ROUNDS = rounds(6, 100);
const CLIENTS = 4;

/** Manifests share layers, so that pushes find layers whose other manifest is deleted. */
const layers = Array.from({ length: 24 }, (_, at) => `layer ${at} `.repeat(3_000));

let place: ReturnType<typeof home>;
beforeAll(() => {
  place = home();
});
afterAll(() => place.remove());

const digestOf = (content: string) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Undefined if the connection broke before the answer was complete. */
function caller({ address, key }: Served) {
  const { hostname, port } = new URL(address);
  const agent = new Agent({ keepAlive: true });
  const call = (method: string, path: string, body = ''): Promise<Answer | undefined> =>
    new Promise((done) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const outgoing = request({ agent, hostname, port, method, path, headers }, (response: IncomingMessage) => {
        let text = '';
        response.setEncoding('latin1');
        response.on('data', (piece) => {
          text += piece;
        });
        response.on('error', () => done(undefined));
        response.on('end', () => done({ status: response.statusCode ?? 0, text }));
      });
      outgoing.on('error', () => done(undefined));
      outgoing.end(body);
    });
  return { call, close: () => agent.destroy() };
}

/** A manifest that a client works on. `kept` is undefined while the outcome of its last request is not known. */
interface Pushed {
  readonly root: string;
  readonly content: string;
  readonly layer: string;
  kept: boolean | undefined;
}

interface Seen {
  /** Of all rounds, because a later one may lose what an earlier one stored. */
  pushed: Pushed[];
  readonly events: string[];
  readonly refused: string[];
}

/** Pushes, deletes and posts until the service is gone. Each client has its own namespace, and all share the layers. */
async function client(server: Served, name: string, random: () => number, seen: Seen): Promise<void> {
  const { call, close } = caller(server);
  const root = `/v2/local/default/n${name.slice(-1)}`;
  const mine = seen.pushed.filter((one) => one.root === root);
  /** Whether the service has answered, as expected or, if another client was faster, with one of `also`. */
  const did = async (method: string, path: string, body = '', also: readonly number[] = []) => {
    const answer = await call(method, path, body);
    if (!answer) return undefined;
    const isDone = answer.status < 300;
    if (!isDone && !also.includes(answer.status)) seen.refused.push(`${method} ${path} ${answer.status}`);
    return isDone;
  };
  const push = async (number: number): Promise<boolean> => {
    const layer = layers[Math.floor(random() * layers.length)] ?? '';
    const digest = digestOf(layer);
    const found = await did('HEAD', `${root}/blobs/${digest}`, '', [404]);
    if (found === undefined) return false;
    if (!found && !(await did('POST', `${root}/blobs/uploads/?digest=${digest}`, layer))) return false;
    const content = JSON.stringify({
      schemaVersion: 2,
      layers: [{ digest }],
      annotations: { at: `${name} ${number}` },
    });
    const one: Pushed = { root, content, layer, kept: undefined };
    seen.pushed.push(one);
    const done = await did('PUT', `${root}/manifests/${digestOf(content)}`, content);
    if (done) one.kept = true;
    mine.push(one);
    return done === true;
  };
  const remove = async (one: Pushed): Promise<boolean> => {
    one.kept = undefined;
    const done = await did('DELETE', `${root}/manifests/${digestOf(one.content)}`);
    if (done) one.kept = false;
    return done === true;
  };
  for (let number = 0; ; number++) {
    const kind = random();
    const [old] = kind < 0.2 ? mine.splice(Math.floor(random() * mine.length), 1) : [];
    const id = `${name}-${number}`;
    let isAlive: boolean;
    if (old) isAlive = await remove(old);
    else if (kind < 0.6) isAlive = await push(number);
    // Garbage is collected when an upload begins.
    else if (kind < 0.8) isAlive = (await did('POST', `${root}/blobs/uploads/`)) === true;
    else {
      const path = `/v1/workspace/${server.workspace_id}/events`;
      isAlive = (await did('POST', path, JSON.stringify([{ id }]))) === true;
      if (isAlive) seen.events.push(id);
    }
    if (!isAlive) break;
  }
  close();
}

/** What is missing, and what is there although its deletion was answered. */
async function faultsIn(server: Served, seen: Seen): Promise<readonly string[]> {
  const { call, close } = caller(server);
  const faults: string[] = [...seen.refused];
  for (const one of seen.pushed) {
    const { root, content, layer, kept } = one;
    const path = `${root}/manifests/${digestOf(content)}`;
    const manifest = await call('GET', path);
    if (kept === true && manifest?.text !== content) faults.push(`${path} is missing`);
    if (kept === false && manifest?.status !== 404) faults.push(`${path} is back`);
    one.kept = manifest?.status === 200;
    if (!one.kept) continue;
    const blob = await call('GET', `${root}/blobs/${digestOf(layer)}`);
    if (blob?.text !== layer) faults.push(`the layer of ${path} is missing`);
  }
  close();
  seen.pushed = seen.pushed.filter(({ kept }) => kept);
  return faults;
}

function inspect(folder: string): { readonly events: ReadonlySet<string>; readonly integrity: unknown } {
  const db = new Database(join(folder, 'service.db'));
  try {
    return {
      events: new Set(db.prepare('SELECT id FROM events').pluck().all().map(String)),
      integrity: db.prepare('PRAGMA integrity_check').pluck().all(),
    };
  } finally {
    db.close();
  }
}

/** Makes all garbage old enough to be collected by the next uploads. */
function age(folder: string): void {
  const db = new Database(join(folder, 'service.db'));
  db.exec("UPDATE loose_blobs SET since = '1970-01-01T00:00:00.000Z'");
  db.close();
}

test(`pushes and deletions survive ${ROUNDS} kills (seed ${seed})`, async () => {
  const random = randomOf(seed);
  const folder = join(place.folder, 'data');
  const seen: Seen = { pushed: [], events: [], refused: [] };
  let deletions = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const server = await serve(place.folder, ['--data', folder]);
    const clients = Array.from({ length: CLIENTS }, (_, at) =>
      client(server, `r${round}c${at}`, randomOf(Math.floor(random() * 2 ** 31)), seen),
    );
    // Some of each have been answered, however busy the machine is.
    const count = (kept: boolean) => seen.pushed.filter((one) => one.kept === kept).length;
    await until(() => count(true) >= 2 * CLIENTS && count(false) > 0);
    await new Promise((done) => setTimeout(done, random() * 300));
    process.kill(server.pid, 'SIGKILL');
    await Promise.all(clients);
    await server.stop();
    const { events, integrity } = inspect(folder);
    expect(integrity).toEqual(['ok']);
    expect(seen.events.filter((id) => !events.has(id))).toEqual([]);
    deletions += seen.pushed.filter(({ kept }) => kept === false).length;
    const again = await serve(place.folder, ['--data', folder]);
    try {
      expect(await faultsIn(again, seen), `round ${round} of seed ${seed}`).toEqual([]);
    } finally {
      await again.stop();
    }
    age(folder);
  }
  process.stdout.write(`registry: ${ROUNDS} kills, seed ${seed}, ${seen.pushed.length} kept, ${deletions} deleted\n`);
  rmSync(folder, { recursive: true });
});
