/** How the service answers when it may open few files and sockets, and most of them are in use. */

import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { petstore } from '../../story/petstore.ts';
import { digestOf, formHeaders, formOf, registry } from '../../support/large-data.ts';
import { connectMcp, using } from '../../support/mcp.ts';
import { home, serve, start } from '../../support/process.ts';
import { atMost, type Reaction, type RoughClients, roughClients } from '../../support/rough-clients.ts';
import { addressOf, places, twoTenants } from '../../support/watched-service.ts';

/** How long an answer may take, in milliseconds. */
const LONGEST_MS = 30_000;

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

const blob = Buffer.alloc(100_000, 'b');

const requests: Readonly<Record<string, (clients: RoughClients) => Promise<Reaction>>> = {
  'POST /v1/code_sample/preview': ({ ask }) =>
    ask('POST', '/v1/code_sample/preview', {
      headers: formHeaders,
      body: formOf([['language', 'curl']], ['schema_file', petstore]),
    }),
  'POST /v1/suggest/openapi': ({ ask }) =>
    ask('POST', '/v1/suggest/openapi', {
      headers: { ...formHeaders, 'x-session-id': 's' },
      body: formOf([], ['schema', petstore]),
    }),
  'POST /v1/reports': ({ ask }) =>
    ask('POST', '/v1/reports', {
      headers: formHeaders,
      body: formOf([['data', '{"type":"linting"}']], ['file', 'report']),
    }),
  'an upload of a blob': ({ ask }) =>
    ask('POST', `${registry('pets')}/blobs/uploads/?digest=${digestOf(blob)}`, { body: blob }),
  'GET /v1/user': ({ ask }) => ask('GET', '/v1/user'),
};

interface Limited {
  readonly address: string;
  readonly key: string;
  /** Its exit code. */
  readonly ended: Promise<number>;
}

type Open = (folder: string, openFiles: number) => Promise<Limited>;

/** Starts `dtp dev` with a command that prints where the service is, and waits. */
const openDev: Open = (folder, openFiles) => {
  const print = `console.log(JSON.stringify({ address: process.env.DTP_BASE_URL, key: process.env.DTP_API_KEY }));
    process.stdin.resume();`;
  const child = start(folder, ['dev', '--', process.execPath, '-e', print], { openFiles });
  ended.push(() => child.stdin.end());
  const code = new Promise<number>((done) => child.once('close', (one) => done(one ?? -1)));
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return new Promise((done, failed) => {
    child.stdout.once('data', (line) => done({ ...JSON.parse(String(line)), ended: code }));
    void code.then(() => failed(new Error(`dtp dev has ended: ${errors}`)));
  });
};

const openServe =
  (flags: readonly string[]): Open =>
  async (folder, openFiles) => {
    const service = await serve(folder, flags, {}, openFiles);
    ended.push(() => service.stop());
    return service;
  };

/** Sends each request, and returns what was wrong. A request that waits for a free descriptor is not answered yet. */
async function faultsOf(clients: RoughClients, isRight: (reaction: Reaction) => boolean): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [name, send] of Object.entries(requests)) {
    let reaction: Reaction | undefined;
    await atMost(
      LONGEST_MS,
      send(clients).then((one) => {
        reaction = one;
      }),
    );
    if (!reaction || !isRight(reaction)) faults.push(`${name}: ${reaction?.status ?? 'no answer'} ${reaction?.start}`);
  }
  return faults;
}

const isClear = ({ status, headers, start }: Reaction): boolean =>
  status > 0 &&
  (start === '' || /^[[{]/.test(start)) &&
  (status < 500 || (status === 503 && Number(headers['retry-after']) > 0));

const services: readonly (readonly [name: string, open: Open])[] = [
  ['dtp serve', openServe([])],
  ['dtp serve behind a proxy', openServe(places['behind a proxy'])],
  ['dtp dev', openDev],
];

/** How many files and sockets it may open, and how many of them idle connections take. */
const limits = [
  [64, 40],
  [80, 50],
  [1024, 1000],
] as const;

const rows = services.flatMap(([name, open]) => limits.map(([limit, idle]) => [name, limit, idle, open] as const));

describe.skipIf(process.platform !== 'linux')('with few files and sockets', () => {
  test.each(rows)('%s, at most %i with %i idle connections, answers and lives', async (_, limit, idle, open) => {
    const { folder, remove } = home();
    ended.push(remove);
    const service = await open(folder, limit);
    let code: number | undefined;
    void service.ended.then((one) => {
      code = one;
    });
    const clients = roughClients(service.address, { 'x-api-key': service.key });
    ended.push(clients.close);
    const sockets: Socket[] = [];
    for (let number = 0; number < idle; number++) sockets.push(await clients.idle());
    expect({ faults: await faultsOf(clients, isClear), code }).toEqual({ faults: [], code: undefined });
    const closed = sockets.map((socket) => socket.destroyed || new Promise((done) => socket.once('close', done)));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    const faults = await faultsOf(clients, ({ status }) => status >= 200 && status < 300);
    expect({ faults, code }).toEqual({ faults: [], code: undefined });
  });

  test.each([
    [64, 40],
    [256, 240],
  ])('dtp serve, at most %i with %i forms whose file comes byte by byte, answers others', async (limit, count) => {
    const tenants = twoTenants();
    ended.push(tenants.remove);
    const service = await serve(tenants.folder, places['behind a proxy'], {}, limit);
    ended.push(() => service.stop());
    const clients = roughClients(addressOf(service), { 'x-api-key': tenants.attacker.key });
    ended.push(clients.close);
    const body = formOf([['data', '{"type":"linting"}']], ['file', 'report']);
    const headers = { ...formHeaders, 'content-length': String(body.byteLength + 10_000) };
    const sent = { headers, body: body.subarray(0, -10), everyMs: 1000 };
    await Promise.all(Array.from({ length: count }, () => clients.stall('POST', '/v1/reports', sent)));
    const others = roughClients(addressOf(service), { 'x-api-key': tenants.other.key });
    ended.push(others.close);
    for (let round = 0; round < 10; round++) expect((await others.ask('GET', '/v1/user')).status).toBe(200);
  });

  test.each([32, 40, 64])(
    'dtp mcp with at most %i answers a call that needs another process, and lives',
    async (openFiles) => {
      const { folder, remove } = home();
      ended.push(remove);
      writeFileSync(join(folder, 'openapi.yaml'), petstore);
      const opened = connectMcp(folder, ['mcp', '--profile', 'local', '--root', folder], { openFiles });
      await using(opened, async ({ call }) => {
        const preview = () => call('code_samples_preview', { schema_file: { path: 'openapi.yaml' }, language: 'curl' });
        const calls = await Promise.all([preview(), preview(), preview()]);
        for (const { isError, value } of calls)
          if (isError) expect(value).toMatchObject({ message: expect.any(String) });
        expect((await call('auth_user')).isError).toBe(false);
      });
    },
  );
});
