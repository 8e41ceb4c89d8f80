/** Posts that are ended at any moment, or that run at once in an outage: no event is lost, and none arrives twice. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { isOnWindows } from '../../src/system/platform.ts';
import { dtp, filesInState, home, start } from '../support/process.ts';
import { onDisk } from '../support/spool-world.ts';

/** A service that records the ids of the events that it accepts, in order. */
async function openService(isUp: () => boolean, onRequest: (count: number) => void = () => undefined) {
  const accepted: string[] = [];
  let count = 0;
  const server = createServer(async (request, response) => {
    const events = (await json(request).catch(() => [])) as { id: string }[];
    onRequest(++count);
    if (isUp()) accepted.push(...events.map(({ id }) => id));
    response.writeHead(isUp() ? 204 : 503).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { accepted, env: { DTP_BASE_URL: address, DTP_API_KEY: 'k', DTP_WORKSPACE_ID: 'w' } };
}

function place() {
  const { folder, remove } = home();
  onTestFinished(remove);
  return folder;
}

const linesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => JSON.stringify({ id: `${name}-${at}`, execution_id: name })).join('\n');
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}`);
const queued = (folder: string) => onDisk(join(folder, 'state'));

async function flush(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  expect(await dtp(folder, ['events', 'queue', 'flush'], { env })).toMatchObject({ code: 0 });
  expect(queued(folder)).toEqual([]);
  expect(filesInState(join(folder, 'state'))).toEqual([]);
}

test('eight posts at once in an outage, then a flush', async () => {
  let isUp = false;
  const { accepted, env } = await openService(() => isUp);
  const folder = place();
  const names = Array.from({ length: 8 }, (_, at) => `p${at}`);
  const post = (name: string) =>
    dtp(folder, ['events', 'post', '--body', '-', '--batch-size', '20', '--timeout', '20s'], {
      env,
      stdin: linesOf(name, 100),
    });
  for (const { code, stderr } of await Promise.all(names.map(post))) expect(code, stderr).toBe(75);
  const all = names.flatMap((name) => idsOf(name, 100)).sort();
  expect(
    queued(folder)
      .flatMap(({ ids }) => ids ?? [])
      .sort(),
  ).toEqual(all);
  isUp = true;
  // A flush leaves events that the other one is sending, and exits with 75.
  const flushes = await Promise.all([1, 2].map(() => dtp(folder, ['events', 'queue', 'flush'], { env })));
  for (const { code, stderr } of flushes) expect([0, 75], stderr).toContain(code);
  await flush(folder, env);
  expect(accepted.toSorted()).toEqual(all);
});

/** Ends a process at once, in one of two ways. */
const end = (pid: number, at: number) =>
  at % 2 === 0 || !isOnWindows
    ? process.kill(pid, 'SIGKILL')
    : execFileSync('taskkill', ['/F', '/PID', String(pid)], { stdio: 'ignore' });

const EVENTS = 1500;

/** The moments: when the first batch is on the disk, and at each second one of 30 requests. */
const moments = Array.from({ length: 14 }, (_, at) => at * 2);

test.each(moments)('a post that is ended at request %i', async (last) => {
  let pid = 0;
  const { accepted, env } = await openService(
    () => true,
    (count) => {
      if (count === last) end(pid, last / 2);
    },
  );
  const folder = place();
  const file = join(folder, 'events.ndjson');
  writeFileSync(file, linesOf('e', EVENTS));
  const child = start(folder, ['events', 'post', '--no-fill', '--body', `@${file}`, '--batch-size', '50'], { env });
  pid = child.pid ?? 0;
  const ended = new Promise((done) => child.on('close', done));
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.resume();
  if (last === 0) {
    while (queued(folder).length === 0 && child.exitCode === null) await new Promise((done) => setTimeout(done, 2));
    end(pid, last / 2);
  }
  await ended;
  // It did not reach its end.
  expect(printed).toBe('');
  const files = queued(folder);
  expect(files.filter(({ events }) => !events)).toEqual([]);
  const seen = new Set([...accepted, ...files.flatMap(({ ids }) => ids ?? [])]);
  await flush(folder, env);
  // What was read was queued, in order and without gaps. A batch without an answer is sent again, with the same ids.
  expect(new Set(accepted)).toEqual(seen);
  expect([...seen].sort()).toEqual(idsOf('e', seen.size).sort());
  expect(accepted.length - seen.size).toBeLessThanOrEqual(50 * 4);
});
