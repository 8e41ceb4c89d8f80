/** The built tool on a full disk: a real, tiny one, in a long run. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/context.ts';
import { ndjson } from '../support/event-service.ts';
import { mounted } from '../support/mount.ts';
import { dtp, filesInState, home, type Served, serve, start } from '../support/process.ts';
import { onDisk } from '../support/spool-world.ts';

/** A disk of 4 MiB, or undefined if it cannot be created. `leave`: fills it up to this number of free bytes. */
function tinyDisk() {
  const folder = join(temporaryFolder(), 'disk');
  mkdirSync(folder);
  if (!mounted(['-t', 'tmpfs', '-o', 'size=4m', 'none'], folder)) return undefined;
  const filler = join(folder, 'filler');
  const leave = (bytes: number) => {
    rmSync(filler, { force: true });
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
  };
  return { folder, leave, clear: () => rmSync(filler, { force: true }) };
}

async function service(): Promise<Served> {
  const place = home();
  const server = await serve(place.folder);
  onTestFinished(async () => {
    await server.stop();
    place.remove();
  });
  return server;
}

const envOf = ({ address, key, workspace_id }: Served) => ({
  DTP_BASE_URL: address,
  DTP_API_KEY: key,
  DTP_WORKSPACE_ID: workspace_id,
});
const PAGE = 4096;

test('config set: the old file stays', async ({ skip }) => {
  const disk = tinyDisk();
  if (!disk) return skip();
  const env = { DTP_CONFIG_DIR: join(disk.folder, 'config') };
  const set = (value: string) => dtp(disk.folder, ['config', 'set', 'workspace', value], { env });
  expect(await set('old')).toMatchObject({ code: 0 });
  const file = join(disk.folder, 'config', 'config.json');
  const old = readFileSync(file, 'utf8');
  for (let pages = 0; pages < 4; pages++) {
    disk.leave(pages * PAGE);
    const ended = await set('w'.repeat(3 * PAGE));
    const text = readFileSync(file, 'utf8');
    expect(readdirSync(join(disk.folder, 'config'))).toEqual(['config.json']);
    expect([ended.code, text === old], ended.stderr).toEqual([3, true]);
    expect(ended.stderr).toContain(join(disk.folder, 'config'));
  }
  disk.clear();
  expect(await set('new')).toMatchObject({ code: 0 });
});

test('-O: the file is complete, or does not exist', async ({ skip }) => {
  const disk = tinyDisk();
  if (!disk) return skip();
  const argv = ['schema', '--all', '-O', 'schema.json'];
  for (let pages = 0; pages < 4; pages++) {
    disk.leave(pages * PAGE);
    const ended = await dtp(disk.folder, argv, { env: { DTP_ERROR_FORMAT: 'text' } });
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('schema.json: no space left on the disk');
    // Compiled code is in the state folder, if there is room.
    expect(readdirSync(disk.folder).filter((name) => name !== 'state')).toEqual(['filler']);
  }
  disk.clear();
  expect(await dtp(disk.folder, argv)).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(join(disk.folder, 'schema.json'), 'utf8'))).toHaveProperty('commands');
});

test('events post: each event is acknowledged, queued, or reported as not read', async ({ skip }) => {
  const disk = tinyDisk();
  if (!disk) return skip();
  const server = await service();
  const state = join(disk.folder, 'state');
  const post = (address: string, prefix: string) =>
    dtp(disk.folder, ['events', 'post', '--body', '-', '--batch-size', '50', '-o', 'json'], {
      env: { ...envOf(server), DTP_BASE_URL: address, DTP_STATE_DIR: state, DTP_TIMEOUT: '3s' },
      stdin: ndjson(500, 3, prefix),
    });
  // Nothing listens there: every event is queued if there is room.
  for (let pages = 0; pages < 12; pages += 2) {
    disk.leave(pages * PAGE);
    const ended = await post('http://127.0.0.1:9', `p${pages}`);
    expect(ended.code, ended.stderr).toBe(1);
    const ids = onDisk(state).map((file) => file.ids);
    expect(ids).not.toContain(undefined);
    const queuedIds = ids.flatMap((one) => one ?? []).filter((id) => id.startsWith(`p${pages}_`));
    const failure = JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) as string).error;
    expect(failure.message).toContain(disk.folder);
    expect(queuedIds.length).toBe(failure.details?.accepted ?? 0);
    rmSync(state, { recursive: true, force: true });
  }
  disk.clear();
  expect(await post(server.address, 'last')).toMatchObject({ code: 0 });
  expect(existsSync(state) ? filesInState(state) : []).toEqual([]);
});

test.each([
  [1, 'no space left on the disk', 20, []],
  [1, 'no space left on the disk', 20, ['--allow-failure']],
  [124, 'no result within', 0, []],
])('events post with a deadline ends with %i: %s', async (code, message, pages, flags) => {
  const disk = tinyDisk();
  if (!disk) return;
  const server = createServer((_, response) => void response.writeHead(503).end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = {
    DTP_BASE_URL: `http://127.0.0.1:${port}`,
    DTP_API_KEY: 'key-12345678',
    DTP_WORKSPACE_ID: 'w_1',
    DTP_STATE_DIR: join(disk.folder, 'state'),
  };
  if (pages > 0) disk.leave(pages * PAGE);
  const child = start(disk.folder, ['events', 'post', '--body', '-', '--timeout', '3s', ...flags], { env });
  // The input does not end, so that without a full disk the deadline ends it.
  child.stdin.write(ndjson(5000));
  const [stderr, ended] = await Promise.all([text(child.stderr), once(child, 'close').then(([status]) => status)]);
  expect([ended, stderr]).toEqual([code, expect.stringContaining(message)]);
});

test('the embedded service reports an error and loses nothing that it acknowledged', async ({ skip }) => {
  const disk = tinyDisk();
  if (!disk) return skip();
  const local = (...argv: string[]) =>
    dtp(disk.folder, ['--profile', 'local', ...argv, '-o', 'json'], {
      env: { DTP_DATA_DIR: join(disk.folder, 'data'), DTP_STATE_DIR: join(disk.folder, 'state') },
    });
  expect(await local('ws', 'current')).toMatchObject({ code: 0 });
  disk.leave(20 * PAGE);
  const acknowledged: string[] = [];
  let failures = 0;
  for (let number = 0; failures < 5 && number < 200; number++) {
    const name = `t${number}-${'x'.repeat(2000)}`;
    const ended = await local('ws', 'tokens', 'create', '--name', name);
    if (ended.code === 0) acknowledged.push(name);
    else {
      failures++;
      expect([3, 10], ended.stderr).toContain(ended.code);
      expect(ended.stderr).toContain(join(disk.folder, 'data', 'service.db'));
    }
  }
  expect(failures).toBe(5);
  disk.clear();
  const names = JSON.parse((await local('ws', 'tokens', 'list')).stdout).map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(acknowledged));
  expect(names).toHaveLength(acknowledged.length + 1);
});
