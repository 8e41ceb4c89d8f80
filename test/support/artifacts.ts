/** A registry to push to and pull from: the embedded service on a socket, ways to corrupt it, and hand-made ZIPs. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { dirname, join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { openSend } from '../../src/transport/send.ts';
import { dtp, type Ended, temporaryFolder, type World } from './context.ts';
import { type Served, send, served } from './embedded-service.ts';

export const sha = (bytes: string | Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export interface Registry {
  readonly service: Served;
  readonly home: string;
  readonly run: (argv: readonly string[], world?: World) => Promise<Ended>;
}

export async function registry(): Promise<Registry> {
  const service = await served();
  onTestFinished(service.close);
  const home = temporaryFolder();
  const run = (argv: readonly string[], world: World = {}) =>
    dtp(['artifacts', ...argv], {
      home,
      cwd: home,
      openSend: async (options) => openSend(options),
      ...world,
      env: {
        DTP_BASE_URL: service.address,
        DTP_API_KEY: service.key,
        DTP_ERROR_FORMAT: 'text',
        ...world.env,
      },
    });
  return { service, home, run };
}

export function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** The SHA-256 of every file in a folder, by path. */
export const filesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), sha(readFileSync(path))]),
  );

/** Hidden files next to the results. There should never be any. */
export const leftovers = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith('.dtp-'));

export interface Layer {
  readonly bytes: Uint8Array;
  readonly type?: string;
  readonly title?: string;
}

/** Stores a revision with these layers under the tag `latest`, using its own requests. */
export async function publish(
  { address, key }: Pick<Served, 'address' | 'key'>,
  namespace: string,
  layers: readonly Layer[],
): Promise<string> {
  const root = `/v1/oci/v2/local/default/${namespace}`;
  const headers = { 'x-api-key': key };
  const blob = async (bytes: Uint8Array) => {
    const digest = sha(bytes);
    await send(address, 'POST', `${root}/blobs/uploads/?digest=${digest}`, { headers, body: bytes });
    return { digest, size: bytes.byteLength };
  };
  const described = [];
  for (const { bytes, type = 'application/zip', title } of layers)
    described.push({
      mediaType: type,
      ...(await blob(bytes)),
      ...(title === undefined ? {} : { annotations: { 'org.opencontainers.image.title': title } }),
    });
  const manifest = JSON.stringify({ schemaVersion: 2, layers: described });
  const put = await send(address, 'PUT', `${root}/manifests/latest`, { headers, body: manifest });
  if (put.status !== 201) throw new Error(put.text);
  return sha(manifest);
}

export interface Entry {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** Unix permissions. */
  readonly mode?: number;
  /** Values the headers claim instead of the real ones. */
  readonly size?: number;
  readonly crc?: number;
  readonly flags?: number;
  readonly method?: number;
}

/** A ZIP built byte by byte, for content that no ZIP writer would produce. */
export function zipOf(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, content = '', mode = 0o100644, size, crc, flags = 0x800, method = 8 } of entries) {
    const raw = Buffer.from(content as string);
    const packed = method === 8 ? deflateRawSync(raw) : raw;
    const named = Buffer.from(name as string);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(flags, 2);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt32LE(0x21_0000, 6);
    facts.writeUInt32LE(crc ?? crc32(raw), 10);
    facts.writeUInt32LE(packed.byteLength, 14);
    facts.writeUInt32LE(size ?? raw.byteLength, 18);
    facts.writeUInt16LE(named.byteLength, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, named, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(at, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), facts, tail, named]));
    locals.push(local);
    at += local.byteLength;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.byteLength, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}

/** A proxy of raw bytes that cuts the connection after `bytes` bytes (both directions together), `times` times. */
export async function startCuttingProxy(target: string): Promise<{
  readonly address: string;
  readonly cutAfter: (bytes: number, times?: number) => void;
  readonly seen: () => number;
}> {
  const { port } = new URL(target);
  let [seen, limit, left] = [0, Number.POSITIVE_INFINITY, 0];
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const service = net.connect(Number(port), '127.0.0.1');
    const end = () => {
      client.destroy();
      service.destroy();
    };
    for (const socket of [client, service]) {
      open.add(socket);
      socket.on('error', end).on('close', end);
    }
    const through = (from: net.Socket, to: net.Socket) =>
      from.on('data', (piece: Buffer) => {
        const room = limit - seen;
        seen += piece.byteLength;
        if (left === 0 || piece.byteLength < room) return void to.write(piece);
        left--;
        // From the second cut on, cut soon after the connection is back.
        limit = seen + 300;
        // The bytes let through must arrive before the connection ends.
        to.write(piece.subarray(0, room), end);
      });
    through(client, service);
    through(service, client);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return {
    address: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    cutAfter: (bytes, times = 1) => {
      [seen, limit, left] = [0, bytes, times];
    },
    seen: () => seen,
  };
}

/** An API document that refers to these files. */
export const document = (...references: readonly string[]) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    all: references.map(($ref) => ({ $ref })),
  });

/** A push that must not send anything: any request fails the test. */
export const dryPush = (cwd: string, argv: readonly string[]) =>
  dtp(['artifacts', 'push', ...argv, '--namespace', 'n', '--dry-run'], {
    cwd,
    env: {
      DTP_BASE_URL: 'https://api.example.test',
      DTP_API_KEY: 'k-1',
      DTP_ORGANIZATION_SLUG: 'o',
      DTP_WORKSPACE_SLUG: 'w',
      DTP_ERROR_FORMAT: 'text',
    },
  });
