/** Concurrent load: writers in several processes, clients that send garbage, clients that send slowly. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, send } from '../support/embedded-service.ts';
import { dtp, home, type Served, serve } from '../support/process.ts';
import { rounds } from '../support/random.ts';

const WRITES = rounds(40, 200);
const CLIENTS = 20;
const PROCESSES = 4;

let place: ReturnType<typeof home>;
let server: Served;
let workspace: string;
beforeAll(async () => {
  place = home();
  server = await serve(place.folder);
  workspace = `/v1/workspace/${server.workspace_id}`;
});
afterAll(async () => {
  await server?.stop();
  place.remove();
});

const call = (method: string, path: string, sent: Parameters<typeof send>[3] = {}): Promise<Answer> =>
  send(server.address, method, path, { ...sent, headers: { 'x-api-key': server.key, ...sent.headers } });

const form = (name: string) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
  body: [
    '--b\r\ncontent-disposition: form-data; name="data"\r\n\r\n{"type":"changes"}\r\n',
    `--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n${name}\r\n--b--\r\n`,
  ].join(''),
});

const write = (id: string, number: number): Promise<Answer> => {
  if (number % 4 === 0) return call('POST', `${workspace}/tokens`, { json: { name: id } });
  if (number % 4 === 1) return call('PUT', `${workspace}/settings`, { json: { [id]: true } });
  if (number % 4 === 2) return call('POST', '/v1/reports', form(id));
  return call('POST', `${workspace}/events`, {
    json: [
      { id: `${id}-a`, execution_id: 'load' },
      { id: `${id}-b`, execution_id: 'load' },
    ],
  });
};

test(`${CLIENTS} clients with ${WRITES} writes each next to ${PROCESSES} processes: nothing is lost`, async () => {
  let isOver = false;
  const local = async (process: number) => {
    const ids: string[] = [];
    for (let number = 0; number < 3 || !isOver; number++) {
      const id = `local-${process}-${number}`;
      const ended = await dtp(place.folder, ['--profile', 'local', 'events', 'post', '--body', '-'], {
        stdin: JSON.stringify([{ id, execution_id: 'load' }]),
      });
      expect(ended, id).toMatchObject({ code: 0 });
      ids.push(id);
    }
    return ids;
  };
  const remote = async (client: number) => {
    const statuses: number[] = [];
    for (let number = 0; number < WRITES; number++) statuses.push((await write(`c${client}-${number}`, number)).status);
    return statuses;
  };
  const locals = Promise.all(Array.from({ length: PROCESSES }, (_, at) => local(at)));
  const statuses = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => remote(at))).finally(() => {
    isOver = true;
  });
  const local_ids = (await locals).flat();
  expect(new Set(statuses.flat())).toEqual(new Set([200, 204]));

  const sent = Array.from({ length: CLIENTS * WRITES }, (_, at) => ({
    id: `c${Math.floor(at / WRITES)}-${at % WRITES}`,
    kind: (at % WRITES) % 4,
  }));
  const of = (kind: number) => sent.filter((one) => one.kind === kind).map(({ id }) => id);
  const names = async (path: string, member: string) =>
    (await call('GET', path)).json.map((one: Record<string, unknown>) => one[member]);
  const events = await names(`${workspace}/events?execution_id=load`, 'id');
  expect(events.sort()).toEqual([...of(3).flatMap((id) => [`${id}-a`, `${id}-b`]), ...local_ids].sort());
  const tokens = await names(`${workspace}/tokens`, 'name');
  expect(tokens).toEqual(expect.arrayContaining(of(0)));
  expect(tokens).toHaveLength(of(0).length + 1);
  expect(Object.keys((await call('GET', `${workspace}/settings`)).json)).toEqual(expect.arrayContaining(of(1)));
  for (const id of of(2)) {
    const { url } = (await call('POST', '/v1/reports', form(id))).json;
    const { pathname, search } = new URL(url);
    expect((await call('GET', pathname + search)).text).toBe(id);
  }
});

/** A connection that may be reset at any time. */
function open(): Socket {
  const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  return socket;
}

async function expectService(): Promise<void> {
  for (let number = 0; number < 20; number++) {
    const id = `served-${Math.random()}`;
    expect((await call('POST', `${workspace}/events`, { json: [{ id }] })).status).toBe(204);
  }
}

const head = (more: string) =>
  `POST ${workspace}/events HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${server.key}\r\n${more}`;

test('200 sockets that send headers or bodies slowly delay nobody', async () => {
  const sockets = Array.from({ length: 200 }, (_, at) => {
    const socket = open();
    socket.write(at % 2 === 0 ? head('x-slow: ') : head('content-length: 100000\r\n\r\n['));
    return socket;
  });
  const timer = setInterval(() => sockets.map((socket) => socket.writable && socket.write(' ')), 20);
  try {
    await expectService();
  } finally {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  }
  await expectService();
});

test('garbage and interrupted requests delay nobody', async () => {
  const garbage = [
    Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256)),
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
    head('content-length: -1\r\n\r\n'),
    head('content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    head('transfer-encoding: chunked\r\n\r\nzz\r\nno size\r\n'),
    head(`x-long: ${'x'.repeat(100_000)}\r\n\r\n`),
    head('content-length: 100\r\n\r\n[{"id":'),
    head('content-type: multipart/form-data; boundary=b\r\ncontent-length: 900\r\n\r\n--b\r\n'),
    head('x-half: '),
  ];
  const sockets = Array.from({ length: 110 }, (_, at) => {
    const socket = open();
    socket.end(garbage[at % garbage.length] ?? '');
    if (at % 3 === 0) setTimeout(() => socket.resetAndDestroy(), 5);
    return socket;
  });
  await expectService();
  for (const socket of sockets) socket.destroy();
  await expectService();
});

test('a JSON body above 16 MiB gets a 413 that says so', async () => {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  const answer = await new Promise<{ status: number | undefined; text: string }>((done, failed) => {
    const { hostname, port } = new URL(server.address);
    const headers = { 'x-api-key': server.key, 'content-type': 'application/json' };
    const path = `${workspace}/events`;
    const outgoing = request({ hostname, port, method: 'POST', path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => done({ status: response.statusCode, text }));
    });
    outgoing.on('error', failed);
    const feed = async () => {
      for (let sent = 0; sent < 65; sent++)
        if (!outgoing.write(piece)) await new Promise((drained) => outgoing.once('drain', drained));
      outgoing.end();
    };
    feed().catch(failed);
  });
  expect(answer.status).toBe(413);
  expect(JSON.parse(answer.text)).toMatchObject({ message: 'the body is larger than 16 MiB' });
  await expectService();
});

const MIB = 1024 * 1024;
/** A million values, which take half a second on a slow machine. */
const million = `[${'{},'.repeat(499_990)}{}]`;
/** The CPU milliseconds that this takes. */
function parsing(): number {
  const before = process.cpuUsage();
  JSON.parse(million);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The CPU milliseconds that the main thread of the service has used. Elsewhere than on Linux, the time. */
function usedByService(): number {
  if (process.platform !== 'linux') return performance.now();
  const stat = readFileSync(`/proc/${server.pid}/task/${server.pid}/stat`, 'utf8');
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
  // In hundredths of a second.
  return (Number(user) + Number(system)) * 10;
}

/** Four parses, plus copying and scanning before them. */
const mostParses = 20;

/**
 * The longest wait of a small request while the service reads four bodies, in parses of the largest body. It is measured
 * in CPU time, which other load on the machine hardly affects.
 */
async function longestWait(status: number, body: string): Promise<number> {
  const own = Math.max(parsing(), parsing());
  const sent = Promise.all([1, 2, 3, 4].map(() => call('POST', '/v1/suggest/items', { body })));
  let isOver = false;
  sent.finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    const before = usedByService();
    expect((await call('GET', '/v1/user')).status).toBe(200);
    longest = Math.max(longest, usedByService() - before);
  }
  expect((await sent).map((answer) => answer.status)).toEqual([status, status, status, status]);
  return longest / own;
}

test.each([
  ['brackets', 400, `${'['.repeat(8 * MIB)}${']'.repeat(8 * MIB)}`],
  ['brackets that are never closed', 400, '['.repeat(16 * MIB)],
  ['16 MiB of empty objects', 413, `[${'{},'.repeat(5 * MIB)}{}]`],
  ['the maximum number of empty objects', 422, `[${'{},'.repeat(49_990)}{}]`],
  ['one string', 422, `"${'['.repeat(16 * MIB - 2)}"`],
])('four simultaneous bodies of %s delay nobody', async (_, status, body) => {
  expect(await longestWait(status, body)).toBeLessThan(mostParses);
});
